"""The program that fits the settler's numbers: it finds what is known, repeats itself, and writes what it can read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rookery.games.gamma.bots import fitted, prior

tool: Any = pytest.importorskip("tools.fit_gamma", reason="the tools are not part of the package")


def test_the_file_shipped_is_what_the_program_writes() -> None:
    logs = np.log(np.array(prior.prior_factors()))
    text = tool.as_module(logs, fitted.SHARPER, fitted.SETTLED)
    assert text == Path(fitted.__file__).read_text(encoding="utf-8")


def test_numbers_written_are_read_again(tmp_path: Path) -> None:
    logs = np.zeros(prior.FACTORS)
    logs[prior.NEAR + 1], logs[prior.JOINS + 3], logs[prior.corner_indices(1)[5]] = 1.5, -0.25, 0.5
    (tmp_path / "other.py").write_text(tool.as_module(logs, 0.7, 2.5), encoding="utf-8")
    module = tool.load(tmp_path / "other.py")
    assert np.log(prior.prior_factors(module)) == pytest.approx(logs)
    assert (module.SHARPER, module.SETTLED) == (0.7, 2.5)


def test_a_game_is_the_same_for_a_seed_and_notes_every_choice() -> None:
    one, again = tool.note_choices(8, 5, 4), tool.note_choices(8, 5, 4)
    assert one == again
    assert sum(one.sizes) == len(one.features)
    assert all(len(row) == tool.FEATURES and max(row) <= tool.NOTHING for row in one.features)


def test_forecasts_are_shares_and_know_how_the_game_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "DEFAULT_NODES", 8)
    shares, taken, results = zip(*tool.note_forecasts(5, 1), strict=True)
    assert all(0 < share < 1 for share in shares)
    assert list(taken) == sorted(taken)
    assert {*results} in ({0.0, 1.0}, {0.5})


def test_choices_made_by_known_weights_give_these_weights_back() -> None:
    generator, features, sizes = np.random.default_rng(1), [], []
    logs = {prior.NEAR + 1: 1.0, prior.NEAR + 2: 0.5, prior.NEAR + 5: 0.0}
    for _ in range(20_000):
        moves = generator.choice(list(logs), 6)
        weights = np.exp([logs[move] for move in moves])
        chosen = generator.choice(6, p=weights / weights.sum())
        order = [moves[chosen], *np.delete(moves, chosen)]
        features += [[0, *[prior.CORNERS] * 4, tool.NOTHING, move] for move in order]
        sizes.append(6)
    found = tool.fit_prior(np.array(features), np.array(sizes))
    assert found[prior.NEAR + 1] == pytest.approx(1.0, abs=0.1)
    assert found[prior.NEAR + 2] == pytest.approx(0.5, abs=0.1)
    assert found[prior.NEAR + 5] == 0


def test_chances_that_are_too_close_together_are_calibrated() -> None:
    generator = np.random.default_rng(2)
    share, taken = generator.uniform(0.2, 0.8, 20_000), generator.uniform(0, 1, 20_000)
    logit = (1 + 1.5 * np.minimum(1, 2 * taken)) * np.log(share / (1 - share))
    won = generator.uniform(size=20_000) < 1 / (1 + np.exp(-logit))
    sharper, settled = tool.fit_calibration(np.stack([share, taken, won], axis=1))
    assert sharper == pytest.approx(1.5, abs=0.3)
    assert settled == pytest.approx(2, abs=0.8)
