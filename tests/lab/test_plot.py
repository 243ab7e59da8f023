"""Pictures of simulations, read back: what stands in them, that they never fail for what games may bring."""

from __future__ import annotations

import struct
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

import rookery
from rookery.core.errors import OptionError, RookeryError
from rookery.core.game import Map
from rookery.games import find
from rookery.lab import heatmap
from rookery.lab.experiment import Experiment, Tally, play
from rookery.lab.formatting import estimate
from rookery.lab.intervals import Counts
from rookery.lab.plot import check_path, draw
from rookery.lab.simulate import Run, grid
from rookery.lab.sweep_plot import LABEL, axes_of, spread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rookery.core.game import Game
    from rookery.core.options import Value

SVG = "{http://www.w3.org/2000/svg}"


def played(game: Game, games: int, *, most: int = 10_000) -> Run:
    experiment = Experiment.of(game, seed=3, most=most)
    return Run(experiment, games, play(experiment, 0, games, compiled=False).tally)


def told(game: Game, games: int, **tally: object) -> Run:
    """A run of which only what it found is known."""
    return Run(Experiment.of(game, seed=3), games, Tally(games, **tally))  # type: ignore[arg-type]


def sweep(name: str, games: int, *sweeps: str, **given: Value) -> list[tuple[Run, Mapping[str, Value]]]:
    return [(played(game, games), changes) for game, changes in grid(find(name), given, sweeps)]


def texts(path: Path) -> list[str]:
    return ["".join(each.itertext()).strip() for each in ElementTree.parse(path).iter(f"{SVG}text")]  # noqa: S314


def cells(path: Path, number: int) -> int:
    """The shapes of a map."""
    (group,) = [each for each in ElementTree.parse(path).iter(f"{SVG}g") if each.get("id") == f"map-{number}"]  # noqa: S314
    return len(list(group.iter(f"{SVG}path")))


def height(path: Path) -> float:
    """In inches."""
    return float(ElementTree.parse(path).getroot().attrib["height"].removesuffix("pt")) / 72  # noqa: S314


def test_a_figure_says_what_was_played_and_how_often(tmp_path: Path) -> None:
    path = tmp_path / "gotham.svg"
    lengths = Counts()
    lengths.add(40, 11_000)
    lengths.add(60, 1_000)
    draw([(told(rookery.game("gotham", level="trey"), 12_000, moves={0: lengths}), {})], str(path))
    assert "Gotham Loops" in texts(path)
    assert "level trey · played by random · 12,000 games · seed 3" in texts(path)


def test_shares_have_their_intervals_in_words(tmp_path: Path) -> None:
    path = tmp_path / "won.svg"
    won, lost = Counts([300] * 14), Counts([400] * 986)
    draw([(told(rookery.game("sixseven"), 1_000, moves={1: won, 0: lost}), {})], str(path))
    assert "Won 1.4% (0.8–2.3)" in texts(path)
    assert "Lost 98.6% (97.7–99.2)" in texts(path)


@pytest.mark.parametrize(
    ("value", "interval", "words"),
    [
        (1.4012, (1.3571, 1.4429), "1.40 (1.36–1.44)"),
        (1234.5, (1200.0, 1269.0), "1,234 (1,200–1,269)"),
        (-0.5, (-0.9, -0.1), "−0.5 (−0.9 to −0.1)"),
        (12.0, None, "12"),
        (0.5, (0.5, 0.5), "0.5"),
    ],
)
def test_a_value_has_the_places_its_interval_is_worth(
    value: float, interval: tuple[float, float] | None, words: str
) -> None:
    assert estimate(value, interval) == words


def test_a_map_has_a_shape_for_each_cell_of_the_board(tmp_path: Path) -> None:
    path = tmp_path / "gotham.svg"
    draw([(played(rookery.game("gotham", size=5), 20), {})], str(path))
    assert cells(path, 1) == cells(path, 2) == 25
    assert "Rounds that visited a cell" in texts(path)


def test_a_map_of_walls_has_a_shape_for_each_edge(tmp_path: Path) -> None:
    path = tmp_path / "gaterun.svg"
    draw([(played(rookery.game("gaterun", size=3, walls=2), 10), {})], str(path))
    assert cells(path, 1) == 12


def test_a_map_of_a_board_too_large_for_shapes_is_an_image(tmp_path: Path) -> None:
    path = tmp_path / "gotham.svg"
    draw([(played(rookery.game("gotham", size=99), 2), {})], str(path))
    images = [each.get("id") for each in ElementTree.parse(path).iter(f"{SVG}image")]  # noqa: S314
    assert {"map-1", "map-2"} <= set(images)


def test_a_wall_stands_between_its_cells() -> None:
    left, top, width, height = heatmap._box(((2, 3), (2, 4)), 0.04)
    assert (left + width / 2, top + height / 2) == pytest.approx((4, 2.5))
    assert width < 0.3 < 0.7 < height < 1


