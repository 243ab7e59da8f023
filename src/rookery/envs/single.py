"""A game as a Gymnasium environment: `gymnasium.make("rookery/SixSeven-v0")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import numpy
from gymnasium.error import ResetNeeded

from rookery.core.state import State
from rookery.envs import sixseven_original as original
from rookery.envs.limits import game_of
from rookery.envs.rendering import Renderer
from rookery.envs.spaces import (
    FIRST,
    FPS,
    RENDER_MODES,
    SEEDS,
    action_space,
    check_mode,
    make_batch,
    observation_space,
    seat_of,
    seed_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rookery.core.game import Game


class GameEnv(gymnasium.Env[Any, Any]):
    """A game of Rookery. Observations are integer planes over the board, described by `game.observation_spec()`.
    Actions are integers; `game.name_of(action)` gives their names. `info["action_mask"]` has a 1 for each legal action;
    an illegal one changes nothing and its reward is 0.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": FPS}  # noqa: RUF012 - as in Gymnasium
    name: ClassVar[str]

    def __init__(
        self, render_mode: str | None = None, opponent: str | None = None, seat: int | None = None, **options: Any
    ) -> None:
        self.game: Game = game_of(self.name, options)
        self.render_mode = check_mode(render_mode)
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self.batch = make_batch(self.game, seat=seat_of(self.game, opponent, seat))
        self.multiplayer = self.game.players > 1
        self.seeded = self.started = self.running = False
        self.renderer = Renderer(self.game.title, render_mode, FPS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start a new game; the same seed gives the same game."""
        given = None if seed is None else seed_of(seed)
        super().reset(seed=given)
        if given is None and not self.seeded:
            given = int(self.np_random.integers(SEEDS))
        if given is not None:
            self.batch.seed(FIRST, numpy.array([given]))
            self.seeded = True
        observation = self.batch.begin(FIRST)[0]
        self.started = self.running = True
        if self.render_mode == "human":
            self.render()
        return observation, self._info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Take an action; chance and the opponent, if there is one, act until it is your turn again."""
        if not self.running:
            raise ResetNeeded("No game is running: call reset() first.")
        observation = self.batch.step_one(action)
        over = self.batch.over.item()
        self.running = not over
        if self.render_mode == "human":
            self.render()
        return observation, self.batch.gain.item(), over, False, self._info()

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Whether each action is legal, as sb3-contrib's MaskablePPO asks for it."""
        self._check_started()
        mask: NDArray[numpy.bool_] = self.batch.masks[0].astype(bool)
        return mask

    def state(self) -> State:
        """The position, as a state of the game."""
        self._check_started()
        return State(self.game, self.batch.games[0].tolist())

    def render(self) -> Any:
        """Render the position by the render mode: as text, as an array of pixels, or in a window."""
        return self.renderer.show(self.state())

    def close(self) -> None:
        """Close the window, if one is open."""
        self.renderer.close()

    def _check_started(self) -> None:
        if not self.started:
            raise ResetNeeded("No game has started: call reset() first.")

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self.batch.masks[0].copy()}
        if self.multiplayer:
            info |= {"player": max(0, self.batch.turn), "rewards": self.batch.rewards[0].copy()}
        return info


class SixSevenEnv(GameEnv):
    """67!, which is 2048 with arithmetic: slide numbers and operators together until one of the numbers is 67.

    | | |
    |---|---|
    | id | `rookery/SixSeven-v0` |
    | options | `rows=6`, `cols=7`, `variant="modified"`, `operators="+-*"`, `rate=0.5`, `tiles=2` |
    | actions | `Discrete(4)`: 0 up, 1 right, 2 down, 3 left |
    | observations | `Box` of rows × cols × 2, `int32` |
    | plane 0 | the tile: 0 none, 1 a number, 2 plus, 3 minus, 4 times |
    | plane 1 | the number on it, from −10⁹ to 10⁹, where numbers stop growing |
    | reward | 1 for the slide that makes a 67, else 0: the mean return is the share of games won |
    | `observation="channels"` | as in the original: `Box` of rows × cols × 5, `float32`, see `sixseven_original` |
    | `reward="shaped"` | as in the original, for every step; see `sixseven_original` |
    | limit of steps | `max_episode_steps=1000` of `gymnasium.make`, as in the original |
    | end | terminated when there is a 67 or nothing can slide; never truncated by itself |
    | at the start | on a board that the first tiles fill nothing may slide: then any action ends the game, for 0 |
    | info | `action_mask`: 1 for every slide that would change the board |

    Version history:

    - v0: the first.
    """

    name = "sixseven"

    def __init__(
        self, render_mode: str | None = None, observation: str = "planes", reward: str = "win", **options: Any
    ) -> None:
        super().__init__(render_mode, **options)
        self.channels = original.one_of("observation", original.OBSERVATIONS, observation) == "channels"
        self.shaped = original.one_of("reward", original.REWARDS, reward) == "shaped"
        self.distance: Any = 0.0
        """How far the nearest number is from 67."""
        if self.channels:
            rows, cols, _ = self.observation_space.shape or ()
            self.observation_space = original.channel_space(rows, cols)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        planes, info = super().reset(seed=seed, options=options)
        self.distance = original.distance(planes)
        return self._seen(planes), info

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        allowed = self.batch.masks[0].copy()
        planes, reward, over, cut, info = super().step(action)
        if self.shaped:
            before, self.distance = self.distance, original.distance(planes)
            legal = not allowed.any() or allowed[int(action)]
            reward = float(original.shaped(planes, before, legal=legal, over=over, won=reward > 0))
        return self._seen(planes), reward, over, cut, info

    def _seen(self, planes: NDArray[Any]) -> NDArray[Any]:
        return original.channels(planes) if self.channels else planes


