"""How many processors this process may use: a container sees more than it is given."""

import os
from pathlib import Path

CGROUP_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def available_processors() -> int:
    """Return the processors that this process may keep busy, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        allowed = len(os.sched_getaffinity(0))
    else:
        allowed = os.cpu_count() or 1
    quota = _quota()
    return max(1, allowed if quota is None else min(allowed, round(quota)))


def _quota() -> float | None:
    """Return the processors that the control group grants, or ``None`` where there is no limit."""
    try:
        granted, period = CGROUP_QUOTA.read_text(encoding="ascii").split()
        return int(granted) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None
