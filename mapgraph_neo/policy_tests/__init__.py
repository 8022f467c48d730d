"""Policy tests: YAML files of events, acts and expectations, each run in a tenant of its own."""

from mapgraph_neo.policy_tests.model import PolicyTest, policy_test_schema
from mapgraph_neo.policy_tests.reading import TestFile, TestFileError, find_tests, read_test
from mapgraph_neo.policy_tests.running import Failure, Runner, TestResult, unread

__all__ = [
    "Failure",
    "PolicyTest",
    "Runner",
    "TestFile",
    "TestFileError",
    "TestResult",
    "find_tests",
    "policy_test_schema",
    "read_test",
    "unread",
]
