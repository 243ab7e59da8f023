"""Random play: the loop, compiled and interpreted, against games played by hand through `State`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.games.spread import GAMES, THIN_ICE, label

import rookery
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.engine.playouts import UNFINISHED, Playouts, Results
from rookery.games import from_file

if TYPE_CHECKING:
    from rookery.core.game import Game
    from rookery.core.state import State

SEED = 67
BOTH_WAYS = [True, False]


def by_hand(game: Game, index: int, most: int = 10**6) -> tuple[State, int]:
    """Game `index`, every decision left to its stream, and how many actions players made."""
    state, stream, made = game.start(), Stream(SEED, index), 0
    while not state.over and made < most:
        if state.turn == CHANCE:
            state.play(state.draw(stream))
        else:
            state.play(state.pick(stream))
            made += 1
    return state, made


def winner(state: State) -> int:
    """The only winner of a finished game, 0 if there is none or several share the win."""
    if not state.over:
        return UNFINISHED
    won = state.winners()
    return won[0] if len(won) == 1 else 0


def length(state: State, made: int) -> int:
    """A game's own count: in 67! the turn that finds no move counts too."""
    return made + 1 if state.game.name == "sixseven" and state.over and not state.winners() else made


def left(state: State) -> dict[Any, int]:
    """What a game left on the board, by map and place, read from its position as JSON."""
    found: dict[Any, int] = {}
    fields: Any = state.json()
    game: Any = state.game
    if game.name == "gaterun":
        for wall in fields["walls"]:
            one, other = ([int(x) for x in cell.split(",")] for cell in wall.split("|"))
            found[0, (tuple(one), tuple(other))] = 1
        return found
    for row, line in enumerate(fields["rows"]):
        for col, sign in enumerate(line.split(",") if game.name == "gotham" else line):
            place = ((row, col),)
            if game.name == "gamma" and sign != ".":
                found[int(sign) - 1, place] = 1
            if game.name == "sixseven" and sign == "67":
                found[0, place] = 1
            if game.name == "thin_ice" and sign == "#":
                found[0, place] = 1
    return found


SMALL = [
    rookery.game("gotham"),
    rookery.game("gotham", level="quad", rules="online"),
    rookery.game("gotham", size=3, coins=1),
    rookery.game("gamma", width=5, height=4, players=3, areas=2),
    rookery.game("gamma", width=4, height=4, players=2, areas=1, pass_out=False),
    rookery.game("gamma", width=1, height=1, players=1, areas=1),
    rookery.game("sixseven", rows=4, cols=4),
    rookery.game("sixseven", rows=5, cols=5, variant="final", rate=0.6, operators="+*", tiles=3),
    rookery.game("sixseven", rows=2, cols=2, variant="original", tiles=1),
    rookery.game("gaterun", size=4, walls=3, jump=True, rotate=True),
    rookery.game("gaterun", size=3, walls=0),
    from_file(THIN_ICE).make(rows=4, cols=5),
]


@pytest.mark.parametrize("compiled", BOTH_WAYS, ids=["compiled", "interpreted"])
@pytest.mark.parametrize("game", SMALL, ids=label)
def test_the_loop_plays_the_games_of_the_random_bot(game: Game, compiled: bool) -> None:
    count = 12
    results = Playouts(game, compiled=compiled).play(SEED, 0, count, 10**6)
    played = [by_hand(game, index) for index in range(count)]
    assert results.moves == [length(state, made) for state, made in played]
    assert results.winners == [winner(state) if game.winnable else 0 for state, _ in played]
    assert results.scores == [score for state, _ in played for score in state.scores()]
    assert results.made == sum(made for _, made in played)


@pytest.mark.parametrize("game", [each for each in SMALL if each.name != "gotham"], ids=label)
def test_what_games_leave_on_the_board_is_counted(game: Game) -> None:
    count = 200 if game.name == "sixseven" else 10
    results = Playouts(game).play(SEED, 0, count, 10**6)
    expected = dict.fromkeys(((m, place) for m, each in enumerate(game.maps()) for place in each.places), 0)
    for index in range(count):
        for place, many in left(by_hand(game, index)[0]).items():
            expected[place] += many
    assert results.counts == list(expected.values())
    if label(game).startswith("sixseven-rows=5"):
        assert sum(results.counts) >= sum(won == 1 for won in results.winners) > 0


