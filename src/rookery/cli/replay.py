"""`rookery replay`: a recorded game, checked against the rules and shown."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from rookery.cli import flags

if TYPE_CHECKING:
    from typing import Any

    from rookery.core.record import Record
    from rookery.core.state import State


def replay(given: list[str]) -> int:
    """Show a recorded game."""
    import json

    from rookery.cli.play import has_screen
    from rookery.core.errors import RookeryError
    from rookery.core.record import result_of
    from rookery.system.requirements import need

    parser = flags.parser("rookery replay", "Check a recorded game against the rules and show it.")
    flags.add_record(parser, "show")
    parser.add_argument("--ply", metavar="N", help="show the position after N plies")
    parser.add_argument("--every", action="store_true", help="show the board after every ply")
    parser.add_argument("--steps", action="store_true", help="list every ply, outcomes of chance with their odds")
    parser.add_argument("--watch", action="store_true", help="replay on the full screen, by keys or mouse")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args(given)
    if chosen.watch and (chosen.json or chosen.every or chosen.steps):
        other = "--json" if chosen.json else "--every" if chosen.every else "--steps"
        raise RookeryError(f"--watch uses the full screen; leave out {other}.")
    record = flags.record(chosen)
    ply = len(record.plies) if chosen.ply is None else flags.whole("ply", chosen.ply, 0, len(record.plies))
    state = record.replay(ply)
    at_end = ply == len(record.plies)
    if chosen.watch:
        need("terminal", "--watch", "textual")
        if not has_screen():
            raise RookeryError("--watch needs a terminal.")
        from rookery.terminal import app

        return app.run(record=record, ply=0 if chosen.ply is None else ply)
    if chosen.json:
        content = json.loads(record.line()) | {
            "ply": state.ply,
            "position": state.position(),
            "result": result_of(state, record.ending if at_end else None),
        }
        if chosen.steps:
            content["steps"] = list(islice(record.steps(), ply))
        print(json.dumps(content, ensure_ascii=False))
        return 0
    players = ", ".join(f"{number} {name or 'unknown'}" for number, name in enumerate(record.players, start=1))
    print(f"{record.game.title}, {len(record.plies)} plies. Players: {players}.")
    if chosen.steps:
        print(*(step_text(step) for step in islice(record.steps(), ply)), sep="\n")
    elif chosen.every:
        print_boards(record, ply)
    else:
        if chosen.ply is None:
            moves = enumerate(map(record.game.phrase_of, record.plies), start=1)
            print(*(f"{number}. {move}" for number, move in moves), sep="  ")
        print(f"\nAfter ply {state.ply}:\n{in_words(state)}")
    if record.ended and at_end:
        print(record.ended)
    return 0


def print_boards(record: Record, plies: int) -> None:
    """Print the board after every ply."""
    for number, state in enumerate(record.states(plies)):
        move = f": {record.game.phrase_of(record.plies[number - 1])}" if number else ""
        print(f"\nPly {number}{move}\n{in_words(state)}")


def in_words(state: State) -> str:
    """The board as people read it, where a printed state is in notation."""
    from rookery.core.text_board import text_board

    return text_board(state.scene(), state.game.legend)


def step_text(step: dict[str, Any]) -> str:
    """A step of a game's log as a line."""
    others = {
        key: value for key, value in step.items() if key not in ("ply", "player", "name", "probability", "scores")
    }
    parts = [f"{step['ply']:4}", f"player {step['player']}" if step["player"] else "chance  ", f"{step['name']:10}"]
    parts.append(f"{100 * step['probability']:8.4f}%" if "probability" in step else " " * 9)
    parts += [f"{key} {value}" for key, value in others.items()]
    return "  ".join([*parts, "score " + " ".join(map(str, step["scores"]))])
