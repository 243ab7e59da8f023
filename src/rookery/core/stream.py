"""Random numbers, the same interpreted and compiled.

The generator is xoshiro128++ (Blackman and Vigna 2021): four 32-bit words, kept in signed 64-bit integers, so that no
step overflows. The functions keep to the same restrictions as a game's rules; `Stream` wraps them in a class.
"""

from __future__ import annotations

from rookery.core import arguments  # as a module: functions named here would be compiled with the others
from rookery.core.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from rookery.core.rules import Words

    T = TypeVar("T")

WORDS = 4
MASK = 0xFFFFFFFF
ROUNDS = 20
LAST_SEED = 2**63 - 1
MOST = 2**31 - 1
"""The largest `n` that `below` takes."""


def rotate(x: int, k: int) -> int:
    return ((x << k) & MASK) | (x >> (32 - k))


def seed_stream(r: Words, seed: int, index: int) -> None:
    """Set `r` to the stream of game `index` of the experiment `seed`; both from 0 to 2^63 − 1.

    The two numbers are mixed by ChaCha's quarter round (Bernstein 2008), which is invertible: two different pairs
    never give the same stream. Adding a constant and the round's number breaks the symmetry of equal words.
    """
    a, b, c, d = seed & MASK, seed >> 32, index & MASK, index >> 32
    for k in range(ROUNDS):
        a = (a + 0x9E3779B9 + k) & MASK
        a = (a + b) & MASK
        d = rotate(d ^ a, 16)
        c = (c + d) & MASK
        b = rotate(b ^ c, 12)
        a = (a + b) & MASK
        d = rotate(d ^ a, 8)
        c = (c + d) & MASK
        b = rotate(b ^ c, 7)
    if a == 0 and b == 0 and c == 0 and d == 0:
        a = 1
    r[0], r[1], r[2], r[3] = a, b, c, d


def bits(r: Words) -> int:
    """The next 32 random bits."""
    a, b, c, d = r[0], r[1], r[2], r[3]
    result = (rotate((a + d) & MASK, 7) + a) & MASK
    c ^= a
    d ^= b
    r[1] = b ^ c
    r[0] = a ^ d
    r[2] = c ^ ((b << 9) & MASK)
    r[3] = rotate(d, 11)
    return result


def below(r: Words, n: int) -> int:
    """A whole number from 0 to n − 1, each equally likely; n from 1 to 2^31 − 1."""
    product = bits(r) * n
    if (product & MASK) < n:
        product = _fair(r, n, product)
    return product >> 32


def _fair(r: Words, n: int, product: int) -> int:
    """The product, or the next one, that is free of bias (Lemire 2019). A function of its own, because it is rarely
    needed and `below` must stay short enough to be inlined.
    """
    shortfall = (MASK + 1 - n) % n
    while (product & MASK) < shortfall:
        product = bits(r) * n
    return product


def uniform(r: Words) -> float:
    """A multiple of 2^−53 in [0, 1)."""
    high = bits(r) >> 5
    return (high * 67108864.0 + (bits(r) >> 6)) / 9007199254740992.0


def happens(r: Words, share: int) -> bool:
    """True with the probability `share` · 2^−53; bits that cannot matter are not drawn."""
    high, limit = bits(r), share >> 21
    if high != limit:
        return high < limit
    return bits(r) >> 11 < share & 0x1FFFFF


class Stream:
    """The random stream of game `index` of the experiment `seed`; the pair determines every number.

    >>> Stream(7).below(6), Stream(7).below(6), Stream(7, 1).below(6)
    (4, 4, 5)
    """

    __slots__ = ("words",)

    def __init__(self, seed: int = 0, index: int = 0) -> None:
        self.words: list[int] = [0] * WORDS
        seed_stream(
            self.words, arguments.whole(seed, "seed", 0, LAST_SEED), arguments.whole(index, "index", 0, LAST_SEED)
        )

    def copy(self) -> Stream:
        """A stream that gives the same numbers from here on."""
        twin = Stream()
        twin.words[:] = self.words
        return twin

    def bits(self) -> int:
        """The next 32 random bits."""
        return bits(self.words)

    def below(self, n: int) -> int:
        """A whole number from 0 to n − 1, each equally likely; n from 1 to 2^31 − 1."""
        if type(n) is not int or not 0 < n <= MOST:
            n = arguments.whole(n, "n", 1, MOST)
        return below(self.words, n)

    def uniform(self) -> float:
        """A number in [0, 1)."""
        return uniform(self.words)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        if not items:
            raise OptionError(f"There is nothing to pick in {arguments.shown(items)}.")
        return items[below(self.words, len(items))]
