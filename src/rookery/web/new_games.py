"""Setting up games: new ones, uploaded records, and daily challenges."""

from __future__ import annotations

import hmac
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import IntegrityError

from rookery.core.bot import make_bot
from rookery.core.errors import OptionError
from rookery.core.notation import counted
from rookery.games import find, game
from rookery.web import repository
from rookery.web.bot_pool import visitor_bot
from rookery.web.domain import Seat, StoredGame, new_id, new_seed
from rookery.web.limits import TooMany
from rookery.web.live_game import LiveGame
from rookery.web.messages import SeatSetup
from rookery.web.names import clean_name
from rookery.web.rooms import Refused
from rookery.web.views import check_size

if TYPE_CHECKING:
    from rookery.core.game import Challenge, Game
    from rookery.web.fair_queue import Client
    from rookery.web.messages import ClockSetup, NewGame, StartPosition
    from rookery.web.registry import RoomRegistry
    from rookery.web.rooms import Room

LISTED = 3
"""Games of one person that may wait in the lobby."""
RECENT = 15 * 60
"""Seconds after the last action for which a listed game is offered to join or watch."""


async def set_up(registry: RoomRegistry, client: Client, setup: NewGame) -> Room:
    """Set up a new game."""
    person = client.person
    made = await registry.replay(lambda: check_size(game(setup.game, **setup.options)), client, 0)
    setups = setup.seats
    if setups is None:
        setups = [SeatSetup("here"), *(SeatSetup("bot") for _ in range(made.players - 1))]
    if len(setups) != made.players:
        raise OptionError(f"{made.title} has {counted(made.players, 'seat')} with these options, not {len(setups)}.")
    if setup.clock is not None and made.players == 1:
        raise OptionError("A game for one player cannot have a clock.")
    start = None if setup.start is None else await _start_position(registry, client, setup.start, made)
    name = await registry.name_of(person)
    left = setup.clock.minutes * 60_000 if setup.clock else None
    seats = [_seat_from_setup(number, each, made, person, name, left) for number, each in enumerate(setups, start=1)]
    waiting = any(seat.kind == "open" for seat in seats)
    near = registry.quota.digest(f"near {client.address}") if setup.listed and waiting else None
    if near is not None:
        await _check_lobby(registry, client, near)
    await registry.quota.take("games", client)
    for spec in {seat.bot for seat in seats if seat.bot}:
        registry.spawn(registry.bots.prepare(make_bot(made, spec, files=False), made, client))
    stored = StoredGame(
        id=new_id(),
        game=made.name,
        options=made.options,
        seed=new_seed(),
        owner=person,
        seats=seats,
        start=start,
        odds=setup.odds,
        listed=setup.listed,
        clock=_clock_column(setup.clock),
        status="waiting" if waiting else "playing",
        near=near,
    )
    return await registry.open_new(stored, client)


async def _start_position(registry: RoomRegistry, client: Client, start: StartPosition, made: Game) -> str:
    """The position of another game from which a new one goes on. That game must be over: nobody tries out moves in a
    game that still counts.
    """
    source = await registry.stored(start.game, client)
    if source.status in ("waiting", "playing") or source.open_today(registry.store.now()):
        raise Refused("This game is still being played; play on from it when it is over.")
    if (source.game, source.made().options) != (made.name, made.options):
        raise OptionError("A game goes on from a position of the same game with the same options.")
    if start.ply > source.length:
        raise OptionError(f"That game has {counted(source.length, 'ply')}, so it has no ply {start.ply}.")

    def position() -> str:
        *_, state = replace(source.record(), plies=tuple(source.plies[: start.ply])).states()
        if state.over:
            raise OptionError("The game is over in this position; go back a move.")
        return state.position()

    return await registry.replay(position, client, start.ply)


