"""Mutation of the policy: faults planted in statements and gate, and the tests that find them."""
