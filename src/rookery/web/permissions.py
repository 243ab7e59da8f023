"""Who may do what in a game now. Pure functions of the game; `Room` enforces them, the page greys out the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.web.messages import Permissions

if TYPE_CHECKING:
    from rookery.web.domain import StoredGame
    from rookery.web.live_game import LiveGame


def permissions(live: LiveGame, person: str) -> Permissions:
    """What a person may do now."""
    stored, local = live.stored, live.stored.local
    plays = bool(person) and (person in stored.people or (local and person == stored.owner))
    if stored.kind == "upload" or not plays:
        return Permissions()
    lesson = stored.kind == "lesson"
    free = (stored.kind == "game" or lesson) and stored.status != "abandoned"
    return Permissions(
        undo=free and not stored.asked and undo_target(live, person) is not None,
        redo=free and local and live.redoable > 0 and not stored.ending,
        hint=free and not lesson and local and live.turn > 0 and odds_allowed(stored),
        resign=not lesson and stored.status == "playing" and len(stored.seats) > 1 and person in stored.people,
        restart=stored.kind == "game" and local,
        rematch=free and not local and stored.status == "over",
        switch=_switchable_seats(stored, person) if free and not lesson else [],
    )


def odds_allowed(stored: StoredGame) -> bool:
    """Whether odds that the game hides may be shown."""
    return stored.odds == "ask" or stored.status == "over"


def why_no_review(stored: StoredGame, person: str, now: float) -> str:
    """Why a person may not have a game reviewed, as a sentence; empty if they may. Nobody is helped in a game that
    still counts: one against people, or one of today's challenge, which others may not have played yet.
    """
    if stored.open_today(now):
        return "Today's challenge can be reviewed tomorrow, when nobody plays it any more."
    if stored.kind == "upload" or stored.status in ("over", "abandoned"):
        return ""
    own = bool(person) and (person in stored.people or person == stored.owner)
    if stored.local and own and odds_allowed(stored):
        return ""
    return "This game is still being played; it can be reviewed when it is over."


def undo_target(live: LiveGame, person: str) -> int | None:
    """The ply an undo goes back to: the last decision of this person, or in a local game of any person."""
    stored, local = live.stored, live.stored.local
    if stored.ending or (stored.status == "over" and not local):
        return None
    deciding = {seat.number for seat in stored.seats if seat.holder and (local or seat.holder == person)}
    return next((ply for ply in reversed(range(live.ply)) if live.movers[ply] in deciding), None)


def _switchable_seats(stored: StoredGame, person: str) -> list[int]:
    """The seats a person may give to a bot or take."""
    if stored.status not in ("waiting", "playing"):
        return []
    if stored.local:
        return [seat.number for seat in stored.seats]
    return [seat.number for seat in stored.seats if seat.kind == "open" and stored.owner == person]
