"""The games on the terminal's screen: played to the end by keys and by mouse, with all that goes with it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Literal

import pytest
from tests.games.spread import THIN_ICE
from tests.terminal.house import opened, sat

import rookery
from rookery.core.bot import make_bot
from rookery.core.record import Record
from rookery.core.stream import Stream
from rookery.games import from_file
from rookery.terminal.files import read_record
from rookery.terminal.form import NewGame
from rookery.terminal.menu import Menu, Scores
from rookery.terminal.play import Play
from rookery.terminal.replay import Replay, Scrubber
from rookery.terminal.shelf import Shelf
from rookery.terminal.sitting import Sitting

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


@pytest.mark.parametrize("by", ["keys", "mouse"])
@pytest.mark.parametrize(("game", "mind", "opponent"), GAMES, ids=lambda each: getattr(each, "name", each))
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


def beside(shown: str) -> str:
    """What stands beside the board."""
    return "\n".join(line[55:] for line in shown.split("\n"))


def squeezed(text: str) -> str:
    """A text without blanks, which lines may be broken at."""
    return "".join(text.split())


def run(folder: Path, game: Game, play: Any, **arguments: Any) -> None:
    """Let somebody do something at a table where nobody else sits."""

    async def sit() -> None:
        async with opened(folder, sat(game), **arguments) as guest:
            await play(guest)

    asyncio.run(sit())


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


@pytest.mark.parametrize(
    ("name", "options", "keys", "note"),
    [
        ("gaterun", {}, ["up"], "There is no way up from here."),
        ("sixseven", {"rows": 2, "cols": 2}, ["u"], "There is nothing to undo."),
        ("gotham", {"size": 3}, ["up", "up"], "There is no cell up of here: the city ends."),
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


def test_a_bot_thinks_while_the_table_can_be_left_or_taken_back(tmp_path: Path) -> None:
    async def play() -> None:
        game = rookery.game("gaterun")
        async with opened(tmp_path, sat(game, {2: make_bot(game, "alphabeta:ms=20000")})) as guest:
            await guest.wait_for_me()
            await guest.press("down")
            await guest.wait(lambda: guest.table._thoughts)
            assert not guest.table.sitting.persons
            await guest.press("u")
            assert guest.table.sitting.persons
            assert guest.table.sitting.state.history == ()
            await guest.press("right")
            await guest.wait(lambda: guest.table._thoughts)
            await guest.press("escape")
            assert isinstance(guest.house.screen, Menu)
            assert "Go on with GateRun" in guest.shown()

    asyncio.run(play())


def test_a_hint_says_what_a_bot_would_do_and_marks_it(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("h")
        await guest.wait(lambda: guest.table.advice.plain)
        assert guest.table.advice.plain.startswith("Hint: ")
        assert guest.table.board.advised
        await guest.press("right")
        assert not guest.table.advice.plain

    run(tmp_path, rookery.game("gaterun", size=5), play)


def test_odds_are_shown_on_demand(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        assert "97" not in guest.shown()
        await guest.press("o")
        assert guest.shown().count("97") == 8, "on the board and beside it"
        await guest.press("o")
        assert "97" not in guest.shown()

    run(tmp_path, rookery.game("gotham"), play)


def test_saving_and_loading(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"

    async def play(guest: Guest) -> None:
        await guest.press("down", "s")
        guest.fill("name", str(file))
        await guest.press("enter")
        assert guest.table.note == f"Saved as {file}."
        await guest.press("up", "s")
        guest.fill("name", str(file))
        await guest.press("enter")
        assert guest.table.note.startswith(f"There is a '{file}' already")
        await guest.press("l")
        guest.fill("name", str(tmp_path / "nowhere"))
        await guest.press("enter")
        assert "cannot be read: No such file" in guest.table.note
        await guest.press("l")
        guest.fill("name", str(file))
        await guest.press("enter")
        assert len(guest.table.sitting.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play)


def test_a_game_left_open_is_taken_up_again(tmp_path: Path) -> None:
    async def first(guest: Guest) -> None:
        await guest.press("down", "up")

    run(tmp_path, rookery.game("gaterun"), first)

    async def again() -> None:
        async with opened(tmp_path) as guest:
            assert "Go on with GateRun" in guest.shown()
            await guest.press("end", "up", "enter")
            assert guest.table.sitting.state.position().startswith("1,3/5,3")
            await guest.press("left", "escape")
        assert len(Shelf(tmp_path).open_games()) == 1

    asyncio.run(again())


def test_the_menu_leads_into_every_game(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as guest:
            for number, name in enumerate(("gotham", "gamma", "sixseven", "gaterun"), start=1):
                await guest.press(str(number))
                assert guest.table.game.name == name
                await guest.press("escape")
                assert isinstance(guest.house.screen, Menu)
            await guest.press("down", "enter")
            assert isinstance(guest.house.screen, Play)

    asyncio.run(play())


def test_the_form_has_every_option_and_a_seat_for_every_player(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("n")
        form = guest.house.screen
        assert isinstance(form, NewGame)
        guest.fill("o-players", "3")
        await guest.wait(lambda: len(form.query("#seats Select")) == 3)
        guest.fill("o-width", "wide")
        await guest.press("ctrl+s")
        assert "width takes a whole number from 1" in guest.shown()
        guest.fill("o-width", "5")
        guest.fill("seat-2", str(make_bot(form.game, "1")))
        guest.fill("seed", "77")
        await guest.press("ctrl+s")
        sitting = guest.table.sitting
        assert (sitting.game.options["width"], sitting.game.players, sitting.seed) == (5, 3, 77)
        assert list(sitting.seats) == [2, 3], "who is new at the table is a bot unless one says otherwise"

    run(tmp_path, rookery.game("gamma"), play)


def finished() -> Record:
    """A whole game of GateRun."""
    game = rookery.game("gaterun", size=3, walls=1)
    state, stream = game.start(), Stream(4)
    while not state.over:
        state.play(state.pick(stream))
    return Record.of(state, ("ann", "ben"))


def test_a_record_is_looked_at_with_keys_and_the_bar(tmp_path: Path) -> None:
    record = finished()

    async def look() -> None:
        async with opened(tmp_path, record=record) as guest:
            assert guest.record.ply == 0
            assert "ann" in guest.shown()
            await guest.press("end")
            assert guest.record.ply == len(record.plies)
            await guest.press("home")
            assert guest.record.ply == 0
            await guest.press("right", "right", "left")
            assert guest.record.ply == 1
            await guest.press("end", "pageup")
            assert guest.record.ply == max(0, len(record.plies) - 10)
            bar = guest.record.query_one("#scrubber", Scrubber)
            await guest.pilot.click(bar, offset=(0, 0))
            assert guest.record.ply == 0
            at = guest.record.query_one("#scrubber", Scrubber).room
            await guest.pilot.click(bar, offset=(at - 1, 0))
            assert guest.record.ply == len(record.plies)
            await guest.press("home")
            await guest.press("right", "right", "p")
            assert guest.table.sitting.state.position() == record.replay(2).position()

    asyncio.run(look())


def test_a_record_runs_by_itself(tmp_path: Path) -> None:
    async def look() -> None:
        async with opened(tmp_path, record=finished()) as guest:
            await guest.press("space")
            assert guest.record.ply == 0
            await guest.wait(lambda: guest.record.ply >= 2)
            await guest.press("space")
            ply = guest.record.ply
            await guest.pilot.pause(0.7)
            assert guest.record.ply == ply

    asyncio.run(look())


def test_finished_games_are_listed_and_can_be_looked_at(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as guest:
            await guest.press("v")
            assert "No game has been finished yet." in guest.shown()
        shelf = Shelf(tmp_path)
        game = rookery.game("gotham", size=3)
        sitting = sat(game)
        while not sitting.state.over:
            sitting.act(sitting.state.pick(Stream(3, len(sitting.state.history))))
        shelf.keep_finished(shelf.place_for(sitting), sitting)
        async with opened(tmp_path) as guest:
            await guest.press("v")
            assert isinstance(guest.house.screen, Scores)
            assert "Gotham Loops" in guest.shown() and "point" in guest.shown()
            await guest.press("enter")
            assert isinstance(guest.house.screen, Replay)
            await guest.press("end")
            assert guest.record.state.scores() == sitting.state.scores()

    asyncio.run(play())


def test_a_damaged_shelf_is_no_reason_to_stop(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    (shelf.open_folder / "20260101-1-gaterun.json").write_text("{broken")
    shelf.games.write_text('nonsense\n{"game": 5}\n[]\n' + json.dumps({"rookery": 1}) + "\n")
    (tmp_path / "likes.json").write_text("[]")

    async def look() -> None:
        async with opened(tmp_path) as guest:
            await guest.press("v")
            assert "No game has been finished yet." in guest.shown()

    asyncio.run(look())


@pytest.mark.parametrize("size", [(30, 10), (80, 12), (45, 24)])
def test_a_window_too_small_says_so_and_recovers(size: tuple[int, int], tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        assert "GateRun needs a window of 55 columns and 17 lines." in " ".join(guest.shown().split())
        await guest.press("down")
        assert guest.table.sitting.state.history == (), "what cannot be seen is not played"
        await guest.pilot.resize_terminal(80, 24)
        assert "P1 to move" in guest.shown()
        await guest.press("down")
        assert len(guest.table.sitting.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play, size=size)


def test_a_narrow_and_tall_window_has_the_side_below(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        assert guest.table.has_class("tall")
        assert "P1 to move" in guest.shown()
        await guest.click_place(((1, 3),))
        assert len(guest.table.sitting.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play, size=(50, 44))


def test_a_board_larger_than_the_window_shows_where_one_is(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        grid = guest.table.board.grid
        assert grid is not None and grid.seen_cols < 60
        await guest.press(*["right"] * 29, *["down"] * 19, "space")
        assert guest.table.game.name_of(guest.table.sitting.state.history[0]) == "m 59 0"
        assert guest.table.board.grid is not None and guest.table.board.grid.shows(39, 59)

    run(tmp_path, rookery.game("gamma", width=60, height=40), play)


def test_things_move_on_their_way_and_a_key_does_not_wait_for_them(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        guest.house.moving = True
        await guest.press("left", "up", "right", "down")
        made = sum(action < 4 for action in guest.table.sitting.state.history)
        assert made >= 3
        await guest.pilot.pause(0.4)
        assert guest.table.board._motion is None

    run(tmp_path, rookery.game("sixseven"), play)


def test_light_and_dark(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        dark = guest.house.theme
        await guest.press("f2")
        assert guest.house.theme != dark
        assert "light" in guest.house.theme
        assert Shelf(tmp_path).likes()["look"] == "light"

    run(tmp_path, rookery.game("gamma"), play)


def test_a_hint_is_forgotten_when_something_else_happens(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        guest.house.simulate_key("h")  # a pilot's press would wait until nobody thinks any more
        await guest.until(lambda: "hint" in guest.table._thoughts)
        first = guest.table._thoughts["hint"]
        guest.house.simulate_key("h")
        await guest.until(lambda: guest.table._thoughts.get("hint") not in (None, first))
        second = guest.table._thoughts["hint"]
        assert first.cut_short and not second.cut_short
        guest.house.simulate_key("down")
        await guest.until(lambda: guest.table.sitting.state.history)
        assert second.cut_short and not guest.table._thoughts
        await guest.pilot.pause(1.5)
        assert not guest.table.advice.plain
        await guest.press("h")
        await guest.until(lambda: guest.table.advice.plain)
        assert not guest.table._thoughts

    run(tmp_path, rookery.game("gaterun"), play)


def test_what_was_finished_again_after_taking_back_is_kept_too(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("down", "left", "down")
        assert guest.table.over
        await guest.press("u")
        assert len(Shelf(tmp_path).open_games()) == 1
        await guest.press("left", "right", "right", "left", "down")
        assert guest.table.over
        assert Shelf(tmp_path).open_games() == []
        assert len(Shelf(tmp_path).finished_games()) == 2

    run(tmp_path, rookery.game("gaterun", size=3), play)


def test_a_game_that_was_ended_can_be_gone_on_with(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("ctrl+d", "r")
        assert not guest.table.over
        assert guest.table.note == "There is nothing to redo."
        await guest.press("down")
        assert len(guest.table.sitting.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play)


def test_a_game_taken_up_has_other_luck_than_at_its_start(tmp_path: Path) -> None:
    sitting = sat(rookery.game("sixseven"))
    sitting.settle()
    start = sitting.state.history
    again = Sitting.of(sitting.record())
    again.act(again.state.actions()[0])
    assert again.seed == sitting.seed
    assert again.state.history[3:5] != start[:2]


def test_the_game_played_last_is_never_the_one_that_goes(tmp_path: Path) -> None:
    shelf, sitting = Shelf(tmp_path), sat(rookery.game("gaterun"))
    first = shelf.place_for(sitting)
    shelf.keep_open(first, sitting)
    for _ in range(25):
        shelf.keep_open(shelf.place_for(sitting), sitting)
        shelf.keep_open(first, sitting)
    assert first.exists()
    assert len(shelf.open_games()) == 20


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


def test_a_record_of_a_game_that_was_given_up_is_looked_at(tmp_path: Path) -> None:
    state = rookery.game("gaterun", size=3).start()
    state.play(state.actions()[0])
    record = Record.of(state, ("ann", "ben"), ending={"how": "resigned", "player": 2})

    async def look() -> None:
        async with opened(tmp_path) as guest:
            guest.house.take_up(record)
            await guest.pilot.pause()
            assert guest.record.record == record
            await guest.press("end")
            assert "Player 2 resigned" in " ".join(beside(guest.shown()).split())

    asyncio.run(look())


def test_playing_on_from_a_replay_leaves_one_table(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("down", "up", "v", "right", "p")
        assert len(guest.table.sitting.state.history) == 1
        await guest.press("escape")
        assert isinstance(guest.house.screen, Menu)

    run(tmp_path, rookery.game("gaterun"), play)


def test_a_replay_of_a_large_board_shows_where_it_happens(tmp_path: Path) -> None:
    state = rookery.game("gamma", width=60, height=40).start()
    state.play(state.game.action("m 55 2"))

    async def look() -> None:
        async with opened(tmp_path, record=Record.of(state)) as guest:
            await guest.press("end")
            grid = guest.record.board.grid
            assert grid is not None and grid.shows(37, 55)

    asyncio.run(look())


def test_any_key_may_be_pressed_in_the_menu(tmp_path: Path) -> None:
    async def look() -> None:
        async with opened(tmp_path) as guest:
            await guest.press("²", "0", "9", "escape")
            assert isinstance(guest.house.screen, Menu)
            await guest.press("f2")
            assert "light" in guest.house.theme

    asyncio.run(look())


def test_seats_that_were_chosen_stay_when_there_are_more_players(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("n")
        form = guest.house.screen
        assert isinstance(form, NewGame)
        strong = str(make_bot(form.game, "9"))
        guest.fill("seat-2", strong)
        guest.fill("o-players", "4")
        guest.fill("seed", "9" * 5000)
        await guest.press("ctrl+s")
        await guest.wait(lambda: "seed takes" in guest.shown())
        guest.fill("seed", "")
        await guest.press("ctrl+s")
        await guest.wait(lambda: isinstance(guest.house.screen, Play))
        assert str(guest.table.sitting.seats[2]) == strong
        assert len(guest.table.sitting.seats) == 3

    run(tmp_path, rookery.game("gamma"), play)


def test_players_with_two_digits_have_room(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        for _ in range(12):
            await guest.press("space", "tab")
        assert "12◆" in guest.shown()

    run(tmp_path, rookery.game("gamma", width=17, height=18, players=12), play)


@pytest.mark.parametrize("lines", [26, 27, 30])
def test_below_a_narrow_board_nothing_is_hidden(lines: int, tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        grid = guest.table.board.grid
        if guest.table.has_class("tall"):
            assert grid is not None and grid.seen_rows == 7
        else:
            assert guest.table.has_class("small")

    run(tmp_path, rookery.game("gaterun"), play, size=(50, lines))


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


def test_a_game_finished_once_is_listed_once(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("down", "left", "down", "u", "r", "u", "r")
        assert guest.table.over
        assert len(Shelf(tmp_path).finished_games()) == 1

    run(tmp_path, rookery.game("gaterun", size=3), play)


def test_keys_that_come_before_the_screen_do_no_harm(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as guest:
            for key in ("r", "3", "r", "u"):
                guest.house.simulate_key(key)
            await guest.wait(lambda: isinstance(guest.house.screen, Play) and guest.table.is_mounted)
            await guest.press("left", "up")
            assert guest.table.sitting.state.history

    asyncio.run(play())


def test_a_letter_that_does_nothing_there_is_explained(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("space", "right", "g")
        assert guest.table.note == "Nothing can be done there with G."

    run(tmp_path, rookery.game("gamma", width=3, height=3), play)


def test_a_board_too_large_for_the_screen_is_refused_in_the_form(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("n")
        guest.fill("o-width", "3000")
        guest.fill("o-height", "2000")
        await guest.press("ctrl+s")
        await guest.wait(lambda: "too large for the screen" in guest.shown())

    run(tmp_path, rookery.game("gamma"), play)


def test_an_option_is_chosen_from_an_open_list_by_keys(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("n")
        await guest.press("enter")
        listed = [line for line in guest.shown().split("\n") if "level:" not in line]
        assert all(any(words in line for line in listed) for words in ("deuce", "trey", "quad"))
        await guest.press("down", "enter")
        await guest.press("ctrl+s")
        await guest.wait(lambda: isinstance(guest.house.screen, Play))
        assert guest.table.game.options["level"] == "trey"

    run(tmp_path, rookery.game("gotham"), play)


def test_chances_too_long_for_a_cell_stand_beside_the_board(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("o")
        assert "up 72%" in beside(guest.shown())

    run(tmp_path, rookery.game("gotham", level="quad"), play)
