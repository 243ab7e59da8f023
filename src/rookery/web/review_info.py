"""A review as one person reads it: its numbers, and the same in words."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rookery.core.review import FAULTS, GRADE_SIGNS
from rookery.web.review_messages import ReviewGrade, ReviewInfo, ReviewPlayer, ReviewPlyInfo, ReviewPoint, ReviewScale

if TYPE_CHECKING:
    from rookery.core.names import Names
    from rookery.core.review import PlayerSummary, ReviewedPly, Reviewer, Scale
    from rookery.search.review import Review

GRADES = [ReviewGrade(name, name.capitalize(), sign, name in FAULTS) for name, sign in GRADE_SIGNS.items()]


def review_info(review: Review, status: Any, names: Names, first: int) -> ReviewInfo:
    """How far a review is, with its plies from the first on that was asked for; the names are what the reader calls the
    players.
    """
    game, scale = review.game, review.scale
    return ReviewInfo(
        status="done" if game.done else status,
        done=len(game.plies),
        total=game.total,
        bot=game.bot,
        nodes=game.nodes,
        scale=None if scale is None else ReviewScale(**asdict(scale)),
        grades=GRADES,
        plies=[_ply(each.told(names), review.reviewer, scale) for each in game.plies[first:]],
        players=[_player(each, scale) for each in game.summaries()],
    )


def _ply(each: ReviewedPly, reviewer: Reviewer, scale: Scale | None) -> ReviewPlyInfo:
    text, course = "", None
    if scale is not None and each.luck is not None:
        text = f"Luck: {scale.chance(each.luck)} {scale.unit}."
    if scale is not None and each.value is not None and each.after is not None:
        text = scale.course(each.value, each.after)
        course = _point(each.player, each.value, reviewer, scale), _point(each.player, each.after, reviewer, scale)
    phrases = list(map(reviewer.game.phrase_of, each.line))
    return ReviewPlyInfo(**each.content(), phrases=phrases, text=text, course=course)


def _point(player: int, value: float, reviewer: Reviewer, scale: Scale) -> ReviewPoint:
    """A value to a player on the graph."""
    seen = reviewer.opposite(value) if reviewer.game.players == player == 2 else value
    return ReviewPoint(seen, scale.short(seen))


def _player(each: PlayerSummary, scale: Scale | None) -> ReviewPlayer:
    text = ""
    if scale is not None and each.luck is not None:
        unit = scale.unit[:1].upper() + scale.unit[1:]
        text = f"Luck: {scale.chance(each.luck)}. Skill: choices cost {scale.short(each.lost)}. ({unit}.)"
    return ReviewPlayer(**asdict(each), text=text)
