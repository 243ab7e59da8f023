"""A game for several players as a PettingZoo AEC environment, in which agents act in turn.

Importing this module, or one that uses it, registers the environments with PettingZoo.
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
from rookery.envs.rendering import Renderer
from rookery.envs.spaces import (
    FIRST,
    FPS,
    RENDER_MODES,
    action_space,
    check_mode,
    count_of,
    make_batch,
    observation_space,
    seed_of,
)

if TYPE_CHECKING:
    from gymnasium.spaces import Space

    from rookery.core.game import Game


class GameAECEnv(AECEnv):  # type: ignore[misc]
    """A game of Rookery for `player_1`, `player_2`, …

    An observation is a dictionary: `observation` has integer planes over the board, as that player sees it, and
    `action_mask` has a 1 for each legal action. A player that takes an illegal action loses at once: its reward is −1,
    the others get 0, and the game ends. At the end the winner gets 1 and the others −1; in a draw all get 0. With
    `max_cycles` a game is truncated after this many turns of each player.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "render_fps": FPS,
        "is_parallelizable": False,
    }
    name: ClassVar[str]

    def __init__(self, render_mode: str | None = None, max_cycles: int | None = None, **options: Any) -> None:
        super().__init__()
        self.game: Game = game_of(self.name, options)
        self.render_mode = check_mode(render_mode)
        if self.game.players == 1:
            raise OptionError("A PettingZoo environment needs two players or more; use Gymnasium for one.")
        most = 0 if max_cycles is None else count_of("max_cycles", max_cycles, MOST_STEPS // self.game.players)
        self.batch = make_batch(self.game, most=most * self.game.players)
        self.possible_agents = [f"player_{number}" for number in range(1, self.game.players + 1)]
        self.agents: list[str] = []
        space = observation_space(self.game)
        mask = Box(0, 1, (self.game.action_count,), numpy.int8)
        self.observation_spaces = {
            agent: Dict({"observation": space, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space(self.game) for agent in self.possible_agents}
        self.count = self.game.action_count
        self.agent_selection = self.possible_agents[0]
        self.observation: Any = None
        self.started = self.over = False
        self.renderer = Renderer(self.game.title, render_mode, FPS)

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. The games are deterministic, so the seed makes no difference."""
        if seed is not None:
            self.batch.seed(FIRST, numpy.array([seed_of(seed)]))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.started, self.over = True, False
        self.observation = self.batch.begin(FIRST)[0]
        self.agent_selection = self.possible_agents[self.batch.turn - 1]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        if self.observation is not None and agent == self.agent_selection and not self.over:
            observation, self.observation = self.observation, None  # given away: the next caller gets a new array
            return {"observation": observation, "action_mask": self.batch.masks[0].copy()}
        if not self.started:
            raise ResetNeeded("No game has started: call reset() first.")
        if agent not in self.possible_agents:
            raise OptionError(f"There is no agent {shown(agent)}; there are {', '.join(self.possible_agents)}.")
        observation, mask = self.batch.look(0, self.possible_agents.index(agent) + 1)
        return {"observation": observation, "action_mask": mask}

    def step(self, action: Any) -> None:
        if not self.agents:
            raise ResetNeeded("No game has started: call reset() first.")
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
            self.observation = batch.step_one(action)
            if batch.clocks.item() != ENDED:
                self.agent_selection = self.possible_agents[batch.turn - 1]
            else:
                self._end(dict(zip(self.agents, batch.rewards[0].tolist(), strict=True)))
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Render the position by the render mode: as text, as an array of pixels, or in a window."""
        if not self.started:
            raise ResetNeeded("No game has started: call reset() first.")
        return self.renderer.show(State(self.game, self.batch.games[0].tolist()))

    def close(self) -> None:
        """Close the window, if one is open."""
        self.renderer.close()

    def _end(self, rewards: dict[str, float]) -> None:
        """End the game with these rewards; as PettingZoo requires, every agent then has one empty turn."""
        self.over = True
        self.rewards |= rewards
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, self.batch.over.item())
        self.truncations = dict.fromkeys(self.agents, self.batch.cut.item())
        self._deads_step_first()


register_pettingzoo()
