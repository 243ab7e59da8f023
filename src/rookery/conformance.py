"""What every game must hold to, as checks that can be run on any game, one of yours included.

    from rookery.conformance import check

    check(MyGame())

Each check plays random games from a seed and raises `AssertionError`, with what was wrong, at the first fault. Two of
them, `NEED_NUMBA`, compare compiled code with interpreted code; without Numba there is nothing to compare, and they
raise `RookeryError`.
"""

from __future__ import annotations

import json
import math
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rookery.core.bot import make_bot
from rookery.core.errors import IllegalAction, MalformedAction, OptionError, PositionError, RookeryError
from rookery.core.game import Game
from rookery.core.record import Record, load
from rookery.core.rules import CHANCE, OVER, STATE_SIZE, TURN
from rookery.core.scene import CELL_ROLES, CHOICE_ROLES, KEYS, MARK_ROLES
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.engine import batch, compiling, playouts

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from rookery.core.scene import Scene

PLIES = 400
"""How far a random game is followed."""
LONG_GAME = 5000
"""How far one is followed where nothing but playing it costs time: nearly always to the end."""
SAMPLE = 150
"""How many of very many things are looked at."""


def check(game: Game, seed: int = 0, *, compiled: bool = True) -> None:
    """Run every check on a game; with `compiled=False`, all but those that need Numba.

    Without Numba and with `compiled=True` it raises `RookeryError`, so that nothing passes that was not run.
    """
    if compiled:
        _need_numba("check(game, compiled=False) leaves out what needs it")
    for each in CHECKS:
        if compiled or each not in NEED_NUMBA:
            each(game, seed)


def random_game(game: Game, seed: int, plies: int = PLIES) -> Iterator[State]:
    """The states of a random game, always the same object a ply further on."""
    state, stream = game.start(), Stream(seed)
    yield state
    while not state.over and len(state.history) < plies:
        state.play(state.draw(stream) if state.turn == CHANCE else stream.pick(state.actions()))
        yield state


def turns_and_masks(game: Game, seed: int) -> None:
    """Somebody is always to move, with something to do; lists, masks and single questions agree."""
    for state in random_game(game, seed):
        actions, chances = state.actions(), state.chances()
        assert state.turn in (CHANCE, OVER, *range(1, game.players + 1)), f"turn is {state.turn}"
        assert bool(actions) == (state.turn > 0), f"player {state.turn} has the actions {actions}"
        assert bool(chances) == (state.turn == CHANCE), f"turn is {state.turn}, but chance has {chances}"
        assert actions == sorted(set(actions)), "actions are not ascending"
        assert state.mask() == [action in set(actions) for action in range(game.action_count)], (
            "mask and actions differ"
        )
        possible = set(actions) | {outcome for outcome, _ in chances}
        for code in _sampled(game, len(state.history)):
            assert state.legal(code) == (code in possible), f"legal({game.name_of(code)}) is {state.legal(code)}"
        scores = state.scores()
        assert len(scores) == game.players, f"{len(scores)} scores for {game.players} players"
        assert state.over == (state.turn == OVER)
        assert set(state.winners()) <= set(range(1, game.players + 1)), f"winners are {state.winners()}"


def chance_adds_up(game: Game, seed: int) -> None:
    """Probabilities are above 0 and add up to 1, and what is drawn is one of the outcomes."""
    stream = Stream(seed, 1)
    for state in random_game(game, seed):
        if state.turn != CHANCE:
            continue
        chances = state.chances()
        assert all(weight > 0 for _, weight in chances), "an outcome has no probability"
        total = math.fsum(weight for _, weight in chances)
        assert abs(total - 1) < 1e-9, f"probabilities add up to {total}"
        outcomes = [outcome for outcome, _ in chances]
        assert len(set(outcomes)) == len(outcomes), "an outcome is there twice"
        assert all(game.action_count <= outcome < game.code_count for outcome in outcomes), (
            "outcomes share numbers with actions"
        )
        assert state.draw(stream) in outcomes, "an outcome was drawn that is not listed"


