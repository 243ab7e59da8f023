"""Positions of Gotham Loops as text and JSON.

    13./13./13./13./13./6.,2,2,5./6.,1,12,1,4./… 3 6,6 - -
    rounds in which each cell was visited       round at entering failed

Rows from the top; `6.` is a run of six cells never visited, `12` a cell visited in rounds 1 and 2. The round is 1 to 7
or `over`. `entering` is the cell whose check is due; `failed` lists the cell where it failed for each finished round
that did not come home. Points need no field: the visits tell them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.core.arguments import quoted
from rookery.core.errors import PositionError
from rookery.core.game import whole
from rookery.core.notation import number, read_spot, write_spot
from rookery.core.rules import CHANCE, OVER, TURN
from rookery.games.gotham import rules
from rookery.games.gotham.rules import AT, ENTERING, FAILED, POINTS, ROUND, ROUNDS, TOTAL, VISITS

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from rookery.core.state import State
    from rookery.games.gotham.game import GothamLoops


def key(game: GothamLoops, state: State) -> Hashable:
    """Two positions are equal if all cells have the same points and flips, whichever rounds visited them."""
    words = state.words
    visits = words[VISITS : VISITS + game.side**2]
    before = (1 << words[ROUND]) - 1
    now = tuple(visit >> words[ROUND] for visit in visits)
    past = tuple((visit & before).bit_count() for visit in visits)
    if game.rules_number != rules.TABLE:
        # A later round adds the same flips whatever came before, so the flips of each cell now are enough.
        past += tuple(rules.flips(words, cell) for cell in range(len(visits)))
    return (words[ROUND], words[AT], words[ENTERING], words[POINTS], words[TOTAL], now, past)


def describe(game: GothamLoops, state: State) -> dict[str, Any]:
    n, words = game.side, state.words
    over = words[TURN] == OVER
    rows = [_write_row(words[VISITS + row * n : VISITS + (row + 1) * n]) for row in range(n)]
    failed = [words[FAILED + k] for k in range(words[ROUND]) if words[FAILED + k] >= 0]
    return {
        "rows": rows,
        "round": "over" if over else words[ROUND] + 1,
        "at": write_spot(divmod(words[AT], n)),
        "entering": write_spot(divmod(words[ENTERING], n)) if words[ENTERING] >= 0 else None,
        "failed": [write_spot(divmod(cell, n)) for cell in failed],
    }


def log_fields(game: GothamLoops, state: State) -> dict[str, Any]:
    """The round, and the cell that is left or being entered."""
    words = state.words
    cell = words[ENTERING] if words[ENTERING] >= 0 else words[AT]
    return {"round": words[ROUND] + 1, "cell": write_spot(divmod(cell, game.side)), "points": words[POINTS]}


def write(game: GothamLoops, fields: Mapping[str, Any]) -> str:
    failed = ";".join(fields["failed"]) or "-"
    return f"{'/'.join(fields['rows'])} {fields['round']} {fields['at']} {fields['entering'] or '-'} {failed}"


def read(game: GothamLoops, text: str) -> dict[str, Any]:
    rows, round_, at, entering, failed = text.split()
    return {
        "rows": rows.split("/"),
        "round": round_ if round_ == "over" else number(round_),
        "at": at,
        "entering": None if entering == "-" else entering,
        "failed": [] if failed == "-" else failed.split(";"),
    }


def compose(game: GothamLoops, fields: Mapping[str, Any]) -> list[int]:
    """The words of a position. Its rounds are replayed one by one, so that the rules check and score each."""
    n = game.side
    words = [0] * rules.size(game.config)
    rules.start(words, game.config)
    over = fields["round"] == "over"
    finished = ROUNDS if over else whole(fields["round"], "The round", 1, ROUNDS) - 1
    visits = _read_rows(n, list(fields["rows"]))
    if any(visit >> min(finished + 1, ROUNDS) for visit in visits):
        raise PositionError(f"A cell is marked as visited after round {finished + 1}, which has not begun.")
    failed = [_cell(n, text) for text in fields["failed"]]
    home = rules.home(words)
    for k in range(finished):
        cells = [cell for cell in range(n * n) if visits[cell] >> k & 1]
        _enter_all(words, cells)
        if home in cells:
            if len(cells) == 1:
                raise PositionError(f"Round {k + 1} came home without leaving it.")
            rules.end_round(words, words[POINTS])
            continue
        if not failed:
            raise PositionError(f"Round {k + 1} did not come home, but the cell where it failed is missing.")
        cell = failed.pop(0)
        if game.rules_number == rules.APP:
            if cell not in cells:
                raise PositionError(
                    f"Round {k + 1} must mark {write_spot(divmod(cell, n))}, where it failed, as visited."
                )
        else:
            _check_next(words, cells or [home], cell, f"Round {k + 1}")
        words[FAILED + k] = cell
        rules.end_round(words, 0)
    if failed:
        raise PositionError("There are more failed cells than rounds that did not come home.")
    if not over:
        _set_round(words, visits, fields)
    elif fields["at"] != write_spot(divmod(home, n)) or fields["entering"] is not None:
        raise PositionError("In a finished game the player is at home, and no cell is being entered.")
    return words


def _set_round(words: list[int], visits: list[int], fields: Mapping[str, Any]) -> None:
    """Set up the current round: the cells entered, the player's cell, and the cell being checked."""
    n = words[rules.CITY_SIZE]
    home = rules.home(words)
    cells = [cell for cell in range(n * n) if visits[cell] >> words[ROUND] & 1]
    if home in cells:
        raise PositionError("The current round cannot have come home already.")
    _enter_all(words, cells)
    at = _cell(n, fields["at"])
    if at not in (cells or [home]):
        raise PositionError("The player must be at home at the start of a round, else on a cell entered in this round.")
    words[AT] = at
    if fields["entering"] is not None:
        _check_next(words, [at], _cell(n, fields["entering"]), "The current round")
        words[ENTERING] = _cell(n, fields["entering"])
        words[TURN] = CHANCE


