"""Fit the numbers of Gamma's settler to games that it plays against itself, and match them against those shipped.

    python -m tools.fit_gamma --games 300 --nodes 600 --seed 5 --out docs/_build/gamma --match 400

The prior over moves is a generalised Bradley–Terry model (Coulom 2007, "Computing Elo Ratings of Move Patterns in the
Game of Go"), fitted by maximum likelihood: of all legal moves in a position, the one that the search chose should have
the largest share of the weights. The calibration of the chances to win is fitted by maximum likelihood to how games on
the default board ended, with as many simulations as an analysis has by default. Both are written to `fitted.py` in the
folder given; to ship them, copy that file to `src/rookery/games/gamma/bots/`. What the games taught is kept beside it
and used again.

The numbers shipped are what the defaults below made. Against the numbers before them, whose program had not been kept,
they scored 50.4% (95%: 45.5% to 55.2%) of 400 games with 600 simulations a move, and 54.1% (49.2% to 58.9%) of 400
with 300. Other ways of fitting were no stronger: a stiffness of 10 (46.8%) or 30 (48.8%), the shares of all visits
instead of the chosen move (47.2%), 200 games with 300 simulations (48.5%).
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import rookery
from rookery.core.bot import Budget
from rookery.core.stream import Stream
from rookery.games.gamma import board
from rookery.games.gamma.bots import fitted, prior
from rookery.games.gamma.bots.playout import ACCEPT_WEIGHT
from rookery.games.gamma.bots.workspace import Workspace
from rookery.lab.intervals import wilson
from rookery.search.workspace import DEFAULT_NODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from rookery.core.state import State

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

BOARDS: tuple[dict[str, int], ...] = (
    {},
    {},
    {},
    {"width": 8, "height": 8, "areas": 3},
    {"width": 7, "height": 9, "areas": 2},
    {"players": 3, "areas": 3},
)
"""The boards on which games are played, in turn; most are the default board."""
OPENING = 2
"""Plies at the beginning of a game that are played at random. Later random plies would blur the calibration."""
FEATURES = 7
"""The most factors of a move: its sides, four corners, whether it joins areas, and its locality."""
NOTHING = prior.FACTORS
"""Fills the list of a move with fewer factors."""
STIFFNESS = 1.0
"""The penalty on squared logarithms of factors (a normal prior): factors that seldom occur stay close to 1."""


@dataclass
class Choices:
    """The moves that the search chose in a game, and those it could have chosen."""

    features: list[list[int]]
    """The factors of all legal moves of one position after the other, the chosen move of each first."""
    sizes: list[int]
    """How many moves each position has."""


Forecast = tuple[float, float, float]
"""The share of simulations won, the share of cells taken, and what the player to move got in the end (0 to 1)."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=300, help="games to learn from (default: 300)")
    parser.add_argument("--nodes", type=int, default=600, help="simulations for a move (default: 600)")
    parser.add_argument("--seed", type=int, default=5, help="seed of all games (default: 5)")
    parser.add_argument("--out", type=Path, default=Path("docs/_build/gamma"), help="folder for games and numbers")
    parser.add_argument("--match", type=int, default=0, help="games against the numbers shipped (default: none)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    kept = given.out / f"games-{given.games}-{given.nodes}-{given.seed}.npz"
    if not kept.exists():
        games = list(in_processes(partial(note_choices, given.nodes, given.seed), given.games, given.workers, "games"))
        ends = list(in_processes(partial(note_forecasts, given.seed), given.games // 4, given.workers, "long games"))
        np.savez_compressed(
            kept,
            features=np.array([row for game in games for row in game.features], np.int16),
            sizes=np.array([size for game in games for size in game.sizes]),
            forecasts=np.array([row for forecasts in ends for row in forecasts]),
        )
    with np.load(kept) as data:
        features, sizes, forecasts = data["features"].astype(np.int64), data["sizes"], data["forecasts"]
    logs = fit_prior(features, sizes)
    numbers = given.out / "fitted.py"
    numbers.write_text(as_module(logs, *fit_calibration(forecasts)), encoding="utf-8")
    print(f"Wrote {numbers}.")
    if given.match:
        match = partial(play_pair, given.nodes, given.seed, numbers)
        report(sum(in_processes(match, given.match // 2, given.workers, "pairs of games")), 2 * (given.match // 2))


def in_processes(work: Callable[[int], Any], count: int, workers: int, label: str) -> Iterator[Any]:
    """The results of some work for 0, 1, … in this order, with progress on standard error."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = deque(pool.submit(work, number) for number in range(count))
        for done in range(1, count + 1):
            yield waiting.popleft().result()
            print(f"\r{done} of {count} {label} played", end="\n" if done == count else "", file=sys.stderr, flush=True)


@cache
def workspace(numbers: Path | None = None) -> Workspace:
    """The workspace of this process, with the numbers shipped, or with those of a file."""
    found = Workspace(compiled=True)
    if numbers is not None:
        found.factors[:] = prior.prior_factors(load(numbers))
    return found


def load(numbers: Path) -> Any:
    """A file such as `fitted.py` as a module."""
    spec = importlib.util.spec_from_file_location("fitted_anew", numbers)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def self_play(state: State, nodes: int, stream: Stream) -> Iterator[tuple[Workspace, int]]:
    """Have the settler play a game to its end; yield its workspace and the chosen node before each move."""
    for _ in range(OPENING):
        state.play(state.pick(stream))
    at = workspace()
    while not state.over:
        at.search(state, Budget(nodes=nodes), stream)
        best = at.best_child(0)
        yield at, best
        state.play(int(at.tree.action[best]))


def note_choices(nodes: int, seed: int, number: int) -> Choices:
    """Play a game, and note the moves chosen."""
    state, found = rookery.game("gamma", **BOARDS[number % len(BOARDS)]).start(), Choices([], [])
    for at, best in self_play(state, nodes, Stream(seed, number)):
        action = int(at.tree.action[best])
        if action < state.game.action_count // 2:
            note_choice(found, state, action)
    return found


def note_forecasts(seed: int, number: int) -> list[Forecast]:
    """Play a game on the default board, and note what the search expected of every position that it did not prove."""
    state, found = rookery.game("gamma").start(), list[tuple[float, float, int]]()
    for at, best in self_play(state, DEFAULT_NODES, Stream(seed, number)):
        visits = int(at.tree.visits[best])
        if visits and not at.tree.proof[best]:
            share = min(max(at.mean(at.settler_columns.won, best), 0.5 / visits), 1 - 0.5 / visits)
            found.append((share, at.taken, state.turn))
    winners = state.winners()
    return [(share, taken, (mover in winners) / len(winners)) for share, taken, mover in found]


class Recorder(list[float]):
    """Stands for the factors, to learn which of them `prior.py` multiplies."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __getitem__(self, index: Any) -> Any:
        self.asked.append(index)
        return 1.0


def note_choice(choices: Choices, state: State, chosen: int) -> None:
    """Note the factors of all legal moves, the chosen one first."""
    words, player, cells = list(state.words), state.turn, state.game.action_count // 2
    full = words[words[board.AREAS] + player] >= words[board.LIMIT]
    tight, last = prior.is_tight(words, player), state.last
    place_of_last = board.place_of(words, last % cells) if last is not None and last < 2 * cells else 0
    moves = [action for action in state.actions() if action < cells and action != chosen]
    for cell in (chosen, *moves):
        place, recorder = board.place_of(words, cell), Recorder()
        prior.move_weight(words, player, place, full, tight, recorder)
        prior.locality(words, place, place_of_last, recorder)
        choices.features.append(recorder.asked + [NOTHING] * (FEATURES - len(recorder.asked)))
    choices.sizes.append(1 + len(moves))


def fit_prior(features: Ints, sizes: Ints) -> Floats:
    """The logarithms of the factors that make the choices likeliest."""
    starts = np.cumsum(sizes) - sizes
    observed = np.bincount(features[starts].ravel(), minlength=NOTHING + 1)[:NOTHING]

    def loss(logs: Floats) -> tuple[float, Floats]:
        scores = np.append(logs, 0.0)[features].sum(axis=1)
        weights = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        shares = weights / np.repeat(np.add.reduceat(weights, starts), sizes)
        expected = np.bincount(features.ravel(), np.repeat(shares, FEATURES), NOTHING + 1)[:NOTHING]
        value = -float(np.log(shares[starts]).sum()) + STIFFNESS / 2 * float(logs @ logs)
        return value, expected - observed + STIFFNESS * logs

    logs = minimise(loss, np.zeros(NOTHING))
    print(f"Prior: {len(sizes)} choices of {sizes.mean():.1f} moves on average,")
    shipped = np.log(np.array(prior.prior_factors()))
    for name, each in (("all moves alike", np.zeros(NOTHING)), ("shipped", shipped), ("fitted", logs)):
        print(f"  {name}: {loss(each)[0] / len(sizes):.3f} nats a choice")
    return level(logs, features, starts, sizes)


def minimise(loss: Callable[[Floats], tuple[float, Floats]], start: Floats, memory: int = 12) -> Floats:
    """The minimum of a smooth convex function, by L-BFGS (Liu & Nocedal 1989) with backtracking."""
    at, (value, slope) = start, loss(start)
    steps: deque[tuple[Floats, Floats]] = deque(maxlen=memory)
    for _ in range(500):
        way, kept = slope.copy(), []
        for step, change in reversed(steps):
            kept.append(float(step @ way) / float(step @ change))
            way -= kept[-1] * change
        if steps:
            step, change = steps[-1]
            way *= float(step @ change) / float(change @ change)
        for (step, change), factor in zip(steps, reversed(kept), strict=True):
            way += step * (factor - float(change @ way) / float(step @ change))
        length = 1.0 if steps else 1.0 / max(1.0, float(np.abs(slope).max()))
        while loss(at - length * way)[0] > value - 1e-4 * length * float(slope @ way) and length > 1e-9:
            length /= 2
        new = at - length * way
        new_value, new_slope = loss(new)
        if value - new_value < 1e-7 * abs(value):
            return new
        if float((new - at) @ (new_slope - slope)) > 0:
            steps.append((new - at, new_slope - slope))
        at, value, slope = new, new_value, new_slope
    return at


def level(logs: Floats, features: Ints, starts: Ints, sizes: Ints) -> Floats:
    """The same prior with weights on a scale that playouts can use.

    Choices fix weights only up to a constant for each row of `BY_SIDES`. Playouts accept a move drawn with its weight
    as a share of `ACCEPT_WEIGHT`, so that should be the weight of a typical best move, locality left out.
    """
    logs = logs.copy()
    own = np.append(logs[: prior.NEAR], np.zeros(NOTHING + 1 - prior.NEAR))
    best = np.maximum.reduceat(own[features].sum(axis=1), starts)
    blocks = features[starts, 0] // 125
    for block in range(4):
        if (blocks == block).any():
            logs[125 * block : 125 * (block + 1)] += np.log(ACCEPT_WEIGHT) - best[blocks == block].mean()
    logs[prior.NEAR + 1 :] -= logs[prior.FACTORS - 1]
    logs[prior.NEAR] = 0.0  # without a last move, all moves have this factor
    return logs


def fit_calibration(forecasts: Floats) -> tuple[float, float]:
    """`SHARPER` and `SETTLED` that make the ends of the games likeliest."""
    share, taken, result = forecasts.T
    odds = np.log(share / (1 - share))

    def loss(sharper: float, settled: float) -> float:
        logit = (1 + sharper * np.minimum(1.0, settled * taken)) * odds
        return float(np.mean(np.logaddexp(0.0, logit) - result * logit))

    grid = [(sharper / 20, settled / 4) for sharper in range(61) for settled in range(4, 41)]
    best = min(grid, key=lambda each: loss(*each))
    print(f"Calibration: {len(forecasts)} forecasts,")
    for name, each in (("as simulated", (0.0, 1.0)), ("shipped", (fitted.SHARPER, fitted.SETTLED)), ("fitted", best)):
        print(f"  {name}: {loss(*each):.4f} nats a forecast")
    return best


def as_module(logs: Floats, sharper: float, settled: float) -> str:
    """The text of `fitted.py` with other numbers."""
    lines = Path(fitted.__file__).read_text(encoding="utf-8").splitlines()
    numbers = np.rint(100 * logs).astype(int)

    def row(indices: Any) -> list[str]:
        words, rows = [str(numbers[index]) for index in indices], [""]
        if len(" ".join(words)) <= 113:  # the formatter joins what fits one line
            return [" ".join(words)]
        for word in words:
            if len(rows[-1]) + len(word) > 108:
                rows.append("")
            rows[-1] += word + " "
        rows[-1] = rows[-1].rstrip()
        return rows

    def block(indices: list[Any]) -> list[str]:
        return ["(", *(line for each in indices for line in quoted(row(each))), ")"]

    def quoted(rows: list[str]) -> list[str]:
        return [f'    "{each}"' + ("," if each is rows[-1] else "") for each in rows]

    fresh = {
        "BY_SIDES": block([prior.side_indices(each) for each in range(4)]),
        "BY_CORNER": block([prior.corner_indices(each) for each in range(2)]),
        "BY_JOINING": [f'"{" ".join(row(range(prior.JOINS, prior.NEAR)))}"'],
        "BY_LOCALITY": [f'"{" ".join(row(range(prior.NEAR, prior.FACTORS)))}"'],
        "SHARPER, SETTLED": [f"{sharper}, {settled}"],
    }
    found, skipping = list[str](), False
    for line in lines:
        name = line.partition(" = ")[0]
        if name in fresh:
            first, *rest = fresh[name]
            found += [f"{name} = {first}", *rest]
            skipping = line.endswith("(")
        elif not skipping:
            found.append(line)
        elif line == ")":
            skipping = False
    return "\n".join(found) + "\n"


def play_pair(nodes: int, seed: int, numbers: Path, number: int) -> float:
    """The points of the fitted numbers in two games against those shipped, seats swapped, from a random opening."""
    points = 0.0
    for seat in (1, 2):
        state, opening, stream = rookery.game("gamma").start(), Stream(seed + 1, number), Stream(seed + 2, number)
        for _ in range(OPENING):
            state.play(state.pick(opening))
        while not state.over:
            at = workspace(numbers if state.turn == seat else None)
            at.search(state, Budget(nodes=nodes), stream)
            state.play(int(at.tree.action[at.best_child(0)]))
        points += (seat in state.winners()) / len(state.winners())
    return points


def report(points: float, games: int) -> None:
    """Print the score of the fitted numbers."""
    low, high = wilson(points, games)
    print(f"The fitted numbers scored {points / games:.1%} in {games} games (95%: {low:.1%} to {high:.1%}).")


if __name__ == "__main__":
    main()
