"""Lessons: a guided first game, as data of its game. It says what to do step by step; the arcade plays it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rookery.core.arguments import shown, whole
from rookery.core.errors import OptionError
from rookery.core.game import Game
from rookery.core.rules import CHANCE
from rookery.core.stream import LAST_SEED, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rookery.core.options import Value
    from rookery.core.state import State


@dataclass(frozen=True)
class LessonStep:
    """One move of the learner, who is player 1."""

    prompt: str
    """What to do and why, in one or two sentences."""
    actions: tuple[str, ...]
    """The names of the actions that count, all legal."""
    said: str = ""
    """What is said once it is done."""
    replies: tuple[str, ...] = ()
    """What the other players do then, in order. The last step needs none."""


@dataclass(frozen=True)
class Lesson:
    """A guided first game: where it starts, its steps, and what comes after it."""

    steps: tuple[LessonStep, ...]
    ending: str
    """What is said at the end: what has been learned, and what is worth trying next."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """The game's options; the others are at their defaults."""
    start: str | None = None
    """The position it starts from, if not the game's own."""
    seed: int = 0
    """What chance brings: its outcome at a ply is drawn from `chance_stream(seed, ply)`."""
    level: int = 2
    """The level of the bots to play against next, and in this game when its steps are done."""

    def first(self, game: Game) -> State:
        """The position in which the lesson starts, in a game with the lesson's options."""
        kind = type(game)
        if not isinstance(game, Game):
            raise OptionError(f"A lesson is played in a game, not in {shown(game)}.")
        if kind.lesson() != self:
            raise OptionError(f"This is not the lesson of {kind.title}.")
        if game != kind.make(**self.options):
            raise OptionError(
                f"The lesson of {kind.title} takes a game with its own options: {kind.make(**self.options)}."
            )
        return game.start() if self.start is None else game.position(self.start)

    def step(self, movers: Sequence[int]) -> LessonStep | None:
        """The step that comes next, after these players have moved (0 is chance); None if all are done."""
        done = _known(movers).count(1)
        return self.steps[done] if done < len(self.steps) else None

    def reply(self, movers: Sequence[int]) -> str | None:
        """What another player does now, if the lesson says so."""
        done, later = _known(movers).count(1), 0
        for mover in reversed(movers):
            if mover == 1:
                break
            later += mover > 1
        replies = self.steps[done - 1].replies if 0 < done <= len(self.steps) else ()
        return replies[later] if later < len(replies) else None

    def play(self, game: Game, choose: int = 0) -> Iterator[tuple[State, LessonStep]]:
        """Play the lesson as it is written; yield each step with the position before it.
        `choose` says which of the actions that count is played.
        """
        state, choose = self.first(game), whole(choose, "choose", 0, LAST_SEED)
        movers: list[int] = []
        while not state.over:
            if state.turn == CHANCE:
                action = state.draw(chance_stream(self.seed, len(movers)))
            elif state.turn == 1:
                step = self.step(movers)
                if step is None:
                    return
                yield state, step
                action = game.action(step.actions[min(choose, len(step.actions) - 1)])
            else:
                reply = self.reply(movers)
                if reply is None:
                    return
                action = game.action(reply)
            movers.append(max(state.turn, 0))
            state.play(action)


def chance_stream(seed: int, ply: int) -> Stream:
    """The random stream of chance at a ply. Each ply has its own, so that undo and redo draw the same outcome."""
    return Stream(seed, 2 * whole(ply, "ply", 0, LAST_SEED // 2))


def _known(movers: Sequence[int]) -> Sequence[int]:
    """The players who have moved, if they are players."""
    if not isinstance(movers, list | tuple) or not all(isinstance(each, int) and each >= 0 for each in movers):
        raise OptionError(f"The players who have moved are a list of whole numbers from 0, not {shown(movers)}.")
    return movers
