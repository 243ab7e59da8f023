"""A guided first game of 67!: five slides on a small board that end with a 67."""

from __future__ import annotations

from rookery.core.lesson import Lesson, LessonStep

LESSON = Lesson(
    options={"rows": 4, "cols": 4, "tiles": 1},
    start=".,.,.,5/.,*,.,./3,*,.,+/7,6,+,7 0 0",
    seed=88,
    steps=(
        LessonStep(
            "Slide left, by the arrow key or a swipe over the board. Number, operator, number in a line become their "
            "result: in the bottom row 6 + 7 makes 13.",
            ("left",),
            "The 7 before the 13 stays: two numbers do not join. After every slide a new tile appears, here a 7.",
        ),
        LessonStep(
            "Slide down. Columns are read from top to bottom: in the first one 5 × 3 makes 15.",
            ("down",),
            "15. The new tile is a 4.",
        ),
        LessonStep(
            "Slide left. Gaps do not matter: 15 × 4 makes 60, and below 13 + 7 makes 20.",
            ("left",),
            "60 is close, and there is a new +.",
        ),
        LessonStep(
            "Slide right. Nothing joins, but the + comes to stand above the 60, in the last column.",
            ("right",),
            "And a 7 has appeared right above them.",
        ),
        LessonStep("Slide up: 7 + 60 makes 67.", ("up",), "67!"),
    ),
    ending="A 67 wins the game. A whole game has a larger board, and two new tiles after every slide.",
)
