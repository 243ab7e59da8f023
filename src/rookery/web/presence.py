"""Who watches a game: the viewers here, and those of other servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.web.events import Here

if TYPE_CHECKING:
    from rookery.web.events import Events
    from rookery.web.registry import RoomRegistry
    from rookery.web.rooms import Room


class Presence:
    """Who watches each game. A server asks the others when the first viewer of a game comes, and tells those that
    answer whenever something changes.
    """

    def __init__(self, registry: RoomRegistry, events: Events) -> None:
        self._registry, self._events = registry, events
        self._elsewhere: dict[str, dict[str, Here]] = {}
        """By game and server, who watches there."""
        self._asked: set[str] = set()
        self._silent: set[tuple[str, str]] = set()
        """The games and servers of which nothing was heard since all were asked."""
        events.listen(Here, self._hear)

    def of(self, room: Room) -> tuple[set[str], int]:
        """The people of a game who have it open, and the number of those who only watch."""
        online, watchers = room.audience.here(room.stored.people)
        if room.stored.id in self._elsewhere:
            living = self._events.living()
            for server, there in self._elsewhere[room.stored.id].items():
                if server in living:
                    online.update(room.stored.people.intersection(there.people))
                    watchers += there.watchers
        return online, watchers

    def changed(self, room: Room) -> None:
        """Somebody has come or gone here."""
        if self._events.alone:
            return
        id = room.stored.id
        first = id not in self._asked and bool(room.viewers)
        if first or id in self._elsewhere:
            self._events.send(id, self._here(room, ask=first))
        if first:
            self._asked.add(id)
        if not room.viewers:  # the others tell nobody who does not watch; the next viewer asks again
            self.forget(id)

    def forget(self, id: str) -> None:
        """A room was closed."""
        self._elsewhere.pop(id, None)
        self._asked.discard(id)

    def announce(self) -> None:
        """Tell again who watches what: something may have been lost, and servers may be gone."""
        if self._events.alone:
            return
        living = self._events.living()
        for id, there in list(self._elsewhere.items()):
            room = self._registry.rooms().get(id)
            for server in [each for each in there if each not in living or (id, each) in self._silent]:
                del there[server]
                if room is not None:
                    room.audience.update()
            if room is None:
                self.forget(id)
            elif there:
                self._events.send(id, self._here(room, ask=True))
            else:
                del self._elsewhere[id]
        self._silent = {(id, server) for id, there in self._elsewhere.items() for server in there}

    def _here(self, room: Room, *, ask: bool) -> Here:
        online, watchers = room.audience.here(room.stored.people)
        return Here(room.stored.id, sorted(online), watchers, ask)

    def _hear(self, server: str, event: Any) -> None:
        room = self._registry.rooms().get(event.game)
        if room is None:
            return
        self._silent.discard((event.game, server))
        known = self._elsewhere.setdefault(event.game, {})
        before = known.get(server)
        if event.people or event.watchers:
            known[server] = event
        else:
            known.pop(server, None)
            if not known:
                del self._elsewhere[event.game]
        if event.ask and room.viewers:
            self._events.send(event.game, self._here(room, ask=False))
        if before is None or (before.people, before.watchers) != (event.people, event.watchers):
            room.audience.update()
