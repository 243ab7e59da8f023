"""Files of learned weights for 67!: their format, those that come with the package, and which one fits a game best.

A file is a NumPy archive of two parts. `about` is a JSON object: the options the weights were learned for, the size of
the table, the training. `weights` is the table, one byte for each weight: the square root of its share of the largest
weight, in 127 steps on either side of 0, so that the many small weights keep their precision.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.core.errors import OptionError, RookeryError
from rookery.system import interrupts
from rookery.system.requirements import need

if TYPE_CHECKING:
    from rookery.games.sixseven.game import SixSeven

FORMAT = "rookery sixseven weights 1"
"""What `about["format"]` says; it changes when the features do, because weights mean nothing without them."""
FOLDER = Path(__file__).with_name("learned")
STEPS = 127
"""Steps of a weight on either side of 0."""
LARGEST = 3e38
"""The largest weight, which a 32-bit float must hold."""
NOT_OURS = (
    *(AttributeError, EOFError, LookupError, MemoryError, RuntimeError, TypeError, ValueError),
    *(zipfile.BadZipFile, zlib.error),
)
"""What reading a file of another kind may raise."""
BITS = range(10, 27)
"""The sizes a table may have, as powers of two."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights, with the description of their training."""

    about: dict[str, Any]
    table: Any
    """A NumPy array of 32-bit floats, a power of two of them."""

    @property
    def options(self) -> dict[str, Any]:
        """The options they were learned for."""
        return dict(self.about["options"])

    @property
    def title(self) -> str:
        """The options in a few words."""
        return title(self.options)


def title(options: dict[str, Any]) -> str:
    """Options of 67! in a few words.

    >>> title({"rows": 6, "cols": 7, "variant": "final", "operators": "+-*", "rate": 0.67, "tiles": 2})
    '6×7 final, rate 0.67'
    """
    more = "" if options["operators"] == "+-*" else f", operators {options['operators']}"
    more += "" if options["tiles"] == 2 else f", {options['tiles']} tiles a turn"
    return f"{options['rows']}×{options['cols']} {options['variant']}, rate {options['rate']:g}{more}"


def write(path: Path, about: dict[str, Any], table: Any) -> None:
    """Write a file of weights, each as a byte; the same weights make the same bytes."""
    import numpy

    largest = float(numpy.abs(table).max()) or 1.0
    kept = (numpy.sign(table) * numpy.rint(STEPS * numpy.sqrt(numpy.abs(table) / largest))).astype(numpy.int8)
    pack(path, {**about, "largest": largest}, kept, level=9)


def pack(path: Path, about: dict[str, Any], array: Any, level: int) -> None:
    """Write a file with an array and its description, compressed at a level from 0 to 9."""
    import numpy

    text = numpy.frombuffer(json.dumps({"format": FORMAT, **about}).encode(), numpy.uint8)
    part = path.with_name(path.name + ".new")
    try:
        with interrupts.held():
            with zipfile.ZipFile(part, "w") as archive:
                for name, content in (("about", text), ("weights", array)):
                    # A fixed date: the same weights make the same bytes.
                    entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
                    written = io.BytesIO()
                    numpy.lib.format.write_array(written, content, allow_pickle=False)
                    how = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
                    archive.writestr(entry, written.getvalue(), how, level)
            part.replace(path)
    except OSError as problem:
        raise RookeryError(f"'{path}' cannot be written: {problem.strerror}.") from None


def read(path: Path) -> Weights:
    """Read the weights of a file."""
    need("bots", "A bot that plays by weights", "numpy")
    import numpy

    about, kept = unpacked(path)
    if kept.dtype == numpy.float32:
        raise RookeryError(f"'{path}' is a training that has not ended: finish it first.")
    largest = about.get("largest")
    sound = isinstance(largest, int | float) and 0 < largest < LARGEST
    if kept.dtype != numpy.int8 or kept.shape != (1 << about["bits"],) or not sound:
        raise RookeryError(f"'{path}' is damaged: its weights are not what it says they are.")
    roots = kept.astype(numpy.float32) / STEPS
    return Weights(about, numpy.sign(roots) * roots**2 * numpy.float32(largest))


def unpacked(path: Path) -> tuple[dict[str, Any], Any]:
    """The description in a file, and its array."""
    import numpy

    try:
        with path.open("rb") as file, numpy.load(file, allow_pickle=False) as archive:
            about, array = json.loads(archive["about"].tobytes()), archive["weights"]
        if about["format"] != FORMAT:
            raise RookeryError(f"'{path}' was made by another version of Rookery: train it again.")
        if type(about["bits"]) is not int or about["bits"] not in BITS or not _are_options(about["options"]):
            raise ValueError
    except RookeryError:
        raise
    except OSError as problem:
        if problem.strerror is None or path.is_file():
            raise RookeryError(f"'{path}' is not a file of weights.") from None
        raise RookeryError(f"'{path}' cannot be read: {problem.strerror}.") from None
    except NOT_OURS as problem:
        raise RookeryError(f"'{path}' is not a file of weights.") from problem
    return about, array


def _are_options(given: Any) -> bool:
    """Whether these are all options of 67!, with valid values."""
    from rookery.games.sixseven.game import SixSeven

    try:
        return isinstance(given, dict) and SixSeven.make(**given).options == given
    except RookeryError:
        return False


def shipped() -> list[Path]:
    """The files that come with the package."""
    return sorted(FOLDER.glob("*.npz"))


@cache
def loaded(path: Path) -> Weights:
    """A file's weights, read once."""
    return read(path)


def given(path: str, game: SixSeven) -> Weights:
    """The weights of a file that the user named, which must be for this game."""
    try:
        file = Path(path).expanduser()
    except RuntimeError:  # the home of an unknown user
        raise RookeryError(f"'{path}' cannot be read: it is not a file's name.") from None
    found = loaded(file)
    if found.options != game.options:
        raise OptionError(f"The weights in '{path}' are for {found.title}, not for {title(dict(game.options))}.")
    return found


@cache
def nearest(game: SixSeven) -> Weights | None:
    """The weights of the package that fit a game best; None if none are of use.

    Patterns of tiles have similar values on boards of other sizes, as long as lines collapse alike.
    """
    found = [loaded(path) for path in shipped()]
    alike = [each for each in found if distance(each.options, dict(game.options)) is not None]
    return min(alike, key=lambda each: distance(each.options, dict(game.options)) or 0.0, default=None)


MERGING = ("pairs", "final")


def distance(one: dict[str, Any], other: dict[str, Any]) -> float | None:
    """How different two games with these options are; None if weights of one are of no use for the other."""
    merging = {options["variant"] in MERGING for options in (one, other)}
    if len(merging) > 1 or one["operators"] != other["operators"]:
        return None
    return float(
        abs(one["rows"] * one["cols"] - other["rows"] * other["cols"]) / 10
        + 2.0 * (one["variant"] != other["variant"])
        + 10 * abs(one["rate"] - other["rate"])
        + abs(one["tiles"] - other["tiles"])
        + 0.01 * (one["rows"] != other["rows"])
    )
