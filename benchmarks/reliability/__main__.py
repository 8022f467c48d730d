"""``python -m benchmarks.reliability load|kills|scale``, on the server that NEO4J_URI names."""

import sys

from . import kills, load, scale

RUNS = {"load": load.run, "kills": kills.run, "scale": scale.run}


def main() -> int:
    """Run what is named."""
    if not sys.argv[1:] or sys.argv[1] not in RUNS:
        print(f"usage: python -m benchmarks.reliability {'|'.join(RUNS)} [options]")
        return 2
    return RUNS[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
