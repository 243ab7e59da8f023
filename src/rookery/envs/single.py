"""One game as Gymnasium's environment: `gymnasium.make("rookery/SixSeven-v0")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import numpy
from gymnasium.error import ResetNeeded

from rookery.core.state import State
from rookery.envs.limits import game_of
from rookery.envs.paint import Easel
from rookery.envs.spaces import (
    FIRST,
    RATE,
    RENDER_MODES,
    SEEDS,
    action_space,
    check_mode,
    seat_of,
    seed_of,
    seen_space,
    tables_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rookery.core.game import Game


class SingleEnv(gymnasium.Env[Any, Any]):
    """A game of Rookery. Observations are integer planes over the board (`game.observation_spec()` explains
    them), actions are numbers (`game.name_of(action)` tells their names), and `info["action_mask"]` has a 1 for each
    that is legal; one that is not changes nothing and earns nothing.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RATE}  # noqa: RUF012 - as Gymnasium has it
    name: ClassVar[str]

    def __init__(
        self, render_mode: str | None = None, opponent: str | None = None, seat: int | None = None, **options: Any
    ) -> None:
        self.game: Game = game_of(self.name, options)
        self.render_mode = check_mode(render_mode)
        self.observation_space = seen_space(self.game)
        self.action_space = action_space(self.game)
        self.batch = tables_of(self.game, seat=seat_of(self.game, opponent, seat))
        self.shared = self.game.players > 1
        self.sown = self.begun = self.under_way = False
        self.easel = Easel(self.game.title, render_mode, RATE)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a new game; with a seed, the one of that number."""
        given = None if seed is None else seed_of(seed)
        super().reset(seed=given)
        if given is None and not self.sown:
            given = int(self.np_random.integers(SEEDS))
        if given is not None:
            self.batch.seed(FIRST, numpy.array([given]))
            self.sown = True
        seen = self.batch.begin(FIRST)[0]
        self.begun = self.under_way = True
        if self.render_mode == "human":
            self.render()
        return seen, self._info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Take an action, by its number; chance, and an opponent if there is one, act until it is your turn again."""
        if not self.under_way:
            raise ResetNeeded("There is no game under way: call reset() first.")
        seen = self.batch.step_one(action)
        over = self.batch.over.item()
        self.under_way = not over
        if self.render_mode == "human":
            self.render()
        return seen, self.batch.gain.item(), over, False, self._info()

    def action_masks(self) -> NDArray[numpy.bool_]:
        """For every action, whether it is legal now."""
        self._check_begun()
        mask: NDArray[numpy.bool_] = self.batch.masks[0].astype(bool)
        return mask

    def state(self) -> State:
        """The position, to be asked and drawn."""
        self._check_begun()
        return State(self.game, self.batch.games[0].tolist())

    def render(self) -> Any:
        """The position as the render mode wants it: text, an array of pixels, or nothing but a window."""
        return self.easel.show(self.state())

    def close(self) -> None:
        """Close the window, if one is open."""
        self.easel.close()

    def _check_begun(self) -> None:
        if not self.begun:
            raise ResetNeeded("There is no game yet: call reset() first.")

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self.batch.masks[0].copy()}
        if self.shared:
            info |= {"player": max(0, self.batch.turn), "rewards": self.batch.rewards[0].copy()}
        return info


class SixSevenEnv(SingleEnv):
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
    | end | terminated when there is a 67 or nothing can slide; never truncated by itself |
    | at the start | on a board that the first tiles fill nothing may slide: then any action ends the game, for 0 |
    | info | `action_mask`: 1 for every slide that would change the board |

    Version history:

    - v0: the first.
    """

    name = "sixseven"


class GothamLoopsEnv(SingleEnv):
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


class GateRunEnv(SingleEnv):
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


class GammaEnv(SingleEnv):
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
