"""Calls for what people read: actions, goals and endings in words, boards as emoji, scenes, and the names of players."""

from __future__ import annotations

from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

from rookery.core.ending import tell
from rookery.core.names import Names
from rookery.core.state import State
from tests.fuzz_api.values import WRONG, Kind

if TYPE_CHECKING:
    from rookery.core.game import Game
    from tests.fuzz_api.values import Call, Values


class WordCalls:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.kinds = [
            Kind("phrase", 8, self.of_phrase),
            Kind("ending", 8, self.of_ending),
            Kind("scene and names", 6, self.of_names),
        ]

    def of_phrase(self) -> Call:
        """Ask for an action or a goal in words."""
        v = self.values
        game = v.game_only()
        calls: list[Call] = [
            partial(self.phrase, game, v.action(game)),
            partial(self.phrase, game, v.action(game)),
            partial(game.phrase_of, v.one((v.name(game), v.mutated(v.name(game)), v.one(WRONG)))),
            partial(self.goal, game, v.number()),
            *(game.options_text, game.quick_rules, game.level_results),
        ]
        return v.one(calls)

    @staticmethod
    def phrase(game: Game, action: Any) -> str:
        text = game.phrase(action)
        assert 0 <= index(action) < game.code_count, f"{action} is no action of {game}, but is called {text}"
        return text

    @staticmethod
    def goal(game: Game, player: Any) -> str:
        text = game.goal(player)
        assert 0 <= index(player) <= game.players, f"{player} is no player of {game}"
        return text

    def of_ending(self) -> Call:
        """Ask how a game ended, of finished and other states, of its own and of another game."""
        v = self.values
        state: Any = v.state() if v.chance(0.3) else v.one(self.finished() or [v.state()])
        game = state.game if v.chance(0.8) else v.game_only()
        names: Any = tuple(f"N{k}" for k in range(1, game.players + 1))
        names = v.one(
            (names, names, list(names), names[1:], (*names, "Ida"), v.anything(), [v.anything()] * len(names))
        )
        ending = v.one((None, {"how": v.one(("time", "resigned", "died")), "player": v.number()}, v.anything()))
        state = v.mostly(state)
        results = game.level_results()
        calls: list[Call] = [
            partial(self.ending_text, game, state, names),
            partial(self.ending_text, game, state, names),
            partial(self.emoji, game, state),
            partial(tell, state, names, ending),
        ]
        if results is not None:
            calls.append(partial(results.around, v.number(large=True)))
        return v.one(calls)

    def finished(self) -> list[State]:
        """All finished states of some game."""
        return [state for state in self.values.one(list(self.values.states.values())) if state.over]

    @staticmethod
    def ending_text(game: Game, state: Any, names: Any) -> str:
        text = game.ending_text(state, names)
        assert state.game == game and state.over and len(names) == game.players, "an ending that there is not"
        return text

    @staticmethod
    def emoji(game: Game, state: Any) -> str:
        text = game.emoji(state)
        assert state.game == game, f"the board of another game than {game}"
        return text

    def of_names(self) -> Call:
        """Ask for a scene with names, or for a name."""
        v = self.values
        state = v.state()
        given = v.one((("Ada", "Bo"), (), ["Ada"], ("Ada", ""), v.anything(), (v.anything(),)))
        odds, viewer, player = v.one((True, False)), v.number(), v.number()
        calls: list[Call] = [
            partial(state.scene, viewer, odds=odds),
            partial(self.scene, state, viewer, given, v.number()),
            partial(state.scene, names=v.anything()),
            partial(self.named, given, v.number(), v.one(("of", "whose", "owned", "turn", "all")), player),
            partial(self.named, given, v.number(), "does", player, "win", "wins"),
            partial(state.game.in_notation, v.one((state, v.anything()))),
        ]
        return v.one(calls)

    @staticmethod
    def scene(state: State, viewer: Any, given: Any, you: Any) -> Any:
        return state.scene(viewer, names=Names(given, you))

    @staticmethod
    def named(given: Any, you: Any, method: str, player: Any, *verbs: str) -> Any:
        answer = getattr(Names(given, you), method)(player, *verbs)
        assert index(player) > 0 or method == "all", f"there is no player {player}, who is called {answer}"
        return answer
