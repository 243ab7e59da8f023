"""Reviews of games: what a review says of each ply, how moves are graded, and what a game may add to it.

The search that makes a review is `search/review.py`. Everything here is arithmetic on values: a *value* is what a
position is worth to the player to move, either the probability of winning or the expected points.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rookery.core.arguments import check_fields, finite, shown, whole
from rookery.core.bot import MOST_NODES, Analysis, Bot, make_bot
from rookery.core.checked import Checked
from rookery.core.errors import IllegalAction, OptionError, PositionError, RecordError
from rookery.core.game import Game
from rookery.core.wording import figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rookery.core.checked import Check
    from rookery.core.names import Names
    from rookery.core.state import State

BEST, FINE, INACCURACY, MISTAKE, BLUNDER = "best", "fine", "inaccuracy", "mistake", "blunder"

GRADES = ((BEST, 0.01), (FINE, 0.05), (INACCURACY, 0.10), (MISTAKE, 0.15), (BLUNDER, math.inf))
"""The grades, best first, each with the loss below which it is given; a loss is a share of the scale of values.

The last three begin where they do on lichess, whose `Advice.scala` calls a drop of 0.1, 0.2 and 0.3 on a scale of
winning chances from −1 to 1 an inaccuracy, a mistake and a blunder: 5, 10 and 15 percent of the probability of winning.
Up to one percent, two searches of the same position differ by themselves, so such a move is as good as the best.
"""

NAMES = tuple(grade for grade, _ in GRADES)
FAULTS = (INACCURACY, MISTAKE, BLUNDER)
"""The grades of moves that a review explains."""


GRADE_SIGNS: Mapping[str, str] = {BEST: "★", FINE: "✓", INACCURACY: "?!", MISTAKE: "?", BLUNDER: "??"}
"""How moves of each grade are marked, as in annotated games."""


def probability(win: float | None, value: float) -> float:
    """The probability of winning; one that a bot does not give is made from its value by a logistic curve."""
    return win if win is not None else 1 / (1 + math.exp(-max(-50.0, min(50.0, value))))


def grade_of(loss: float) -> str:
    """The grade of a move that loses this share of the scale of values."""
    loss = finite(loss, "loss")
    return next(grade for grade, below in GRADES if loss < below)


def accuracy_of(loss: float) -> float:
    """The accuracy of a move in per cent that loses this share of the scale.

    It is lichess' curve (https://lichess.org/page/accuracy): 103.1668 · e^(−0.04354 · percent lost) − 3.1669.
    """
    percent = 100 * max(0.0, finite(loss, "loss"))
    return max(0.0, min(100.0, 103.1668 * math.exp(-0.04354 * percent) - 3.1669))


def accuracy(each: Sequence[float]) -> float | None:
    """The accuracy of a player: half the mean of the moves' accuracies, half their harmonic mean, in which a few bad
    moves weigh more. Lichess does the same, but for weights by how sharp the position is. None without a choice.
    """
    if not each:
        return None
    return (sum(each) / len(each) + len(each) / sum(1 / max(1.0, one) for one in each)) / 2


class Accepted(NamedTuple):
    """An action that counts as right where a mistake was made, and its value."""

    action: str
    value: float


@dataclass(frozen=True)
class ReviewedPly:
    """What a review says of a ply. An outcome of chance has `luck`, a decision all other fields."""

    ply: int
    """From 1, as in records."""
    name: str
    player: int
    """Who played it; 0 for chance."""
    value: float | None = None
    """The value before it, to the player, if they play the best."""
    after: float | None = None
    """The value of what was played."""
    loss: float = 0.0
    """What it lost, as a share of the scale."""
    grade: str | None = None
    only: bool = False
    """Whether there was no other action; it has no grade then, and does not count for the accuracy."""
    accuracy: float | None = None
    best: str | None = None
    """The best action; what was played, if nothing better was found."""
    line: tuple[str, ...] = ()
    """The best line, as names of actions."""
    why: str = ""
    """Why the best action is better, as a sentence with markers for the players (`Names.fill`); empty unless the grade
    is a fault."""
    accepted: tuple[Accepted, ...] = ()
    """For a mistake or a blunder, all actions that would have been right, best first."""
    luck: float | None = None
    """What chance gave or, below 0, took, up to and with this ply; only on the last of several outcomes in a row."""

    def content(self) -> dict[str, Any]:
        """The fields of a JSON object; `of_content` reads it."""
        return asdict(self)

    def told(self, names: Names) -> ReviewedPly:
        """The same as somebody reads it who calls the players by these names."""
        return replace(self, why=names.fill(self.why))

    @classmethod
    def of_content(cls, content: dict[str, Any]) -> ReviewedPly:
        """The same from its JSON object; a `RecordError` if it is not one."""
        check_fields(content, FIELDS, "A ply of a review")
        try:
            accepted = tuple(Accepted(*each) for each in content["accepted"])
        except TypeError:
            raise RecordError("In a ply of a review, 'accepted' has actions with their values.") from None
        names = [*content["line"], *(each.action for each in accepted)]
        if not all(isinstance(name, str) for name in names) or not all(type(each.value) in NUMBER for each in accepted):
            raise RecordError("In a ply of a review, 'line' and 'accepted' have names of actions.")
        return cls(**content | {"line": tuple(content["line"]), "accepted": accepted})


NUMBER = (float, int)
FIELDS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("ply", "player"), (int,)),
    **dict.fromkeys(("name", "why"), (str,)),
    **dict.fromkeys(("grade", "best"), (str, NoneType)),
    **dict.fromkeys(("value", "after", "accuracy", "luck"), (*NUMBER, NoneType)),
    "loss": NUMBER,
    "only": (bool,),
    **dict.fromkeys(("line", "accepted"), (list, tuple)),
}
"""What the JSON of a `ReviewedPly` has."""


@dataclass(frozen=True)
class PlayerSummary:
    """How one player played."""

    player: int
    accuracy: float | None
    grades: dict[str, int]
    """How many moves have each grade."""
    lost: float
    """What the player's choices cost, in the unit of values."""
    luck: float | None
    """What chance gave in all, in the same unit; None in games without chance."""


