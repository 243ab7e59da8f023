"""Records: a game as one JSON line, with every action and chance outcome in order, by name.

    {"rookery": 1, "game": "gaterun", "options": {…}, "players": ["you", "minimax:depth=2"],
     "plies": ["1,3", "5,3", …], "result": {"scores": [1, 0], "winners": [1]}}

Four fields are optional: `start`, if the game began from another position than usual; `ending`, if it ended by
resignation or on time; `result`, once it is over; `tags`, for notes. Plies are numbered from 1. A replay needs only the
rules.

Version 2 added `ending`. A record without one is still written as version 1, so that older versions can read it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rookery.core.arguments import quoted, shown
from rookery.core.errors import RecordError, RookeryError
from rookery.core.notation import counted, plain
from rookery.core.rules import CHANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rookery.core.game import Game
    from rookery.core.state import State

VERSION = 2
KNOWN = ("rookery", "game", "options", "start", "players", "plies", "ending", "result", "tags")

ENDINGS = {"resigned": "resigned", "time": "ran out of time"}
"""How a game can end other than by the rules, and what is said of the player who ended it."""


@dataclass(frozen=True)
class Record:
    """A game, who played it, and everything that happened in it."""

    game: Game
    players: tuple[str, ...]
    plies: tuple[str, ...]
    start: str | None = None
    result: dict[str, Any] | None = None
    tags: dict[str, str] = field(default_factory=dict)
    ending: dict[str, Any] | None = None
    """How a player ended the game other than by the rules: `{"how": "resigned", "player": 2}`."""

    @classmethod
    def of(
        cls,
        state: State,
        players: tuple[str, ...] = (),
        tags: dict[str, str] | None = None,
        ending: dict[str, Any] | None = None,
    ) -> Record:
        """The record of a game so far, or with an ending."""
        names = tuple(state.game.name_of(action) for action in state.history)
        seats = players or ("",) * state.game.players
        if len(seats) != state.game.players:
            wanted = counted(state.game.players, "player")
            raise RecordError(f"A record of {state.game.title} names {wanted}, not {len(seats)}.")
        check_ending(state, ending)
        return cls(state.game, seats, names, state.origin, result_of(state, ending), dict(tags or {}), ending)

    def line(self) -> str:
        """The record as one line of JSON, without a line break."""
        version = 1 if self.ending is None else 2
        content: dict[str, Any] = {"rookery": version, "game": self.game.name, "options": self.game.options}
        if self.start is not None:
            content["start"] = self.start
        content |= {"players": list(self.players), "plies": list(self.plies)}
        if self.ending is not None:
            content["ending"] = self.ending
        if self.result is not None:
            content["result"] = self.result
        if self.tags:
            content["tags"] = self.tags
        return json.dumps(content, ensure_ascii=False)

    def replay(self, plies: int | None = None) -> State:
        """The state after a number of plies, by default all."""
        count = len(self.plies) if plies is None else plies
        if not isinstance(count, int) or not 0 <= count <= len(self.plies):
            raise RecordError(f"The record ends with ply {len(self.plies)}; there is no ply {shown(count)}.")
        state = None
        for state in self.states(count):  # noqa: B007 - only the last one is wanted
            pass
        assert state is not None
        return state

    def states(self, plies: int | None = None) -> Iterator[State]:
        """The state at the start and after each ply: the same object each time, a ply further."""
        try:
            state = self.game.start() if self.start is None else self.game.position(self.start)
        except RookeryError as error:
            raise RecordError(f"The record's start (ply 0) cannot be set up: {error}") from None
        yield state
        for number, name in enumerate(self.plies[:plies], start=1):
            try:
                state.play(self.game.action(name))
            except RookeryError as error:
                raise RecordError(f"Ply {number}, {quoted(name)}, cannot be played: {error}") from None
            yield state

    def steps(self) -> Iterator[dict[str, Any]]:
        """A log of the game, an object for each ply: its number and name, the player or 0 for chance, for an outcome of
        chance its probability, the scores after it, and what the game adds in `log_fields`.
        """
        step: dict[str, Any] = {}
        for ply, state in enumerate(self.states()):
            if step:
                yield step | {"scores": [plain(score) for score in state.scores()]}
            if ply < len(self.plies):
                step = {"ply": ply + 1, "player": state.turn, "name": self.plies[ply]}
                if state.turn == CHANCE:
                    step["probability"] = dict(state.chances()).get(self.game.action(self.plies[ply]))
                step |= self.game.log_fields(state)

    def verify(self) -> State:
        """Replay the record, check its ending and result, and return the final state."""
        state = self.replay()
        check_ending(state, self.ending)
        result = result_of(state, self.ending)
        if self.result != result:
            said = f"The record says {_told(self.result)} after ply {len(self.plies)}"
            why = "the rules say" if self.ending is None else f"as player {_told_ending(self.ending)},"
            raise RecordError(f"{said}, but {why} {_told(result)}.")
        return state

    @property
    def ended(self) -> str:
        """How the game ended other than by the rules, as a sentence; empty if it did not."""
        if self.ending is None or self.result is None:
            return ""
        *others, last = map(str, self.result["winners"])
        winners = f"players {', '.join(others)} and {last}" if others else f"player {last}"
        return f"Player {_told_ending(self.ending)}: the win goes to {winners}."


def result_of(state: State, ending: dict[str, Any] | None = None) -> dict[str, Any] | None:
    """The result of a finished game as records keep it, with the scores at its end; None while the game goes on.

    If a player resigned or ran out of time, the best of the others wins.
    """
    scores = state.scores()
    if ending is not None:
        others = [player for player in range(1, state.game.players + 1) if player != ending["player"]]
        best = max(scores[player - 1] for player in others)
        winners = [player for player in others if scores[player - 1] == best]
    elif state.over:
        winners = list(state.winners())
    else:
        return None
    return {"scores": [plain(score) for score in scores], "winners": winners}


def check_ending(state: State, ending: dict[str, Any] | None) -> None:
    """Refuse a malformed ending, or one that is impossible in this state."""
    if ending is None:
        return
    if not isinstance(ending, dict) or set(ending) != {"how", "player"}:
        raise RecordError(f"A record's ending has 'how' and 'player', not {shown(ending)}.")
    how, player = ending["how"], ending["player"]
    if not isinstance(how, str) or how not in ENDINGS:
        raise RecordError(f"The 'how' of a record's ending is one of {', '.join(ENDINGS)}, not {shown(how)}.")
    if state.game.players < 2:
        raise RecordError("A game for one player ends by the rules alone; its record has no ending.")
    if isinstance(player, bool) or not isinstance(player, int) or not 1 <= player <= state.game.players:
        raise RecordError(
            f"The 'player' of a record's ending is one from 1 to {state.game.players}, not {shown(player)}."
        )
    if state.over:
        said = f"The record says that player {_told_ending(ending)}"
        raise RecordError(f"{said}, but the rules had ended the game with ply {state.ply}.")


def load(line: str, game_of: Callable[..., Game]) -> Record:
    """Read and verify a record; `game_of(name, **options)` creates the game. Any fault raises a `RecordError`."""
    content = _parse(line)
    if not isinstance(content, dict) or "rookery" not in content:
        raise RecordError("This is not a Rookery record: a record is a JSON object with 'rookery', its version, in it.")
    version = content["rookery"]
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise RecordError(f"This record names its version as {shown(version)}; versions are whole numbers from 1.")
    if version > VERSION:
        raise RecordError(
            f"This record has version {version}; this Rookery reads up to version {VERSION}. Update Rookery."
        )
    if "ending" in content and version < 2:
        raise RecordError("This record has version 1, in which there is no 'ending'; that came with version 2.")
    unknown = [key for key in content if key not in KNOWN]
    if unknown:
        raise RecordError(f"A record has no field {quoted(unknown[0])}; it has {', '.join(KNOWN)}.")
    record = _build(content, game_of)
    state = record.verify()
    return replace(record, result=result_of(state, record.ending))  # JSON's true equals 1 and would stay in the record


def _build(content: dict[str, Any], game_of: Callable[..., Game]) -> Record:
    """The record in a JSON object, each field checked."""
    name = _need(content, "game", str, "the game's name")
    options = _need(content, "options", dict, "an object of the game's options")
    try:
        game = game_of(name, **options)
    except (RookeryError, TypeError, RecursionError) as error:
        raise RecordError(f"The record's game cannot be set up: {error}") from None
    players = _need(content, "players", list, "a list of names")
    plies = _need(content, "plies", list, "a list of action names")
    for number, player in enumerate(players, start=1):
        if not isinstance(player, str):
            raise RecordError(f"Player {number} of the record must be a name, not {shown(player)}.")
    if len(players) != game.players:
        raise RecordError(f"The record names {counted(len(players), 'player')}, but the game has {game.players}.")
    for number, ply in enumerate(plies, start=1):
        if not isinstance(ply, str):
            raise RecordError(f"Ply {number} must be an action's name, not {shown(ply)}.")
    start = _need(content, "start", str, "a position's text") if "start" in content else None
    result = _need(content, "result", dict, "an object") if "result" in content else None
    ending = _need(content, "ending", dict, "an object") if "ending" in content else None
    tags = _need(content, "tags", dict, "an object of texts") if "tags" in content else {}
    if not all(isinstance(value, str) for value in tags.values()):
        raise RecordError("The record's tags must be texts.")
    return Record(game, tuple(players), tuple(plies), start, result, tags, ending)


def _need(content: dict[str, Any], key: str, kind: type, what: str) -> Any:
    if key not in content:
        raise RecordError(f"The record lacks '{key}', {what}.")
    if not isinstance(content[key], kind):
        raise RecordError(f"The record's '{key}' must be {what}, not {shown(content[key])}.")
    return content[key]


def _parse(line: str) -> Any:
    if not isinstance(line, str):
        raise RecordError(f"This is not a Rookery record: a record is one line of JSON, not {shown(line)}.")
    try:
        return json.loads(line)
    except RecursionError:
        raise RecordError("This is not a Rookery record: it is nested too deeply.") from None
    except json.JSONDecodeError as error:
        if not line.lstrip().startswith("{"):
            raise RecordError("This is not a Rookery record: a record is one line of JSON.") from None
        if error.msg == "Extra data":
            raise RecordError(f"The record has something after its end, from character {error.pos + 1} on.") from None
        where = _ply_at(line, error.pos)
        how = "breaks off" if error.pos >= len(line.rstrip()) or "Unterminated" in error.msg else "is damaged"
        raise RecordError(f"The record {how} at character {error.pos + 1}, {where}.") from None
    except ValueError as error:  # a number of thousands of digits
        raise RecordError(f"The record holds a value that cannot be read: {error}.") from None


def _ply_at(line: str, position: int) -> str:
    """Where a character of a damaged record is: in which ply, or before or after the plies."""
    opening = line.find('"plies"')
    bracket = line.find("[", opening)
    if opening < 0 or bracket < 0 or bracket >= position:
        return "before ply 1"
    decoder, at, plies = json.JSONDecoder(), bracket + 1, 0
    while True:
        while at < len(line) and line[at] in " ,\t\r\n":
            at += 1
        if at >= len(line) or at >= position:
            return f"in ply {plies + 1}"
        if line[at] == "]":
            return f"after ply {plies}"
        try:
            _, at = decoder.raw_decode(line, at)
        except json.JSONDecodeError:
            return f"in ply {plies + 1}"
        plies += 1


def _told(result: dict[str, Any] | None) -> str:
    return "the game goes on" if result is None else f"the result is {json.dumps(result)}"


def _told_ending(ending: dict[str, Any]) -> str:
    return f"{ending['player']} {ENDINGS[ending['how']]}"
