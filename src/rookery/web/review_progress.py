"""How far a review has come, as it is told: each ply is prepared once, the summary once for each number of plies."""

from __future__ import annotations

from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from rookery.search.review import Review
from rookery.web.review_info import GRADE_INFOS, player_info, ply_info
from rookery.web.review_messages import ReviewInfo, ReviewScale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.names import Names
    from rookery.core.review import ReviewedPly, Reviewer
    from rookery.web.domain import StoredGame
    from rookery.web.review_messages import ReviewPlayer, ReviewPlyInfo
    from rookery.web.review_repository import StoredReview

VERSION = 2
"""Counted up when reviews are made in another way, so that those in the database are made anew."""


class ReviewProgress:
    """The review of one version of a game, as far as it is known here."""

    def __init__(self, stored: StoredGame, found: StoredReview | None) -> None:
        """`found` is what the database has of the review. This may take a while."""
        game = stored.made()
        reviewer: Reviewer = type(game).reviewer().of(game)
        how = f"{VERSION} {reviewer.bot} {reviewer.nodes}"
        self.version = stored.version
        """The version of the game."""
        self.made = f"{how} {sha256(chr(10).join(stored.plies).encode()).hexdigest()[:16]}"
        """What tells this review from others: how it is made, and of which plies."""
        self.found = found.made if found is not None else ""
        """The same of what the database had."""
        known = found.plies if found is not None and found.made.rpartition(" ")[0] == how else ()
        self.review = Review(stored.record(), reviewer, known)
        self._plies: list[msgspec.Raw | ReviewPlyInfo] = []
        """As JSON, unless players are named in it, whom each reader calls by other names."""
        self._players: tuple[int, list[ReviewPlayer]] = (-1, [])
        """The summaries, and for how many plies they hold."""
        self._prepare(self.review.plies)

    @property
    def count(self) -> int:
        """How many plies are reviewed."""
        return len(self.review.plies)

    @property
    def done(self) -> bool:
        return self.count == len(self.review.record.plies)

    def add(self, more: StoredReview) -> None:
        """Add what another server has found since."""
        self.review = Review(self.review.record, self.review.reviewer, [*self.review.plies, *more.plies])
        del self._plies[self.count :]
        self._prepare(self.review.plies)

    def info(self, first: int, status: Any, names: Names) -> ReviewInfo:
        """How far the review is, with its plies from a number on, for a reader who calls the players by these names."""
        game = self.review.game  # a thread may be adding plies
        self._prepare(game.plies)
        if self._players[0] != len(game.plies):
            self._players = len(game.plies), [player_info(each, game.scale) for each in game.summaries()]
        return ReviewInfo(
            status="done" if game.done else status,
            done=len(game.plies),
            total=game.total,
            bot=game.bot,
            nodes=game.nodes,
            scale=None if game.scale is None else ReviewScale(**asdict(game.scale)),
            grades=GRADE_INFOS,
            plies=[_told(each, names) for each in self._plies[first:]],
            players=self._players[1],
        )

    def _prepare(self, plies: Sequence[ReviewedPly]) -> None:
        """Prepare the plies that are new."""
        for each in plies[len(self._plies) :]:
            info = ply_info(each, self.review.reviewer, self.review.scale)
            self._plies.append(info if "{" in each.why else msgspec.Raw(msgspec.json.encode(info)))


def _told(ply: msgspec.Raw | ReviewPlyInfo, names: Names) -> Any:
    return ply if isinstance(ply, msgspec.Raw) else msgspec.structs.replace(ply, why=names.fill(ply.why))
