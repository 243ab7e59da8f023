"""Who somebody is: an id in a signed cookie."""

from __future__ import annotations

import hmac
from hashlib import sha256
from time import time
from typing import TYPE_CHECKING

from rookery.web.limits import DAY

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

COOKIE = "rookery"
YEAR = 365 * DAY
"""How long a cookie is valid, in seconds; opening a page renews it."""


class Identity:
    """Anonymous identities: a random id in a cookie, with the time at which it was issued and a signature of both."""

    def __init__(self, keys: Sequence[bytes], revoked: Container[str] = (), now: Callable[[], float] = time) -> None:
        """`now` is the time of the database: servers whose clocks are wrong must know each other's cookies."""
        self._keys, self._revoked, self._now = keys, revoked, now

    def signed(self, person: str, issued: float | None = None) -> str:
        """The value of a person's cookie, signed with the first key."""
        return self._signed(person, f"{int(self._now() if issued is None else issued):x}", self._keys[0])

    def _signed(self, person: str, issued: str, key: bytes) -> str:
        return f"{person}.{issued}.{hmac.new(key, f'person {person} {issued}'.encode(), sha256).hexdigest()}"

    def person_in(self, cookies: str, *, secure: bool = False) -> str | None:
        """The person a Cookie header names; None if there is none, the signature is wrong, or it is no longer valid.

        Other programs on the same host may have set cookies of any form.
        """
        for part in cookies.split(";"):
            name, _, value = part.strip().partition("=")
            person, _, rest = value.partition(".")
            issued = rest.partition(".")[0]
            if (
                name == cookie_name(secure=secure)
                and self._is_signed(value, person, issued)
                and self._is_current(issued)
            ):
                return None if person in self._revoked else person
        return None

    def _is_current(self, issued: str) -> bool:
        try:
            return 0 <= self._now() + DAY - int(issued, 16) <= YEAR + DAY
        except ValueError:
            return False

    def _is_signed(self, value: str, person: str, issued: str) -> bool:
        return any(
            hmac.compare_digest(value.encode(), self._signed(person, issued, key).encode()) for key in self._keys
        )

    def cookie(self, person: str, *, secure: bool) -> bytes:
        """The Set-Cookie header for a person."""
        flags = "; Secure" if secure else ""
        name = cookie_name(secure=secure)
        return f"{name}={self.signed(person)}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{flags}".encode()


def cookie_name(*, secure: bool) -> str:
    """The name of the cookie. Under TLS, browsers take one with this prefix from this very host only."""
    return f"__Host-{COOKIE}" if secure else COOKIE