class GothamLoopsEnv(GameEnv):
    """Gotham Loops: seven loops out from home through a risky city and back, for points.

    | | |
    |---|---|
    | id | `rookery/GothamLoops-v0` |
    | options | `level="deuce"`, `rules="table"`, `size=None`, `coins=None` |
    | actions | `Discrete(4)`: 0 up, 1 right, 2 down, 3 left |
    | observations | `Box` of size × size × 7, `int16`; `int8` or `int32` on boards with less or more to win |
    | plane 0 | 1 where you are |
    | plane 1 | 1 if the cell was entered in this round |
    | plane 2 | rounds before this one in which it was visited; at the end all seven |
    | plane 3 | points for entering it now |
    | plane 4 | flips for entering it, any of which may save you |
    | plane 5 | rounds finished, in every cell |
    | plane 6 | points of the round under way, in every cell |
    | reward | the points of a round when you get home, else 0: the return is the game's total |
    | end | terminated after the seventh round; a player may walk about for ever, so set `max_episode_steps` to learn |
    | info | `action_mask`: 1 for every direction that stays on the board |

    Version history:

    - v0: the first.
    """

    name = "gotham"


class GateRunEnv(GameEnv):
    """GateRun: a race of two pawns to the other side; every turn a step or a wall.

    | | |
    |---|---|
    | id | `rookery/GateRun-v0` |
    | options | `size=7`, `walls=8`, `walls2=None`, `jump=False`, `rotate=False`, `opponent=None`, `seat=None` |
    | players | with `opponent="random"` you have a seat, 1 unless told otherwise; without you play for both in turn |
    | actions | `Discrete`: steps by their cell, row by row from the top, then walls by their edge, pass, jumps, turns |
    | their names | `env.unwrapped.game.name_of(action)` |
    | observations | `Box` of size × size × 13, `int16`, as the player to act sees it |
    | planes 0–1 | your pawn, the other's |
    | planes 2–3 | a wall on the right-hand edge, on the lower edge |
    | plane 4 | the row you want to reach |
    | planes 5–10 | in every cell: walls, jumps and rotations left, each yours, then the other's |
    | plane 11 | plies made; the game is drawn after 300 |
    | plane 12 | how often the position was there before; it is drawn when it comes the third time |
    | reward | 1 for a win, −1 for a loss, 0 for a draw and until the end, of the player who acted |
    | end | terminated when a pawn is there, or by a draw |
    | info | `action_mask`; `player`, who is to act, 0 at the end; `rewards` of both |

    Version history:

    - v0: the first.
    """

    name = "gaterun"


class GammaEnv(GameEnv):
    """Gamma: take more cells than anybody, in few areas, with one golden move each.

    | | |
    |---|---|
    | id | `rookery/Gamma-v0` |
    | options | `width=10`, `height=10`, `players=2`, `areas=4`, `pass_out=True`, `opponent=None`, `seat=None` |
    | players | with `opponent="random"` you have a seat, 1 unless told otherwise; without you play for all in turn |
    | actions | `Discrete(2·cells + 1)`: a move by its cell, row by row from the bottom, golden moves likewise, pass |
    | observations | `Box` of height × width × (2·players + 1), row 0 the lowest, as the player to act sees it |
    | their type | `int8`, from 128 players on `int16` |
    | first planes | cells of each player, yours first, then in the order of turns |
    | next planes | in every cell: whether each still has the golden move, in the same order |
    | last plane | who began the passes just made, in every cell: 0 nobody, 1 you, 2 the next, … |
    | reward | 1 for the winner, −1 for the others, 0 in a draw and until the end, of the player who acted |
    | reward alone | with `players=1`, 1 for every cell taken |
    | end | terminated when nobody can act, or all who can have passed in a row |
    | info | `action_mask`; for several `player`, who is to act, 0 at the end, and `rewards` of all |

    Version history:

    - v0: the first.
    """

    name = "gamma"
