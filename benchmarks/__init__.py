"""Benchmarks and long runs; each is a command and uses the public API."""
