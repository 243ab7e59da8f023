"""Makes the review of a game: searches its positions one after the other, and grades what was played.

The played action and the best one are compared by the positions after them, each searched with the same budget: values
of different depths do not compare. The position after the played one is the next of the game, so a good move costs one
search and a bad one two. What chance decides after an action, its bot or its game values (`Reviewer.outcome_value`).

Luck and skill: with V the value of a position and Q that of an action in it, a choice costs V − Q, and chance gives
V′ − Q, where V′ belongs to the next position. So the result is the first V, plus all luck, less all costs.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from rookery.core.arguments import shown
from rookery.core.errors import OptionError, RecordError
from rookery.core.record import Record
from rookery.core.review import (
    BLUNDER,
    FAULTS,
    FINE,
    GRADES,
    MISTAKE,
    Accepted,
    ReviewedGame,
    ReviewedPly,
    Reviewer,
    accuracy_of,
    grade_of,
)
from rookery.core.rules import CHANCE
from rookery.search.cancel import Cancelled, CancelToken

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import TypeAlias, TypeVar

    from rookery.core.bot import Analysis
    from rookery.core.review import Scale
    from rookery.core.state import State

    T = TypeVar("T")
    Searched: TypeAlias = Generator[None, None, T]
    """Something that is found by searches, with a pause after each."""

LONGEST_LINE = 12
"""The most plies of a line that are kept."""
RIGHT = dict(GRADES)[FINE]
"""The loss below which an action is right where a mistake was made."""


class Found(NamedTuple):
    """What an action was found to be worth, and the best line that begins with it."""

    value: float
    line: tuple[str, ...]


class Review:
    """The review of one game, as far as it has come. It may be continued on another thread after each step."""

    def __init__(
        self, record: Record, reviewer: Reviewer, known: Sequence[ReviewedPly] = (), *, accept: bool = True
    ) -> None:
        """`known` are the first plies of an earlier review of the same game, which may have been cancelled; those that
        do not fit the record are searched again. With `accept`, all actions are found that would have been right.
        """
        _check(record, reviewer, known)
        self.record, self.reviewer, self.accept = record, reviewer, accept
        self.plies: list[ReviewedPly] = []
        for each, name in zip(known, record.plies, strict=False):
            if each.name != name:
                break
            self.plies.append(each)
        while self.plies and self.plies[-1].player == CHANCE and len(self.plies) < len(record.plies):
            self.plies.pop()  # their luck depends on what comes next
        self._next: tuple[int, Analysis] | None = None
        """What was found in the position after a number of plies of the game."""
        self.token = CancelToken()

    @property
    def game(self) -> ReviewedGame:
        """The review so far."""
        game = self.reviewer.game
        chance = game.code_count > game.action_count
        return ReviewedGame(
            str(self.reviewer.bot),
            self.reviewer.nodes,
            self.scale,
            len(self.record.plies),
            game.players,
            chance,
            tuple(self.plies),
        )

    @property
    def scale(self) -> Scale | None:
        """How to read values; None before the first decision."""
        first = next((each.value for each in self.plies if each.value is not None), None)
        return None if first is None else self.reviewer.scale(first)

    def cancel(self) -> None:
        """Let the search stop, from another thread: it raises `Cancelled`. What was found so far stays."""
        self.token.cancel()

    def steps(self) -> Iterator[None]:
        """Review the game; pause after each search."""
        record, game = self.record, self.record.game
        state = game.start() if record.start is None else game.position(record.start)
        for name in record.plies[: len(self.plies)]:
            state.play(game.action(name))
        while len(self.plies) < len(record.plies):
            while state.turn == CHANCE and state.ply < len(record.plies):
                state.play(game.action(record.plies[state.ply]))
            if state.ply == len(record.plies):
                self._add_chance(state, (yield from self._value_at_end(state)))
                return
            found = yield from self._decision(state)
            self._add_chance(state, found.value)
            self.plies.append(found)
            state.play(game.action(found.name))

    def _decision(self, state: State) -> Searched[ReviewedPly]:
        """Review the decision of the player to move."""
        name = self.record.plies[state.ply]
        action = state.game.action(name)
        root = yield from self._analysis(state)
        best_action = root.candidates[0].action
        played = yield from self._after(state, action, root)
        best = played
        if best_action != action:
            found = yield from self._after(state, best_action, root)
            best = found if found.value > played.value else played
        most = self._most(state)
        best, played = (each._replace(value=min(each.value, most)) for each in (best, played))
        scale = self.scale or self.reviewer.scale(best.value)
        loss = (best.value - played.value) / scale.one
        reviewed = ReviewedPly(
            ply=state.ply + 1,
            name=name,
            player=state.turn,
            value=best.value,
            after=played.value,
            loss=loss,
            best=best.line[0],
            line=best.line,
        )
        if len(state.actions()) == 1:
            return replace(reviewed, only=True)
        grade = grade_of(loss)
        why = self._why(state, best, played, scale) if grade in FAULTS else ""
        reviewed = replace(reviewed, grade=grade, accuracy=accuracy_of(loss), why=why)
        if self.accept and grade in (MISTAKE, BLUNDER):
            return replace(reviewed, accepted=(yield from self._accepted(state, root, best, scale)))
        return reviewed

    def _most(self, state: State) -> float:
        """The most that a position can be worth. Where luck is told from skill, and no chance came since the last
        decision, it is what that decision was worth: that a later search found more must not count twice.
        """
        game = self.game
        if not (game.chance and game.players == 1 and self.plies and state.ply == len(self.plies)):
            return math.inf
        before = self.plies[-1].after
        return math.inf if before is None else before

    def _why(self, state: State, best: Found, played: Found, scale: Scale) -> str:
        """Why the best action is better, in the game's words, else by the values."""
        lines = [[state.game.action(name) for name in found.line] for found in (best, played)]
        better, worse = (f"“{state.game.phrase(line[0])}”" for line in lines)
        values = f"{scale.told(best.value)}, {worse} {scale.short(played.value)}"
        return self.reviewer.why(state, *lines) or f"{better} promises {values}."

    def _after(self, state: State, action: int, root: Analysis) -> Searched[Found]:
        """What an action is worth to the player to move, found in the position after it."""
        player, judge, name = state.turn, self.reviewer, state.game.name_of(action)
        on_record = state.ply < len(self.record.plies) and name == self.record.plies[state.ply]
        after = state.copy()
        after.play(action)
        if after.turn == CHANCE or not (after.over or after.turn == player or state.game.players == 2):
            line = root.line if root.line[:1] == (name,) else (name,)
            return Found(judge.outcome_value(state, action, root), line[:LONGEST_LINE])
        if after.over:
            return Found(judge.result(after, player), (name,))
        analysis = yield from self._analysis(after, keep=on_record)
        value = judge.value(analysis)
        line = (name, *analysis.line)[:LONGEST_LINE]
        return Found(value if after.turn == player else judge.opposite(value), line)

    def _accepted(self, state: State, root: Analysis, best: Found, scale: Scale) -> Searched[tuple[Accepted, ...]]:
        """The actions that are about as good as the best, which comes first."""
        values = dict(self.reviewer.candidates(root))
        if self.reviewer.accepting:
            values = {}
            for action in state.actions():
                after = state.copy()
                after.play(action)
                if after.over:
                    values[action] = self.reviewer.result(after, state.turn)
                    continue
                value = self.reviewer.value((yield from self._searched(after, self.reviewer.accepting)))
                values[action] = value if after.turn == state.turn else self.reviewer.opposite(value)
        names = {state.game.name_of(action): value for action, value in values.items()}
        least = max(names.values()) - RIGHT * scale.one
        others = sorted((name for name in names if names[name] > least), key=lambda name: -names[name])
        played = self.record.plies[state.ply]
        right = (name for name in others if name not in (best.line[0], played))
        return (Accepted(best.line[0], best.value), *(Accepted(name, names[name]) for name in right))

    def _value_at_end(self, state: State) -> Searched[float | None]:
        """What the last position of the record is worth to the player who made the last decision, if chance came after
        it.
        """
        player = next((each.player for each in reversed(self.plies) if each.player != CHANCE), None)
        if player is None or not (state.over or state.turn == player):
            return None
        if state.over:
            return self.reviewer.result(state, player)
        return self.reviewer.value((yield from self._analysis(state)))

    def _add_chance(self, state: State, value: float | None) -> None:
        """Add the outcomes of chance since the last decision; the last one has the luck they brought together."""
        first, last = len(self.plies), state.ply
        before = self.plies[-1].after if self.plies else None
        luck = value - before if value is not None and before is not None else None
        for number in range(first, last):
            own = luck if number == last - 1 else None
            self.plies.append(ReviewedPly(number + 1, self.record.plies[number], CHANCE, luck=own))

    def _analysis(self, state: State, *, keep: bool = True) -> Searched[Analysis]:
        """The analysis of a position; one of the game is kept for when it comes."""
        if self._next is not None and self._next[0] == state.ply and keep:
            return self._next[1]
        found = yield from self._searched(state)
        if keep:
            self._next = state.ply, found
        return found

    def _searched(self, state: State, share: int = 1) -> Searched[Analysis]:
        """Search a position with a share of the budget."""
        bot, nodes = self.reviewer.bot, self.reviewer.nodes
        bot.ready(state.game)
        budget = self.token.budget(None, None if nodes is None else max(1, nodes // share))
        if not self.token.cancelled:
            found = bot.analyse(state, budget)
        if self.token.cancelled:
            raise Cancelled
        yield
        return found


def _check(record: Record, reviewer: Reviewer, known: Sequence[ReviewedPly]) -> None:
    """Refuse what is no record, another game's reviewer, and what no review has said."""
    if not isinstance(record, Record):
        raise RecordError(f"A review is of a Record, not of {shown(record)}.")
    if not isinstance(record.plies, list | tuple) or not all(isinstance(name, str) for name in record.plies):
        raise RecordError(f"The plies of a record are names of actions, not {shown(record.plies)}.")
    if not isinstance(reviewer, Reviewer):
        raise OptionError(f"A review is made by a Reviewer, not by {shown(reviewer)}.")
    if record.game != reviewer.game:
        raise RecordError(f"This is a record of {record.game}, but a reviewer of {reviewer.game}.")
    if not isinstance(known, list | tuple) or not all(isinstance(each, ReviewedPly) for each in known):
        raise OptionError(f"What is known of a review are ReviewedPlies, not {shown(known)}.")
