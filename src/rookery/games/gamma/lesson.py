"""A guided first game of Gamma: an area grows, a second one begins, both join, and a golden move takes a cell."""

from __future__ import annotations

from rookery.core.lesson import Lesson, LessonStep

LESSON = Lesson(
    options={"width": 4, "height": 4, "areas": 2},
    steps=(
        LessonStep(
            "You are player 1. Whoever has the most cells in the end wins. Take the outlined cell.",
            ("m 0 1",),
            "Player 2 took a cell too.",
            ("m 3 2",),
        ),
        LessonStep(
            "Now take the cell below it. Cells that touch by their sides form one area.",
            ("m 0 0",),
            "Two cells, one area.",
            ("m 2 2",),
        ),
        LessonStep(
            "Here you may have two areas at most. Begin your second one at the outlined cell, away from the first.",
            ("m 2 1",),
            "Two areas: that is the limit. Other cells apart from yours are closed to you now.",
            ("m 3 1",),
        ),
        LessonStep(
            "Take the cell between your areas: it joins them into one, and you may begin another later.",
            ("m 1 1",),
            "One area again, of four cells.",
            ("m 1 2",),
        ),
        LessonStep(
            "Once in the game you may make a golden move: take a cell of player 2. Choose the outlined one twice, the "
            "second time to confirm.",
            ("g 2 2",),
            "Their cell is yours now. Player 2 has a golden move too, and may answer with it.",
        ),
    ),
    ending="Your golden move is spent. Play on from here, or begin a whole game on a larger board.",
)
