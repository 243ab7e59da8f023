"""What was made for people and has not been read by them yet, in bytes: bounded for an address, and in all."""

from __future__ import annotations

from typing import Protocol

from rookery.web import metrics

MOST = 128_000_000
"""Bytes that a server keeps for all who do not read."""


class Holder(Protocol):
    """A connection, or the queue of one: what bytes are kept for."""

    address: str
    """Whose it is; empty if it is a proxy's, which has those of many people."""

    def drop(self) -> None:
        """End the connection at once."""


class Backlog:
    """How much is kept for each holder. When it is too much, those for whom most is kept lose their connections."""

    def __init__(self, each: int, most: int = MOST) -> None:
        """`each` is the most for an address."""
        self._each, self._most = each, most
        self._held: dict[str, dict[Holder, int]] = {}
        self._of: dict[str, int] = {}
        """How much is kept for each address."""
        self._total = 0

    def keep(self, holder: Holder, size: int) -> None:
        """Note how much is kept for a holder by now."""
        address = holder.address
        before = self._held.get(address, {}).get(holder, 0)
        if size == before:
            return
        self._set(holder, size, size - before)
        if size > before:
            while address and self._of.get(address, 0) > self._each:
                self._drop_largest(address)
            while self._total > self._most:
                self._drop_largest(max(self._of, key=self._of.__getitem__))

    def _set(self, holder: Holder, size: int, more: int) -> None:
        address = holder.address
        held = self._held.setdefault(address, {})
        if size:
            held[holder] = size
        else:
            del held[holder]
        self._total += more
        self._of[address] = self._of.get(address, 0) + more
        metrics.unread.add(more)
        if not held:
            del self._held[address], self._of[address]

    def _drop_largest(self, address: str) -> None:
        held = self._held[address]
        largest = max(held, key=held.__getitem__)
        self._set(largest, 0, -held[largest])
        largest.drop()
