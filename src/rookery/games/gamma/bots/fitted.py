"""The numbers that the settler learned: the factors of the prior, and the calibration of its chances to win.

`make fit-gamma` writes a new version of this file into docs/_build/gamma.
A factor is given as a hundred times its logarithm.
"""

BY_SIDES = (
    "-309 -309 -321 -371 -275 -309 -338 -263 -215 -259 -308 -156 -319 -317 -426 -309 -277 -276 -299 -299 -267 "
    "-285 -332 -340 -383 -330 -298 -263 -337 -345 -333 -331 -310 -356 -315",
    "19 19 19 19 19 19 19 19 19 19 19 19 19 19 19 19 -1 92 96 6 124 132 -121 38 -57 6 64 99 34 -35 -91 -102 72 -87 90",
    "-71 -71 -186 -114 -67 -71 -176 34 36 -78 5 37 -111 -90 -77 -71 -161 -267 -145 9 111 115 -16 -36 -99 -75 -253 "
    "-164 28 3 -139 36 -212 -91 1",
    "6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 -80 -61 -43 24 157 108 55 64 -36 -182 -118 -44 40 41 -53 -51 -69 -46 134",
)
"""By own sides, sides of others and free sides, each from 0 up: when all have an area to spare, when only others have,
when only the player has, and when nobody has."""

BY_CORNER = (
    "115 -25 59 0 -24 -216 181 0 115 295 -89 0 0 0 0 -22 -160 -248 -95 0 209 116 99 0 0 0 0 -174 -89 201 -216 0 0 "
    "0 0 -64 0 0 0 -207",
    "144 51 141 0 11 -169 244 0 79 289 -74 0 0 0 0 -2 -259 -189 -55 0 177 159 162 0 0 0 0 -76 -78 250 -205 0 0 0 "
    "0 -46 0 0 0 -202",
)
"""By what lies at two sides, the lower first, and at the corner between them: with an area to spare, then none."""

BY_JOINING = "0 238 0 284"
"""With two sides or more of its own: for no joining and joining, with an area to spare, then without."""

BY_LOCALITY = "0 122 89 58 34 0"
"""No last move; then beside it, at its corner, two straight away, a knight's move away, further."""

SHARPER, SETTLED = 1.2, 3.0
"""The calibration: the odds of the simulations are raised to a power, 1 on an empty board, which grows evenly with the
share of cells taken to 1 + `SHARPER` when one cell in `SETTLED` is taken."""
