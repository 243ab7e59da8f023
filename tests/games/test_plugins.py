"""Games that other packages add, each installed into a folder as pip would: modules, and metadata with entry points."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.games.spread import THIN_ICE

import rookery
from rookery import games
from rookery.conformance import check
from rookery.core.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Install = Callable[..., None]

OWN = ("gotham", "gamma", "sixseven", "gaterun")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages; their games are forgotten after the test."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    modules, added = set(sys.modules), dict(games._added)
    games._added.clear()
    forget()
    yield tmp_path
    for name in set(sys.modules) - modules:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
    games._added.clear()
    games._added.update(added)
    forget()


def forget() -> None:
    games._plugins.cache_clear()
    games._offered.cache_clear()


def install(folder: Path, package: str, entries: dict[str, str], source: str) -> None:
    """Install a package with one module there."""
    (folder / f"{package}.py").write_text(source, encoding="utf-8")
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {package}\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in entries.items()]
    (about / "entry_points.txt").write_text("\n".join(["[rookery.games]", *lines, ""]))
    forget()


def thin_ice(name: str = "thin_ice") -> str:
    """The source of Thin Ice, perhaps under another name."""
    source = Path(THIN_ICE).read_text(encoding="utf-8")
    assert source.count('= "thin_ice"') == 1
    return source.replace('= "thin_ice"', f'= "{name}"')


def rookery_says(*arguments: str, typed: str = "", code: int = 0) -> tuple[str, str]:
    done = subprocess.run([sys.executable, "-m", "rookery", *arguments], input=typed, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def test_a_package_adds_a_game_which_is_played_like_any_other(folder: Path) -> None:
    install(folder, "floes", {"thin_ice": "floes:ThinIce"}, thin_ice())
    assert games.names() == (*OWN, "thin_ice") == games.playable()
    game = rookery.game("thin_ice", rows=3)
    assert type(game).__module__ == "floes"
    check(game)
    assert games.find("thin_ice") is games.find("thin_ice")
    assert games.problems() == []
    listing, complaints = rookery_says("games")
    assert "thin_ice: Thin Ice." in listing
    assert complaints == ""
    assert "Player 2 to move." in rookery_says("play", "thin_ice", "--seed", "1", typed="down\nquit\n")[0]


def test_its_module_is_not_imported_before_it_is_asked_for(folder: Path) -> None:
    install(folder, "floes", {"thin_ice": "floes:ThinIce"}, thin_ice())
    assert "thin_ice" in games.names()
    assert "floes" not in sys.modules
    games.find("thin_ice")
    assert "floes" in sys.modules


def test_rookerys_own_games_are_found_without_looking_at_packages(folder: Path) -> None:
    code = "import sys, rookery; rookery.game('gaterun'); assert 'importlib.metadata' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "import sys; from rookery.cli import main; main(['gamma']); assert 'importlib.metadata' not in sys.modules"
    subprocess.run(
        [sys.executable, "-c", code], input="B 3 3 2 2\nm 1 0 0\np\n", text=True, stdout=subprocess.DEVNULL, check=True
    )


BROKEN = {
    "crash": (
        {"crash": "broken:Game"},
        "import no_such_module",
        "The game 'crash' of the package 'broken' cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'.",
    ),
    "exit": (
        {"exit": "broken:Game"},
        "raise SystemExit(3)",
        "The game 'exit' of the package 'broken' cannot be loaded: SystemExit: 3.",
    ),
    "absent": (
        {"absent": "broken:Game"},
        "",
        "The game 'absent' of the package 'broken' cannot be loaded: AttributeError: module 'broken' has no attribute 'Game'.",
    ),
    "number": (
        {"number": "broken:seven"},
        "seven = 7",
        "The game 'number' of the package 'broken' cannot be loaded: broken:seven is not a class of games.",
    ),
    "other": (
        {"other": "broken:ThinIce"},
        thin_ice("another"),
        "The game 'other' of the package 'broken' cannot be loaded: broken:ThinIce calls itself 'another'.",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_told_in_a_sentence_and_harms_no_other(folder: Path, name: str) -> None:
    entries, source, sentence = BROKEN[name]
    install(folder, "broken", entries, source)
    install(folder, "floes", {"thin_ice": "floes:ThinIce"}, thin_ice())
    assert name in games.names()
    with pytest.raises(UnknownName) as refusal:
        games.find(name)
    assert str(refusal.value) == sentence
    assert games.problems() == [sentence]
    assert games.playable()[:5] == (*OWN, "thin_ice")
    assert name not in games.playable()
    assert games.find("thin_ice").title == "Thin Ice"


def test_the_commands_say_so_too(folder: Path) -> None:
    install(folder, "broken", {"crash": "broken:Game"}, "import no_such_module")
    sentence = BROKEN["crash"][2]
    assert rookery_says("play", "crash", code=2) == ("", f"rookery: {sentence}\n")
    listing, complaints = rookery_says("games")
    assert "gaterun: GateRun." in listing
    assert complaints == f"rookery: {sentence}\n"
    assert "4  GateRun" in rookery_says("play", typed="")[0]


def test_rookerys_own_games_keep_their_names(folder: Path) -> None:
    install(folder, "rival", {"gamma": "rival:ThinIce"}, thin_ice("gamma").replace("@add\n", ""))
    assert games.names() == OWN
    assert games.find("gamma").title == "Gamma"
    assert games.problems() == [
        "The game 'gamma' of the package 'rival' is left out: one of Rookery's own games has that name."
    ]


def test_two_packages_cannot_offer_the_same_name(folder: Path) -> None:
    install(folder, "floes", {"thin_ice": "floes:ThinIce"}, thin_ice())
    install(folder, "flows", {"thin_ice": "flows:ThinIce"}, thin_ice())
    with pytest.raises(UnknownName) as refusal:
        games.find("thin_ice")
    assert str(refusal.value) == (
        "The game 'thin_ice' is offered by the package 'floes' and the package 'flows': uninstall all but one."
    )
    assert games.playable() == OWN


def test_the_same_package_twice_on_the_path_is_one(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    again = tmp_path_factory.mktemp("again")
    install(folder, "floes", {"thin_ice": "floes:ThinIce"}, thin_ice())
    install(again, "floes", {"thin_ice": "floes:ThinIce"}, thin_ice())
    sys.path.append(str(again))
    try:
        forget()
        assert games.find("thin_ice").title == "Thin Ice"
    finally:
        sys.path.remove(str(again))


def test_only_a_package_that_was_installed_counts(folder: Path) -> None:
    assert games.names()[:4] == OWN
    with pytest.raises(UnknownName, match="There is no game 'thin_ice'"):
        games.find("thin_ice")
