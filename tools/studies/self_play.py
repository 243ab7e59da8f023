"""What games between equal bots show: the value of a wall in GateRun, and how bots use walls, areas and golden moves.

A logistic regression gives the value of a wall and of the move: each step, each wall and the move multiply the odds
that player 1 wins; a draw counts as half a win. Positions of one game are correlated, so intervals come from a cluster
bootstrap that resamples whole games (Efron & Tibshirani 1993, An Introduction to the Bootstrap).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

import rookery
from rookery.games.gaterun import rules
from rookery.lab.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.scene import Cell, Spot
    from rookery.core.state import State
    from rookery.lab.duel import Played, Result

FIRST, EVERY = 6, 3
"""The first ply that is sampled, and the plies between samples."""
RESAMPLES = 400
"""Bootstrap samples."""
EARLY, LATE = 30, 30
"""Plies at the beginning and at the end of a game of Gamma."""
RACE_SOLVER = "alphabeta"
"""A bot that solves a race exactly."""


class GateRunSelfPlay:
    """Statistics of GateRun games between equal bots, as texts for a table."""

    def __init__(self, result: Result) -> None:
        played, opening = result.played, result.duel.schedule.opening
        self.rows: list[tuple[Any, Any]] = []
        self.detours: Counter[int] = Counter()
        """Walls by how many steps they add to the opponent's path at once."""
        self.races: Counter[str] = Counter()
        for each in played:
            self._replay(each, opening)
        self.texts = {"games": f"{len(played):,}", **self._values(), **results(played), **self._use()}

    def _replay(self, played: Played, opening: int) -> None:
        """Replay a game and collect its statistics."""
        record = rookery.record(played.record)
        end, state, rows, racing = record.replay(), record.replay(plies=0), [], False
        for ply, action in enumerate(end.history):
            words, other = state.words, 3 - state.turn
            walls = words[rules.WALLS + 1], words[rules.WALLS + 2]
            if not any(walls) and not racing:
                racing = True
                self.races[race_outcome(state)] += 1
            if ply >= FIRST and ply % EVERY == 0 and any(walls):
                ahead = rules.distance(words, 2) - rules.distance(words, 1)
                rows.append((ahead, walls[0] - walls[1], 0.5 if state.turn == 1 else -0.5))
            before = rules.distance(words, other)
            state.play(action)
            if ply >= opening and "|" in state.game.name_of(action):
                self.detours[rules.distance(state.words, other) - before] += 1
        self.rows.append((np.array(rows, dtype=float).reshape(-1, 3), np.full(len(rows), end.scores()[0])))

    def _values(self) -> dict[str, str]:
        found, generator, many = values_in_steps(self.rows), np.random.default_rng(1), len(self.rows)
        drawn = [
            values_in_steps([self.rows[at] for at in generator.integers(many, size=many)]) for _ in range(RESAMPLES)
        ]
        low, high = np.quantile(np.array(drawn), (0.025, 0.975), axis=0)
        wall, move = (f"{found[k]:.1f} steps ({low[k]:.1f} to {high[k]:.1f})".replace("-", "−") for k in (0, 1))
        return {"a wall in hand is worth": wall, "being on move is worth": move}

    def _use(self) -> dict[str, str]:
        walls, races = self.detours.total(), self.races.total()
        kinds = {
            "walls that cost the other nothing at once": self.detours[0],
            "1 step": self.detours[1],
            "2 or 3 steps": self.detours[2] + self.detours[3],
            "4 steps or more": sum(many for steps, many in self.detours.items() if steps >= 4),
        }
        return {
            **{name: share(many, walls) for name, many in kinds.items()},
            "games that come to a race without walls": share(races, len(self.rows)),
            "races that go as a count of steps says": share(self.races["right"], races),
            "races that are drawn": share(self.races["draw"], races),
            "races that go the other way": share(self.races["wrong"], races),
        }


