"""The command `rookery`, also run by `python -m rookery`. It handles Ctrl-C before it imports anything else."""

import io
import sys

from rookery.system import interrupts


def main() -> int:
    """Run the command line; return the exit code."""
    interrupts.listen()
    if sys.stdin is None:  # standard input was closed
        sys.stdin = io.StringIO()
    try:
        from rookery.cli import main as run

        code = run()
    except KeyboardInterrupt:  # before a command started, or after it ended
        code = interrupts.INTERRUPTED
    return interrupts.leave(code)


if __name__ == "__main__":
    sys.exit(main())
