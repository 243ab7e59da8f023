"""The end of a game as one person reads it: the result in a sentence, how good it is, and what to share."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from rookery.core.ending import tell
from rookery.web import results, views
from rookery.web.rooms import Refused
from rookery.web.store import MANY_ROWS
from rookery.web.updates import GameEnding

if TYPE_CHECKING:
    from rookery.core.game import Achievement
    from rookery.web.domain import StoredGame
    from rookery.web.fair_queue import Client
    from rookery.web.results import Best, Place
    from rookery.web.rooms import Room

FEWEST = 20
"""With fewer other results than these, a place among them says nothing."""
KEPT = 60.0
"""Seconds for which a place among all results is kept."""

_places: WeakKeyDictionary[Room, tuple[float, float, Place]] = WeakKeyDictionary()
"""The places of open games: until when they hold, for how many points, and the place."""


async def ending(room: Room, client: Client) -> GameEnding:
    """How a game ended, for a person; `Refused` while it goes on."""
    person = client.person
    async with room.lock:
        stored, state, game = room.stored, room.live.state, room.live.game
        if stored.status not in ("over", "abandoned"):
            raise Refused("The game is not over yet.")
        finished = stored.status == "over"
        shown = stored.ending if finished else None
        called = views.names_for(stored, person)
        names = ["you" if seat.number == called.you else called.of(seat.number) for seat in stored.seats]
        found = GameEnding(
            text=tell(state, names, shown),
            won=len(stored.seats) > 1 and called.you > 0 and _has_won(stored, called.you),
            share=_share_text(room, tell(state, ["I" if name == "you" else name for name in names], shown)),
            link="/daily" if stored.open_today(room.registry.store.now()) else f"/replay/{stored.id}",
        )
        reached = game.achievement(state, 1) if finished and game.players == 1 else None
        levels = game.level_results()
        setup, taken_back = stored.setup, stored.takebacks > 0
    if reached is None:
        return found
    if levels is not None:
        found.bots, found.levels = levels.around(reached.points), [f"{each} {levels.unit}" for each in levels.texts]
    if taken_back:
        found.note = "Moves were taken back, so this result does not count as a best."
    elif setup is not None and reached.points > 0:
        if called.you:
            best = await _best(room, client, setup)
            found.best, found.new_best = _best_text(best, reached)
        found.place = _place_text(await _place(room, client, setup, reached.points))
    return found


def _has_won(stored: StoredGame, number: int) -> bool:
    return (stored.result or {}).get("winners") == [number]


def _share_text(room: Room, text: str) -> str:
    """A result to send to friends, without the link."""
    game, state = room.live.game, room.live.state
    options = game.options_text()
    title = f"♜ Rookery · {game.title}" + (f" · {options}" if options else "")
    return "\n".join(filter(None, (title, text, emoji_of(room) if state.over else "")))


def emoji_of(room: Room) -> str:
    """The game as lines of emoji."""
    return room.live.game.emoji(room.live.state)


async def _best(room: Room, client: Client, setup: str) -> Best | None:
    stored = room.stored
    return await room.registry.store.read(
        lambda connection: results.best_of_others(connection, client.person, stored.game, setup, stored.id), client
    )


def _best_text(best: Best | None, reached: Achievement) -> tuple[str | None, bool]:
    """What to say of a person's best, and whether this is a new one."""
    if best is None:
        return None, False
    if reached.points > best.points:
        return "Your new best" + (f"; before, it was: {best.text}." if best.points > 0 else "."), True
    return ("As good as your best." if reached.points == best.points else f"Your best: {best.text}."), False


async def _place(room: Room, client: Client, setup: str, points: float) -> Place:
    now, id = monotonic(), room.stored.id
    until, of, place = _places.get(room, (0.0, 0.0, None))
    if place is None or until < now or of != points:
        place = await room.registry.store.read(
            lambda connection: results.place(connection, setup, id, points), client, MANY_ROWS
        )
        _places[room] = now + KEPT, points, place
    return place


def _place_text(place: Place) -> str | None:
    """Where a result stands, in words; None if that says nothing."""
    percent = 100 * place.fewer // place.others if place.others >= FEWEST else 0
    return f"Better than {percent}% of {place.others:,} games with these options." if percent else None
