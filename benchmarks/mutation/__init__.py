"""Mutation of the policy: small faults planted in statements and gate, and the tests that find them."""
