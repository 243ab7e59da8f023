"""Puzzles of Gamma: endings from bots' games, solved to the end."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from tools.puzzles.finder import (
    LINE,
    Rung,
    alternatives,
    first_rung,
    id_of,
    lost_or_drawn,
    refutations,
    shown_options,
    single_best,
)
from tools.puzzles.free_cells import ExactGamma, TooLong

from rookery.core.bot import Budget, make_bot
from rookery.core.errors import PositionError
from rookery.core.notation import counted
from rookery.core.puzzle import Puzzle
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.games.gamma import rules
from rookery.games.gamma.board import AREAS, FIRST_PASS, FREE, OWNER, place_of, side
from rookery.games.gamma.game import Gamma

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from rookery.core.game import Game

LADDER = (
    Rung("greedy", 1100),
    Rung("settler:nodes=1", 1900),
    Rung("settler:nodes=20", 2100),
    Rung("settler:nodes=70", 2300),
    Rung("settler:nodes=220", 2450),
    Rung("settler:nodes=700", 2600),
    Rung("settler:nodes=5000", 2750),
    Rung("", 2900),
)
"""Levels by their Elo ratings plus about 800 (docs/strength.md)."""
BOARDS = (
    *((4, 4, 2), (4, 4, 3), (5, 4, 2), (5, 4, 3), (5, 5, 2), (5, 5, 3), (6, 5, 2), (6, 5, 3)),
    *((6, 6, 2), (6, 6, 3), (6, 6, 4), (7, 6, 3), (7, 7, 3), (7, 7, 4)),
)
"""Width, height and areas."""
VARIANTS, RATED = 2, 4
"""How often the turn and the golden moves of a position are drawn anew, and how many puzzles of a game are rated."""
LIKED = {"golden": 500, "cut": 250, "save": -300}
"""What a theme adds to the difficulty when a game has several puzzles."""
SEARCH_LIMIT = 500_000
"""Positions after which an ending is left out when looking for puzzles."""


class GammaFinder:
    """Finds puzzles in Gamma's endings."""

    name = "gamma"
    games = 420
    wanted = 160

    def __init__(self) -> None:
        self.exact = ExactGamma(SEARCH_LIMIT)

    def game(self, stream: Stream) -> tuple[Game, Sequence[str]]:
        width, height, areas = stream.pick(BOARDS)
        bots = [f"settler:nodes={stream.pick((1, 20, 70))},slip={stream.pick((0.05, 0.1, 0.2))}" for _ in range(2)]
        return Gamma(width=width, height=height, areas=areas), bots

    def puzzles(self, states: Sequence[State], stream: Stream) -> list[Puzzle]:
        """The best of some puzzles in the endings of a game: golden moves and cuts before others, then hard ones."""
        most, found = 5 + stream.below(7), []
        for state in self.candidates(states, most, stream):
            try:
                values = self.exact.values(state)
            except TooLong:
                continue
            solution = single_best(values)
            if solution is None or solution == state.game.action_count - 1:
                continue
            rung = first_rung(state, LADDER, solution)
            score = rung.rating + LIKED.get(theme(state, solution, values[solution]), 0) + 60 * stream.below(10)
            found.append((score, state, values, solution, rung))
            if len(found) == RATED:
                break
        best = max(found, key=lambda each: each[0], default=None)
        return [self.written(*best[1:])] if best else []

    def candidates(self, states: Sequence[State], most: int, stream: Stream) -> Iterator[State]:
        """Positions with few free cells, and the same boards with another player to move or other golden moves left."""
        for state in states:
            if not 3 <= state.words[FREE] <= most or state.words[FIRST_PASS]:
                continue
            for variant in range(1 + VARIANTS):
                fields = state.json()
                if variant > 0:
                    fields["turn"] = 1 + stream.below(2)
                    fields["spent"] = [player for player in (1, 2) if stream.below(2)]
                try:
                    found = state.game.position(fields)
                except PositionError:  # that player can do nothing
                    continue
                if len(found.actions()) >= 4:
                    yield found

    def written(self, state: State, values: dict[int, int], solution: int, rung: Rung) -> Puzzle:
        """The puzzle with its line, its refutations and its rating."""
        game, outcome, said = state.game, values[solution], {1: "win", 0: "draw", -1: "loss"}
        self.exact.nodes = 0
        self.exact.winner(state)
        nodes, near = self.exact.nodes, alternatives(state, solution)
        others = sorted({said[value] for value in values.values() if value != outcome})
        return Puzzle(
            game=game.name,
            id=id_of(state),
            options=shown_options(game),
            position=state.position(),
            theme=theme(state, solution, outcome),
            rating=rung.rating + 15 * min(near, 8) + 30 * min(5, round(math.log10(nodes + 1))) - 150,
            prompt=prompt(state, solution, outcome),
            solution=game.name_of(solution),
            line=self.line(state, solution, outcome),
            why=why(state, solution, outcome),
            wrong=refutations(state, values, solution, self.reply),
            evidence={"by": "exact", "nodes": nodes, "best": said[outcome], "others": "/".join(others)}
            | {"first": rung.bot, "near": near, "free": state.words[FREE], "moves": len(values)},
        )

    def told(self, puzzle: Puzzle) -> Puzzle:
        state, outcome = puzzle.start(Gamma), 1 if puzzle.evidence["best"] == "win" else 0
        solution = state.game.action(puzzle.solution)
        return replace(
            puzzle,
            theme=theme(state, solution, outcome),
            prompt=prompt(state, solution, outcome),
            why=why(state, solution, outcome),
        )

    def is_worthwhile(self, puzzle: Puzzle) -> bool:
        """Whether there is something to think about: several moves that look as good, or many ways to go on."""
        return int(puzzle.evidence["near"]) > 0 or int(puzzle.evidence["nodes"]) > 50

    def likeness(self, puzzle: Puzzle) -> Hashable:
        """The board, or its mirror image."""
        rows = puzzle.position.split()[0].split("/")
        return min(tuple(rows), tuple(row[::-1] for row in rows))

    def reply(self, state: State, action: int, value: int) -> str:
        """An answer to a wrong move that keeps what it gives away."""
        after = state.copy()
        after.play(action)
        if after.over or after.turn == state.turn:
            return ""
        return after.game.name_of(self.good(after, -value))

    def good(self, state: State, value: int) -> int:
        """An action that reaches this outcome for the player to move; the settler's choice if that does."""
        choice = make_bot(Gamma, "settler").search_best(state, Budget(nodes=200), Stream()).candidates[0].action
        passing = state.game.action_count - 1
        for action in (choice, *(each for each in state.actions() if each != passing), passing):
            if self.value(state, action) == value:
                return action
        raise AssertionError("No action reaches the outcome of the position.")

    def value(self, state: State, action: int) -> int:
        """The outcome of an action for its player."""
        me, after = state.turn, state.copy()
        after.play(action)
        winner = self.exact.winner(after)
        return 0 if winner == 0 else 1 if winner == me else -1

    def line(self, state: State, solution: int, outcome: int) -> tuple[str, ...]:
        """The solution and play that keeps the outcome."""
        after, me = state.copy(), state.turn
        after.play(solution)
        names = [state.game.name_of(solution)]
        while not after.over and len(names) < LINE:
            choice = self.good(after, outcome if after.turn == me else -outcome)
            names.append(after.game.name_of(choice))
            after.play(choice)
        return tuple(names)

    def faults(self, puzzle: Puzzle) -> Iterator[str]:
        state = puzzle.start(Gamma)
        solution = state.game.action(puzzle.solution)
        values = ExactGamma().values(state)
        if single_best(values) != solution:
            yield "the solution is not the only best move"
        for action, value in values.items():
            name = state.game.name_of(action)
            refutation = puzzle.refutation(name)
            if refutation is None:
                continue
            if refutation.outcome != lost_or_drawn(value):
                yield f"{name} is no {refutation.outcome}"
            if refutation.reply:
                after = state.copy()
                after.play(action)
                if self.value(after, after.game.action(refutation.reply)) != -value:
                    yield f"{refutation.reply} does not answer {name}"


