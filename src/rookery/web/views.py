"""What people are shown of a game: its scenes as they go over the wire, and its facts as one person sees them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

from rookery.core.bot import make_bot
from rookery.core.errors import OptionError, RookeryError
from rookery.core.rules import CHANCE
from rookery.games import find
from rookery.web.messages import Asked, ClockWish, Ending, GameInfo, May, SeatInfo

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from rookery.core.game import Game
    from rookery.core.record import Record
    from rookery.core.scene import Scene
    from rookery.core.state import State
    from rookery.web.ledger import Entry, Seat

MOST_WORDS = 20_000
MOST_ACTIONS = 2_000
MOST_CELLS = 1_100
MOST_PLAYERS = 8
"""What a page can still show and play with pleasure."""


def fit(game: Game) -> Game:
    """The game, unless it is too large for a page; to find out may take a while."""
    if game.players > MOST_PLAYERS:
        raise OptionError(f"In the arcade a game has at most {MOST_PLAYERS} players.")
    large = game.action_count > MOST_ACTIONS or game.kernel.size(game.config) > MOST_WORDS
    if large or _cells(game) > MOST_CELLS:
        raise OptionError("This board is too large for the arcade; choose a smaller one.")
    return game


@lru_cache(1000)
def _cells(game: Game) -> int:
    return len(game.start().scene().cells)


def shown(scene: Scene, before: Scene | None = None) -> dict[str, Any]:
    """A scene for the wire; with the one before it, only the cells that changed."""
    content = dict(vars(scene))
    if before is not None and len(before.cells) == len(scene.cells):
        pairs = enumerate(zip(before.cells, scene.cells, strict=True))
        del content["cells"]
        content["changed"] = [(index, new) for index, (old, new) in pairs if old != new]
    return content


def rests(record: Record) -> Iterator[State]:
    """The states of a record in which chance has had its turn: always the same object, further on."""
    for state in record.states():
        if state.turn != CHANCE:
            yield state


@cache
def hides_odds(cls: type[Game]) -> bool:
    """Whether a game has odds that it shows only when asked to."""
    state = cls.demo().start()
    return state.scene() != state.scene(odds=True)


@lru_cache(1000)
def level_of(game: str, bot: str) -> int | None:
    """The level a bot plays at, if it was chosen by level."""
    return int(bot) if bot.isascii() and bot.isdigit() and 1 <= int(bot) <= len(find(game).levels()) else None


@lru_cache(1000)
def bot_name(game: str, bot: str) -> str:
    """What a bot is called: by its level, with the kind of bot that plays there, or by its own name."""
    try:
        made = make_bot(find(game), bot)
    except RookeryError:  # of a record from elsewhere
        return bot
    return f"Level {bot} bot ({made.name})" if level_of(game, bot) else f"Bot {made}"


def seat_info(entry: Entry, seat: Seat, person: str, online: Collection[str]) -> SeatInfo:
    """A seat as a person sees it."""
    name = seat.name
    if seat.kind == "bot":
        name = bot_name(entry.game, seat.bot or "")
    elif seat.kind == "person" and not name:
        name = "You" if person and seat.holder == person else "Somebody"
    return SeatInfo(
        number=seat.number,
        kind=cast("Any", seat.kind),
        name=name,
        bot=seat.bot,
        level=level_of(entry.game, seat.bot) if seat.bot else None,
        yours=bool(person) and seat.holder == person,
        online=seat.kind == "bot" or (seat.holder is not None and seat.holder in online),
    )


def info(
    entry: Entry,
    person: str,
    *,
    online: Collection[str] = (),
    watchers: int = 0,
    may: May | None = None,
    asked: Asked | None = None,
    scores: tuple[float, ...] = (),
) -> GameInfo:
    """A game as a person sees it."""
    cls = find(entry.game)
    result = entry.result or {}
    you = [seat.number for seat in entry.seats if person and seat.holder == person]
    return GameInfo(
        id=entry.id,
        game=entry.game,
        title=cls.title,
        options=entry.options,
        kind=cast("Any", entry.kind),
        day=entry.day,
        status=cast("Any", entry.status),
        seats=[seat_info(entry, seat, person, online) for seat in entry.seats],
        you=you,
        local=is_local(entry),
        odds=cast("Any", entry.odds) if hides_odds(cls) else None,
        listed=entry.listed,
        clock=ClockWish(**entry.clock) if entry.clock else None,
        invite=f"/game/{entry.id}#{entry.token}" if you and entry.waiting else None,
        may=may or May(),
        asked=asked,
        ending=Ending(**entry.ending) if entry.ending else None,
        winners=result.get("winners"),
        scores=result.get("scores") or list(scores),
        plies=entry.length,
        watchers=watchers,
        rematch=entry.rematch,
        takebacks=entry.takebacks,
        feat=entry.feat,
        created=iso(entry.created),
        changed=iso(entry.changed),
    )


def is_local(entry: Entry) -> bool:
    """Whether nobody but one person has a part in a game."""
    return len(entry.people) <= 1 and not entry.waiting


def iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def clean(name: str) -> str:
    """A name without what cannot be seen: line breaks, marks that turn the writing round, spare blanks."""
    return " ".join("".join(letter for letter in name if letter.isprintable()).split())
