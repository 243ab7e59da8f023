"""`rookery replay`: a recorded game, checked against the rules and shown."""

from __future__ import annotations

import sys

from rookery.cli import flags


def replay(given: list[str]) -> int:
    """Show a recorded game."""
    import json

    from rookery.cli.play import has_screen
    from rookery.core.errors import RookeryError
    from rookery.core.record import result_of
    from rookery.system.requirements import need
    from rookery.terminal.files import read_record

    parser = flags.parser("rookery replay", "Check a recorded game against the rules and show it.")
    parser.add_argument("file", metavar="FILE", help="a record file, one record a line")
    parser.add_argument("--game", metavar="FILE.py", help="the Python file that defines the game")
    parser.add_argument("--record", default="1", metavar="K", help="show the K-th record of the file (default 1)")
    parser.add_argument("--ply", metavar="N", help="show the position after N plies")
    parser.add_argument("--every", action="store_true", help="show the board after every ply")
    parser.add_argument("--watch", action="store_true", help="replay on the full screen, by keys or mouse")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args(given)
    if chosen.watch and (chosen.json or chosen.every):
        raise RookeryError(f"--watch uses the full screen; leave out {'--json' if chosen.json else '--every'}.")
    if chosen.game:
        flags.named(chosen.game)
    record = read_record(chosen.file, flags.whole("record", chosen.record, 1, sys.maxsize))
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
            "ply": len(state.history),
            "position": state.position(),
            "result": result_of(state, record.ending if at_end else None),
        }
        print(json.dumps(content, ensure_ascii=False))
        return 0
    players = ", ".join(f"{number} {name or 'unknown'}" for number, name in enumerate(record.players, start=1))
    print(f"{record.game.title}, {len(record.plies)} plies. Players: {players}.")
    if chosen.every:
        for number, each in enumerate(record.states(ply)):
            print(f"\nPly {number}" + (f": {record.plies[number - 1]}" if number else "") + f"\n{each}")
    else:
        if chosen.ply is None:
            print(" ".join(f"{number}. {name}" for number, name in enumerate(record.plies, start=1)))
        print(f"\nAfter ply {len(state.history)}:\n{state}")
    if record.ended and at_end:
        print(record.ended)
    return 0
