"""The command `rookery`, which `python -m rookery` runs too. It sees to Ctrl-C before it imports anything else."""

import sys

from rookery.core import interrupts


def main() -> int:
    """Run what was typed; return the exit code."""
    interrupts.listen()
    try:
        from rookery.cli import main as run

        code = run()
    except KeyboardInterrupt:  # before a command began, or after it ended
        code = interrupts.INTERRUPTED
    return interrupts.leave(code)


if __name__ == "__main__":
    sys.exit(main())
