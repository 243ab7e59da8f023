"""What the viewers of a room are sent: game info and scenes, as far as they are new. What several get is made once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from rookery.web import lessons
from rookery.web.permissions import odds_allowed
from rookery.web.updates import ClockTimes, GameUpdate, SceneUpdate
from rookery.web.views import names_for, scene_json

if TYPE_CHECKING:
    from rookery.core.names import Names
    from rookery.core.scene import Scene
    from rookery.web.rooms import Room
    from rookery.web.viewers import Viewer

PRESENCE = 0.3
"""Seconds after which viewers learn who has come and gone."""


class Audience:
    """The viewers of a room."""

    def __init__(self, room: Room) -> None:
        self.viewers: set[Viewer] = set()
        self.stale = False
        """Whether all viewers have to be updated."""
        self._room = room
        self._newcomers: set[Viewer] = set()
        """Viewers who have been sent nothing yet."""
        self._presence: asyncio.TimerHandle | None = None
        self._closed = False
        self._drawn: dict[tuple[int, bool, Names], Scene] = {}
        self._drawn_at: tuple[int, int, str] | None = None

    def enter(self, viewer: Viewer) -> None:
        """Somebody comes. They are sent everything at once; the others learn of them a little later."""
        self.viewers.add(viewer)
        self._newcomers.add(viewer)
        self._room.registry.broadcaster.schedule(self._room)
        self._presence_changed()

    def leave(self, viewer: Viewer) -> None:
        """Somebody goes."""
        self.viewers.discard(viewer)
        self._newcomers.discard(viewer)
        self._presence_changed()

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
        self.update_presence()

    def update_presence(self) -> None:
        """Tell the viewers who is here by now."""
        self.stale = True
        self._room.registry.broadcaster.schedule(self._room)

    def broadcast(self) -> None:
        """Send every viewer the game info and the scene, as far as they are new."""
        viewers = self.viewers if self.stale else self._newcomers & self.viewers
        self.stale, self._newcomers = False, set()
        infos: dict[str, tuple[Any, ...]] = {}
        presence = self._room.registry.presence.of(self._room) if viewers else (set(), 0)
        made: dict[Any, bytes] = {}
        for viewer in viewers:
            self._send_info(viewer, infos, presence)
            names = names_for(self._room.stored, viewer.person)
            view = (self._viewpoint(viewer.person), viewer.odds and odds_allowed(self._room.stored), names)
            scene, facts = self._scene(*view), self._facts(self._room.mine(viewer.person))
            if viewer.scene is scene and viewer.last_facts == facts:
                continue
            key = (view, facts["mine"], viewer.known_plies, id(viewer.scene))
            if key not in made:
                made[key] = msgspec.json.encode(self._scene_message(viewer, scene, facts))
            viewer.send(made[key])
            viewer.scene, viewer.known_plies, viewer.last_facts = scene, facts["ply"], facts

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

    def _send_info(self, viewer: Viewer, infos: dict[str, tuple[Any, ...]], presence: tuple[set[str], int]) -> None:
        """Send the game info, unless nothing of it changed but what the scene message repeats. All who only watch get
        the same.
        """
        stored = self._room.stored
        takes_part = viewer.person in stored.people or viewer.person == stored.owner
        person = viewer.person if takes_part else ""
        if person not in infos:
            infos[person] = self._info_key(person, presence)
        if infos[person] != viewer.last_info:
            viewer.last_info = infos[person]
            viewer.send(GameUpdate(**msgspec.structs.asdict(self._room.info(person))))

    def _info_key(self, person: str, presence: tuple[set[str], int]) -> tuple[Any, ...]:
        """What the game info for a person depends on, without what the scene message repeats."""
        stored, (online, watchers) = self._room.stored, presence
        return (
            *(stored.status, stored.ending, stored.takebacks, stored.rematch, stored.achievement, self._room.pending),
            [(seat.kind, seat.name, seat.bot, seat.holder) for seat in stored.seats],
            *(watchers, online & stored.people),
            self._room.may(person),
        )

    def _facts(self, mine: bool) -> dict[str, Any]:
        """What a scene message says beside the scene."""
        live, seat = self._room.live, self._room.live.seat_to_move
        return {
            "ply": live.ply,
            "mine": mine,
            "thinking": seat.number if seat is not None and seat.kind == "bot" else 0,
            "preparing": self._room.driver.preparing,
            "redo": live.redoable,
            "guide": lessons.instruction(live),
        }

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

    def _viewpoint(self, person: str) -> int:
        """The player whose view of the game a person gets; 0 for watchers."""
        if self._room.mine(person):
            return self._room.live.turn
        return next((seat.number for seat in self._room.stored.seats if person and seat.holder == person), 0)
