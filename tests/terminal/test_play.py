"""Playing on the screen, to the end, by keys and by mouse."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal
from unittest import mock

import pytest
from tests.games.spread import THIN_ICE
from tests.terminal.driver import new_session, open_app, run, sidebar, without_blanks
from tests.tiers import slow

import rookery
from rookery.core.bot import make_bot
from rookery.core.stream import Stream
from rookery.games import from_file
from rookery.terminal.files import read_record
from rookery.terminal.save_store import SaveStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.driver import User

    from rookery.core.game import Game

GAMES: list[tuple[Game, str, str]] = [
    (rookery.game("gotham", size=5), "ring", ""),
    (rookery.game("gamma", width=4, height=3, areas=2), "greedy", "random"),
    (rookery.game("sixseven", rows=3, cols=3, variant="original"), "random", ""),
    (rookery.game("gaterun", size=4, walls=2, jump=True, rotate=True), "random", "greedy"),
    (from_file(THIN_ICE).make(rows=4, cols=4), "greedy", "random"),
]
"""Games, the bot that decides for the person, and the opponent."""


POINTED = ("gaterun",)
"""A game whose cells and edges are clicked; Gamma has cells only, and in the others the mouse does what keys do."""


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
        async with open_app(tmp_path, new_session(game, seats)) as user:
            await user.wait_for_turn()
            while not user.play_screen.over:
                state = user.play_screen.session.state
                before, action = len(state.history), game.name_of(person.choose(state.copy(), stream=stream))
                scene = user.play_screen.scene
                assert scene is not None
                await user.make(next(choice for choice in scene.choices if choice.action == action), by)
                await user.wait(lambda: len(state.history) > before)  # noqa: B023 - waited for in this turn
                assert game.name_of(state.history[before]) == action
                await user.wait_for_turn()
            assert without_blanks(user.play_screen.result_message) in without_blanks(sidebar(user.shown()))
        (finished,) = SaveStore(tmp_path).finished_games()
        assert finished.game == game.name
        assert read_record(str(finished.path)).replay().over

    asyncio.run(play())


def test_undo_and_redo(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("down", "up", "u")
        assert user.play_screen.session.state.position().startswith("1,3/6,3")
        await user.press("u", "u")
        assert "There is nothing to undo." in user.play_screen.note
        await user.press("r", "R")
        assert user.play_screen.session.state.position().startswith("1,3/5,3")
        await user.press("r")
        assert user.play_screen.note == "There is nothing to redo."

    run(tmp_path, rookery.game("gaterun"), play)


def test_r_turns_a_wall_where_the_cursor_stands_on_one(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        screen = user.play_screen
        assert screen.scene is not None
        await user.make(next(each for each in screen.scene.choices if each.action == "1,1|1,2"), "keys")
        await user.press("up")
        assert len(screen.session.state.history) == 2
        await user.move_to(((1, 1), (1, 2)))
        await user.press("r")
        assert screen.board.picked == ((1, 1), (1, 2))
        await user.press("escape")
        assert screen.board.picked is None
        assert len(screen.session.state.history) == 2
        await user.press("r", "enter")
        assert ">" in screen.game.name_of(screen.session.state.history[-1])

    run(tmp_path, rookery.game("gaterun", size=4, rotate=True), play)


def test_the_footer_says_what_r_does_and_the_note_asks_for_a_target(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        assert "r Redo" in user.shown()
        await user.move_to(((1, 1), (1, 2)))
        assert "between b3 and c3: Space puts up a wall" in user.shown()
        await user.move_to(((0, 1), (0, 2)))
        assert "between b4 and c4: Space puts up a wall" in user.shown(), "where, not what is there"
        await user.move_to(((1, 1), (1, 2)))
        await user.press("space", "up")
        assert "r Turn R Redo" in user.shown()
        await user.press("r")
        assert "Put here" in user.shown() and "esc Cancel" in user.shown()
        assert "Choose where it goes" in user.shown() and "Space puts it here" in user.shown()
        await user.press("escape")
        assert "Choose where" not in user.shown() and "esc Menu" in user.shown()
        await user.press("shift+left")
        assert "r Redo" in user.shown()

    run(tmp_path, rookery.game("gaterun", size=4, rotate=True), play)


@pytest.mark.parametrize(
    ("name", "options", "keys", "note"),
    [
        ("gaterun", {}, ["up"], "You cannot go up from here."),
        ("sixseven", {"rows": 2, "cols": 2}, ["u"], "There is nothing to undo."),
        ("gotham", {"size": 3}, ["up", "up"], "You cannot go up: the city ends here."),
        ("gamma", {"width": 3, "height": 3}, ["space", "c", "space"], "That cell is yours already."),
    ],
)
def test_illegal_actions_are_explained(
    name: str, options: dict[str, Any], keys: list[str], note: str, tmp_path: Path
) -> None:
    async def play(user: User) -> None:
        await user.press(*keys)
        assert user.play_screen.note == note
        assert without_blanks(note) in without_blanks(sidebar(user.shown()))

    run(tmp_path, rookery.game(name, **options), play)


def test_an_illegal_click_is_explained(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.click_place(((4, 4),))
        assert user.play_screen.note == "A step goes to a cell next to your pawn."
        await user.click_place(((3, 3), (4, 3)))
        assert user.play_screen.session.state.position().startswith("0,3/6,3 3,3|4,3")

    run(tmp_path, rookery.game("gaterun"), play)


def test_gammas_own_keys(tmp_path: Path) -> None:
    """Arrows, Space, G, C and Ctrl-D; a stopped game has no winner, only somebody ahead."""

    async def play(user: User) -> None:
        await user.press("space", "G")
        state = user.play_screen.session.state
        assert [state.game.name_of(action) for action in state.history] == ["m 1 1", "g 1 1"]
        await user.press("C", "right", "space", "ctrl+d")
        assert user.play_screen.result_message == "You stopped the game. Player 2 is ahead."
        assert "Player 2 is ahead." in " ".join(user.shown().split())
        await user.press("u", "u")
        assert not user.play_screen.over
        await user.press("space", "ctrl+d")
        assert user.play_screen.result_message.endswith("Player 1 and Player 2 are level.")

    run(tmp_path, rookery.game("gamma", width=3, height=3), play)


def test_tiles_slide_when_the_mouse_is_dragged(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        screen = user.play_screen
        assert screen.scene is not None
        way = next(choice.action for choice in screen.scene.choices)
        x, y = {"left": (20, 10), "right": (40, 10), "up": (30, 5), "down": (30, 15)}[way]
        await user.pilot.mouse_down("#board", offset=(30, 10))
        await user.pilot.mouse_up("#board", offset=(x, y))
        assert screen.game.name_of(screen.session.state.history[2]) == way

    run(tmp_path, rookery.game("sixseven"), play)


def test_odds_are_shown_on_demand(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        assert "97" not in user.shown()
        await user.press("o")
        assert user.shown().count("97") == 8, "on the board and beside it"
        await user.press("o")
        assert "97" not in user.shown()

    run(tmp_path, rookery.game("gotham"), play)


def test_a_key_does_not_wait_for_the_animation(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        user.app.animated = True
        await user.press("left", "up", "right", "down")
        made = sum(action < 4 for action in user.play_screen.session.state.history)
        assert made >= 3
        await user.pilot.pause(0.4)
        assert user.play_screen.board._motion is None

    run(tmp_path, rookery.game("sixseven"), play)


def test_an_ended_game_can_be_continued(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("ctrl+d", "r")
        assert not user.play_screen.over
        assert user.play_screen.note == "There is nothing to redo."
        await user.press("down")
        assert len(user.play_screen.session.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play)


def test_only_the_left_button_plays_and_hovering_marks_the_place(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        board, grid = user.play_screen.board, user.play_screen.board.grid
        assert grid is not None
        left, top = board.margins

        def at(place: tuple[tuple[int, int], ...]) -> tuple[int, int]:
            x, y = grid.middle(place)
            return x + left, y + top

        await user.pilot.hover("#board", offset=at(((1, 3),)))
        assert board.hovered == ((1, 3),)
        await user.pilot.hover("#board", offset=at(((4, 4),)))
        assert board.hovered is None
        await user.pilot.hover("#board", offset=at(((4, 4), (4, 5))))
        assert board.hovered == ((4, 4), (4, 5))
        await user.pilot.click("#board", offset=at(((1, 3),)), button=3)
        assert user.play_screen.session.state.history == ()

    run(tmp_path, rookery.game("gaterun"), play)


def test_playing_again_is_one_key_away(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("a")
        await user.press("down", "left", "down")
        assert user.play_screen.over
        seed = user.play_screen.session.seed
        await user.press("a")
        assert user.play_screen.session.state.history == ()
        assert user.play_screen.session.seed != seed

    run(tmp_path, rookery.game("gaterun", size=3), play)


def test_a_letter_that_does_nothing_there_is_explained(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("space", "right", "g")
        assert user.play_screen.note == "G does nothing here."

    run(tmp_path, rookery.game("gamma", width=3, height=3), play)


def test_a_step_of_the_cursor_draws_the_one_line_it_changes(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        board = user.play_screen.board
        with mock.patch.object(board, "refresh") as refresh:
            board.press("right")
        (region,) = refresh.call_args.args
        assert region.height == 1

    run(tmp_path, rookery.game("gamma"), play)
