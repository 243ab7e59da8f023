"""A plain model of the arcade's games: what the histories of `test_model.py` are compared with.

It is slow and obvious: it replays every game from its start, and knows nothing of servers or events.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rookery.games import game as make_game
from rookery.web.messages import Permissions

if TYPE_CHECKING:
    from rookery.core.state import State

INCREMENT = 2.0
NOTHING = Permissions()


@dataclass
class Chair:
    """A seat."""

    kind: str
    holder: str | None = None
    name: str = ""
    bot: str | None = None
    left: float = 0.0


@dataclass
class Play:
    """A game as it should be."""

    name: str
    options: dict[str, Any]
    owner: str
    chairs: list[Chair]
    minutes: float
    status: str = "playing"
    plies: list[str] = field(default_factory=list)
    length: int = 0
    takebacks: int = 0
    version: int = 0
    ending: tuple[str, int] | None = None
    asked: tuple[int, frozenset[str]] | None = None
    rematch: str | None = None
    ticking: int = 0
    since: float = 0.0

    def at(self, length: int) -> State:
        """The position after some plies."""
        state = make_game(self.name, **self.options).start()
        for name in self.plies[:length]:
            state.play(state.game.action(name))
        return state

    @property
    def state(self) -> State:
        return self.at(self.length)

    @property
    def people(self) -> set[str]:
        return {chair.holder for chair in self.chairs if chair.holder}

    @property
    def local(self) -> bool:
        return len(self.people) <= 1 and all(chair.kind != "open" for chair in self.chairs)

    @property
    def turn(self) -> int:
        return self.state.turn if self.status == "playing" else 0

    @property
    def mover(self) -> Chair | None:
        return self.chairs[self.turn - 1] if self.turn > 0 else None

    def target(self, person: str) -> int | None:
        """The ply to which an undo of somebody goes back."""
        for ply in reversed(range(self.length)):
            chair = self.chairs[self.at(ply).turn - 1]
            if chair.holder and (self.local or chair.holder == person):
                return ply
        return None

    def may(self, person: str) -> Permissions:
        """What somebody may do."""
        if person not in self.people and not (self.local and person == self.owner):
            return NOTHING
        free, over = self.status != "abandoned", self.status == "over"
        undo = free and not self.asked and not self.ending and not (over and not self.local)
        open_seats = [number for number, chair in enumerate(self.chairs, 1) if chair.kind == "open"]
        switch = [*range(1, len(self.chairs) + 1)] if self.local else open_seats if person == self.owner else []
        return Permissions(
            undo=undo and self.target(person) is not None,
            redo=free and self.local and self.length < len(self.plies) and not self.ending,
            hint=free and self.local and self.turn > 0,
            resign=self.status == "playing" and person in self.people and len(self.chairs) > 1,
            restart=self.local,
            rematch=free and over and not self.local,
            switch=switch if self.status in ("waiting", "playing") else [],
        )

    def left(self, now: float) -> list[float]:
        """The seconds that everybody has."""
        running = [max(0.0, chair.left - (now - self.since)) for chair in self.chairs]
        return [
            run if number == self.ticking else chair.left
            for number, (run, chair) in enumerate(zip(running, self.chairs, strict=True), 1)
        ]

    def changed(self, now: float, moved: int = 0, full: int = 0) -> None:
        """Count a change; whoever's clock ran has less time, and who moved an increment."""
        for number, (chair, left) in enumerate(zip(self.chairs, self.left(now), strict=True), 1):
            chair.left = left
            if self.minutes and number == moved == self.ticking:
                chair.left += INCREMENT
            if number == full:
                chair.left = self.minutes * 60
        self.version += 1
        self.ticking = self.turn if self.minutes and self.length and self.turn > 0 and self.people else 0
        self.since = now

    # What people do, if they may.

    def play(self, name: str, now: float) -> None:
        moved = self.turn
        self.plies[self.length :] = [name]
        self.length += 1
        self.asked = None
        if self.state.over:
            self.status = "over"
        self.changed(now, moved)

    def rewind(self, target: int, now: float) -> None:
        self.length, self.status, self.asked = target, "playing", None
        self.takebacks += 1
        self.changed(now)

    def undo(self, person: str, now: float) -> None:
        target = self.target(person)
        assert target is not None
        if self.local:
            self.rewind(target, now)
        else:
            number = next(number for number, chair in enumerate(self.chairs, 1) if chair.holder == person)
            self.asked = (number, frozenset({person}))
            self.changed(now)

    def answer(self, person: str, yes: bool, now: float) -> None:
        assert self.asked is not None
        number, agreed = self.asked
        target = self.target(self.chairs[number - 1].holder or "")
        agreed |= {person}
        if yes and target is not None and agreed >= self.people:
            self.rewind(target, now)
            return
        self.asked = (number, agreed) if yes and target is not None else None
        self.changed(now)

    def redo(self, now: float) -> None:
        while self.length < len(self.plies):
            self.length += 1
            state = self.state
            if state.turn > 0 and self.chairs[state.turn - 1].kind == "person":
                break
        self.status = "over" if self.state.over else "playing"
        self.changed(now)

    def sit(self, number: int, chair: Chair, now: float, *, full: bool = False) -> None:
        chair.left = self.left(now)[number - 1]
        if number == self.ticking:  # its time was counted now
            self.changed_clock_only(now)
        self.chairs[number - 1] = chair
        self.asked = None
        if self.status == "waiting" and all(each.kind != "open" for each in self.chairs):
            self.status = "playing"
        self.changed(now, full=number if full else 0)

    def changed_clock_only(self, now: float) -> None:
        for chair, left in zip(self.chairs, self.left(now), strict=True):
            chair.left = left
        self.since = now

    def forfeit(self, number: int, how: str, now: float) -> None:
        if len(self.chairs) > 2:
            self.sit(number, Chair("bot", bot="5"), now, full=True)
            return
        self.changed_clock_only(now)
        if how == "time":
            self.chairs[number - 1].left = 0.0
        self.status, self.ending, self.asked = "over", (how, number), None
        self.changed(now)

    def again(self, shift: int) -> Play:
        count = len(self.chairs)
        chairs = [replace(self.chairs[(index - shift) % count], left=self.minutes * 60) for index in range(count)]
        for chair in chairs:
            if shift and chair.kind == "person" and not chair.holder:
                chair.kind, chair.name, chair.bot = "bot", "", "5"
        return Play(self.name, self.options, self.owner, chairs, self.minutes)
