"""A hook for commits: files of text end with one line break, and lines do not end with blanks."""

from __future__ import annotations

import sys
from pathlib import Path


def mend(path: Path) -> bool:
    """Write a file as it should be; return whether that changed it."""
    before = path.read_bytes()
    lines = [line.rstrip(b" \t\r") for line in before.rstrip(b"\r\n").split(b"\n")]
    after = b"\n".join(lines) + b"\n" if before.strip() else before
    if after != before:
        path.write_bytes(after)
    return after != before


if __name__ == "__main__":
    changed = [name for name in sys.argv[1:] if mend(Path(name))]
    for name in changed:
        print(f"{name} was changed: add it again.")
    sys.exit(bool(changed))
