"""What the viewers of a room are sent: game info and scenes, as far as they are new. What several get is made once, and
many viewers are served some at a time.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from rookery.web import lessons
from rookery.web.permissions import odds_allowed
from rookery.web.updates import ClockTimes, GameUpdate, SceneUpdate
from rookery.web.views import names_for, scene_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from rookery.core.names import Names
    from rookery.core.scene import Scene
    from rookery.web.rooms import Room
    from rookery.web.viewers import Viewer

PRESENCE = 0.3
"""Seconds after which viewers learn who has come and gone."""
AT_ONCE = 200
"""Viewers who are served before others get their turn."""


class Audience:
    """The viewers of a room."""

    def __init__(self, room: Room) -> None:
        self.viewers: set[Viewer] = set()
        self._room = room
        self._behind: dict[Viewer, None] = {}
        """Viewers who have to be updated, in their order."""
        self._open: Counter[str] = Counter()
        """How often each person has the game open here."""
        self._presence: asyncio.TimerHandle | None = None
        self._closed = False
        self._drawn: dict[tuple[int, bool, Names], Scene] = {}
        self._drawn_at: tuple[int, int, str] | None = None

    def enter(self, viewer: Viewer) -> None:
        """Somebody comes. They are sent everything at once; the others learn of them a little later."""
        self.viewers.add(viewer)
        self._open[viewer.person] += 1
        self._behind[viewer] = None
        self._room.registry.broadcaster.schedule(self._room)
        self._presence_changed()

    def leave(self, viewer: Viewer) -> None:
        """Somebody goes."""
        if viewer not in self.viewers:
            return
        self.viewers.remove(viewer)
        self._behind.pop(viewer, None)
        self._open[viewer.person] -= 1
        if not self._open[viewer.person]:
            del self._open[viewer.person]
        self._presence_changed()

    def here(self, people: Collection[str]) -> tuple[set[str], int]:
        """Those of some people who have the game open here, and how many viewers are others."""
        found = {person for person in people if person in self._open}
        return found, len(self.viewers) - sum(self._open[person] for person in found)

    def rewind(self, ply: int) -> None:
        """Plies after this one no longer stand."""
        for viewer in self.viewers:
            viewer.known_plies = min(viewer.known_plies, ply)

    def close(self) -> None:
        """Disconnect everybody."""
        self._closed = True
        if self._presence is not None:
            self._presence.cancel()
        for viewer in tuple(self.viewers):
            viewer.close()

    def dismiss(self) -> None:
        """Tell everybody to connect again, after what waits for them."""
        for viewer in self.viewers:
            viewer.finish()

    def _presence_changed(self) -> None:
        """Tell the viewers soon who is here: many who come or go at once are told of once."""
        if self._presence is None and not self._closed:
            self._presence = asyncio.get_running_loop().call_later(PRESENCE, self._update_presence)

    def _update_presence(self) -> None:
        self._presence = None
        self._room.registry.presence.changed(self._room)
        self.update()

    def update(self) -> None:
        """Bring all viewers up to date, those first who are behind for longest."""
        self._behind |= dict.fromkeys(self.viewers)
        self._room.registry.broadcaster.schedule(self._room)

    def broadcast(self) -> bool:
        """Send what is new to some of the viewers who are behind, else to all; return whether others are behind."""
        if not self._behind:
            self._behind = dict.fromkeys(self.viewers)
        some = list(islice(self._behind, AT_ONCE))
        stored = self._room.stored
        taking_part = stored.people | {stored.owner} - {""}
        views: dict[str, View] = {}
        made: dict[Any, bytes] = {}
        for viewer in some:
            del self._behind[viewer]
            person = viewer.person if viewer.person in taking_part else ""
            view = views.get(person)
            if view is None:
                view = views[person] = View(self._room, person)
            if viewer.last_info != view.info_key:
                viewer.last_info = view.info_key
                viewer.send(view.info())
            odds = viewer.odds and view.odds_allowed
            scene = self._scene(view.player, odds, view.names)
            if viewer.scene is scene and viewer.last_facts == view.facts:
                continue
            key = (person, odds, viewer.known_plies, id(viewer.scene))
            if key not in made:
                made[key] = msgspec.json.encode(self._scene_message(viewer, scene, view.facts))
            viewer.send(made[key])
            viewer.scene, viewer.known_plies, viewer.last_facts = scene, view.facts["ply"], view.facts
        return bool(self._behind)

    def _scene(self, player: int, odds: bool, names: Names) -> Scene:
        """What a player sees. As long as nothing changes it is drawn once."""
        live, stored = self._room.live, self._room.stored
        at = (live.ply, stored.takebacks, stored.status)
        if self._drawn_at != at:
            self._drawn_at = at
            self._drawn.clear()
        view = (player, odds, names)
        if view not in self._drawn:
            self._drawn[view] = live.state.scene(player, odds=odds, names=names)
        return self._drawn[view]

    def _scene_message(self, viewer: Viewer, scene: Scene, facts: dict[str, Any]) -> SceneUpdate:
        live, first = self._room.live, viewer.known_plies
        clock, content = live.clock, scene_json(scene, viewer.scene)
        plies = live.stored.plies[first : live.ply]
        if not facts["mine"]:
            content["choices"] = ()
        return SceneUpdate(
            start=first,
            plies=list(zip(plies, live.movers[first:], strict=True)),
            phrases=list(map(live.game.phrase_of, plies)),
            scene=content,
            clock=ClockTimes([round(ms) for ms in clock.now()], clock.running) if clock is not None else None,
            **facts,
        )


class View:
    """A room as a person sees it now, without the scene. All who only watch see the same: nobody is nobody's person."""

    def __init__(self, room: Room, person: str) -> None:
        self._room, self._person = room, person
        self._info: bytes | None = None
        stored = room.stored
        online, watchers = room.registry.presence.of(room)
        self.names = names_for(stored, person)
        self.odds_allowed = odds_allowed(stored)
        self.info_key = (
            *(stored.status, stored.ending, stored.takebacks, stored.rematch, stored.achievement, room.pending),
            [(seat.kind, seat.name, seat.bot, seat.holder) for seat in stored.seats],
            *(watchers, online),
            room.may(person),
        )
        """What the game info depends on, without what the scene message repeats."""
        self.facts = self._facts()
        own = (seat.number for seat in stored.seats if person and seat.holder == person)
        self.player = room.live.turn if self.facts["mine"] else next(own, 0)
        """The player whose view of the game they get; 0 for watchers."""

    def info(self) -> bytes:
        """The game info."""
        if self._info is None:
            self._info = msgspec.json.encode(GameUpdate(**msgspec.structs.asdict(self._room.info(self._person))))
        return self._info

    def _facts(self) -> dict[str, Any]:
        """What a scene message says beside the scene."""
        live, seat = self._room.live, self._room.live.seat_to_move
        return {
            "ply": live.ply,
            "mine": self._room.mine(self._person),
            "thinking": seat.number if seat is not None and seat.kind == "bot" else 0,
            "preparing": self._room.driver.preparing,
            "redo": live.redoable,
            "guide": lessons.instruction(live),
        }