@dataclass(frozen=True)
class Scale:
    """How to read the values of a review."""

    kind: str
    """"win" or "points"."""
    unit: str
    """What a value is, such as “to win” or “points in the end”."""
    one: float = 1.0
    """The amount that counts as much as the difference between a loss and a win."""

    def told(self, value: float) -> str:
        """A value in words: 72% to win, 143.1 points in the end."""
        return f"{self.short(value)} {self.unit}"

    def short(self, value: float) -> str:
        """A value in a few characters."""
        value = finite(value, "value")
        return (figure(value) if self.kind == "points" else f"{100 * value:.0f}%").replace("-", "−")

    def course(self, before: float, after: float) -> str:
        """How a move changed the value: 72% → 60% to win."""
        values = dict.fromkeys((self.short(before), self.short(after)))
        return f"{' → '.join(values)} {self.unit}"

    def chance(self, luck: float) -> str:
        """What chance did, without the unit: chance took 3.1."""
        return f"chance {'took' if luck < 0 else 'gave'} {self.short(abs(luck))}"


def summaries(plies: Iterable[ReviewedPly], players: int, *, chance: bool) -> tuple[PlayerSummary, ...]:
    """The summaries of the players, in order. Luck is told only where one player plays against chance."""
    plies = tuple(plies)
    found = []
    for player in range(1, players + 1):
        own = [each for each in plies if each.player == player]
        found.append(
            PlayerSummary(
                player,
                accuracy([each.accuracy for each in own if each.accuracy is not None]),
                {grade: sum(each.grade == grade for each in own) for grade in NAMES},
                sum((each.value or 0.0) - (each.after or 0.0) for each in own),
                sum(each.luck or 0.0 for each in plies) if chance and players == 1 else None,
            )
        )
    return tuple(found)


def _number(reviewer: Reviewer, value: float) -> tuple[Any, ...]:
    return (finite(value, "value"),)


def _analysis(reviewer: Reviewer, analysis: Analysis) -> None:
    if not isinstance(analysis, Analysis) or not analysis.candidates:
        raise OptionError(f"This is not an Analysis with candidates: {shown(analysis)}.")


def _finished(reviewer: Reviewer, state: State, player: int) -> tuple[Any, ...]:
    reviewer.game.check_own(state)
    if not state.over:
        raise PositionError("This game is not over, so it has no result.")
    return state, whole(player, "player", 1, reviewer.game.players)


def _action(reviewer: Reviewer, state: State, action: int, analysis: Analysis) -> None:
    _line(reviewer, state, [action])
    _analysis(reviewer, analysis)


def _lines(reviewer: Reviewer, state: State, best: Sequence[int], played: Sequence[int]) -> None:
    for line in (best, played):
        _line(reviewer, state, line)


def _line(reviewer: Reviewer, state: State, line: Sequence[int]) -> None:
    """Refuse anything but actions that the player to move can begin with."""
    reviewer.game.check_own(state)
    if state.turn <= 0:
        raise state.nothing_to_choose()
    if not isinstance(line, list | tuple) or not line:
        raise OptionError(f"A line is a list of actions, not {shown(line)}.")
    if not state.legal(line[0]):
        raise IllegalAction(state.why_not(line[0]))


