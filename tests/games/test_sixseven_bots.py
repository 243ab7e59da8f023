"""The bots of 67!: the features they learn by, their searches, files of weights, and training."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery
from rookery.core.bot import Budget, make_bot
from rookery.core.errors import OptionError, RookeryError
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.games.sixseven import rules
from rookery.games.sixseven.bots import expectimax, heuristic, training, value, weights
from rookery.games.sixseven.bots.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.games.sixseven.game import SixSeven

BOARDS: list[dict[str, Any]] = [
    {},
    {"rows": 4, "cols": 4, "variant": "original"},
    {"rows": 5, "cols": 5, "variant": "final", "rate": 0.67},
    {"rows": 3, "cols": 11, "variant": "pairs", "operators": "+*"},
    {"rows": 2, "cols": 2, "tiles": 1},
]


def board(**options: Any) -> SixSeven:
    from rookery.games.sixseven.game import SixSeven

    game = rookery.game("sixseven", **options)
    assert isinstance(game, SixSeven)
    return game


def after_moves(game: Game, seed: int, moves: int) -> State:
    """A position with a player to move, after some random moves."""
    state, stream = game.start(), Stream(seed)
    while state.turn == CHANCE or (moves > 0 and not state.over):
        moves -= state.turn != CHANCE
        state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
    return state


# ---- features ----


def features_of(words: list[int], bits: int = 16) -> list[int]:
    """The features of a position, interpreted; compiled they must be the same."""
    cells = words[rules.ROWS] * words[rules.COLS]
    mask = (1 << bits) - 1
    notes, found = [0] * (value.NOTES * cells), [0] * value.max_features(cells)
    count = value.features(words, value.FeatureBuffers(notes, found), mask)
    fast = compiling.array([0] * len(found))
    buffers = value.FeatureBuffers(compiling.array(notes), fast)
    assert compiling.compiled(value).features(compiling.array(words), buffers, mask) == count
    assert fast[:count].tolist() == found[:count]
    assert all(0 <= slot <= mask for slot in found[:count])
    return found[:count]


@given(number=st.integers(0, len(BOARDS) - 1), seed=st.integers(0, 10**6), moves=st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_lines_have_the_same_features_on_a_transposed_board(number: int, seed: int, moves: int) -> None:
    game = board(**BOARDS[number])
    words = game.compiled_words(after_moves(game, seed, moves))
    rows, cols = game.rows, game.cols
    turned = board(**{**BOARDS[number], "rows": cols, "cols": rows})
    other = turned.compiled_words(turned.start())
    for row in range(rows):
        for col in range(cols):
            other[rules.TILE + col * rows + row] = words[rules.TILE + row * cols + col]
    ours, theirs = Counter(features_of(words)), Counter(features_of(other))
    # How a pair lies is told by its offset, and square patches by what is where; everything else is shared.
    patches = (rows - 1) * (cols - 1) + max(0, rows - 2) * max(0, cols - 2)
    assert sum((ours - theirs).values()) == sum((theirs - ours).values()) <= pairs_of_67(words) + patches
    assert sum((ours & theirs).values()) >= 2 + rows + cols


def pairs_of_67(words: list[int]) -> int:
    numbers = [rules.value_of(tile) for tile in words[rules.TILE :] if rules.is_number(tile)]
    return sum(
        67 in (one + other, one - other, other - one) for k, one in enumerate(numbers) for other in numbers[k + 1 :]
    )


@pytest.mark.parametrize("size", [(2, 2), (2, 20), (8, 8), (9, 9), (17, 20), (20, 20)])
@pytest.mark.parametrize("tiles", ["number operator", "pairs of 67", "numbers"])
def test_features_never_need_more_room_than_they_have(size: tuple[int, int], tiles: str) -> None:
    """Compiled code does not look where it writes."""
    game = board(rows=size[0], cols=size[1])
    words = game.compiled_words(game.start())
    for cell in range(size[0] * size[1]):
        odd = (cell // size[1] + cell) % 2
        tile = {
            "number operator": rules.PLUS if odd else rules.number(9),
            "pairs of 67": rules.number(60 if odd else 7),
            "numbers": rules.number(cell - 10),
        }[tiles]
        words[rules.TILE + cell] = tile
    assert len(features_of(words)) <= value.max_features(size[0] * size[1])


def test_what_is_about_to_make_67_is_a_feature() -> None:
    """`58 + 9` is told from `58 + 8`, and `7 * 8 + 11` from `7 * 8 + 12`."""
    game = board(rows=2, cols=5)
    seen = []
    for row in ("58,+,9,.,.", "58,+,8,.,.", "7,*,8,+,11", "7,*,8,+,12"):
        words = game.compiled_words(game.position(f"{row}/.,.,.,.,. 0 3"))
        seen.append(set(features_of(words, 26)))
    assert len({frozenset(each) for each in seen}) == 4


# ---- searches ----


@pytest.mark.parametrize("number", range(len(BOARDS)))
@pytest.mark.parametrize("seed", range(8))
def test_an_afterstate_is_what_the_rules_make_of_a_slide(number: int, seed: int) -> None:
    game = board(**BOARDS[number])
    state = after_moves(game, seed, 3 * seed)
    for compiled in (False, True):
        code: Any = compiling.compiled(expectimax) if compiled else expectimax
        words = game.compiled_words(state)
        for action in state.actions():
            after: Any = compiling.array([0] * len(words)) if compiled else [0] * len(words)
            code.set_afterstate(compiling.array(words) if compiled else words, after, action)
            state.play(action)
            assert list(after) == game.compiled_words(state)
            state.undo()


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (".,5,./+,.,3 1 7", {"rows": 2, "cols": 3, "tiles": 1}),
        ("1,2,3/4,5,. 1 7", {"rows": 2, "cols": 3, "tiles": 1, "rate": 0.2, "operators": "-*"}),
        ("1,.,3/.,.,. 1 7", {"rows": 2, "cols": 3, "tiles": 1, "rate": 1.0, "operators": "*"}),
    ],
)
def test_new_tiles_of_a_search_have_the_odds_of_the_rules(position: str, options: dict[str, Any]) -> None:
    game, draws = board(**options), 40_000
    state = game.position(position)
    code, start, r = (
        compiling.compiled(expectimax),
        compiling.array(game.compiled_words(state)),
        compiling.array(Stream(9).words),
    )
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(draws):
        words = start.copy()
        code.spawn_tiles(words, r)
        counts[tuple(words.tolist())] += 1
    odds: dict[tuple[int, ...], float] = {}
    for outcome, weight in state.chances():
        state.play(outcome)
        odds[tuple(game.compiled_words(state))] = weight
        state.undo()
    assert counts.keys() <= odds.keys()
    for words, weight in odds.items():
        assert abs(counts[words] - draws * weight) < 5 * (draws * weight * (1 - weight)) ** 0.5 + 1


@pytest.mark.parametrize("number", range(len(BOARDS)))
@pytest.mark.parametrize("how", [expectimax.LEARNED, expectimax.HEURISTIC, expectimax.PLAYOUT])
@pytest.mark.parametrize("plies", [1, 2, 3])
def test_a_search_is_the_same_interpreted_and_compiled(number: int, how: int, plies: int) -> None:
    game = board(**BOARDS[number])
    state = after_moves(game, 3, 6)
    if state.over:
        return
    table = numpy.sin(numpy.arange(1 << 12)).astype(numpy.float32) / 16
    found = [
        Workspace(compiled=compiled).search(
            state, (plies, 3, 2, 2, how), table if compiled else [float(each) for each in table], Budget(), Stream(5)
        )
        for compiled in (False, True)
    ]
    assert found[0].line == found[1].line
    assert [each.action for each in found[0].candidates] == [each.action for each in found[1].candidates]
    assert [each.value for each in found[0].candidates] == pytest.approx([each.value for each in found[1].candidates])
    assert found[0].nodes == found[1].nodes > 0


@pytest.mark.parametrize("spec", ["greedy", "rollout:n=5", "expectimax", "learned:plies=1", "learned:spawns=2"])
def test_a_win_is_taken_at_once_whatever_was_searched_before(spec: str) -> None:
    game = board(rows=4, cols=4)
    bot = make_bot(game, spec)
    bot.analyse(after_moves(game, 1, 5))  # leaves its numbers in the workspace
    state = game.position("60,+,7,./.,.,.,./.,.,.,./.,.,.,. 0 9")
    analysis = bot.analyse(state)
    assert {each.name for each in analysis.candidates} <= {"left", "right"}
    state.play(bot.choose(state, stream=Stream(1)))
    assert state.scores() == (1.0,)


def test_the_hand_made_value_counts_what_it_says() -> None:
    game = board(rows=3, cols=3)
    spare = [0] * rules.size(game.config)

    def points(rows: str) -> float:
        return heuristic.heuristic_value(game.compiled_words(game.position(f"{rows} 0 3")), spare)

    assert points("60,+,7/.,.,./.,.,.") >= heuristic.WIN_IN_ONE
    assert points("500,.,./.,.,./.,.,.") == 8 * heuristic.EMPTY_CELL + heuristic.OVERSIZED
    # A number near 67 counts, and once more, by half, for each of the slides after which it is still there.
    assert (
        points("60,.,./.,.,./.,.,.") == 8 * heuristic.EMPTY_CELL + heuristic.NEAR_GOAL + 2 * heuristic.NEAR_AFTER_SLIDE
    )


def test_random_games_are_counted() -> None:
    """A value of rollout is a share of games."""
    game = board(rows=3, cols=3, variant="final")
    analysis = make_bot(game, "rollout:n=40").analyse(after_moves(game, 2, 3))
    assert analysis.nodes == 40 * len(analysis.candidates)
    for each in analysis.candidates:
        assert each.win is not None
        assert each.win * 40 == pytest.approx(round(each.win * 40))
        assert each.value == pytest.approx(100 * each.win)


def test_only_the_better_half_is_tried_on() -> None:
    """The slides are halved after the first round, the best come first, and the answers are counted."""
    game = board()
    state, workspace = after_moves(game, 4, 8), Workspace(compiled=True)
    table = numpy.sin(numpy.arange(1 << 12)).astype(numpy.float32) / 16
    found = workspace.search(state, (2, 64, 2, 1, expectimax.LEARNED), table, Budget(), Stream(1))
    assert workspace.buffers is not None
    counts = [int(each) for each in workspace.buffers.counts]
    visits, rounds = counts[:4], counts[4:8]
    assert sorted(rounds) == [1, 1, 2, 2]
    assert sorted(visits) == [32, 32, 96, 96]
    assert {each.action for each in found.candidates[:2]} == {k for k in range(4) if rounds[k] == 2}
    first = found.candidates[0].action
    assert sum(counts[expectimax.answer_index(first, each)] for each in range(4)) == visits[first]
    assert len(found.line) == 2


@pytest.mark.parametrize("spec", ["rollout:n=1000000", "expectimax:spawns=100000", "learned:spawns=100000"])
def test_a_search_keeps_to_its_nodes(spec: str) -> None:
    game = board()
    found = make_bot(game, spec).analyse(after_moves(game, 4, 8), nodes=300)
    assert 300 <= found.nodes <= 300 + 4 * 40


# ---- weights ----


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """A file of weights for a small board, from a very short training."""
    path = tmp_path / "small.npz"
    trainer = training.SixSevenTrainer(board(rows=4, cols=4, variant="final"), 1, 12)
    trainer.ready(1)
    trainer.batch(10, 0.0)
    trainer.finish(path, {"command": "none"})
    return path


def test_weights_are_read_back_nearly_as_they_were(tmp_path: Path) -> None:
    table = numpy.random.default_rng(1).normal(0, 0.1, 1 << 12).astype(numpy.float32)
    table[5] = 3.0
    about = {"options": dict(board().options), "bits": 12}
    for name in ("one.npz", "two.npz"):
        weights.write(tmp_path / name, about, table)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    found = weights.read(tmp_path / "one.npz")
    assert found.title == "6×7 modified, rate 0.5"
    assert found.table[5] == pytest.approx(3.0)
    assert float(numpy.abs(found.table - table).max()) < 0.02
    assert float(numpy.abs(found.table - table).mean()) < 0.003


def spoil(path: Path, change: Callable[[dict[str, Any], Any], tuple[Any, Any]]) -> None:
    about, kept = weights.unpacked(path)
    about, kept = change(about, kept)
    numpy.savez(path, about=numpy.frombuffer(json.dumps(about).encode(), numpy.uint8), weights=kept)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda about, kept: ({**about, "format": "older"}, kept), "was made by another version of Rookery"),
        (lambda about, kept: (about, kept[:100]), "is damaged"),
        (lambda about, kept: ({**about, "bits": 40}, kept), "is not a file of weights"),
        (lambda about, kept: ([], kept), "is not a file of weights"),
        (lambda about, kept: (about, kept.astype(numpy.float32)), "a training that has not ended"),
        (lambda about, kept: ({**about, "largest": -1}, kept), "is damaged"),
        (lambda about, kept: ({**about, "largest": [1]}, kept), "is damaged"),
        (lambda about, kept: ({**about, "largest": 1e300}, kept), "is damaged"),
        (lambda about, kept: ({**about, "bits": 12.0}, kept), "is not a file of weights"),
        (lambda about, kept: ({**about, "options": {}}, kept), "is not a file of weights"),
        (
            lambda about, kept: ({**about, "options": {**about["options"], "rows": "4"}}, kept),
            "is not a file of weights",
        ),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(trained: Path, change: Any, sentence: str) -> None:
    spoil(trained, change)
    with pytest.raises(RookeryError, match=sentence):
        weights.read(trained)


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x03\x04 broken", "π".encode() * 1000])
def test_another_kind_of_file_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other.npz").write_bytes(content)
    with pytest.raises(RookeryError, match="is not a file of weights"):
        weights.read(tmp_path / "other.npz")


def test_a_file_cut_short_is_refused_in_a_sentence(trained: Path) -> None:
    whole = trained.read_bytes()
    for length in range(0, len(whole), max(1, len(whole) // 50)):
        trained.write_bytes(whole[:length])
        with pytest.raises(RookeryError, match=r"not a file of weights|damaged"):
            weights.read(trained)


def test_a_missing_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RookeryError, match="cannot be read: No such file"):
        make_bot(board(), f"learned:weights={tmp_path / 'none.npz'}")


def test_weights_for_other_options_are_refused(trained: Path) -> None:
    make_bot(board(rows=4, cols=4, variant="final"), f"learned:weights={trained}")
    with pytest.raises(OptionError, match=r"are for 4×4 final, rate 0.5, not for 6×7 modified, rate 0.5\."):
        make_bot(board(), f"learned:weights={trained}")


def test_a_file_in_nobodys_home_is_refused_in_a_sentence() -> None:
    with pytest.raises(RookeryError, match="cannot be read: it is not a file's name"):
        make_bot(board(), "learned:weights=~nobody-of-that-name/mine.npz")


@pytest.mark.parametrize(
    ("seed", "bits", "sentence"),
    [
        (-1, 12, "seed takes a whole number from 0 to 9223372036854775807, not -1."),
        ("1", 12, "seed takes a whole number from 0 to 9223372036854775807, not '1'."),
        (1, 0, "bits takes a whole number from 10 to 26, not 0."),
        (1, 12.0, "bits takes a whole number from 10 to 26, not 12.0."),
    ],
)
def test_a_trainer_checks_what_it_is_given(seed: Any, bits: Any, sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        board().trainer(seed, bits)
    assert str(caught.value) == sentence


def test_a_trainer_that_is_not_ready_plays_nothing() -> None:
    trainer = training.SixSevenTrainer(board(rows=3, cols=3), 1, 10)
    with pytest.raises(RookeryError, match="call ready"):
        trainer.batch(1, 0.0)
    with pytest.raises(OptionError, match="workers takes a whole number from 1"):
        trainer.ready(0)
    trainer.ready(1)
    for most, done in ((0, 0.0), (-1, 0.0), (1, 1.5), (1, math.nan)):
        with pytest.raises(OptionError):
            trainer.batch(most, done)


def test_whoever_asks_from_afar_names_no_files(trained: Path) -> None:
    with pytest.raises(OptionError, match="files stay on their own machine"):
        make_bot(board(rows=4, cols=4, variant="final"), f"learned:weights={trained}", files=False)
    with pytest.raises(OptionError, match="files stay on their own machine"):
        make_bot(board(), f"10:weights={trained}", files=False)


SHIPPED: list[dict[str, Any]] = [
    {"rows": 6, "cols": 7, "variant": "modified", "rate": 0.5},
    {"rows": 6, "cols": 7, "variant": "final", "rate": 0.67},
    {"rows": 5, "cols": 5, "variant": "final", "rate": 0.67},
    {"rows": 4, "cols": 4, "variant": "final", "rate": 0.67},
    {"rows": 4, "cols": 4, "variant": "original", "rate": 0.5},
]


@pytest.mark.parametrize("options", SHIPPED)
def test_the_common_boards_have_weights_of_their_own(options: dict[str, Any]) -> None:
    game = board(**options)
    found = weights.nearest(game)
    assert found is not None
    assert found.options == game.options
    assert make_bot(game, "learned").remark(game) == ""
    path = weights.FOLDER / f"{options['rows']}x{options['cols']}-{options['variant']}-{options['rate']}.npz"
    assert found.about["command"].endswith(path.name)
    assert found.about["command"] in (weights.FOLDER / "README.md").read_text(encoding="utf-8")


def test_all_weights_together_are_small_enough_to_ship() -> None:
    assert sum(path.stat().st_size for path in weights.shipped()) <= 12 * 10**6
    assert len(weights.shipped()) == len(SHIPPED)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rows": 7}, "learned uses those for 6×7 modified, rate 0.5."),
        ({"rows": 5, "cols": 4, "variant": "pairs"}, "learned uses those for 4×4 final, rate 0.67."),
        ({"operators": "+-"}, "learned plays like expectimax."),
    ],
)
def test_with_other_options_it_says_what_it_plays_by(options: dict[str, Any], sentence: str) -> None:
    game = board(**options)
    bot = make_bot(game, "learned:spawns=2")
    assert bot.remark(game).endswith(sentence)
    assert bot.remark(game).startswith("There are no weights for ")
    state = after_moves(game, 1, 4)
    assert state.legal(bot.choose(state, stream=Stream(1)))


def test_what_was_learned_beats_what_was_made_by_hand() -> None:
    game = board()
    won: Counter[str] = Counter()
    for spec in ("greedy", "learned:plies=1"):
        bot = make_bot(game, spec)
        for number in range(60):
            state, stream = game.start(), Stream(11, number)
            while not state.over:
                state.play(state.draw(stream) if state.turn == CHANCE else bot.choose(state, stream=stream))
            won[spec] += int(state.scores()[0])
    assert won["greedy"] + 10 < won["learned:plies=1"]
    assert won["learned:plies=1"] >= 36


# ---- training ----


def test_training_is_the_same_on_any_number_of_cores() -> None:
    tables = []
    for workers in (1, 2, 5):
        trainer = training.SixSevenTrainer(board(rows=4, cols=4), 3, 14)
        trainer.ready(workers)
        for most in (100, 32, 7, 100):
            trainer.batch(most, 0.5)
        assert trainer.games == 32 + 32 + 7 + 32
        tables.append(trainer.table)
    assert numpy.count_nonzero(tables[0]) > 1000
    assert all((table == tables[0]).all() for table in tables[1:])


def test_another_seed_learns_from_other_games() -> None:
    tables = []
    for seed in (1, 2):
        trainer = training.SixSevenTrainer(board(rows=4, cols=4), seed, 14)
        trainer.ready(1)
        trainer.batch(32, 0.0)
        tables.append(trainer.table)
    assert (tables[0] != tables[1]).any()


def test_training_teaches() -> None:
    """Random play wins 1.4% of these games; after some thousand it is a multiple of that."""
    trainer = training.SixSevenTrainer(board(), 1, 20)
    trainer.ready(2)
    while trainer.games < 5000:
        trainer.batch(32, trainer.games / 5000)
    won, of = trainer.win_rate()
    assert of == training.RECENT
    assert won / of > 0.25


def test_a_game_that_is_broken_off_teaches_what_it_seemed_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "STEPS", 3)
    trainer = training.SixSevenTrainer(board(), 1, 16)
    trainer.ready(1)
    trainer.batch(32, 0.0)
    assert trainer.win_rate() == (0, 32)
    assert not trainer.table.any()  # nothing is known yet, so there is nothing to learn from
