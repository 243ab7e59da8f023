"""The numbers that the settler learned: the factors of the prior, and the calibration of its chances to win.

`make fit-gamma` writes a new version of this file into docs/_build/gamma.
A factor is given as a hundred times its logarithm.
"""

BY_SIDES = (
    "-408 -408 -509 -457 -353 -408 -475 -318 -246 -370 -381 -126 -372 -398 -431 -408 -475 -488 -481 -476 -409 "
    "-388 -449 -384 -530 -251 -407 -318 -441 -489 -474 -321 -378 -616 -435",
    "96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 96 -8 119 150 32 204 227 -30 111 -27 180 220 252 166 93 -5 -49 "
    "133 -124 176",
    "-151 -151 -276 -260 -162 -151 -252 -16 22 -121 -100 51 -108 -150 -104 -151 -191 -372 -425 -165 -3 -11 -201 "
    "-184 -240 6 -285 -175 -205 -195 -353 84 -88 -354 164",
    "108 108 108 108 108 108 108 108 108 108 108 108 108 108 108 108 -18 -83 -38 109 316 237 228 217 108 -41 16 "
    "98 244 223 144 77 -3 -30 252",
)
"""By own sides, sides of others and free sides, each from 0 up: when all have an area to spare, when only others have,
when only the player has, and when nobody has."""

BY_CORNER = (
    "136 -59 7 0 7 -170 251 0 95 348 -165 0 0 0 0 -23 -187 -186 -75 0 300 149 171 0 0 0 0 -127 -174 272 -260 0 0 "
    "0 0 -105 0 0 0 -205",
    "172 13 133 0 30 -253 372 0 57 373 -206 0 0 0 0 -52 -331 -228 -18 0 271 242 249 0 0 0 0 -114 -205 420 -424 0 "
    "0 0 0 -142 0 0 0 -358",
)
"""By what lies at two sides, the lower first, and at the corner between them: with an area to spare, then none."""

BY_JOINING = "-27 82 -209 191"
"""With two sides or more of its own: for no joining and joining, with an area to spare, then without."""

BY_LOCALITY = "0 176 140 85 50 0"
"""No last move; then beside it, at its corner, two straight away, a knight's move away, further."""

SHARPER, SETTLED = 0.6, 8.5
"""The calibration: the odds of the simulations are raised to a power, 1 on an empty board, which grows evenly with the
share of cells taken to 1 + `SHARPER` when one cell in `SETTLED` is taken."""
