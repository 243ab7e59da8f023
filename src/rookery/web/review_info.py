"""What is told of a review: its numbers, and the same in words."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from rookery.core.review import FAULTS, GRADE_SIGNS
from rookery.web.review_messages import ReviewGrade, ReviewPlayer, ReviewPlyInfo, ReviewPoint

if TYPE_CHECKING:
    from rookery.core.review import PlayerSummary, ReviewedPly, Reviewer, Scale

GRADE_INFOS = [ReviewGrade(name, name.capitalize(), sign, name in FAULTS) for name, sign in GRADE_SIGNS.items()]


def ply_info(each: ReviewedPly, reviewer: Reviewer, scale: Scale | None) -> ReviewPlyInfo:
    """A ply, with markers for the players in its reasons."""
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


def player_info(each: PlayerSummary, scale: Scale | None) -> ReviewPlayer:
    """How a player played."""
    text = ""
    if scale is not None and each.luck is not None:
        unit = scale.unit[:1].upper() + scale.unit[1:]
        text = f"Luck: {scale.chance(each.luck)}. Skill: choices cost {scale.short(each.lost)}. ({unit}.)"
    return ReviewPlayer(**asdict(each), text=text)