@dataclass(frozen=True)
class Reviewer(Checked):
    """Judges the positions of a game: which bot searches them and how far, and what its analyses mean.

    A game that overrides this names its class as `REVIEWER` in its `bots_module`.
    """

    _checks: ClassVar[Mapping[str, Check]] = {
        **dict.fromkeys(("scale", "opposite"), _number),
        **dict.fromkeys(("value", "candidates"), _analysis),
        "result": _finished,
        "outcome_value": _action,
        "why": _lines,
    }

    game: Game
    bot: Bot
    nodes: int | None
    """The budget of each search. Never a time, so that a review is the same on every machine."""

    spec: ClassVar[str] = ""
    """The bot; by default the last of the game's, which is the strongest."""
    default_nodes: ClassVar[int | None] = 2_000
    accepting: ClassVar[int] = 0
    """Each action is searched with the budget divided by this, to find all that are right; 0 takes them from the bot's
    candidates."""
    unit: ClassVar[str] = ""

    def __post_init__(self) -> None:
        if not isinstance(self.game, Game) or not isinstance(self.bot, Bot):
            raise OptionError(f"A reviewer takes a game and a bot, not {shown(self.game)} and {shown(self.bot)}.")
        own = type(self.game).reviewer()
        if type(self) is not Reviewer and (own is Reviewer or not isinstance(self, own)):
            raise OptionError(f"{type(self).__name__} does not review games of {self.game.title}.")
        self.bot.accept(self.game)
        if self.bot.blind or self.bot.ms is not None:
            raise OptionError("A review needs a bot that searches, with a budget in nodes and not in time.")
        if self.nodes is not None:
            whole(self.nodes, "nodes", 1, MOST_NODES)

    @classmethod
    def of(cls, game: Game, spec: str | None = None, nodes: int | None = None) -> Reviewer:
        """The reviewer of a game, with its own bot and budget unless others are given."""
        if not isinstance(game, Game):
            raise OptionError(f"A reviewer takes a game, not {shown(game)}.")
        if spec is None and not cls.spec:
            thinking = [name for name, bot in type(game).bots().items() if not bot.blind]
            if not thinking:
                raise OptionError(f"{game.title} has no bot that could review a game.")
            spec = thinking[-1]
        bot = make_bot(game, cls.spec if spec is None else spec)
        return cls(game, bot, (bot.nodes or cls.default_nodes) if nodes is None else nodes)

    @property
    def in_points(self) -> bool:
        """Whether values are points and not the probability of winning."""
        return self.game.players == 1 or not self.game.winnable

    def scale(self, first: float) -> Scale:
        """How to read values, given that of the first position with a choice."""
        if self.in_points:
            return Scale("points", self.unit or self.bot.unit, max(1.0, abs(first) / 4))
        return Scale("win", self.unit or "to win")

    def value(self, analysis: Analysis) -> float:
        """What an analysed position is worth to the player to move."""
        if self.in_points:
            return analysis.value
        return probability(analysis.win, analysis.value)

    def candidates(self, analysis: Analysis) -> list[tuple[int, float]]:
        """The actions that an analysis has values for, with these, best first."""
        given = analysis.candidates
        if self.in_points:
            return [(each.action, each.value) for each in given]
        return [(each.action, probability(each.win, each.value)) for each in given]

    def result(self, state: State, player: int) -> float:
        """What a finished game is worth to a player; a draw counts half a win."""
        if self.in_points:
            return state.scores()[player - 1]
        winners = state.winners()
        if not winners and self.game.players > 1:
            return 0.5
        return (1.0 if len(winners) == 1 else 0.5) if player in winners else 0.0

    def opposite(self, value: float) -> float:
        """A value of one of two players as the other's."""
        return -value if self.in_points else 1 - value

    def outcome_value(self, state: State, action: int, analysis: Analysis) -> float:
        """What an action is worth after which chance decides, or another player of several."""
        values = dict(self.candidates(analysis))
        return values[action] if action in values else min(values.values())

    def why(self, state: State, best: Sequence[int], played: Sequence[int]) -> str:
        """Why the first line is better than the second, which begins with what was played, as a sentence with a
        `marker` for each player it names. By default nothing is said beyond the values.
        """
        return ""


@dataclass(frozen=True)
class ReviewedGame:
    """A review: how far it is, what it says of each ply, and of each player."""

    bot: str
    nodes: int | None
    scale: Scale | None
    """None until the first position is searched."""
    total: int
    """The plies of the game."""
    players: int
    chance: bool
    """Whether chance has a part in the game."""
    plies: tuple[ReviewedPly, ...] = field(default=())

    @property
    def done(self) -> bool:
        return len(self.plies) == self.total

    def summaries(self) -> tuple[PlayerSummary, ...]:
        """The summary of each player."""
        return summaries(self.plies, self.players, chance=self.chance)