class GammaSelfPlay:
    """Statistics of Gamma games between equal bots, as texts for a table."""

    def __init__(self, result: Result) -> None:
        played, opening = result.played, result.duel.schedule.opening
        self.settled: list[int] = []
        """For each player of each game, the ply after which it had all its areas."""
        self.golden: Counter[str] = Counter()
        self.beside: Counter[bool] = Counter()
        """Moves by whether they were adjacent to an opponent's cell."""
        self.leads = [abs(each.scores[0] - each.scores[1]) for each in played]
        for each in played:
            self._replay(each, opening)
        golden, seats = self.golden, 2 * len(played)
        self.texts = {
            "games": f"{len(played):,}",
            **results(played),
            "cells by which a game is won, on average": f"{np.mean(self.leads):.1f}",
            "plies until a player has used all areas, half the time": f"{np.median(self.settled):.0f}",
            "and nine times in ten": f"{np.quantile(self.settled, 0.9):.0f}",
            f"golden moves in the first {EARLY} plies": share(golden["early"], seats),
            f"in the last {LATE} plies": share(golden["late"], seats),
            "in between": share(golden["between"], seats),
            "moves beside a cell of the other": share(self.beside[True], self.beside.total()),
        }

    def _replay(self, played: Played, opening: int) -> None:
        record = rookery.record(played.record)
        end, state = record.replay(), record.replay(plies=0)
        last, unsettled = len(end.history), {1, 2}
        for ply, action in enumerate(end.history):
            choice = next(each for each in state.scene().choices if each.action == state.game.name_of(action))
            other = 3 - state.turn
            if choice.role == "golden":
                self.golden["early" if ply < EARLY else "late" if ply >= last - LATE else "between"] += 1
            elif choice.role == "take" and ply >= opening:
                self.beside[any(cell.owner == other for cell in neighbours(state, choice.at[0]))] += 1
            state.play(action)
            for player in sorted(unsettled):
                if areas(state, player) == state.game.options["areas"]:
                    self.settled.append(ply + 1)
                    unsettled.remove(player)


def neighbours(state: State, spot: Spot) -> list[Cell]:
    """The cells adjacent to a cell."""
    scene, (row, col) = state.scene(), spot
    beside = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
    return [scene.cell(*each) for each in beside if 0 <= each[0] < scene.rows and 0 <= each[1] < scene.cols]


def areas(state: State, player: int) -> int:
    """How many areas a player has."""
    panels = state.scene().panels
    return int(next(each.value for each in panels if each.owner == player and each.label == "areas"))


def results(played: Sequence[Played]) -> dict[str, str]:
    """The score of the first player and the share of draws."""
    points = sum(0.5 if len(each.winners) == 2 else float(each.winners == (1,)) for each in played)
    draws = sum(len(each.winners) == 2 for each in played)
    return {"first player's score": share(points, len(played)), "draws": share(draws, len(played))}


def race_outcome(state: State) -> str:
    """Whether counting steps predicts the winner of a race: the player to move, if its path is no longer."""
    counted = rules.distance(state.words, state.turn) <= rules.distance(state.words, 3 - state.turn)
    forced = rookery.bot("gaterun", RACE_SOLVER).analyse(state, nodes=1).forced
    return "draw" if forced is None else "right" if (forced > 0) == counted else "wrong"


def values_in_steps(games: Sequence[tuple[Any, Any]]) -> Any:
    """The values of a wall and of the move, in steps: logistic regression by Newton's method."""
    rows = np.concatenate([each for each, _ in games])
    results = np.concatenate([each for _, each in games])
    weights = np.zeros(3)
    for _ in range(25):
        chances = 1 / (1 + np.exp(-rows @ weights))
        hessian = (rows * (chances * (1 - chances))[:, None]).T @ rows
        weights += np.linalg.solve(hessian + 1e-9 * np.eye(3), rows.T @ (results - chances))
    return weights[1:] / weights[0]


def share(part: float, whole: int) -> str:
    """A share with its Wilson interval."""
    if not whole:
        return "–"
    low, high = wilson(part, whole)
    return f"{100 * part / whole:.1f}% ({100 * low:.0f}–{100 * high:.0f})"
