"""Scenes of Gotham Loops: home, the trail of the current round, and a ring for every earlier visit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rookery.core.ending import BY_ROLE, opening
from rookery.core.notation import counted
from rookery.core.rules import CHANCE, DIRECTIONS, OVER, TURN
from rookery.core.scene import REMEMBERED, Cell, Choice, Item, Mark, Motion, Panel, Scene, Section
from rookery.games.gotham import rules
from rookery.games.gotham.rules import AT, BANKED, ENTERING, FAILED, HOME, POINTS, ROUND, ROUNDS, TOTAL, VISITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.names import Names
    from rookery.core.state import State
    from rookery.games.gotham.game import GothamLoops

LEGEND = {"failed": "caught", "odds": "Numbers are chances of getting in, in per cent."}


def look(game: GothamLoops, state: State, viewer: int, *, odds: bool, names: Names) -> Scene:
    n, words = game.side, state.words
    before = state.before() if state.last is not None else list(words)
    numbers = tuple(str(index) for index in range(n))
    moved = before[AT] != words[AT]
    failed = words[FAILED + words[ROUND] - 1] if resting(words) else -1
    return Scene(
        title=f"{game.title}, {game.level}" if game.size is None and game.coins is None else game.title,
        turn=state.turn,
        message=message(words),
        rows=n,
        cols=n,
        cells=cells(n, words, failed, moved=moved, odds=odds),
        row_names=numbers,
        col_names=numbers,
        panels=panels(words) + (ahead(state) if odds else ()),
        choices=choices(game, state),
        motions=(Motion(divmod(before[AT], n), divmod(words[AT], n)),) if moved else (),
        sections=sections(state),
        pause="Next round" if resting(words) and words[TURN] != OVER else "",
    )


def cells(n: int, words: list[int], failed: int, *, moved: bool, odds: bool) -> tuple[Cell, ...]:
    """All cells. Without odds, most of a city is as nobody has been there."""
    here, done, caught = words[AT], (1 << min(words[ROUND], ROUNDS)) - 1, caught_at(words)
    found = list(unvisited(n))
    for index, visits in enumerate(words[VISITS : VISITS + n * n]):
        if visits or odds or index in caught or index in (here, words[HOME]):
            role, gamble = role_of(words, index, failed), gamble_on(words, index) if odds else None
            rounds = (visits & done, caught.get(index, 0))
            found[index] = cell((n, index), role, rounds, index == here, moved and index == here, gamble)
    return tuple(found)


def caught_at(words: list[int]) -> dict[int, int]:
    """The cells where earlier rounds failed, each with these rounds as bits."""
    found: dict[int, int] = {}
    for k, index in enumerate(words[FAILED : FAILED + words[ROUND]]):
        if index >= 0:
            found[index] = found.get(index, 0) | 1 << k
    return found


@lru_cache(REMEMBERED)
def unvisited(n: int) -> tuple[Cell, ...]:
    return tuple(cell((n, index), "free", (0, 0), False, False, None) for index in range(n * n))


@lru_cache(REMEMBERED)
def cell(
    place: tuple[int, int],
    role: str,
    rounds: tuple[int, int],
    here: bool,
    last: bool,
    gamble: tuple[float, int] | None,
) -> Cell:
    """A cell, given by the size of the city and its index, with the rounds that visited it and those that failed there
    as bits, and the chance of getting in with the points for it.
    """
    n, index = place
    row, col = divmod(index, n)
    away = abs(row - n // 2) + abs(col - n // 2)
    rings, caught = ([k + 1 for k in range(ROUNDS) if bits >> k & 1] for bits in rounds)
    marks = [Mark("ring", number) for number in rings] + [Mark("caught", number) for number in caught]
    name = f"row {row}, column {col}, " + ("home" if away == 0 else f"{away} from home")
    if rings:
        name += (", where a loop ended" if away == 0 else ", visited") + " in round " + " and ".join(map(str, rings))
    if role == "trail":
        name += ", entered in this round"
    if caught:
        name += ", caught here in round " + " and ".join(map(str, caught))
    if here:
        marks.append(Mark("here"))
        name += ", you are here"
    if gamble is not None:
        safe, points = gamble
        marks += [Mark("odds", round(safe), f"{safe:.0f}"), Mark("points", points, f"+{points}")]
        name += f", {safe:.1f} per cent safe, worth {counted(points, 'point')}"
    return Cell(role, name, marks=tuple(marks), last=last)


def gamble_on(words: list[int], index: int) -> tuple[float, int] | None:
    """The chance of getting into a cell, in per cent, and the points for it; None if it is not checked."""
    if words[TURN] == OVER or not rules.needs_check(words, index):
        return None
    return 100 * (1 - rules.risk(words, index)), rules.worth(words, index)


def role_of(words: list[int], index: int, failed: int) -> str:
    """The role of a cell. At the start of a round, the end of the last one still shows: home, or the failed cell."""
    if index == words[HOME]:
        return "safe" if failed < 0 and resting(words) else "home"
    if index == failed:
        return "failed"
    return "trail" if words[VISITS + index] >> words[ROUND] & 1 and words[TURN] != OVER else "free"


def resting(words: list[int]) -> bool:
    """Whether a round has just ended: the player is at home and has not left yet."""
    return words[ROUND] > 0 and words[AT] == rules.home(words) and words[ENTERING] < 0


def sections(state: State) -> tuple[Section, ...]:
    """The rounds since the start, each with the plies before it and its result."""
    words, home = state.words, state.words[HOME]
    steps = (-words[rules.CITY_SIZE], 1, words[rules.CITY_SIZE], -1)
    at = home if state.origin is None else state.before(state.ply)[AT]
    starts = [0]
    for ply, action in enumerate(state.history, start=1):
        if action != rules.SAFE:
            at = home if action == rules.CAUGHT else at + steps[action]
            if at == home:
                starts.append(ply)
    first, done = words[ROUND] - len(starts) + 1, results_of(words)
    found = []
    for k, start in enumerate(starts, start=first):
        if k < len(done):
            found.append(Section(f"Round {k + 1}", start, done[k], words[FAILED + k] >= 0))
        elif start < state.ply:
            found.append(Section(f"Round {k + 1}", start))
    return tuple(found)


def results_of(words: list[int]) -> list[str]:
    """What each finished round brought, in words."""
    return [str(words[BANKED + k]) if words[FAILED + k] < 0 else "caught" for k in range(words[ROUND])]


def panels(words: list[int]) -> tuple[Panel, ...]:
    done, results = words[ROUND], results_of(words)
    items = [Item(text, f"round {k + 1}: {text}", words[FAILED + k] >= 0) for k, text in enumerate(results)]
    found = [
        Panel("Round", f"{min(done + 1, ROUNDS)} of {ROUNDS}"),
        Panel("This round", str(words[POINTS])),
        Panel("Total", str(words[TOTAL])),
    ]
    if results:
        found.append(Panel("Rounds", ", ".join(results), items=tuple(items)))
    return tuple(found)


def ahead(state: State) -> tuple[Panel, ...]:
    """With the odds: the chance of each step, and the points for it."""
    words, found = state.words, []
    for direction in state.actions():
        target = rules.neighbour(words, words[AT], direction)
        gamble = gamble_on(words, target)
        what = f"{gamble[0]:.0f}% for {gamble[1]}" if gamble else "home" if target == words[HOME] else "safe"
        found.append(f"{DIRECTIONS[direction]} {what}")
    return (Panel("Ahead", ", ".join(found)),) if found else ()


def choices(game: GothamLoops, state: State) -> tuple[Choice, ...]:
    found = []
    for direction in state.actions():
        target = rules.neighbour(state.words, state.words[AT], direction)
        way = DIRECTIONS[direction]
        found.append(Choice(way, game.phrase(direction), "step", (divmod(target, game.side),), key=way))
    return tuple(found)


def message(words: list[int]) -> str:
    if words[TURN] == OVER:
        return f"The seven rounds are over: {counted(words[TOTAL], 'point')}."
    if words[TURN] == CHANCE:
        row, col = divmod(words[ENTERING], words[rules.CITY_SIZE])
        return f"Entering row {row}, column {col}: the coins decide."
    if words[AT] != rules.home(words):
        return f"{counted(words[POINTS], 'point')} so far this round: go on, or bring them home."
    if words[ROUND] == 0:
        return "Go up, right, down or left; come home to bank your points."
    caught = words[FAILED + words[ROUND] - 1] >= 0
    how = (
        "You were caught: no points"
        if caught
        else f"Home safe with {counted(words[BANKED + words[ROUND] - 1], 'point')}"
    )
    return f"{how}. Round {words[ROUND] + 1} starts at home."


def ending_text(game: GothamLoops, state: State, names: Sequence[str]) -> str:
    """How a game ended: the points, and how many rounds came home."""
    words = state.words
    safe = sum(words[FAILED + number] < 0 for number in range(ROUNDS))
    points = f"{counted(words[TOTAL], 'point')} in {safe} of {ROUNDS} rounds" if words[TOTAL] else "no points"
    return f"{opening(names[0])} brought home {points}."


def emoji(game: GothamLoops, state: State) -> str:
    """A square for each round: home safe, or caught."""
    words = state.words
    return "".join(BY_ROLE["safe" if words[FAILED + number] < 0 else "failed"] for number in range(ROUNDS))
