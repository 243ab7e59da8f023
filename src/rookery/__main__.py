"""The command `rookery`, which `python -m rookery` runs too. It sees to Ctrl-C before it imports anything else."""

import io
import sys

from rookery.system import interrupts


def main() -> int:
    """Run what was typed; return the exit code."""
    interrupts.listen()
    if sys.stdin is None:  # it was closed: there is nothing to read
        sys.stdin = io.StringIO()
    try:
        from rookery.cli import main as run

        code = run()
    except KeyboardInterrupt:  # before a command began, or after it ended
        code = interrupts.INTERRUPTED
    return interrupts.leave(code)


if __name__ == "__main__":
    sys.exit(main())
