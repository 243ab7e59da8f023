"""The games on the terminal's screen: played to the end by keys and by mouse, with all that goes with it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal
from unittest import mock

import pytest
from tests.games.spread import THIN_ICE
from tests.terminal.house import beside, opened, run, sat, squeezed
from tests.tiers import slow

import rookery
from rookery.core.bot import make_bot
from rookery.core.stream import Stream
from rookery.games import from_file
from rookery.terminal.files import read_record
from rookery.terminal.shelf import Shelf

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.house import Guest

    from rookery.core.game import Game

GAMES: list[tuple[Game, str, str]] = [
    (rookery.game("gotham", size=7), "ring", ""),
    (rookery.game("gamma", width=4, height=3, areas=2), "greedy", "random"),
    (rookery.game("sixseven", rows=3, cols=3, variant="original"), "random", ""),
    (rookery.game("gaterun", size=4, walls=2, jump=True, rotate=True), "random", "greedy"),
    (from_file(THIN_ICE).make(rows=4, cols=4), "greedy", "random"),
]
"""Games, who decides for the person, and against whom."""


POINTED = ("gamma", "gaterun")
"""Games whose cells and edges are clicked; in the others the mouse says what keys say."""


@pytest.mark.parametrize(
    ("game", "mind", "opponent", "by"),
    [(*each, "keys") for each in GAMES]
    + [pytest.param(*each, "mouse", marks=() if each[0].name in POINTED else slow) for each in GAMES],
    ids=lambda each: getattr(each, "name", each),
)
def test_a_game_is_played_to_its_end(
    game: Game, mind: str, opponent: str, by: Literal["keys", "mouse"], tmp_path: Path
) -> None:
    async def play() -> None:
        seats = {2: make_bot(game, opponent)} if opponent else {}
        stream, person = Stream(11), make_bot(game, mind)
        async with opened(tmp_path, sat(game, seats)) as guest:
            await guest.wait_for_me()
            while not guest.table.over:
                state = guest.table.sitting.state
                before, action = len(state.history), game.name_of(person.choose(state.copy(), stream=stream))
                scene = guest.table.scene
                assert scene is not None
                await guest.make(next(choice for choice in scene.choices if choice.action == action), by)
                await guest.wait(lambda: len(state.history) > before)  # noqa: B023 - waited for in this turn
                assert game.name_of(state.history[before]) == action
                await guest.wait_for_me()
            assert squeezed(guest.table.final) in squeezed(beside(guest.shown()))
        (finished,) = Shelf(tmp_path).finished_games()
        assert finished.game == game.name
        assert read_record(str(finished.path)).replay().over

    asyncio.run(play())


def test_undo_and_redo(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("down", "up", "u")
        assert guest.table.sitting.state.position().startswith("1,3/6,3")
        await guest.press("u", "u")
        assert "There is nothing to undo." in guest.table.note
        await guest.press("r", "R")
        assert guest.table.sitting.state.position().startswith("1,3/5,3")
        await guest.press("r")
        assert guest.table.note == "There is nothing to redo."

    run(tmp_path, rookery.game("gaterun"), play)


def test_r_turns_a_wall_where_the_cursor_stands_on_one(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        table = guest.table
        assert table.scene is not None
        await guest.make(next(each for each in table.scene.choices if each.action == "1,1|1,2"), "keys")
        await guest.press("up")
        assert len(table.sitting.state.history) == 2
        await guest.walk_to(((1, 1), (1, 2)))
        await guest.press("r")
        assert table.board.picked == ((1, 1), (1, 2))
        await guest.press("escape")
        assert table.board.picked is None
        assert len(table.sitting.state.history) == 2
        await guest.press("r", "enter")
        assert ">" in table.game.name_of(table.sitting.state.history[-1])

    run(tmp_path, rookery.game("gaterun", size=4, rotate=True), play)


def test_it_is_said_what_r_does_and_that_one_chooses_a_target(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        assert "r Redo" in guest.shown()
        await guest.walk_to(((1, 1), (1, 2)))
        assert "edge between 1,1 and 1,2: Space puts up a wall" in guest.shown()
        await guest.press("space", "up")
        assert "r Turn R Redo" in guest.shown()
        await guest.press("r")
        assert "Put it here" in guest.shown() and "esc Let go" in guest.shown()
        assert "Choose where it goes" in guest.shown() and "Space puts it here" in guest.shown()
        await guest.press("escape")
        assert "Choose where" not in guest.shown() and "esc Menu" in guest.shown()
        await guest.press("shift+left")
        assert "r Redo" in guest.shown()

    run(tmp_path, rookery.game("gaterun", size=4, rotate=True), play)


@pytest.mark.parametrize(
    ("name", "options", "keys", "note"),
    [
        ("gaterun", {}, ["up"], "There is no way up from here."),
        ("sixseven", {"rows": 2, "cols": 2}, ["u"], "There is nothing to undo."),
        ("gotham", {"size": 3}, ["up", "up"], "You cannot go up: the city ends here."),
        ("gamma", {"width": 3, "height": 3}, ["space", "c", "space"], "The cell 1 1 is yours already."),
    ],
)
def test_what_cannot_be_done_is_explained(
    name: str, options: dict[str, Any], keys: list[str], note: str, tmp_path: Path
) -> None:
    async def play(guest: Guest) -> None:
        await guest.press(*keys)
        assert guest.table.note == note
        assert squeezed(note) in squeezed(beside(guest.shown()))

    run(tmp_path, rookery.game(name, **options), play)


def test_a_click_that_means_nothing_is_explained(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.click_place(((4, 4),))
        assert guest.table.note == "A step goes to a cell next to the pawn, which stands on 0,3."
        await guest.click_place(((3, 3), (4, 3)))
        assert guest.table.sitting.state.position().startswith("0,3/6,3 3,3|4,3")

    run(tmp_path, rookery.game("gaterun"), play)


def test_gammas_own_keys(tmp_path: Path) -> None:
    """Arrows, space, G, C and Ctrl-D, and in the end the winner or the draw is named."""

    async def play(guest: Guest) -> None:
        await guest.press("space", "G")
        state = guest.table.sitting.state
        assert [state.game.name_of(action) for action in state.history] == ["m 1 1", "g 1 1"]
        await guest.press("C", "right", "space", "ctrl+d")
        assert guest.table.final == "You have ended the game. Player 2 wins."
        assert "Player 2 wins." in " ".join(guest.shown().split())
        await guest.press("u", "u")
        assert not guest.table.over
        await guest.press("space", "ctrl+d")
        assert guest.table.final.endswith("A draw between Player 1 and Player 2.")

    run(tmp_path, rookery.game("gamma", width=3, height=3), play)


def test_tiles_are_drawn_over_the_board_by_the_mouse(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        table = guest.table
        assert table.scene is not None
        way = next(choice.action for choice in table.scene.choices)
        x, y = {"left": (20, 10), "right": (40, 10), "up": (30, 5), "down": (30, 15)}[way]
        await guest.pilot.mouse_down("#board", offset=(30, 10))
        await guest.pilot.mouse_up("#board", offset=(x, y))
        assert table.game.name_of(table.sitting.state.history[2]) == way

    run(tmp_path, rookery.game("sixseven"), play)


def test_odds_are_shown_on_demand(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        assert "97" not in guest.shown()
        await guest.press("o")
        assert guest.shown().count("97") == 8, "on the board and beside it"
        await guest.press("o")
        assert "97" not in guest.shown()

    run(tmp_path, rookery.game("gotham"), play)


def test_things_move_on_their_way_and_a_key_does_not_wait_for_them(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        guest.house.moving = True
        await guest.press("left", "up", "right", "down")
        made = sum(action < 4 for action in guest.table.sitting.state.history)
        assert made >= 3
        await guest.pilot.pause(0.4)
        assert guest.table.board._motion is None

    run(tmp_path, rookery.game("sixseven"), play)


def test_a_game_that_was_ended_can_be_gone_on_with(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("ctrl+d", "r")
        assert not guest.table.over
        assert guest.table.note == "There is nothing to redo."
        await guest.press("down")
        assert len(guest.table.sitting.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play)


def test_only_the_left_button_plays_and_a_ghost_shows_where(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        board, grid = guest.table.board, guest.table.board.grid
        assert grid is not None
        left, top = board.margins

        def at(place: tuple[tuple[int, int], ...]) -> tuple[int, int]:
            x, y = grid.middle(place)
            return x + left, y + top

        await guest.pilot.hover("#board", offset=at(((1, 3),)))
        assert board.ghost == ((1, 3),)
        await guest.pilot.hover("#board", offset=at(((4, 4),)))
        assert board.ghost is None
        await guest.pilot.hover("#board", offset=at(((4, 4), (4, 5))))
        assert board.ghost == ((4, 4), (4, 5))
        await guest.pilot.click("#board", offset=at(((1, 3),)), button=3)
        assert guest.table.sitting.state.history == ()

    run(tmp_path, rookery.game("gaterun"), play)


def test_playing_again_is_one_key_away(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("a")
        await guest.press("down", "left", "down")
        assert guest.table.over
        seed = guest.table.sitting.seed
        await guest.press("a")
        assert guest.table.sitting.state.history == ()
        assert guest.table.sitting.seed != seed

    run(tmp_path, rookery.game("gaterun", size=3), play)


def test_a_letter_that_does_nothing_there_is_explained(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("space", "right", "g")
        assert guest.table.note == "Nothing can be done there with G."

    run(tmp_path, rookery.game("gamma", width=3, height=3), play)


def test_a_step_of_the_cursor_draws_the_one_line_it_changes(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        board = guest.table.board
        with mock.patch.object(board, "refresh") as refresh:
            board.press("right")
        (region,) = refresh.call_args.args
        assert region.height == 1

    run(tmp_path, rookery.game("gamma"), play)