def _enter_all(words: list[int], cells: list[int]) -> None:
    """Enter all cells of a round. They must be connected without home, which ends a round, starting next to it."""
    home = rules.home(words)
    away = set(cells) - {home}
    waiting = [cell for direction in range(4) if (cell := rules.neighbour(words, home, direction)) in away][:1]
    reached = set(waiting)
    while waiting:
        cell = waiting.pop()
        for direction in range(4):
            beside = rules.neighbour(words, cell, direction)
            if beside in away and beside not in reached:
                reached.add(beside)
                waiting.append(beside)
    if reached != away:
        raise PositionError(f"The cells of round {words[ROUND] + 1} are not connected, starting next to home.")
    for cell in cells:
        rules.enter(words, cell)


def _check_next(words: list[int], origins: list[int], cell: int, which: str) -> None:
    """Refuse a check of a cell that was not next to the player, or that needs no check under the rule set."""
    beside = any(rules.neighbour(words, origin, direction) == cell for origin in origins for direction in range(4))
    if not beside or not rules.needs_check(words, cell):
        spot = write_spot(divmod(cell, words[rules.CITY_SIZE]))
        raise PositionError(f"{which} cannot have been checked at {spot}.")


def _write_row(visits: list[int]) -> str:
    parts, run = [], 0
    for visit in [*visits, -1]:
        if visit == 0:
            run += 1
            continue
        if run:
            parts.append(f"{run}.")
            run = 0
        if visit > 0:
            parts.append("".join(str(k + 1) for k in range(ROUNDS) if visit >> k & 1))
    return ",".join(parts)


def _read_rows(n: int, rows: list[str]) -> list[int]:
    visits: list[int] = []
    for index, row in enumerate(rows):
        for part in row.split(","):
            if part.endswith("."):
                visits += [0] * min(number(part[:-1]), n + 1)
            else:
                rounds = [number(digit) for digit in part]
                if not rounds or not all(1 <= each <= ROUNDS for each in rounds) or len(set(rounds)) < len(rounds):
                    raise PositionError(f"{quoted(part)} in row {index} is not a list of rounds, like 12.")
                visits.append(sum(1 << (each - 1) for each in rounds))
        if len(visits) != (index + 1) * n:
            raise PositionError(f"Row {index} must have {n} cells.")
    if len(rows) != n:
        raise PositionError(f"The board has {n} rows, not {len(rows)}.")
    return visits


def _cell(n: int, text: str) -> int:
    try:
        row, col = read_spot(text, n, n)
    except ValueError:
        raise PositionError(f"{quoted(text)} is not a cell of a {n}×{n} board; write one like 6,7.") from None
    return row * n + col
