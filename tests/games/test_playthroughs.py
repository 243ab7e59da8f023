"""Playing the games again gives the golden playthroughs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.games.playthroughs import FOLDER, GAMES, file_of, playthrough
from tests.games.spread import label

if TYPE_CHECKING:
    from rookery.core.game import Game


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_a_game_plays_as_it_always_did(game: Game) -> None:
    assert playthrough(game) == file_of(game).read_text(encoding="utf-8")


def test_no_playthrough_is_left_over() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {file_of(game).name for game in GAMES}
