"""Calls of games and states."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rookery.core.record import Record
from rookery.core.state import State
from tests.fuzz_api.values import WRONG, Kind

if TYPE_CHECKING:
    from rookery.core.game import Game
    from tests.fuzz_api.values import Call, Values

NEAR = (-1, 0, 1, 2, 5, 9, 10**6)
"""Rows and columns on a board, beside it and far off."""


class GameCalls:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.kinds = [
            Kind("state", 14, self.of_state),
            Kind("game", 6, self.of_game),
            Kind("game and state", 6, self.of_game_and_state),
            Kind("position", 8, self.of_position),
        ]

    def of_state(self) -> Call:
        """Query a state, or play on a copy of it."""
        v = self.values
        state = v.state().copy()
        action = v.action(state.game)
        calls: list[Call] = [
            partial(state.play, action),
            partial(state.legal, action),
            partial(state.why_not, action),
            partial(state.before, v.number()),
            partial(state.pick, v.stream()),
            partial(state.draw, v.stream()),
            *(state.undo, state.actions, state.mask, state.chances, state.key, state.position, state.json),
            *(state.copy, state.winners, state.scores, partial(str, state), partial(repr, state)),
            partial(State, v.game_only(), state.words),
            partial(Record.of, state, ("a", "b")),
            partial(Record.of, state, ending=v.one(({"how": "time", "player": v.number()}, v.anything()))),
            partial(self.replayed, state, v.number()),
        ]
        return v.one(calls)

    @staticmethod
    def replayed(state: State, plies: Any) -> State:
        return Record.of(state).replay(plies)

    def of_game(self) -> Call:
        """Ask a game for names, solvers and trainers."""
        v = self.values
        game, state = v.game_only(), v.state()
        calls: list[Call] = [
            partial(game.name_of, v.one((v.number(large=True), v.anything()))),
            partial(game.action, v.one((v.mutated(v.name(game)), v.one(WRONG)))),
            partial(self.estimated, game, v.one((None, state, v.anything()))),
            partial(game.trainer, v.number(large=True), v.number()),
        ]
        return v.one(calls)

    @staticmethod
    def estimated(game: Game, state: Any) -> Any:
        solver = game.solver(state)
        return None if solver is None else solver.estimate()

    def of_game_and_state(self) -> Call:
        """Ask a game about a state, which in many cases is of another game, or no state."""
        v = self.values
        state: Any = v.state()
        game = state.game if v.chance(0.6) else v.game_only()
        state = v.mostly(state)
        spots: Any = tuple((v.one(NEAR), v.one(NEAR)) for _ in range(v.random.randrange(4)))
        spots = v.one((spots, spots, v.anything(), (v.anything(),), ((0, v.anything()),)))
        how = [
            (game.pointed, spots),
            (game.achievement, v.one((v.random.randint(1, game.players), v.anything()))),
            (game.why_not, v.action(game)),
            *((each,) for each in (game.winners, game.key, game.describe, game.log_fields, game.compiled_words)),
        ]
        method, *more = v.one(how)
        return partial(self.of_its_own, game, method, state, *more)

    @staticmethod
    def of_its_own(game: Game, method: Any, state: Any, *more: Any) -> Any:
        answer = method(state, *more)
        assert isinstance(state, State) and state.game == game, f"{game} answers for another game"
        return answer

    def of_position(self) -> Call:
        """Read a position from text or JSON that may be wrong; bots play on from valid ones."""
        v = self.values
        k = v.random.randrange(len(v.games))
        game, state = v.games[k], v.one(v.states[k])
        given: Any = v.mutated(state.position()) if v.chance(0.5) else v.reshaped(state.json())
        if v.chance(0.05):
            given = v.one((v.anything(), v.state().position(), v.state().json()))
        return partial(self.read, k, game, given)

    def read(self, k: int, game: Game, given: Any) -> State:
        state = game.position(given)
        again = game.position(state.position())
        assert again.key() == state.key(), f"{given!r} reads back as another position"
        self.values.keep(k, state)
        return state
