"""A guided first game of GateRun: a small board, two walls, and a race that is won with the fifth move."""

from __future__ import annotations

from rookery.core.lesson import Lesson, LessonStep

LESSON = Lesson(
    options={"size": 4, "walls": 3},
    steps=(
        LessonStep(
            "Your pawn is the one with the 1. You win when it reaches the row on the far side. Step to the outlined "
            "cell.",
            ("1,2",),
            "P2 put up a wall in front of you.",
            ("1,2|2,2",),
        ),
        LessonStep(
            "A wall is in your way, and it stops a step. Go around it: step to the side.",
            ("1,3",),
            "P2 came closer.",
            ("2,2",),
        ),
        LessonStep(
            "Instead of a step you may put up a wall, to make the other's way longer. Choose the outlined edge: next "
            "to the wall that stands there, it closes two columns.",
            ("1,1|2,1",),
            "P2 has to look for another way. A wall may never close the last one.",
            ("2,1",),
        ),
        LessonStep("Your way is free. Step ahead.", ("2,3",), "One row to go.", ("2,0",)),
        LessonStep("Step ahead once more, and you are there.", ("3,3",), "You reached the far side before P2."),
    ),
    ending="You have won. Every turn it is the same question: a step for you, or a wall against the other?",
)