def test_a_round_of_gotham_fails_on_one_cell_or_comes_home() -> None:
    game = rookery.game("gotham", size=5)
    results = Playouts(game).play(SEED, 0, 50, 10**6)
    visited, failed = results.counts[:25], results.counts[25:]
    states = [by_hand(game, index)[0] for index in range(50)]
    fields: list[Any] = [state.json() for state in states]
    for cell in range(25):
        name = f"{cell // 5},{cell % 5}"
        assert failed[cell] == sum(each["failed"].count(name) for each in fields)
    assert visited[12] == 50 * 7 - sum(failed), "home is visited by the rounds that come back"


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_compiled_and_interpreted_play_the_same(game: Game) -> None:
    most = 150  # large boards are slow to interpret
    assert Playouts(game).play(SEED, 3, 4, most) == Playouts(game, compiled=False).play(SEED, 3, 4, most)


@pytest.mark.parametrize("compiled", BOTH_WAYS)
def test_a_game_is_the_same_in_whatever_company(compiled: bool) -> None:
    loop = Playouts(rookery.game("gotham", size=5), compiled=compiled)
    whole = loop.play(SEED, 0, 40, 10**6)
    parts = [loop.play(SEED, first, count, 10**6) for first, count in ((25, 15), (0, 1), (1, 24))]
    assert sum((parts[k].moves for k in (1, 2, 0)), list[int]()) == whole.moves
    assert sum((parts[k].scores for k in (1, 2, 0)), list[float]()) == whole.scores
    assert [sum(each) for each in zip(*(part.counts for part in parts), strict=True)] == whole.counts
    assert loop.play(SEED + 1, 0, 40, 10**6).scores != whole.scores


def test_the_largest_seed_and_game_can_be_played() -> None:
    game, largest = rookery.game("sixseven", rows=3, cols=3), 2**63 - 1
    compiled, interpreted = (
        Playouts(game, compiled=compiled).play(largest, largest, 1, 10**6) for compiled in BOTH_WAYS
    )
    assert compiled == interpreted
    state, stream = game.start(), Stream(largest, largest)
    while not state.over:
        state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
    assert compiled.moves == [sum(action < game.action_count for action in state.history) + 1]


@pytest.mark.parametrize("compiled", BOTH_WAYS)
def test_a_game_is_broken_off_after_so_many_actions(compiled: bool) -> None:
    game = rookery.game("gaterun", size=4, walls=2)
    lengths = [by_hand(game, index)[1] for index in range(30)]
    most = sorted(lengths)[12]
    results = Playouts(game, compiled=compiled).play(SEED, 0, 30, most)
    expected = [by_hand(game, index, most) for index in range(30)]
    assert results.winners == [winner(state) for state, _ in expected]
    assert results.winners.count(UNFINISHED) == sum(length > most for length in lengths) > 0
    assert results.moves == [min(length, most) for length in lengths], "one that ends in time is not broken off"
    assert results.scores == [score for state, _ in expected for score in state.scores()]


def test_a_game_without_end_is_broken_off() -> None:
    """All tiles are +, and of two + that meet one remains: the board never fills up."""
    endless = rookery.game("sixseven", variant="final", rate=1.0, operators="+")
    assert Playouts(endless).play(SEED, 0, 3, 5000) == Results(15000, [5000] * 3, [UNFINISHED] * 3, [0.0] * 3, [0] * 42)


def test_a_lost_67_has_one_move_more_than_slides() -> None:
    results = Playouts(rookery.game("sixseven", rows=5, cols=5, variant="final", rate=0.6)).play(SEED, 0, 300, 10**6)
    lost = results.winners.count(0)
    assert 0 < lost < 300
    assert sum(results.moves) == results.made + lost


def test_a_random_player_passes_only_if_nothing_else_is_left() -> None:
    """A game of Gamma that may not be passed out ends when nobody can act: every action took a cell."""
    results = Playouts(rookery.game("gamma", width=4, height=4, areas=16)).play(SEED, 0, 50, 10**6)
    assert results.moves == [18] * 50, "sixteen free cells and two golden moves"
    assert all(one + two == 16 for one, two in zip(results.scores[::2], results.scores[1::2], strict=True))
