"""No call with wrong arguments reaches compiled code: a bot refuses other games, and what takes numbers checks them."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy
import pytest
from tests.games.spread import THIN_ICE

import rookery
from rookery.core.bot import Bot, Budget, Random, make_bot, ranked
from rookery.core.errors import MalformedAction, OptionError, PositionError, RookeryError
from rookery.core.game import Game
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.engine.batch import GameBatch
from rookery.engine.playouts import Playouts
from rookery.games import find, from_file
from rookery.lab.experiment import Experiment
from rookery.search.mcts import Mcts

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.bot import Analysis

SMALL: dict[str, dict[str, Any]] = {
    "gotham": {"size": 5},
    "gamma": {"width": 4, "height": 4},
    "sixseven": {"rows": 3, "cols": 3},
    "gaterun": {"size": 3, "walls": 1},
}
PAIRS = [
    (own, spec, other)
    for own in SMALL
    for spec, bot in find(own).bots().items()
    for other in SMALL
    if own != other and bot.plays is not Game
]
THROUGH: dict[str, Callable[[Bot, State], object]] = {
    "choose": lambda bot, state: bot.choose(state, nodes=1),
    "analyse": lambda bot, state: bot.analyse(state, nodes=1),
    "search": lambda bot, state: bot.search(state, Budget(nodes=1), Stream()),
    "search_best": lambda bot, state: bot.search_best(state, Budget(nodes=1), Stream()),
    "ready": lambda bot, state: bot.ready(state.game),
    "accept": lambda bot, state: bot.accept(state.game),
    "remark": lambda bot, state: bot.remark(state.game),
}


def to_move(game: Game) -> State:
    """A state of the game with a player to move."""
    state = game.start()
    while state.turn == CHANCE:
        state.play(state.draw(Stream()))
    return state


def test_a_state_of_another_game_does_not_kill_the_interpreter() -> None:
    code = "import rookery; rookery.bot('gotham', 'greedy').choose(rookery.game('gaterun').start())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("OptionError: The bot greedy plays Gotham Loops, not GateRun.\n")


@pytest.mark.parametrize(("own", "spec", "other"), PAIRS)
def test_a_bot_refuses_every_other_game_in_every_way(own: str, spec: str, other: str) -> None:
    bot, state = rookery.bot(own, spec), to_move(rookery.game(other, **SMALL[other]))
    sentence = f"The bot {spec} plays {find(own).title}, not {find(other).title}."
    for call in THROUGH.values():
        with pytest.raises(OptionError) as caught:
            call(bot, state)
        assert str(caught.value) == sentence


@pytest.mark.parametrize("given", [None, "gaterun", 7, rookery.game("gaterun")])
def test_a_bot_takes_states_only(given: Any) -> None:
    for call in (rookery.bot("gaterun", "greedy").choose, rookery.bot("gaterun", "random").analyse):
        with pytest.raises(OptionError, match="takes a State, not"):
            call(given)


@pytest.mark.parametrize("bot", [Random(), Mcts(nodes=5)])
def test_random_and_mcts_play_every_game(bot: Bot) -> None:
    for game in (*(rookery.game(name, **options) for name, options in SMALL.items()), from_file(THIN_ICE)()):
        state = to_move(game)
        bot.accept(game)
        with compiling.interpreting():  # compiling it for every game would take long
            assert state.legal(bot.choose(state, stream=Stream(1)))


def test_a_bot_that_says_nothing_plays_the_games_that_list_it() -> None:
    greedy = from_file(THIN_ICE).bots()["greedy"]()
    assert greedy.plays is None
    assert greedy.choose(from_file(THIN_ICE)().start()) in range(4)
    with pytest.raises(OptionError, match=r"The bot greedy is not one of GateRun's: list it in the game's `bots\(\)`"):
        greedy.choose(rookery.game("gaterun").start())


@dataclass(frozen=True)
class First(Bot):
    """Plays the first action of any game."""

    name: ClassVar[str] = "first"

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return ranked(state, {state.actions()[0]: 0.0}, nodes=1)


@dataclass(frozen=True)
class FirstAnywhere(First):
    plays: ClassVar[type[Game] | None] = Game


@dataclass(frozen=True)
class WithOtherRules(Mcts):
    search_rules: ClassVar[Any] = find("gotham").kernel


def test_a_bot_that_no_game_lists_says_what_it_plays() -> None:
    state = rookery.game("gaterun").start()
    with pytest.raises(OptionError, match="set the bot's `plays` to the game"):
        First().choose(state)
    assert FirstAnywhere().choose(state) == state.actions()[0]


def test_tree_search_with_rules_of_its_own_plays_no_game_that_does_not_list_it() -> None:
    with pytest.raises(OptionError, match="The bot mcts is not one of GateRun's"):
        WithOtherRules().choose(rookery.game("gaterun").start(), nodes=1)


def test_no_bot_thinks_where_nobody_is_to_move() -> None:
    over, stream = rookery.game("gaterun", size=3).start(), Stream(1)
    while not over.over:
        over.play(over.pick(stream))
    for spec in find("gaterun").bots():
        for way in ("search", "search_best"):
            with pytest.raises(RookeryError, match="no action to choose"):
                THROUGH[way](rookery.bot("gaterun", spec), over)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ms": 0}, "ms takes a number above 0, at most 1000000000000, not 0."),
        ({"ms": math.nan}, "ms takes a number above 0, at most 1000000000000, not nan."),
        ({"ms": math.inf}, "ms takes a number above 0, at most 1000000000000, not inf."),
        ({"ms": 10**400}, "ms takes a number above 0, at most 1000000000000, not 1" + "0" * 56 + "…."),
        ({"ms": "5"}, "ms takes a number above 0, at most 1000000000000, not '5'."),
        ({"nodes": 0}, "nodes takes a whole number from 1 to 9007199254740992, not 0."),
        ({"nodes": 1.5}, "nodes takes a whole number from 1 to 9007199254740992, not 1.5."),
        ({"nodes": 2**70}, "nodes takes a whole number from 1 to 9007199254740992, not 1180591620717411303424."),
        ({"nodes": "5"}, "nodes takes a whole number from 1 to 9007199254740992, not '5'."),
        ({"budget": 5}, "The budget is a Budget, not 5."),
        ({"stream": 5}, "The stream is a Stream or None, not 5."),
    ],
)
def test_a_budget_or_stream_that_is_none_is_refused(given: dict[str, Any], message: str) -> None:
    for name, spec in (("gaterun", "alphabeta"), ("gotham", "greedy"), ("gamma", "mcts"), ("gamma", "settler")):
        with pytest.raises(OptionError) as caught:
            rookery.bot(name, spec).choose(rookery.game(name).start(), **given)
        assert str(caught.value) == message


def test_the_longest_time_to_think_can_be_waited_for() -> None:
    state = rookery.game("gamma", width=3, height=3).start()
    analysis = rookery.bot("gamma", "settler").analyse(state, Budget(ms=10**12, nodes=3))
    assert analysis.nodes == 3


@pytest.mark.parametrize("action", ["up", 1.0, None, [1], numpy.array([1, 2])])
def test_an_action_is_a_number(action: Any) -> None:
    state = rookery.game("sixseven").start()
    for call in (state.play, state.legal, state.why_not):
        with pytest.raises(MalformedAction, match="An action is a whole number"):
            call(action)
    with pytest.raises(MalformedAction, match="67! has no action"):
        state.game.name_of(action)
    assert state.history == ()


def test_numbers_of_thousands_of_digits_are_refused_as_others_are() -> None:
    state = rookery.game("sixseven").start()
    for call in (state.play, state.game.name_of, state.before):
        with pytest.raises(RookeryError, match="a number of thousands of digits"):
            call(10**5000)


@pytest.mark.parametrize("text", [None, 5, b"up", ["up"]])
def test_the_name_of_an_action_is_text(text: Any) -> None:
    with pytest.raises(MalformedAction, match="The name of an action is text"):
        rookery.game("sixseven").action(text)


def test_a_state_has_as_many_words_as_its_game() -> None:
    words = rookery.game("gaterun", size=5).start().words
    for game in (rookery.game("gotham"), rookery.game("gamma", width=30)):
        with pytest.raises(PositionError, match=r"A position of .* with these options has \d+ words"):
            State(game, words)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1", None, True])
def test_a_stream_takes_whole_numbers_from_0(seed: Any) -> None:
    with pytest.raises(RookeryError, match="seed takes a whole number from 0 to 9223372036854775807, not"):
        Stream(seed)
    with pytest.raises(RookeryError, match="seed takes a whole number"):
        Playouts(rookery.game("gaterun", size=3)).play(seed, 0, 1, 10)


def test_a_stream_draws_from_something() -> None:
    for n in (0, -1, 2**31, 1.5, None):
        with pytest.raises(OptionError, match="n takes a whole number from 1 to 2147483647"):
            Stream().below(n)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="There is nothing to pick"):
        Stream().pick([])
    assert Stream(numpy.int64(7)).below(numpy.int64(6)) == Stream(7).below(6)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((0, -1, 1, 10), "first takes a whole number from 0 to 9223372036854775807, not -1."),
        ((0, 2**63 - 2, 3, 10), "first takes a whole number from 0 to 9223372036854775805, not 9223372036854775806."),
        ((0, 0, -1, 10), "count takes a whole number from 0 to 1000000000, not -1."),
        ((0, 0, 1, None), "most takes a whole number from 0 to 1000000000, not None."),
    ],
)
def test_playouts_check_what_they_are_given(given: tuple[Any, ...], message: str) -> None:
    for compiled in (False, True):
        with pytest.raises(OptionError) as caught:
            Playouts(rookery.game("gotham"), compiled=compiled).play(*given)
        assert str(caught.value) == message


def test_tables_check_what_they_are_given() -> None:
    game = rookery.game("gaterun", size=3)
    wrong: dict[str, Any]
    for wrong in ({"many": 0}, {"many": "2"}, {"seat": 3}, {"seat": -1}, {"most": -1}, {"threads": 0}):
        with pytest.raises(OptionError, match=f"{next(iter(wrong))} takes a whole number"):
            GameBatch(game, **wrong)
    batch = GameBatch(game, 2)
    batch.begin([0, 1])
    for which in ([2], [-1], [0.5], 0, ["a"], [[0]]):
        with pytest.raises(OptionError, match="Games are whole numbers from 0 to 1, in one row"):
            batch.begin(which)
    for seeds, message in (([1], "1 seeds for 2 games"), ([1, -1], "Seeds are"), ([1, 2**63], "Seeds are")):
        with pytest.raises(OptionError, match=message):
            batch.seed([0, 1], seeds)
    for actions, message in (([0], "1 actions for 2 games"), ([0, 99], "Actions are"), ([0.0, 1.0], "Actions are")):
        with pytest.raises(OptionError, match=message):
            batch.step(actions)
    for place in ((2, 1), (-1, 1), (0, 0), (0, 3)):
        with pytest.raises(OptionError, match="takes a whole number"):
            batch.look(*place)


def test_tables_that_were_given_no_seeds_still_have_streams() -> None:
    """A stream of zeros gives only zeros, so a loop that draws until something fits would never end."""
    batch = GameBatch(from_file(THIN_ICE)(), 3, seat=2)
    assert batch.begin([0, 1, 2]).shape == (3, 6, 7, 3)
    assert len({tuple(stream) for stream in batch.streams.tolist()}) == 3


def test_a_solver_takes_states_of_its_own_game_only() -> None:
    game = rookery.game("gotham", size=5)
    assert game.solver(game.start()) is not None
    for other, whose in (
        (rookery.game("gotham", size=7).start(), "but of the same game with other options"),
        (rookery.game("gaterun").start(), "but of GateRun"),
    ):
        with pytest.raises(PositionError, match=f"not a state of Gotham Loops with these options, {whose}"):
            game.solver(other)
    with pytest.raises(PositionError, match="This is not a State: 'start'"):
        game.solver("start")  # type: ignore[arg-type]
    for name in ("gotham", "gaterun"):
        solver = rookery.game(name, **SMALL[name]).solver()
        assert solver is not None
        with pytest.raises(OptionError, match="workers takes a whole number from 1 to 1024, not 0"):
            solver.run(0)


anything: Any = rookery  # whose functions take what type checkers refuse


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: anything.game([]), r"The name of a game is text, not \[\]"),
        (lambda: rookery.game("x" * 1000), r"There is no game 'x{56}…;"),
        (lambda: anything.bot("gaterun", 5), "A bot is named in text, as NAME or NAME:key=value, not 5"),
        (lambda: rookery.bot("gaterun", level=10**5000), "level takes a whole number from 1 to 10, not a number of th"),
        (lambda: anything.bot("gaterun", level="3"), "level takes a whole number from 1 to 10, not '3'"),
        (lambda: make_bot(anything, "greedy"), "Bots play a game, not <module"),
        (lambda: anything.record(5), "a record is one line of JSON, not 5"),
        (lambda: from_file("\0"), "There is no file"),
        (lambda: from_file(str(Path(THIN_ICE).parent.parent / "README.md")), "its name must end in .py"),
        (lambda: rookery.game("gamma", width=numpy.zeros((3, 3))), r"not array\(\[\[0., 0., 0.\], \["),
        (lambda: Record.of(rookery.game("gamma").start()).replay(anything), "there is no ply <module"),
        (lambda: Experiment.of(rookery.game("gamma"), most=anything), "most takes a whole number .*, not <module"),
    ],
)
def test_wrong_names_and_lines_get_a_sentence(call: Callable[[], object], message: str) -> None:
    with pytest.raises(RookeryError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_nothing_but_a_stream_is_drawn_from() -> None:
    """A state has words too, and drawing from them would change it."""
    picking, drawing, other = (rookery.game(name).start() for name in ("gamma", "sixseven", "gaterun"))
    before = list(other.words)
    for call in (picking.pick, drawing.draw):
        with pytest.raises(OptionError, match="The stream is a Stream, not <State of GateRun"):
            call(other)  # type: ignore[arg-type]
    assert list(other.words) == before


def test_text_of_several_lines_is_shown_in_one() -> None:
    game = rookery.game("gaterun")
    for call in (game.action, rookery.game, rookery.record, lambda text: rookery.bot("gaterun", text)):
        with pytest.raises(RookeryError) as caught:
            call("1\n2")
        assert "\n" not in str(caught.value)


def test_no_games_can_begin_anew() -> None:
    assert GameBatch(rookery.game("gaterun", size=3), 2).begin([]).shape == (0, 3, 3, 13)
