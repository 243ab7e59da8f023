"""A guided first game of Gotham Loops: out, back home with the points, and the first step of the second round."""

from __future__ import annotations

from rookery.core.lesson import Lesson, LessonStep

LESSON = Lesson(
    options={"size": 7},
    seed=3,
    steps=(
        LessonStep(
            "You stand at home, in the middle. Go up one cell: it lies one step from home, so it is worth 1 point.",
            ("up",),
            "You got in: 1 point so far.",
        ),
        LessonStep(
            "Go up once more. Farther from home a cell is worth more, here 2 points, but you are caught more easily.",
            ("up",),
            "Again nobody saw you: 3 points so far. They are not yours yet; who is caught loses them all.",
        ),
        LessonStep(
            "Better bring them home. Go back down: cells of this round's own path are safe and bring nothing more.",
            ("down",),
            "No risk, no points: you were here before.",
        ),
        LessonStep("One more step down, and you are home.", ("down",), "Home safe: the 3 points are yours for good."),
        LessonStep(
            "Round 2 of 7. Go up again: where you have been before, it is safer now, and worth a point less.",
            ("up",),
            "No points for this cell, but a safer way out to the cells behind it.",
        ),
    ),
    ending="That is the game: go out, turn back in time, seven times. Now try the whole city.",
)
