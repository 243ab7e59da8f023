"""Scenes in pixels: every game can be drawn, and what changes on the board changes in the picture."""

from __future__ import annotations

import numpy
import pytest
from tests.games.spread import GAMES, label

from rookery.core.game import Game
from rookery.core.stream import Stream
from rookery.envs.rendering import SIDE, font, render, size_for, wrapped


@pytest.mark.parametrize("game", [game for game in GAMES if game.players <= 12], ids=label)
def test_every_game_can_be_drawn(game: Game) -> None:
    state, stream, before = game.start(), Stream(1), None
    for _ in range(5):
        scene = state.scene()
        picture = render(scene)
        assert picture.dtype == numpy.uint8 and picture.shape[2] == 3
        assert picture.shape[0] > SIDE * scene.rows and picture.shape[1] > SIDE * scene.cols
        assert before is None or before.shape == picture.shape, "all pictures of a game are of one size"
        assert before is None or (before != picture).any()
        if state.over:
            break
        before = picture
        state.play(state.pick(stream) if state.turn > 0 else state.draw(stream))


def test_long_messages_take_more_lines() -> None:
    assert wrapped("", 300, 14) == []
    lines = wrapped("a sentence that is longer than the board is wide, so that it goes on below", 200, 14)
    assert len(lines) > 1 and " ".join(lines).startswith("a sentence that is longer")


def test_long_numbers_are_written_smaller() -> None:
    sizes = [size_for(text, 22, SIDE) for text in ("67", "−1234", "−1000000000")]
    assert sizes[0] == 22 > sizes[1] > sizes[2]
    assert font(sizes[2]).getlength("-1000000000") <= SIDE
