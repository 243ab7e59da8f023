"""Drawing scenes in characters: hit testing, colours, walls, rings and animation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.spread import GAMES, label

import rookery
from rookery.core.game import Game
from rookery.core.notation import letters
from rookery.core.palette import DARK, blend, theme
from rookery.core.rules import CHANCE
from rookery.core.scene import Cell, Mark, Scene
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.core.text_board import shortened
from rookery.terminal import cursor
from rookery.terminal.drawing import Canvas, Highlights, draw
from rookery.terminal.grid import Place, fit_grid, minimum_size
from rookery.terminal.palette import ANSI16, MONOCHROME, TextStyle, game_palette

ALL = {
    "plain": MONOCHROME,
    "sixteen": ANSI16,
    "dark": game_palette("gotham", dark=True),
    "light": game_palette("gamma", dark=False),
}


def some_position(game: Game, seed: int, plies: int) -> State:
    state, stream = game.start(), Stream(seed)
    while not state.over and (len(state.history) < plies or state.turn == CHANCE):
        state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
    return state


def places(scene: Scene) -> list[Place]:
    """All cells, and all edges of a board with edges."""
    found: list[Place] = [((row, col),) for row in range(scene.rows) for col in range(scene.cols)]
    if scene.edges:
        found += [((r, c), (r, c + 1)) for r in range(scene.rows) for c in range(scene.cols - 1)]
        found += [((r, c), (r + 1, c)) for r in range(scene.rows - 1) for c in range(scene.cols)]
    return found


@pytest.mark.parametrize("game", GAMES, ids=label)
@settings(max_examples=8)
@given(seed=st.integers(0, 99), plies=st.integers(0, 60), width=st.integers(20, 160), height=st.integers(8, 60))
def test_any_scene_is_drawn_within_its_window_and_every_place_can_be_pointed_at(
    game: Game, seed: int, plies: int, width: int, height: int
) -> None:
    state = some_position(game, seed, plies)
    scene = state.scene(max(state.turn, 0), odds=bool(seed % 2))
    grid = fit_grid(scene, width, height)
    assert grid.width <= max(width, minimum_size(scene)[0]) and grid.height <= max(height, minimum_size(scene)[1])
    for place in places(scene):
        if all(grid.shows(*spot) for spot in place):
            assert grid.place_at(*grid.middle(place)) == place
    for paint in ALL.values():
        canvas = draw(scene, grid, paint, Highlights(cursor=cursor.centre(scene)))
        for y in range(canvas.height):
            assert sum(len(text) for text, _ in canvas.runs(y)) == canvas.width


@pytest.mark.parametrize("paint", ALL)
@pytest.mark.parametrize("game", [game for game in GAMES if game.name != "gotham"], ids=label)
def test_what_stands_on_the_board_can_be_read(game: Game, paint: str) -> None:
    """With and without colours: the numbers of owners and pawns, and the text on tiles."""
    scene = some_position(game, 5, 30).scene()
    grid = fit_grid(scene, 200, 80)
    canvas = draw(scene, grid, ALL[paint], Highlights())
    for row in range(scene.rows):
        for col in range(scene.cols):
            cell = scene.cell(row, col)
            x, y = grid.corner(row, col)
            shown = "".join(canvas.chars[y + (grid.cell_height - 1) // 2][x : x + grid.cell_width])
            for mark in cell.marks:
                if mark.role == "pawn":
                    assert str(mark.number) in shown
            if cell.text:
                assert shortened(cell.text, grid.inner_width).rstrip("…") in shown


def text_of(scene: Scene, width: int, height: int) -> str:
    return draw(scene, fit_grid(scene, width, height), MONOCHROME, Highlights()).text()


def test_walls_are_box_lines_that_meet() -> None:
    game = rookery.game("gaterun", size=3)
    state = game.position("0,1/2,1 0,0|0,1;0,1|1,1;1,1|1,2 P2 6/7 -/- 3")
    assert text_of(state.scene(), 20, 8) == "\n".join(
        [
            " ┌─a───b───c─┐",
            "3│░░░┃░1░ ░░░│",
            " │   ┗━━━┓   │",
            "2│ ·   ◦ ┃ · │",
            " │   ·   ╹   │",
            "1│░◦░ ░2░ ░◦░│",
            " └───────────┘",
        ]
    )


def test_the_cursor_does_not_hide_the_wall_it_stands_on() -> None:
    scene = rookery.game("gaterun", size=3).position("0,1/2,1 0,0|0,1 P2 7/8 -/- 1").scene()
    grid = fit_grid(scene, 20, 8)
    on_wall = draw(scene, grid, MONOCHROME, Highlights(cursor=((0, 0), (0, 1)))).text()
    assert "┃" in on_wall and "╏" not in on_wall
    assert "╏" in draw(scene, grid, MONOCHROME, Highlights(cursor=((1, 0), (1, 1)))).text()


def test_columns_have_names_on_boards_of_any_width() -> None:
    scene = rookery.game("gamma", width=120, height=10).start().scene()
    names = text_of(scene, 300, 12).split("\n")[0].split()
    assert names == [letters(col) for col in range(120) if col < 26 or col % 2 == 0]
    part = fit_grid(scene, 60, 12).scrolled_to((0, 119))
    names = draw(scene, part, MONOCHROME, Highlights()).text().split("\n")[0].split()
    assert names[-1] == "do" and names == sorted(names, key=lambda name: (len(name), name))


def ring_scene(*rounds: int) -> Scene:
    cell = Cell("free", "here", marks=tuple(Mark("ring", number) for number in rounds))
    return Scene("Rings", 1, "", 1, 1, (cell,), ("",), ("",))


def test_each_round_has_an_arc_of_its_own_place_in_a_ring() -> None:
    pictures = {text_of(ring_scene(*rounds), 5, 2) for rounds in [(k,) for k in range(1, 8)]}
    assert len(pictures) == 7
    assert text_of(ring_scene(1, 2, 3, 4, 5, 6), 5, 2).split() == ["███"]
    assert text_of(ring_scene(1, 3, 5), 5, 2).split("\n")[-1].strip() == "▀▄▀"
    large = {text_of(ring_scene(k), 9, 9) for k in range(1, 8)}
    assert len(large) == 7


def test_in_cells_too_small_for_a_ring_the_visits_are_counted() -> None:
    assert text_of(ring_scene(1, 4, 6), 3, 2).split() == ["3"]


def test_a_sliding_tile_is_drawn_between_its_cells() -> None:
    game = rookery.game("sixseven", rows=2, cols=4)
    state = game.position(".,.,.,5/.,.,.,. 0 9")
    before = state.scene()
    state.play(game.action("left"))
    while state.turn == CHANCE:
        state.play(state.chances()[0][0])
    after = state.scene()
    grid = fit_grid(after, 28, 6)
    spots = []
    for share in (0.0, 0.5, 0.99):
        line = draw(after, grid, MONOCHROME, Highlights(), before, share).text().split("\n")[1]
        spots.append(line.index("5"))
    assert spots == sorted(spots, reverse=True) and len(set(spots)) == 3


def test_a_moving_pawn_is_drawn_once() -> None:
    game = rookery.game("gaterun", size=3)
    state = game.start()
    before = state.scene()
    state.play(game.action("1,1"))
    after = state.scene()
    grid = fit_grid(after, 60, 20)
    frames = [draw(after, grid, MONOCHROME, Highlights(), before, share).text() for share in (0.0, 0.4, 0.8)]
    assert len(set(frames)) == 3
    for frame in frames:
        board = "\n".join(line[1:] for line in frame.split("\n")[1:])
        assert board.count("1") == 1 and board.count("2") == 1


def test_the_cursor_walks_over_cells_and_edges() -> None:
    scene = rookery.game("gaterun", size=3).start().scene()
    place: Place = ((1, 1),)
    for way, expected in [
        ("right", ((1, 1), (1, 2))),
        ("up", ((0, 1), (0, 2))),
        ("up", ((0, 1), (0, 2))),
        ("left", ((0, 1),)),
        ("down", ((0, 1), (1, 1))),
        ("right", ((0, 2), (1, 2))),
        ("down", ((1, 2),)),
        ("right", ((1, 2),)),
    ]:
        place = cursor.neighbour(scene, place, way)
        assert place == expected, way


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("67", 3, "67"),
        ("123456", 6, "123456"),
        ("1234567", 6, "1.23e6"),
        ("−1234567", 6, "−1.2e6"),
        ("12345678", 4, "1e7"),
        ("1" + "0" * 30, 3, "e30"),
        ("word", 3, "wo…"),
    ],
)
def test_long_texts_are_shortened(text: str, most: int, expected: str) -> None:
    assert shortened(text, most) == expected


def test_nobody_shares_a_colour_with_a_neighbour_in_number() -> None:
    for paint in (ANSI16, ALL["dark"], ALL["light"]):
        backs = [paint.player(number).bg for number in range(1, 8)]
        assert len(set(backs)) == 7
        assert len({paint.round(number) for number in range(1, 8)}) == 7


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", DARK.accents)
@pytest.mark.parametrize("dark", [True, False])
def test_text_has_enough_contrast(name: str, *, dark: bool) -> None:
    """A contrast of at least 4.5 to 1, as WCAG AA asks for text."""
    paint, ground = game_palette(name, dark=dark), theme(dark=dark).ground
    styles: list[TextStyle] = [
        *paint.players,
        *paint.tile,
        *paint.negative,
        paint.operator,
        paint.home,
        paint.safe,
        paint.failed,
    ]
    styles += [paint.trail, paint.here, *paint.cells, paint.barred]
    for style in styles:
        assert style.fg is not None and style.bg is not None
        assert contrast(style.fg, style.bg) >= 4.5, style
    for style in (paint.muted, paint.accent, paint.gold):
        assert style.fg is not None
        assert contrast(style.fg, ground) >= 4.5, style


def test_colours_blend() -> None:
    assert blend("#000000", "#ffffff", 0.5) == "#808080"
    assert blend("#123456", "#ffffff", 0) == "#123456"


def test_a_canvas_keeps_the_background_under_a_character() -> None:
    canvas = Canvas(3, 1)
    canvas.fill(0, 0, 3, 1, TextStyle("red", "blue"))
    canvas.put(1, 0, "x", TextStyle("green"))
    canvas.put(-1, 0, "ab", TextStyle())
    canvas.put(0, 5, "no", TextStyle())
    assert list(canvas.runs(0)) == [
        ("b", TextStyle(None, "blue")),
        ("x", TextStyle("green", "blue")),
        (" ", TextStyle("red", "blue")),
    ]