def test_colours_darken_evenly() -> None:
    """Lightness alone tells values apart, in every game's hue."""
    for accent in ("#8f5300", "#17703f", "#b93a24", "#6a3fc4", "#000000"):
        shades = [heatmap._oklab(heatmap.colour_map(accent)(step)[:3])[0] for step in range(heatmap.SHADES)]
        steps = [a - b for a, b in pairwise(shades)]
        assert min(steps) == pytest.approx(max(steps), rel=1e-3)


def test_values_that_span_orders_of_magnitude_have_a_logarithmic_scale() -> None:
    board = Map.of_cells("cells", 1, 3)
    assert heatmap._scaled(board, [1, 30, 900], 10).log
    assert not heatmap._scaled(board, [50, 60, 70], 10).log


def test_mere_chance_does_not_fill_a_scale() -> None:
    found = heatmap._scaled(Map.of_cells("cells", 1, 3), [90, 100, 110], 1)
    assert (found.high - found.low) > 100


def test_maps_that_span_about_the_same_share_a_scale() -> None:
    found = heatmap.heatmaps(played(rookery.game("gamma", width=4, height=4), 20))
    assert len({(each.low, each.high) for each in found}) == 1


def test_a_png_is_wide_enough_to_be_read(tmp_path: Path) -> None:
    path = tmp_path / "gaterun.PNG"
    draw([(played(rookery.game("gaterun", size=3, walls=2), 10), {})], str(path))
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    wide, high = struct.unpack(">II", content[16:24])
    assert wide == 1350
    assert 600 < high < 2500


def test_the_same_runs_give_the_same_bytes(tmp_path: Path) -> None:
    runs: list[tuple[Run, Mapping[str, Value]]] = [(played(rookery.game("gotham", size=5), 20), {})]
    for ending in ("svg", "png"):
        draw(runs, str(tmp_path / f"first.{ending}"))
        draw(runs, str(tmp_path / f"second.{ending}"))
        assert (tmp_path / f"first.{ending}").read_bytes() == (tmp_path / f"second.{ending}").read_bytes()


ODD = {
    "no games": told(rookery.game("sixseven"), 0),
    "no games of two players": told(rookery.game("gaterun"), 0),
    "no games without winners": told(rookery.game("gotham"), 0),
    "one game": played(rookery.game("gotham", size=3), 1),
    "one game of two players": played(rookery.game("gaterun", size=3, walls=0), 1),
    "no wins": told(rookery.game("sixseven"), 2, moves={0: Counts([7, 9])}, scores={1: Counts([0, 0])}),
    "only wins": told(rookery.game("sixseven"), 2, moves={1: Counts([7, 9])}, scores={1: Counts([1, 1])}),
    "unfinished": played(rookery.game("gotham", size=5), 5, most=2),
    "some unfinished": told(rookery.game("gaterun"), 3, moves={1: Counts([40, 41]), -1: Counts([1000])}),
    "equal scores": told(rookery.game("gotham"), 2, moves={0: Counts([4, 4])}, scores={1: Counts([5, 5])}),
    "scores in quarters": told(rookery.game("gotham"), 3, moves={0: Counts([4, 9])}, scores={1: Counts([0.25, 7, -3])}),
    "four players": played(rookery.game("gamma", width=4, height=3, players=4), 5),
    "twenty players": played(rookery.game("gamma", width=5, height=5, players=20), 3),
    "one cell": played(rookery.game("gamma", width=1, height=1), 3),
    "one row": played(rookery.game("gamma", width=60, height=1), 3),
    "a large board": told(rookery.game("sixseven", rows=20, cols=20), 1, counts=list(range(400))),
}


@pytest.mark.parametrize("run", ODD.values(), ids=ODD.keys())
def test_whatever_games_bring_can_be_drawn(run: Run, tmp_path: Path) -> None:
    draw([(run, {})], str(tmp_path / "odd.svg"))
    assert run.experiment.game.title in texts(tmp_path / "odd.svg")
    assert 1 < height(tmp_path / "odd.svg") < 16


def test_a_game_without_maps_can_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mapless.svg"
    monkeypatch.setattr(find("gaterun"), "maps", lambda game: ())
    draw([(ODD["some unfinished"], {})], str(path))
    assert {"How games ended", "How long games took"} <= set(texts(path))
    assert "Walls at the end" not in texts(path)


def test_games_that_were_broken_off_are_told(tmp_path: Path) -> None:
    path = tmp_path / "broken.svg"
    draw([(ODD["unfinished"], {})], str(path))
    assert "5 games were stopped after 2 actions." in texts(path)


def test_a_run_that_was_interrupted_says_how_far_it_came(tmp_path: Path) -> None:
    path = tmp_path / "part.svg"
    run = played(rookery.game("gotham", size=3), 4)
    run.games = 5_000
    draw([(run, {})], str(path))
    assert any("4 of 5,000 games" in text for text in texts(path))


def test_options_that_change_together_are_one_axis() -> None:
    changes = [
        dict(each) for _, each in grid(find("sixseven"), {}, ["rows=cols=5,6,7", "rate=0.5,0.6", "variant=final"])
    ]
    square, rate = axes_of(changes)
    assert square.label == "rows × cols"
    assert [square.text(each) for each in square.values] == ["5×5", "6×6", "7×7"]
    assert [square.at(each) for each in square.values] == [5, 6, 7]
    assert (rate.label, rate.label_of((0.5,))) == ("rate", "rate 0.5")


