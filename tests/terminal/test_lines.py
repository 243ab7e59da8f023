"""Playing line by line: typed lines in, boards and sentences out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import rookery
from rookery.core.rules import CHANCE
from rookery.games import BUILT_IN
from rookery.terminal.lines import LineSession

if TYPE_CHECKING:
    from pathlib import Path

    from rookery.core.bot import Bot


def play(name: str, *lines: str, bots: dict[int, str] | None = None, **options: object) -> LineSession:
    """A session into which these lines were typed."""
    waiting = list(lines)

    def ask(_: str) -> str:
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    seats: dict[int, Bot] = {seat: rookery.bot(name, spec) for seat, spec in (bots or {}).items()}
    session = LineSession(rookery.game(name, **options).start(), seats, seed=1)
    session.run(ask)
    return session


def test_actions_are_typed_by_name_or_key() -> None:
    state = play("gaterun", "DOWN", "5,3", "  left ").state
    assert [state.game.name_of(action) for action in state.history] == ["1,3", "5,3", "1,2"]


def test_moves_are_typed_in_the_words_in_which_they_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    state = play("gaterun", "Step to d6", "moves", "wall  below d6", "wall below d6").state
    assert [state.game.name_of(action) for action in state.history] == ["1,3", "1,3|2,3"]
    said = capsys.readouterr().out
    assert "step to d2, step to c1, step to e1" in said.replace("\n  ", " ")
    assert "There is a wall there already." in said


def test_bots_are_named_by_their_strength_and_say_what_they_play(capsys: pytest.CaptureFixture[str]) -> None:
    play("gamma", "take a1", bots={2: "2"}, width=3, height=1)
    said = capsys.readouterr().out
    assert "Easy bot: take " in said or "Easy bot: golden a1." in said
    assert "Your turn." in said and "You: cells" in said and "greedy" not in said


def test_wrong_lines_are_explained_and_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    session = play("gaterun", "banana", "6,6", "", "   ", "safe", "undo", "redo", "save", "load", "load nowhere")
    assert session.state.history == ()
    said = capsys.readouterr().out
    for sentence in (
        "'banana' is not an action of GateRun; steps look like 1,2",
        "A step goes to a cell next to your pawn.",
        "There is nothing to undo.",
        "There is nothing to redo.",
        "Name a file: save FILE.",
        "Name a file: load FILE.",
        "'nowhere' cannot be read: No such file or directory.",
    ):
        assert sentence in said


def test_a_player_cannot_choose_a_chance_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    play("gotham", "safe")
    assert "That is a chance outcome; you cannot choose it." in capsys.readouterr().out


def test_undo_goes_back_to_the_persons_decision_and_redo_forward() -> None:
    session = play("gaterun", "1,3", "2,3", "undo", bots={2: "greedy"})
    assert session.state.turn == 1
    assert len(session.state.history) == 2
    again = play("gaterun", "1,3", "2,3", "undo", "redo", bots={2: "greedy"})
    assert len(again.state.history) == 4
    session = play("sixseven", "left", "undo", "undo", rows=4, cols=4)
    assert session.state.turn == 1
    assert len(session.state.history) == 2, "the tiles of the start stay"


def test_undo_keeps_bot_moves_before_the_persons_first() -> None:
    session = play("gaterun", "undo", bots={1: "greedy"})
    assert len(session.state.history) == 1
    assert session.state.turn == 2


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_game_is_played_to_its_end_by_bots(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    players = rookery.game(name).players
    session = play(name, bots=dict.fromkeys(range(1, players + 1), "random"))
    assert session.state.over
    assert "Type new, undo, save FILE or quit." in capsys.readouterr().out


def test_hint_moves_odds_position_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    play("gotham", "hint", "moves", "odds", "position", "help", "?")
    said = capsys.readouterr().out
    assert "Hint: " in said
    assert "go up, go right, go down, go left" in said
    assert " 97" in said
    assert "13./13." in said
    assert said.count("save FILE") == 2


def test_new_starts_again() -> None:
    session = play("sixseven", "left", "new")
    assert len(session.state.history) == 2
    assert session.state.turn != CHANCE


def test_saving_never_overwrites_by_accident(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "saved"
    file.write_text("precious")
    play("gaterun", f"save {file}")
    assert file.read_text() == "precious"
    assert "already exists; choose another name, or type save!" in capsys.readouterr().out
    play("gaterun", "1,3", f"save! {file}", bots={2: "greedy"})
    record = rookery.record(file.read_text().strip())
    assert record.players == ("person", "bot greedy")
    assert record.tags == {"seed": "1"}
    for name, why in (
        (tmp_path / "no" / "such" / "folder", "cannot be written: No such file or directory."),
        ("~nobody-of-that-name/x", "cannot be written: it is not a valid file name."),
        ("a\0b", "cannot be written: it is not a valid file name."),
        ("x" * 300, "cannot be written: File name too long."),
    ):
        play("gaterun", f"save {name}")
        assert why in capsys.readouterr().out
    play("gaterun", "load ~nobody-of-that-name/x")
    assert "cannot be read: it is not a valid file name." in capsys.readouterr().out


def test_a_loaded_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "saved"
    play("gaterun", "1,3", "5,3", f"save {file}")
    session = play("gaterun", "0,0|0,1", f"load {file}", "2,3")
    assert [session.game.name_of(action) for action in session.state.history] == ["1,3", "5,3", "2,3"]


def test_the_bots_of_a_saved_game_play_on(tmp_path: Path) -> None:
    file = tmp_path / "saved"
    play("gaterun", "1,3", f"save {file}", bots={2: "greedy"})
    session = play("gamma", f"load {file}", "2,3")
    assert str(session.bots[2]) == "greedy"
    assert len(session.state.history) == 4


def test_after_the_end_nothing_more_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    session = play("gaterun", "1,1", "2,0", "2,1", "0,0", "hint", size=3, walls=0)
    assert session.state.winners() == (1,)
    said = capsys.readouterr().out
    assert "The game is over; type new, undo, save FILE or quit." in said
    assert "Only a position with a player to move can be analysed." in said
