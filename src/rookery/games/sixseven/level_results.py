"""How often the bots of each level win with the default options. `make alone` measures it, and writes the same figures
into the table of levels in docs/sixseven-play.md; a test compares the two.
"""

from __future__ import annotations

from rookery.core.ending import LevelResults

WON = (4.0, 11.8, 21.8, 29.8, 67.2, 74.6, 90.5, 92.8, 98.2, 98.4)
"""Per cent of the games that levels 1 to 10 win."""
RESULTS = LevelResults(WON, tuple(f"{share:.0f}%" for share in WON), "of its games", ("wins", "win"), comparable=False)
