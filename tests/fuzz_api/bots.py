"""Calls of bots, and calls for games, bots and records by name."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import rookery
from rookery.core.bot import make_bot
from rookery.games import find
from tests.fuzz_api.values import WRONG, Kind, as_json

if TYPE_CHECKING:
    from rookery.core.bot import Bot
    from tests.fuzz_api.values import Call, Values


class BotCalls:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.kinds = [
            Kind("bot on a state", 40, self.of_bot),
            Kind("bot on a game", 8, self.of_bot_and_game),
            Kind("by name", 8, self.of_making),
        ]

    def of_bot(self) -> Call:
        """Ask a bot for a move or an analysis."""
        v = self.values
        bot: Bot = v.one(v.bots)
        state: Any = v.own_state(bot) if v.chance(0.75) else v.one((v.state(), v.anything()))
        how = v.random.randrange(4)
        if how == 0:
            return partial(self.chosen, bot, state, v.stream(), v.limits())
        if how == 1:
            return partial(self.analysed, bot, state, v.limits(), v.mostly(bot.unit))
        return partial(bot.search if how == 2 else bot.search_best, state, v.budget(), v.stream())

    @staticmethod
    def chosen(bot: Bot, state: Any, stream: Any, limits: dict[str, Any]) -> int:
        action = bot.choose(state, stream=stream, **limits)
        assert state.legal(action), f"{bot} chose {action}, which is illegal"
        return action

    @staticmethod
    def analysed(bot: Bot, state: Any, limits: dict[str, Any], unit: Any) -> str:
        return bot.analyse(state, **limits).verdict(unit)

    def of_bot_and_game(self) -> Call:
        bot: Bot = self.values.one(self.values.bots)
        return partial(self.values.one((bot.ready, bot.accept, bot.remark)), self.values.game())

    def of_making(self) -> Call:
        """Ask for games, bots and records by name."""
        v = self.values
        name = v.one(("gotham", "gamma", "sixseven", "gaterun", "thin_ice", "chess", v.one(WRONG)))
        how = v.random.randrange(5)
        if how == 0:
            cls = find(v.one(("gotham", "gamma", "sixseven", "gaterun")))
            options = {v.one([*cls().options, "none"]): v.anything() for _ in range(v.random.randrange(3))}
            return partial(rookery.game, cls.name, **options)
        if how == 1:
            return partial(rookery.bot, name, v.one((v.mutated(str(v.one(v.bots))), v.one(WRONG))))
        if how == 2:
            return partial(rookery.bot, name, level=v.number())
        if how == 3:
            return partial(make_bot, v.game(), v.one((str(v.one(v.bots)), v.one(WRONG))))
        line: Any = v.one(v.records).line()
        if v.chance(0.5):
            line = v.mutated(line)
        elif v.chance(0.9):
            line = as_json(v.reshaped(json.loads(line)))
        else:
            line = v.anything()
        return partial(rookery.record, line)