def undo_goes_back(game: Game, seed: int) -> None:
    """Every ply taken back, through chance too, leaves just what was there before it."""

    def all_of(state: State) -> tuple[Any, ...]:
        return _proper(state), state.key(), state.position(), state.actions(), state.chances()

    trail = []
    state = game.start()
    for state in random_game(game, seed):
        trail.append(all_of(state))
    final = trail.pop()
    history = state.history
    for number in range(len(history), 0, -1):
        assert state.undo() == history[number - 1], "undo returned another action"
        assert all_of(state) == trail[number - 1], f"undo of ply {number} left traces"
    assert state.history == ()
    for action in history:
        state.play(action)
    assert all_of(state) == final, "playing it all again gave another position"


def refusals_change_nothing(game: Game, seed: int) -> None:
    """An illegal action raises `IllegalAction` with a sentence, and the position is bit for bit the same."""
    for state in random_game(game, seed, plies=60):
        possible = {*state.actions(), *(outcome for outcome, _ in state.chances())}
        before, key = _proper(state), state.key()
        for code in (*_sampled(game, len(state.history)), -1, game.code_count):
            if code in possible:
                continue
            try:
                state.play(code)
            except IllegalAction as error:
                assert str(error).endswith((".", "!")), f"not a sentence: {error}"
            else:
                raise AssertionError(f"{code} was played though it is illegal")
            assert _proper(state) == before, f"a refused {code} changed the position"
        assert state.key() == key


def names_are_unique(game: Game, seed: int) -> None:
    """Every action and outcome has a name of its own that reads back, in any case; nonsense is refused."""
    codes = range(game.code_count) if game.code_count <= 6000 else [*range(1000), *_sampled(game, seed)]
    names = {game.name_of(code) for code in codes}
    assert len(names) == len(set(codes)), "two actions share a name"
    for code in codes:
        name = game.name_of(code)
        for text in (name, name.upper(), f"  {name} "):
            assert game.action(text) == code, f"'{text}' reads as {game.action(text)}, not {code}"
    for text in ("", " ", "nonsense", "0", "-1", "1,", ",1", "9999,9999", "a b c", "١,٢", "m 1", "\0", "pass pass"):
        try:
            game.action(text)
        except MalformedAction as error:
            assert str(error).endswith("."), f"not a sentence: {error}"
        else:
            raise AssertionError(f"'{text}' was read as an action")