def test_options_that_change_apart_are_axes_of_their_own() -> None:
    changes = [dict(each) for _, each in grid(find("sixseven"), {}, ["rows=5,6", "cols=5,6"])]
    assert [axis.names for axis in axes_of(changes)] == [("rows",), ("cols",)]


def test_words_lie_on_an_axis_in_their_order() -> None:
    changes = [dict(each) for _, each in grid(find("gotham"), {}, ["level=quad,deuce"])]
    (axis,) = axes_of(changes)
    assert not axis.numeric
    assert [axis.at(each) for each in axis.values] == [0, 1]


def test_a_switch_is_named_in_words() -> None:
    changes = [dict(each) for _, each in grid(find("gaterun"), {}, ["walls=1,2", "jump=yes,no"])]
    _, jump = axes_of(changes)
    assert [jump.label_of(each) for each in jump.values] == ["jump", "no jump"]


def test_a_sweep_names_its_axis_and_each_line(tmp_path: Path) -> None:
    path = tmp_path / "sweep.svg"
    draw(sweep("sixseven", 2, "rows=cols=2,3", "variant=modified,final"), str(path))
    assert {"67!", "rows × cols", "2×2", "3×3", "modified", "final", "Games won"} <= set(texts(path))
    assert "over rows × cols and variant · played by random · 2 games each · seed 3" in texts(path)


@pytest.mark.parametrize(
    "runs",
    [
        sweep("gotham", 3, "level=deuce,quad"),
        sweep("gaterun", 2, "walls=0,1", "jump=yes,no", "rotate=yes,no", size=3),
        sweep("gotham", 1, "size=" + ",".join(str(size) for size in range(3, 45, 2))),
        [(told(rookery.game("sixseven", rate=rate), 0), {"rate": rate}) for rate in (0.1, 0.2)],
        [(ODD["one game"], {}), (ODD["one game"], {})],
        [(ODD["no wins"], {"rate": 0.5}), (ODD["only wins"], {"rate": 0.6}), (ODD["no games"], {"rate": 0.7})],
    ],
    ids=["words", "three axes", "many values", "no games", "nothing differs", "some without games"],
)
def test_whatever_a_sweep_brings_can_be_drawn(runs: list[tuple[Run, Mapping[str, Value]]], tmp_path: Path) -> None:
    draw(runs, str(tmp_path / "sweep.svg"))
    assert 3 < height(tmp_path / "sweep.svg") < 12


def test_names_of_lines_do_not_overlap() -> None:
    places = sorted(spread({"a": 1.0, "b": 1.01, "c": 0.99, "d": 3.0}).values())
    assert all(b - a >= LABEL - 1e-9 for a, b in pairwise(places))
    assert places[-1] == 3.0


@pytest.mark.parametrize("name", ["picture.pdf", "picture", "svg", "picture.svg.gz"])
def test_another_ending_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(OptionError) as before:
        check_path(name)
    with pytest.raises(OptionError) as refusal:
        draw([(ODD["one game"], {})], name)
    assert str(before.value) == str(refusal.value) == f"A figure's file name ends in .svg or .png, unlike '{name}'."


def test_a_place_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "picture.svg"
    with pytest.raises(RookeryError) as refusal:
        draw([(ODD["one game"], {})], str(nowhere))
    assert str(refusal.value) == f"'{nowhere}' cannot be written: No such file or directory."
    with pytest.raises(RookeryError, match=r"cannot be written: .*\.$"):
        draw([(ODD["one game"], {})], str(tmp_path / "nul\0.svg"))


def test_there_has_to_be_a_run(tmp_path: Path) -> None:
    with pytest.raises(RookeryError, match="There is nothing to draw"):
        draw([], str(tmp_path / "none.svg"))


def test_without_matplotlib_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(RookeryError) as refusal:
        draw([(ODD["one game"], {})], str(tmp_path / "picture.svg"))
    assert str(refusal.value) == "A figure needs 'matplotlib': run pip install 'rookery[lab]'."


def test_a_caller_keeps_its_own_settings_and_they_change_nothing(tmp_path: Path) -> None:
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    draw([(ODD["one game"], {})], str(first))
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        before = mpl.rcParams.copy()
        draw([(ODD["one game"], {})], str(second))
        assert mpl.rcParams.copy() == before
    assert first.read_bytes() == second.read_bytes()


def test_matplotlib_is_loaded_by_drawing_and_never_with_a_window(tmp_path: Path) -> None:
    program = """
import sys, rookery
from rookery.lab import experiment, plot, simulate
assert "matplotlib" not in sys.modules
run = simulate.Run(experiment.Experiment.of(rookery.game("gotham")), 0)
plot.draw([(run, {})], sys.argv[1])
assert "matplotlib" in sys.modules and "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "none.svg")], check=True)
