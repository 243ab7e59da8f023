"""What the bots of each level bring home with the default options. `make alone` measures it, and writes the same
figures into the table of levels in docs/gotham-play.md; a test compares the two.
"""

from __future__ import annotations

from rookery.core.ending import LevelResults

POINTS = (68.4, 119.9, 158.9, 204.6, 243.4, 273.7, 284.1, 289.3, 300.3, 309.9)
"""Mean points of levels 1 to 10."""
RESULTS = LevelResults(POINTS, tuple(f"{points:.0f}" for points in POINTS), "points", ("brings home", "bring home"))
