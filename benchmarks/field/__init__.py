"""Runs on material that other people made; each is a command and uses the public API only."""
