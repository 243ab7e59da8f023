"""A screen that nobody sees, for windows."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("XDG_RUNTIME_DIR", "/tmp")  # noqa: S108 - SDL complains without, and writes nothing there
