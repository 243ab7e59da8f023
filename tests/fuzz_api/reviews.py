"""Calls of reviews, puzzles and lessons."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from rookery.core.lesson import chance_stream
from rookery.core.puzzle import Puzzle
from rookery.core.review import ReviewedPly, Scale, accuracy_of, grade_of
from rookery.search.review import Review
from tests.fuzz_api.values import WRONG, Kind

if TYPE_CHECKING:
    from rookery.core.game import Game
    from rookery.core.lesson import Lesson
    from rookery.core.record import Record
    from rookery.core.review import Reviewer
    from rookery.core.state import State
    from tests.fuzz_api.values import Call, Values

STEPS = 2
"""Searches of a review that are made at most."""


class ReviewCalls:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.kinds = [
            Kind("review", 5, self.of_review),
            Kind("reviewer", 5, self.of_reviewer),
            Kind("puzzle", 4, self.of_puzzle),
            Kind("lesson", 4, self.of_lesson),
        ]
        self.reviewers: list[Reviewer] = [
            type(game).reviewer().of(game, nodes=20) for game in values.games if type(game).reviewer().spec
        ]
        self.plies: list[ReviewedPly] = []
        self.puzzles = [puzzle for kind in {type(game) for game in values.games} for puzzle in kind.puzzles()]
        self.lessons = [
            lesson for kind in {type(game) for game in values.games} if (lesson := kind.lesson()) is not None
        ]

    def of_review(self) -> Call:
        """Begin a review, of its own game or another, perhaps with something known."""
        v = self.values
        record: Any = v.one(v.records)
        own = [each for each in self.reviewers if each.game == record.game]
        reviewer: Any = v.mostly(v.one(own if own and v.chance(0.8) else self.reviewers))
        known: Any = v.mostly(self.plies[: v.random.randrange(4)] if v.chance(0.5) else ())
        if v.chance(0.1):
            record = v.anything()
        elif v.chance(0.2):
            record = replace(record, plies=v.one((record.plies[1:], ("up",), (v.one(WRONG),), v.anything())))
        return partial(self.reviewed, record, reviewer, known, v.one((True, False)))

    def reviewed(self, record: Record, reviewer: Reviewer, known: Any, accept: bool) -> None:
        review = Review(record, reviewer, known, accept=accept)
        for _ in islice(review.steps(), STEPS):
            pass
        review.game.summaries()
        assert record.game == reviewer.game, f"a review of {record.game} as {reviewer.game}"
        self.plies = (self.plies + review.plies)[-20:]

    def of_reviewer(self) -> Call:
        """Make a reviewer, or ask one for the value of an analysis, a result or an action."""
        v = self.values
        game = v.game_only()
        kind = v.mostly(type(game).reviewer(), 0.8)
        if not isinstance(kind, type) or not hasattr(kind, "of"):
            kind = type(v.game_only()).reviewer()
        spec = v.one((None, None, v.one(list(type(game).bots())), str(v.one(v.bots)), v.one(WRONG)))
        reviewer = v.one(self.reviewers)
        own = v.states[v.games.index(reviewer.game)]
        state = v.one(own) if v.chance(0.7) else v.mostly(v.state())
        value, player = v.number(), v.number()
        content = self.content()
        calls: list[Call] = [
            partial(kind.of, v.game() if v.chance(0.3) else game, spec, v.one((None, 20, v.number(large=True)))),
            partial(kind.of, v.game() if v.chance(0.3) else game, spec, v.one((None, 20, v.number(large=True)))),
            partial(self.judged, reviewer, state, v.anything() if v.chance(0.2) else None, v.number()),
            partial(self.result, reviewer, state, player),
            *(partial(each, value) for each in (reviewer.scale, reviewer.opposite, grade_of, accuracy_of)),
            *(partial(each, v.anything()) for each in (reviewer.value, reviewer.candidates)),
            partial(reviewer.why, state, v.one(([0], [], v.anything())), v.one(([1], [0, 1], [], v.anything()))),
            partial(v.one((Scale("win", "to win").told, Scale("points", "points").short)), value),
            partial(ReviewedPly.of_content, v.one((v.reshaped(content), v.reshaped(content), v.anything()))),
        ]
        return v.one(calls)

    def content(self) -> Any:
        """A ply of a review as JSON."""
        ply = self.values.one(self.plies) if self.plies else ReviewedPly(1, "up", 1, 0.5, 0.5, best="up", line=("up",))
        return json.loads(json.dumps(ply.content()))

    @staticmethod
    def judged(reviewer: Reviewer, state: Any, analysis: Any, action: Any) -> float:
        """Judge an action by an analysis of the state, or by something else."""
        analysis = reviewer.bot.analyse(state, nodes=20) if analysis is None else analysis
        reviewer.value(analysis)
        reviewer.candidates(analysis)
        return reviewer.outcome_value(state, action, analysis)

    @staticmethod
    def result(reviewer: Reviewer, state: Any, player: Any) -> float:
        value = reviewer.result(state, player)
        assert state.over and state.game == reviewer.game, "a result of a game that has none"
        return value

    def of_puzzle(self) -> Call:
        """Start a puzzle, answer it, or read one from JSON."""
        v = self.values
        puzzle = v.one(self.puzzles)
        game = v.one([game for game in v.games if game.name == puzzle.game]) if v.chance(0.6) else v.game_only()
        content = json.loads(json.dumps(puzzle.json()))
        calls: list[Call] = [
            partial(self.started, puzzle, v.mostly(type(game))),
            partial(puzzle.refutation, v.one((v.name(game), puzzle.solution, v.one(WRONG)))),
            partial(self.made, v.mostly(puzzle.game), v.one((v.reshaped(content), v.reshaped(content), v.anything()))),
            type(game).puzzles,
        ]
        return v.one(calls)

    @staticmethod
    def started(puzzle: Puzzle, kind: Any) -> State:
        state = puzzle.start(kind)
        assert kind.name == puzzle.game, f"a puzzle of {puzzle.game} as {kind}"
        return state

    @staticmethod
    def made(game: Any, fields: Any) -> None:
        puzzle = Puzzle.of_json(game, fields)
        assert Puzzle.of_json(game, puzzle.json()) == puzzle
        puzzle.refutation(puzzle.line[0])

    def of_lesson(self) -> Call:
        """Play a lesson, or ask what it says."""
        v = self.values
        lesson = v.one(self.lessons)
        game: Any = v.one([type(each).make(**lesson.options) for each in v.games if type(each).lesson() is lesson])
        game = game if v.chance(0.7) else v.game()
        movers = v.one(([], [1], [1, 2], [1, 0, 1], v.anything(), [v.anything()], "ab"))
        calls: list[Call] = [
            partial(lesson.first, game),
            partial(lesson.step, movers),
            partial(lesson.reply, movers),
            partial(self.played, lesson, game, v.number()),
            partial(chance_stream, v.number(large=True), v.number(large=True)),
        ]
        return v.one(calls)

    @staticmethod
    def played(lesson: Lesson, game: Game, choose: Any) -> list[Any]:
        steps = list(lesson.play(game, choose))
        assert type(game).lesson() is lesson, f"the lesson of another game than {game}"
        return steps
