"""What people see of a game: scenes as JSON, and the game info from one person's point of view."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

from msgspec import structs

from rookery.core.bot import make_bot
from rookery.core.ending import listed
from rookery.core.errors import OptionError, RookeryError
from rookery.core.names import Names
from rookery.core.notation import counted, plain
from rookery.core.review import probability
from rookery.core.strength import mechanics, name_of_spec, told_apart
from rookery.core.wording import promise
from rookery.games import find
from rookery.web.domain import DELETED_PERSON
from rookery.web.messages import ClockSetup, Ending, GameInfo, PendingRequest, Permissions, SeatInfo
from rookery.web.permissions import why_no_review
from rookery.web.updates import AnalysisReply, CandidateInfo

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rookery.core.bot import Analysis, Bot
    from rookery.core.game import Game
    from rookery.core.options import Value
    from rookery.core.scene import Scene
    from rookery.core.state import State
    from rookery.web.domain import Seat, StoredGame

MAX_WORDS = 20_000
MAX_ACTIONS = 2_000
MAX_CELLS = 1_100
MAX_PLAYERS = 8
"""Limits up to which a page stays usable."""
MAX_CANDIDATES = 20


def check_size(game: Game) -> Game:
    """The game itself; an `OptionError` if it is too large for a page. This may take a while."""
    if game.players > MAX_PLAYERS:
        raise OptionError(f"In the arcade a game has at most {MAX_PLAYERS} players.")
    large = game.action_count > MAX_ACTIONS or game.kernel.size(game.config) > MAX_WORDS
    if large or _cells(game) > MAX_CELLS:
        raise OptionError(f"This board is too large for the arcade; choose one of at most {MAX_ACTIONS // 2:,} cells.")
    return game


@lru_cache(1000)
def _cells(game: Game) -> int:
    return len(game.start().scene().cells)


def scene_json(scene: Scene, before: Scene | None = None) -> dict[str, Any]:
    """A scene as JSON; given the one before it, only the cells that changed."""
    content = dict(vars(scene))
    if before is not None and len(before.cells) == len(scene.cells):
        pairs = enumerate(zip(before.cells, scene.cells, strict=True))
        del content["cells"]
        content["changed"] = [(index, new) for index, (old, new) in pairs if old is not new and old != new]
    return content


@cache
def hides_odds(cls: type[Game]) -> bool:
    """Whether a game has odds that it shows only on request."""
    state = cls.demo().start()
    return state.scene() != state.scene(odds=True)


@lru_cache(1000)
def level_of(game: str, bot: str) -> int | None:
    """The level of a bot that was chosen by level, else None."""
    return int(bot) if bot.isascii() and bot.isdigit() and 1 <= int(bot) <= len(find(game).levels()) else None


@lru_cache(1000)
def bot_name(game: str, bot: str) -> str:
    """What a bot is called: by its strength, by how it is tuned, or by its own name."""
    return name_of_spec(find(game), bot)


@lru_cache(1000)
def bot_details(game: str, bot: str) -> str:
    """How a bot works, for those who want to know; empty if there is no such bot."""
    try:
        return mechanics(make_bot(find(game), bot))
    except RookeryError:  # an uploaded record may name any bot
        return ""


def seat_label(stored: StoredGame, seat: Seat) -> str:
    """A short name for a seat; empty for a person without a name."""
    if seat.kind == "open":
        return "Open seat"
    if seat.kind == "bot":
        return bot_name(stored.game, seat.bot or "")
    return "" if seat.name == DELETED_PERSON else seat.name


def names_for(stored: StoredGame, person: str) -> Names:
    """What a person calls the players of a game: themselves "You", unless they play several seats. In an uploaded
    record somebody may be called "You" or "I", which would be the reader.
    """
    own = stored.seats_of(person)
    nameless = own if len(own) > 1 else []
    labels = [
        "" if seat.number in nameless or seat.kind == "open" or seat.name.lower() in ("you", "i") else label
        for seat, label in ((seat, seat_label(stored, seat)) for seat in stored.seats)
    ]
    return Names(told_apart(labels), own[0] if len(own) == 1 else 0)


def people(seats: Sequence[SeatInfo]) -> str:
    """Who plays: "You and Ida", "Ida, Casual bot and 2 open seats"."""
    own = sum(seat.yours for seat in seats)
    if own == len(seats) > 1:
        return f"{own} on one screen"
    names = [_in_list(seat) for seat in seats if seat.kind != "open"]
    if free := len(seats) - len(names):
        names.append("an open seat" if free == 1 else f"{free} open seats")
    text = listed(names)
    return text[0].upper() + text[1:]


def _in_list(seat: SeatInfo) -> str:
    if seat.yours:
        return "you"
    return seat.name if seat.label else "somebody"


HOW = {"time": " on time", "resigned": " by resignation"}


def result_text(stored: StoredGame, person: str, names: Names) -> str | None:
    """How a game ended, in a few words for lists, as a person sees it; None if it is not over. A sentence would need
    the last position, and so a replay of the game.
    """
    if stored.status != "over":
        return None
    result, own, alone = stored.result or {}, stored.seats_of(person), len(stored.seats) == 1
    winners = result.get("winners") or []
    how = HOW[stored.ending["how"]] if stored.ending else ""
    if len(winners) > 1:
        return "Draw"
    if stored.achievement and (alone or set(winners) & set(own)):
        return stored.achievement[0].upper() + stored.achievement[1:]
    if winners:
        if len(own) == 1:
            return ("Won" if winners == own else "Lost") + how
        return f"{names.of(winners[0])} won{how}"
    if not alone:
        return "Draw"
    points = (result.get("scores") or [0])[0]
    return counted(plain(points), "point") if points > 0 else "Lost"


def seat_info(stored: StoredGame, seat: Seat, person: str, names: Names, online: Collection[str]) -> SeatInfo:
    """A seat as a person sees it, who calls the players by these names."""
    label = seat_label(stored, seat)
    somebody = len(stored.seats) == 1 and not label and not names.you
    return SeatInfo(
        number=seat.number,
        kind=cast("Any", seat.kind),
        name=label if seat.kind == "open" else "Somebody" if somebody else names.of(seat.number),
        label=label,
        bot=seat.bot,
        details=bot_details(stored.game, seat.bot) if seat.bot else "",
        level=level_of(stored.game, seat.bot) if seat.bot else None,
        yours=bool(person) and seat.holder == person,
        online=seat.kind == "bot" or (seat.holder is not None and seat.holder in online),
    )


@lru_cache(1000)
def _goal(name: str, options: frozenset[tuple[str, Value]], player: int) -> str:
    return find(name).make(**dict(options)).goal(player)


@dataclass(frozen=True)
class RoomStatus:
    """What only an open room knows of a game; `may` leaves out what the game alone decides."""

    online: Collection[str] = ()
    watchers: int = 0
    may: Permissions = field(default_factory=Permissions)
    asked: PendingRequest | None = None
    scores: tuple[float, ...] = ()


def game_info(stored: StoredGame, person: str, now: float, room: RoomStatus | None = None) -> GameInfo:
    """A game as a person sees it at a time of the store."""
    room = room or RoomStatus()
    cls = find(stored.game)
    result = stored.result or {}
    you, names = stored.seats_of(person), names_for(stored, person)
    seats = [seat_info(stored, seat, person, names, room.online) for seat in stored.seats]
    return GameInfo(
        id=stored.id,
        game=stored.game,
        title=cls.title,
        goal=_goal(stored.game, frozenset(stored.options.items()), you[0] if len(you) == 1 else 0),
        options=stored.options,
        kind=cast("Any", stored.kind),
        day=stored.day,
        status=cast("Any", stored.status),
        seats=seats,
        people=people(seats),
        you=you,
        local=stored.local,
        odds=cast("Any", stored.odds) if hides_odds(cls) else None,
        listed=stored.listed,
        clock=ClockSetup(**stored.clock) if stored.clock else None,
        invite=f"/game/{stored.id}#{stored.token}" if you and stored.waiting else None,
        may=structs.replace(room.may, review=not why_no_review(stored, person, now)),
        asked=room.asked,
        ending=Ending(**stored.ending) if stored.ending else None,
        winners=result.get("winners"),
        result=result_text(stored, person, names),
        scores=result.get("scores") or list(room.scores),
        plies=stored.length,
        watchers=room.watchers,
        rematch=stored.rematch,
        takebacks=stored.takebacks,
        feat=stored.achievement,
        created=iso_time(stored.created),
        changed=iso_time(stored.changed),
    )


def analysis_reply(analysis: Analysis, bot: Bot, state: State, ref: int | None) -> AnalysisReply:
    """A bot's analysis of a position, with its numbers and the same in words."""
    return AnalysisReply(
        ref=ref,
        ply=state.ply,
        player=state.turn,
        bot=bot.name,
        details=mechanics(bot),
        value=analysis.value,
        unit=bot.unit,
        verdict=analysis.verdict(bot.unit),
        remark=bot.remark(state.game),
        facts=analysis.facts,
        win=probability(analysis.win, analysis.value) if state.game.players > 1 else None,
        forced=analysis.forced,
        line=analysis.line,
        phrases=tuple(map(state.game.phrase_of, analysis.line)),
        candidates=[
            CandidateInfo(
                action=each.name,
                phrase=state.game.phrase(each.action),
                value=each.value,
                win=each.win,
                text=promise(each),
            )
            for each in analysis.candidates[:MAX_CANDIDATES]
        ],
    )


def iso_time(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
