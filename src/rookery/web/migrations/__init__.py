"""How the tables came to be, step by step; Alembic brings any older database up to date when the server starts."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent


def revisions() -> list[str]:
    """The revisions of the schema, oldest first, read from the files: Alembic takes long to import."""
    found: dict[str | None, str] = {}
    for file in (FOLDER / "versions").glob("*.py"):
        text = file.read_text(encoding="utf-8")
        revision, before = (re.search(rf"^{name}\b[^=]*= (.+)$", text, re.M) for name in ("revision", "down_revision"))
        if revision and before:
            after = None if before[1].strip() == "None" else before[1].strip().strip("\"'")
            found[after] = revision[1].strip().strip("\"'")
    ordered: list[str] = []
    last = None
    while last in found:
        last = found[last]
        ordered.append(last)
    return ordered
