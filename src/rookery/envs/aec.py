"""A game for several players as PettingZoo's environment, in which they act one after the other.

Loading this module, or one of those that need it, registers the environments with PettingZoo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict
from pettingzoo import AECEnv

from rookery.core.arguments import shown
from rookery.core.errors import OptionError
from rookery.core.state import State
from rookery.engine.batch import ENDED, MOST_STEPS
from rookery.envs import register_pettingzoo
from rookery.envs.limits import game_of
from rookery.envs.paint import Easel
from rookery.envs.spaces import (
    FIRST,
    RATE,
    RENDER_MODES,
    action_space,
    check_mode,
    count_of,
    seed_of,
    seen_space,
    tables_of,
)

if TYPE_CHECKING:
    from gymnasium.spaces import Space

    from rookery.core.game import Game


class SeatsEnv(AECEnv):  # type: ignore[misc]
    """A game of Rookery for `player_1`, `player_2`, …

    An observation is a dictionary: `observation` has planes of whole numbers over the board, as that player sees it,
    and `action_mask` a 1 for each action it may take now. A player who does something else loses at once: its reward is
    −1, nobody else gets any, and the game ends. At the end the winner gets 1 and the others −1; in a draw nobody gets
    any. With `max_cycles` a game is truncated after so many turns of each.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "render_fps": RATE,
        "is_parallelizable": False,
    }
    name: ClassVar[str]

    def __init__(self, render_mode: str | None = None, max_cycles: int | None = None, **options: Any) -> None:
        super().__init__()
        self.game: Game = game_of(self.name, options)
        self.render_mode = check_mode(render_mode)
        if self.game.players == 1:
            raise OptionError("PettingZoo's environments are for two or more; Gymnasium's are for one, too.")
        most = 0 if max_cycles is None else count_of("max_cycles", max_cycles, MOST_STEPS // self.game.players)
        self.batch = tables_of(self.game, most=most * self.game.players)
        self.possible_agents = [f"player_{number}" for number in range(1, self.game.players + 1)]
        self.agents: list[str] = []
        seen = seen_space(self.game)
        mask = Box(0, 1, (self.game.action_count,), numpy.int8)
        self.observation_spaces = {
            agent: Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space(self.game) for agent in self.possible_agents}
        self.count = self.game.action_count
        self.agent_selection = self.possible_agents[0]
        self.seen: Any = None
        self.begun = self.over = False
        self.easel = Easel(self.game.title, render_mode, RATE)

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Nothing is left to chance in these games, so a seed makes no difference."""
        if seed is not None:
            self.batch.seed(FIRST, numpy.array([seed_of(seed)]))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.begun, self.over = True, False
        self.seen = self.batch.begin(FIRST)[0]
        self.agent_selection = self.possible_agents[self.batch.turn - 1]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        if self.seen is not None and agent == self.agent_selection and not self.over:
            seen, self.seen = self.seen, None  # it is given away; who asks again gets another
            return {"observation": seen, "action_mask": self.batch.masks[0].copy()}
        if not self.begun:
            raise ResetNeeded("There is no game under way: call reset() first.")
        if agent not in self.possible_agents:
            raise OptionError(f"There is no agent {shown(agent)}; there are {', '.join(self.possible_agents)}.")
        seen, mask = self.batch.look(0, self.possible_agents.index(agent) + 1)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Any) -> None:
        if not self.agents:
            raise ResetNeeded("There is no game under way: call reset() first.")
        if self.over:
            self._was_dead_step(action)
            return
        agent, batch = self.agent_selection, self.batch
        try:
            legal = action is not None and 0 <= action < self.count and batch.masks.item(0, action)
        except (TypeError, ValueError):
            raise OptionError(f"An action is a whole number from 0 to {self.count - 1}, not {shown(action)}.") from None
        self._cumulative_rewards[agent] = 0.0
        if not legal:
            batch.over[0], batch.cut[0] = True, False
            self._end({agent: -1.0})
        else:
            self.seen = batch.step_one(action)
            if batch.clocks.item() != ENDED:
                self.agent_selection = self.possible_agents[batch.turn - 1]
            else:
                self._end(dict(zip(self.agents, batch.rewards[0].tolist(), strict=True)))
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The position as the render mode wants it: text, an array of pixels, or nothing but a window."""
        if not self.begun:
            raise ResetNeeded("There is no game yet: call reset() first.")
        return self.easel.show(State(self.game, self.batch.games[0].tolist()))

    def close(self) -> None:
        """Close the window, if one is open."""
        self.easel.close()

    def _end(self, rewards: dict[str, float]) -> None:
        """End the game with these rewards; then everybody has one more turn, in which nothing is done."""
        self.over = True
        self.rewards |= rewards
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, self.batch.over.item())
        self.truncations = dict.fromkeys(self.agents, self.batch.cut.item())
        self._deads_step_first()


register_pettingzoo()
