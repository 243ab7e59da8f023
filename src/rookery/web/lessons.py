"""Guided first games: what a lesson says in a live game, which actions count in it, and what the others reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.core.errors import RookeryError
from rookery.games import find
from rookery.web.domain import Seat, StoredGame, new_id
from rookery.web.updates import Instruction
from rookery.web.views import check_size

if TYPE_CHECKING:
    from rookery.core.lesson import LessonStep
    from rookery.web.fair_queue import Client
    from rookery.web.live_game import LiveGame
    from rookery.web.registry import RoomRegistry
    from rookery.web.rooms import Room


class NotYet(RookeryError):
    """The action is legal, but the lesson asks for another one now."""


async def begin(registry: RoomRegistry, client: Client, name: str) -> Room | None:
    """Set up a guided first game; None if the game has no lesson."""
    cls = find(name)
    lesson = cls.lesson()
    if lesson is None:
        return None
    made = check_size(cls.make(**lesson.options))
    await registry.quota.take("games", client)
    seats = [Seat(1, "person", await registry.name_of(client.person), client.person)]
    seats += [Seat(number, "bot", bot=str(lesson.level)) for number in range(2, made.players + 1)]
    stored = StoredGame(
        id=new_id(),
        game=name,
        options=made.options,
        seed=lesson.seed,
        owner=client.person,
        seats=seats,
        kind="lesson",
        start=lesson.start,
    )
    return await registry.open_new(stored, client)


def instruction(live: LiveGame) -> Instruction | None:
    """What the lesson says now; None if this is no guided game."""
    lesson = live.lesson
    if lesson is None:
        return None
    done, step = live.movers.count(1), _step(live)
    return Instruction(
        step=done + 1 if step is not None else len(lesson.steps) + 1,
        steps=len(lesson.steps),
        said=lesson.steps[done - 1].said if 0 < done <= len(lesson.steps) else "",
        prompt=step.prompt if step is not None else lesson.ending,
        actions=step.actions if step is not None and live.turn == 1 else (),
        done=step is None,
        level=lesson.level if len(live.stored.seats) > 1 else 0,
    )


def check(live: LiveGame, action: int) -> None:
    """Refuse a legal action that is not the one the lesson asks for; nothing is played then."""
    step = _step(live)
    if step is None or live.game.name_of(action) in step.actions or not live.state.legal(action):
        return
    raise NotYet(f"You may do that too, but let us try this first. {step.prompt}")


def reply(live: LiveGame) -> int | None:
    """What the lesson lets another player do now; None if that is the bot's own choice."""
    name = live.lesson.reply(live.movers) if live.lesson is not None else None
    action = live.game.action(name) if name is not None else None
    return action if action is not None and live.state.legal(action) else None


def _step(live: LiveGame) -> LessonStep | None:
    """The step that comes next. There is none if it cannot be played: the lesson may be another one than when the game
    began.
    """
    step = live.lesson.step(live.movers) if live.lesson is not None else None
    if step is None or live.state.over:
        return None
    if live.state.turn != 1:
        return step
    possible = {live.game.name_of(action) for action in live.state.actions()}
    return step if possible.issuperset(step.actions) else None