async def _check_lobby(registry: RoomRegistry, client: Client, near: str) -> None:
    """Refuse a game for the lobby if somebody has enough there, or if their address has."""
    since = registry.store.now() - RECENT
    own, nearby = await registry.store.read(
        lambda connection: repository.listed_by(connection, client.person, near, since), client
    )
    if own >= LISTED or nearby >= max(LISTED, registry.limits.people // 2):
        raise TooMany("Enough of your games wait in the lobby already; leave this one unlisted, or wait.")


async def upload(registry: RoomRegistry, client: Client, record: dict[str, Any]) -> StoredGame:
    """Store an uploaded record that was verified, to watch."""
    await registry.quota.take("uploads", client)
    result, plies, now = record.get("result"), record["plies"], registry.store.now()
    stored = StoredGame(
        id=new_id(),
        game=record["game"],
        options=record["options"],
        seed=0,
        owner=client.person,
        seats=[_seat_from_record(number, name) for number, name in enumerate(record["players"], start=1)],
        kind="upload",
        start=record.get("start"),
        odds="ask" if result else "never",  # it may be a copy of a game in progress that hides its odds
        status="over" if result else "abandoned",
        length=len(plies),
        ending=record.get("ending"),
        result=result,
        plies=plies,
        created=now,
        changed=now,
    )

    def work(connection: Any) -> None:
        if repository.version_of(connection, stored.id) is None:
            repository.add(connection, stored)

    await registry.store.write(work)
    return stored


async def daily(registry: RoomRegistry, client: Client, name: str, day: str) -> Room:
    """A person's game of a daily challenge: the one they started, or a new one."""
    person = client.person

    def begun(connection: Any) -> str | None:
        found = repository.daily_game(connection, person, name, day)
        return None if found is None else found.id

    id = await registry.store.read(begun, client)
    if id is not None:
        return await registry.visit(id, client)
    await registry.quota.take("challenges", client)
    challenge = challenge_of(registry, name, day)
    made = check_size(game(name, **challenge.options))
    own = await registry.name_of(person)
    seats = [Seat(1, "person", own, person)]
    seats += [Seat(number, "bot", bot=bot) for number, bot in enumerate(challenge.opponents, start=2)]
    stored = StoredGame(
        id=new_id(),
        game=name,
        options=made.options,
        seed=_daily_number(registry, name, day),
        owner=person,
        seats=seats,
        kind="daily",
        day=day,
        odds="never",
    )
    live = LiveGame(stored, registry.store)
    live.begin()

    def once(connection: Any) -> str:
        before = begun(connection)
        if before is None:
            live.insert(connection)
        return before or stored.id

    try:
        id = await registry.store.write(once)
    except IntegrityError:  # another server was faster
        id = await registry.store.read(begun, client)
    assert id is not None
    return await registry.room(id, client)


def challenge_of(registry: RoomRegistry, name: str, day: str) -> Challenge:
    """A game's challenge of a day, the same for everybody."""
    challenges = find(name).challenges()
    return challenges[_daily_number(registry, f"challenge {name}", day) % len(challenges)]


def _daily_number(registry: RoomRegistry, what: str, day: str) -> int:
    """A number of the day that cannot be predicted without the server's secret (an HMAC)."""
    secret = registry.store.daily_secret
    return int.from_bytes(hmac.new(secret, f"daily {day} {what}".encode(), sha256).digest()[:7], "big")


def _seat_from_setup(number: int, setup: SeatSetup, made: Game, person: str, name: str, left: float | None) -> Seat:
    if setup.kind == "bot":
        visitor_bot(made, setup.bot)
        return Seat(number, "bot", bot=setup.bot, left=left)
    if setup.kind == "invite":
        return Seat(number, "open", left=left)
    return Seat(number, "person", name, person, left=left)


def _seat_from_record(number: int, name: str) -> Seat:
    if name.startswith("bot "):
        return Seat(number, "bot", bot=name.removeprefix("bot ")[:80])
    return Seat(number, "person", clean_name(name)[:80] or f"Player {number}")


def _clock_column(setup: ClockSetup | None) -> dict[str, float] | None:
    return {"minutes": setup.minutes, "increment": setup.increment} if setup else None