def positions_read_back(game: Game, seed: int) -> None:
    """Text and JSON form of every position give it back, playing the same; nonsense is refused."""
    for state in random_game(game, seed):
        text, fields = state.position(), json.loads(json.dumps(state.json()))
        assert "\n" not in text, "a position's text has several lines"
        for given in (text, fields):
            again = game.position(given)
            assert again.key() == state.key(), f"{given} plays differently when read back"
            assert again.position() == text, f"{text} became {again.position()}"
            assert again.scores() == state.scores(), f"{text} lost its scores"
    broken: list[Any] = [
        "",
        "nonsense",
        {},
        {"rows": 5},
        text[: len(text) // 2],
        text + " x y z",
        {**fields, "turn": []},
    ]
    for given in broken:
        try:
            again = game.position(given)
        except PositionError as error:
            assert len(str(error)) > 20, f"not a sentence: {error}"
        else:
            assert given == {**fields, "turn": []} and "turn" not in fields, f"{given} was taken for a position"


def equal_keys_play_the_same(game: Game, seed: int) -> None:
    """States with equal keys, however they came about, offer the same and stand the same."""
    seen: dict[Hashable, tuple[Any, ...]] = {}
    for index in range(4):
        for state in random_game(game, seed + index, plies=60):
            offer = (state.turn, state.actions(), state.chances(), state.scores(), state.winners())
            assert seen.setdefault(state.key(), offer) == offer, f"equal keys play differently: {state.position()}"


def records_replay(game: Game, seed: int) -> None:
    """A record reads back and replays to every ply, from the start or from a set position."""
    state = game.start()
    keys = []
    for state in random_game(game, seed):
        keys.append(state.key())
    line = Record.of(state).line()
    assert "\n" not in line, "a record has several lines"
    record = load(line, _remade(game))
    assert record.line() == line, "a record changed when read"
    assert [each.key() for each in record.states()] == keys, "a record replays differently"
    assert record.replay(len(keys) // 2).key() == keys[len(keys) // 2]
    later = game.position(record.replay(len(keys) // 2).position())
    for action in state.history[len(keys) // 2 :]:
        later.play(action)
    again = load(Record.of(later).line(), _remade(game)).verify()
    assert again.key() == state.key(), "a record from a set position ends differently"


def copies_are_apart(game: Game, seed: int) -> None:
    """What happens to a copy does not happen to the original."""
    for state in random_game(game, seed, plies=30):
        if state.over:
            break
        twin, key = state.copy(), state.key()
        stream = Stream(seed)
        twin.play(twin.draw(stream) if twin.turn == CHANCE else twin.actions()[0])
        assert state.key() == key and twin.history[:-1] == state.history, "a copy is tied to its original"
        twin.undo()
        assert twin.key() == key


def scenes_show_everything(game: Game, seed: int) -> None:
    """A scene has all cells, names for all of them, known roles, and a choice for each legal action."""
    for state in random_game(game, seed, plies=80):
        for odds in (False, True):
            scene = state.scene(max(state.turn, 0), odds=odds)
            assert [game.action(choice.action) for choice in scene.choices] == state.actions(), (
                "choices are not the actions"
            )
            _check_scene(scene)
            assert len(scene.players) == game.players or (game.players == 1 and not scene.players), "players lack names"
        assert scene.turn == state.turn
        assert str(state).count("\n") > scene.rows, "the drawing lacks rows"


def pointing_finds_the_choice(game: Game, seed: int) -> None:
    """Where a game says what pointing means, a place with one choice means that one, and no place means nothing."""
    if type(game).pointed is Game.pointed:
        return
    for state in random_game(game, seed, plies=80):
        scene = state.scene(max(state.turn, 0))
        places = [choice.at for choice in scene.choices]
        for choice in scene.choices:
            if len(choice.at) in (1, 2) and places.count(choice.at) == 1:
                meant = game.pointed(state, choice.at)
                assert meant == game.action(choice.action), f"{choice.at} does not mean {choice.action}"
        corner = (scene.rows - 1, scene.cols - 1)
        for nowhere in ((), ((-1, 0),), ((0, -1),), ((scene.rows, 0),), ((0, scene.cols),), (corner,) * 3):
            assert game.pointed(state, nowhere) is None, f"{nowhere} is no place, but means something"
        if state.turn <= 0:
            assert game.pointed(state, (corner,)) is None, "pointing means something though nobody is to move"


def feats_come_at_the_end(game: Game, seed: int) -> None:
    """A finished game is a feat for each player, in words, and more points never go with a worse result."""
    for state in random_game(game, seed, plies=LONG_GAME):
        feats = [game.feat(state, player) for player in range(1, game.players + 1)]
        if not state.over:
            assert not any(feats), "there is a feat before the end"
            continue
        assert all(feat is not None and feat.text and math.isfinite(feat.points) for feat in feats), "a feat is missing"
        points = [feat.points for feat in feats if feat is not None]
        won = [points[player - 1] for player in state.winners()]
        assert not won or min(won) == max(points), f"the winners are {state.winners()}, but the feats are {points}"


def surfaces_find_what_they_need(game: Game, seed: int) -> None:
    """The rules in a minute are sentences, the board to show off is a game of this kind, and a day's challenge can be
    set up, the same for everybody.
    """
    cls = type(game)
    for told in (cls.summary, *cls.quick_rules):
        assert told.endswith((".", "!", "?")), f"not a sentence: {told}"
    assert isinstance(cls.demo(), cls), f"{cls.demo()} is another game"
    assert cls.challenges(), "no day has a challenge"
    for challenge in cls.challenges():
        given = cls.make(**challenge.options)
        assert len(challenge.opponents) == given.players - 1, f"{challenge} has not an opponent for each seat"
        for spec in challenge.opponents:
            assert make_bot(cls, spec).ms is None, f"{spec} thinks by the clock, so not alike everywhere"
    printout = game.printout()
    if printout is not None:
        _check_scene(printout.scene)
        assert printout.columns and printout.rows and printout.rules, "a part of the sheet is missing"


def picks_are_fair(game: Game, seed: int) -> None:
    """Picking at random finds every legal action, a pass aside, about equally often, and leaves the position alone."""
    stream = Stream(seed, 2)
    for state in random_game(game, seed, plies=30):
        if state.turn <= 0:
            continue
        before, legal = _proper(state), set(state.actions())
        picked = [state.pick(stream) for _ in range(SAMPLE)]
        assert set(picked) <= legal, "an illegal action was picked"
        assert _proper(state) == before, "picking left traces in the position"
        active = {action for action in legal if game.name_of(action) != "pass"} or legal
        assert set(picked) <= active, "a pass was picked though there is something to do"
        if len(active) <= 8:
            for action in active:
                share = picked.count(action) / SAMPLE
                # Six standard deviations: wrong by chance once in 10^9 times.
                spread = 6 * math.sqrt((1 - 1 / len(active)) / len(active) / SAMPLE)
                assert abs(share - 1 / len(active)) <= spread, f"{game.name_of(action)} was picked {share:.0%} of times"


def ends_are_counted(game: Game, seed: int) -> None:
    """The rules agree with the game on who won, and the maps have a place for all that is tallied."""
    state = game.start()
    for state in random_game(game, seed, plies=LONG_GAME):
        if not state.over:
            assert game.kernel.winner(state.words) == 0, "somebody has won before the end"
    winners = state.winners()
    assert game.kernel.winner(state.words) == (winners[0] if len(winners) == 1 else 0), f"winners are {winners}"
    places = [place for each in game.maps() for place in each.places]
    scene = state.scene()
    for place in places:
        assert len(place) in (1, 2) and all(0 <= r < scene.rows and 0 <= c < scene.cols for r, c in place), (
            "a map has a place off the board"
        )
    counts = [0] * len(places)
    if state.over:
        before = _proper(state)
        game.kernel.tally(state.words, counts)
        assert len(counts) == len(places) and min(counts, default=0) >= 0
        assert _proper(state) == before, "counting left traces in the position"


def compiled_plays_the_same(game: Game, seed: int) -> None:
    """Random games come out word for word the same interpreted and compiled, from the same stream."""
    _need_numba()
    kernel: Any = game.kernel
    assert isinstance(kernel, ModuleType), "the kernel is not a module"
    plain, fast = compiling.interpreted(playouts, kernel), compiling.compiled(playouts, kernel)
    start = compiling.array([0] * len(game.compiled_words(game.start())))
    compiling.compiled(kernel).start(start, compiling.array(game.config))
    assert start.tolist() == list(game.start().words), "the start differs"
    for index in range(3):
        words, stream = game.compiled_words(game.start()), Stream(seed, index)
        fast_words, fast_stream = compiling.array(words), compiling.array(stream.words)
        for ply in range(LONG_GAME):
            if words[TURN] == OVER:
                break
            ours, theirs = plain.step(words, stream.words), fast.step(fast_words, fast_stream)
            assert ours == theirs, f"ply {ply} of game {index} is {ours} interpreted and {theirs} compiled"
        assert words[: words[STATE_SIZE]] == fast_words[: words[STATE_SIZE]].tolist(), f"words differ in game {index}"
        assert stream.words == fast_stream.tolist(), f"streams differ in game {index}"
    ours, theirs = (
        playouts.Playouts(game, compiled=compiled).play(seed, 0, 5, LONG_GAME) for compiled in (False, True)
    )
    assert ours == theirs, "results differ"
    _check_compiled_chances(game, seed)


def learners_see_the_position(game: Game, seed: int) -> None:
    """Step by step, learners are shown what is there, within its bounds, may do what is legal, and get what is due."""
    if game.observation is None:
        return
    _need_numba()
    games, alone = batch.GameBatch(game), game.players == 1
    first = games.numpy.zeros(1, dtype=games.numpy.int64)
    games.seed(first, first + seed)
    seen = games.begin(first)[0]
    state, chance, picks = State(game, game.compiled_words(game.start())), Stream(seed), Stream(seed, 1)
    _let_happen(state, chance)
    actor = 1
    for _ in range(PLIES):
        assert games.turn == state.turn, "it is not the same player's turn"
        _check_sight(state, actor if state.over else state.turn, seen.reshape(-1).tolist())
        if state.over:
            break
        assert games.masks[0].tolist() == state.mask(), "the mask is not what is legal"
        actor, earned, action = state.turn, state.scores()[0], state.pick(picks)
        seen = games.step_one(action)
        state.play(action)
        _let_happen(state, chance)
        winner = game.kernel.winner(state.words) if state.over else 0
        due = state.scores()[0] - earned if alone else 0.0 if winner == 0 else 1.0 if winner == actor else -1.0
        assert games.gain.item() == due, f"the reward is {games.gain.item()} and should be {due}"
        assert games.over.item() == state.over, "only one of the two has ended"


def bots_play_by_the_rules(game: Game, seed: int) -> None:
    """Every bot and level chooses legal actions, the same ones for the same seed, and can say why."""
    cls = type(game)
    assert len(cls.levels()) == 10, f"{len(cls.levels())} levels"
    for spec in (*cls.bots(), "1", "10"):
        bot = make_bot(cls, spec)
        assert make_bot(cls, str(bot)) == bot, f"{bot} is not read back from its name"
        try:
            bot.check_game(game)
        except OptionError as error:
            raise AssertionError(f"{bot} is among the bots, but refuses the game: {error}") from None
        try:
            bot.accept(game)
        except OptionError:
            continue
        for state in random_game(game, seed, plies=12):
            if state.turn <= 0:
                continue
            before = _proper(state)
            choices = {bot.choose(state, stream=Stream(seed), nodes=200) for _ in range(2)}
            assert len(choices) == 1, f"{bot} chose {choices} from one seed"
            assert state.legal(choices.pop()), f"{bot} chose an illegal action"
            analysis = bot.analyse(state, nodes=200)
            first = analysis.candidates[0]
            assert analysis.value == first.value, f"{bot} values the position otherwise than its best candidate"
            assert all(state.legal(candidate.action) for candidate in analysis.candidates)
            assert all(each.win is None or 0 <= each.win <= 1 for each in analysis.candidates), "no probability"
            assert analysis.line[0] == first.name, f"{bot} would rather play something else than its best candidate"
            _check_line(state, analysis.line)
            assert _proper(state) == before, f"{bot} left traces in the position"


CHECKS: tuple[Callable[[Game, int], None], ...] = (
    turns_and_masks,
    chance_adds_up,
    undo_goes_back,
    refusals_change_nothing,
    names_are_unique,
    positions_read_back,
    equal_keys_play_the_same,
    records_replay,
    copies_are_apart,
    scenes_show_everything,
    pointing_finds_the_choice,
    feats_come_at_the_end,
    surfaces_find_what_they_need,
    picks_are_fair,
    ends_are_counted,
    compiled_plays_the_same,
    learners_see_the_position,
    bots_play_by_the_rules,
)
NEED_NUMBA: tuple[Callable[[Game, int], None], ...] = (compiled_plays_the_same, learners_see_the_position)
"""The checks that compare compiled code with interpreted code."""


def _need_numba(instead: str = "install it with pip install 'rookery[bots]'") -> None:
    """Refuse to pass a check that could not be run."""
    if not compiling.available():
        raise RookeryError(f"Numba is not installed, so nothing was compared: {instead}.")


def _check_compiled_chances(game: Game, seed: int) -> None:
    """At every chance node of a game the outcomes and their weights are the same to the last bit."""
    import numpy

    count = game.code_count - game.action_count
    for state in random_game(game, seed, plies=60):
        if state.turn == CHANCE:
            out, weights = compiling.array([0] * count), numpy.zeros(count)
            words = compiling.array(game.compiled_words(state))
            found = compiling.compiled(game.kernel).chances(words, out, weights)  # type: ignore[arg-type]
            assert list(zip(out[:found].tolist(), weights[:found].tolist(), strict=True)) == state.chances()


def _let_happen(state: State, stream: Stream) -> None:
    """Let chance act as long as it is its turn."""
    while state.turn == CHANCE:
        state.play(state.draw(stream))


def _check_sight(state: State, player: int, seen: list[int]) -> None:
    """The shown planes are what the interpreted observation module writes, within the bounds of each plane."""
    observation: Any = state.game.observation
    planes = state.game.observation_spec().planes
    expected = [planes[0].low - 1] * len(seen)
    observation.observe(list(state.words), player, expected)
    assert seen == expected, "what is seen differs"
    for k, plane in enumerate(planes):
        low, high = min(seen[k :: len(planes)]), max(seen[k :: len(planes)])
        assert plane.low <= low and high <= plane.high, f"'{plane.meaning}' reaches from {low} to {high}"


def _check_scene(scene: Scene) -> None:
    assert len(scene.cells) == scene.rows * scene.cols, "the scene lacks cells"
    assert len(scene.row_names) == scene.rows and len(scene.col_names) == scene.cols, "rows or columns lack names"
    names = [cell.name for cell in scene.cells]
    assert all(names) and len(set(names)) == len(names), "cells cannot be told apart by name"
    assert all(0 <= panel.owner <= len(scene.players) for panel in scene.panels), "a figure belongs to nobody"
    assert {cell.role for cell in scene.cells} <= CELL_ROLES, "a cell has an unknown role"
    assert {mark.role for cell in scene.cells for mark in cell.marks} <= MARK_ROLES, "a mark has an unknown role"
    assert {choice.role for choice in scene.choices} <= CHOICE_ROLES, "a choice has an unknown role"
    keys = [choice.key for choice in scene.choices if choice.key]
    local = [(choice.at, choice.here) for choice in scene.choices if choice.here]
    assert len(set(keys)) == len(keys) and len(set(local)) == len(local), "one key plays two choices"
    assert {*keys, *(key for _, key in local)} <= KEYS, "a key is unknown"
    for choice in scene.choices:
        assert choice.label and (choice.at or choice.key), f"{choice.action} cannot be chosen"
        assert all(0 <= row < scene.rows and 0 <= col < scene.cols for row, col in choice.at), (
            "a choice is off the board"
        )
    for wall in scene.walls:
        (row, col), (next_row, next_col) = wall.between
        assert (next_row - row, next_col - col) in ((0, 1), (1, 0)), "a wall is not between neighbours"
    assert scene.message.endswith((".", "!")), f"not a sentence: {scene.message}"


def _check_line(state: State, line: tuple[str, ...]) -> None:
    """A best line starts with a legal action and goes on legally as far as no chance comes in between."""
    trial = state.copy()
    for name in line:
        if trial.turn <= 0:
            break
        trial.play(state.game.action(name))
    assert line, "there is no best line"


def _remade(game: Game) -> Callable[..., Game]:
    def make(name: str, **options: Any) -> Game:
        if name != game.name:
            raise RookeryError(f"There is no game '{name}'.")
        return type(game).make(**options)

    return make


def _proper(state: State) -> list[int]:
    return list(state.words[: state.words[STATE_SIZE]])


def _sampled(game: Game, salt: int) -> list[int]:
    """All codes of a game, or, if there are very many, some of them."""
    if game.code_count <= SAMPLE:
        return list(range(game.code_count))
    stream = Stream(salt, sys.maxsize)
    return [stream.below(game.code_count) for _ in range(SAMPLE)]
