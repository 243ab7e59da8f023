"""A naive reading of Gamma's line protocol: a regular expression for the form of a line, the slow board for its answer."""

from __future__ import annotations

import re

from tests.oracles.gamma import Board

FORM = re.compile(rb"([A-Za-z])((?:[ \t\v\f\r]+[0-9]+)*)[ \t\v\f\r]*", re.DOTALL)
NUMBERS = {"B": 4, "I": 4, "m": 3, "g": 3, "b": 1, "f": 1, "q": 1, "p": 0}
Command = tuple[str, list[int]]


def parse(line: bytes) -> Command | None:
    """The command in a line, or None if the line is malformed; comments and empty lines are not asked about."""
    found = FORM.fullmatch(line)
    if not found:
        return None
    letter, tokens = found[1].decode(), found[2].split()
    if NUMBERS.get(letter) != len(tokens):
        return None
    significant = [token.lstrip(b"0") or b"0" for token in tokens]
    if any(len(token) > 10 or int(token) > 4294967295 for token in significant):
        return None
    return letter, [int(token) for token in significant]


def session(data: bytes, largest: int = 25_000_000) -> tuple[bytes, bytes]:
    """What a whole input answers and refuses; interactive mode is not gone into, it ends the session."""
    answers, errors = bytearray(), bytearray()
    board: Board | None = None
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    for number, line in enumerate(lines, start=1):
        if line == b"" or line.startswith(b"#"):
            continue
        command = parse(line)
        if command is not None and command[0] in "BI" and board is None and fits(command[1], largest):
            if command[0] == "I":
                break
            board = Board(*command[1])
            answers += b"OK %d\n" % number
        elif command is None or command[0] in "BI" or board is None:
            errors += b"ERROR %d\n" % number
        else:
            answers += answer(board, *command)
    return bytes(answers), bytes(errors)


def fits(numbers: list[int], largest: int) -> bool:
    width, height, players, areas = numbers
    return min(numbers) > 0 and width * height <= largest and players <= largest and areas > 0


def answer(board: Board, letter: str, numbers: list[int]) -> bytes:
    if letter == "p":
        return board.text().encode()
    ask = {"m": board.move, "g": board.golden_move, "b": board.busy, "f": board.free, "q": board.golden_possible}
    return b"%d\n" % int(ask[letter](*numbers))  # type: ignore[operator]