def reach(state: State, player: int) -> int:
    """The free cells that a player can get at by moves of its own alone: all while it may have another area, else those
    that free cells connect with its own.
    """
    words, game = state.words, state.game
    assert isinstance(game, Gamma)
    if words[words[AREAS] + player] < game.areas:
        return words[FREE]
    owner = {place_of(words, cell): words[words[OWNER] + place_of(words, cell)] for cell in range(game.cells)}
    waiting, seen = [place for place, whose in owner.items() if whose == player], set()
    while waiting:
        place = waiting.pop()
        for k in range(4):
            beside = side(words, place, k)
            if owner.get(beside) == 0 and beside not in seen:
                seen.add(beside)
                waiting.append(beside)
    return len(seen)


def taken_away(state: State, solution: int) -> int:
    """How many cells more than the one taken the opponent can no longer get at after a move."""
    after, other = state.copy(), 3 - state.turn
    after.play(solution)
    return reach(state, other) - reach(after, other) - 1


def is_golden(state: State, action: int) -> bool:
    cells = state.game.action_count // 2
    return cells <= action < 2 * cells


def theme(state: State, solution: int, outcome: int) -> str:
    if outcome == 0:
        return "save"
    if is_golden(state, solution):
        return "golden"
    return "cut" if taken_away(state, solution) >= 1 else "only"


def score(state: State) -> str:
    """How the cells stand, in words."""
    me = state.turn
    mine, theirs = rules.busy(state.words, me), rules.busy(state.words, 3 - me)
    if mine == theirs:
        return f"You both have {counted(mine, 'cell')}"
    return f"You have {counted(mine, 'cell')}, your opponent {theirs}"


def prompt(state: State, solution: int, outcome: int) -> str:
    """The task in a sentence or two."""
    task = {
        "save": "All moves but one lose. Find the one that holds the draw.",
        "golden": "Find the golden move that wins.",
        "cut": "Cut them off, and win.",
        "only": "Only one move wins. Find it.",
    }
    return f"{score(state)}. {task[theme(state, solution, outcome)]}"


def why(state: State, solution: int, outcome: int) -> str:
    """Why the solution works."""
    after, me, other = state.copy(), state.turn, 3 - state.turn
    after.play(solution)
    mine, theirs = rules.free(after.words, me), rules.free(after.words, other)
    stand = f"After it you can take {counted(mine, 'free cell')}, your opponent {theirs}"
    end = "you end with more cells" if outcome > 0 else "you end with as many cells"
    cut = taken_away(state, solution)
    told = f"It cuts your opponent off from {counted(cut, 'more cell')}. " if cut > 0 and outcome > 0 else ""
    return f"{told}{stand}; with best play {end}."
