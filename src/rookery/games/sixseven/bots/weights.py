"""Files of learned weights for 67!: what is in one, which come with the package, and which serves a game best.

A file is a NumPy archive of two parts. `about` is a JSON object: the options the weights were learned for, the size of
the table, the training that made them. `weights` are the table, a byte each: the square root of a weight, as a share
of the largest, in 127 steps on either side of 0, so that small weights, of which there are most, are kept finely.
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
"""Steps of a byte on either side of 0."""
LARGEST = 3e38
"""The largest weight, which a 32-bit float must hold."""
NOT_OURS = (
    *(AttributeError, EOFError, LookupError, MemoryError, RuntimeError, TypeError, ValueError),
    *(zipfile.BadZipFile, zlib.error),
)
"""What reading a file of anything else may raise."""
BITS = range(10, 27)
"""The sizes a table may have, as powers of two."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights with what is known about them."""

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
    """Write a file with an array and what there is to say about it, packed at a level from 0 to 9."""
    import numpy

    text = numpy.frombuffer(json.dumps({"format": FORMAT, **about}).encode(), numpy.uint8)
    part = path.with_name(path.name + ".new")
    try:
        with interrupts.held():
            with zipfile.ZipFile(part, "w") as archive:
                for name, content in (("about", text), ("weights", array)):
                    # A date of its own would make each file another one.
                    entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
                    written = io.BytesIO()
                    numpy.lib.format.write_array(written, content, allow_pickle=False)
                    how = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
                    archive.writestr(entry, written.getvalue(), how, level)
            part.replace(path)
    except OSError as problem:
        raise RookeryError(f"'{path}' cannot be written: {problem.strerror}.") from None


def read(path: Path) -> Weights:
    """The weights in a file; one sentence if it is none."""
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
    """What a file says about itself, and the array in it."""
    import numpy

    try:
        with path.open("rb") as file, numpy.load(file, allow_pickle=False) as archive:
            about, array = json.loads(archive["about"].tobytes()), archive["weights"]
        if about["format"] != FORMAT:
            raise RookeryError(f"'{path}' was made by another version of Rookery: train it anew.")
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
    """Whether these are all the options of 67!, each as it can be."""
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
    """The weights in a file somebody names, which must be for this game."""
    try:
        file = Path(path).expanduser()
    except RuntimeError:  # the home of somebody who is not there
        raise RookeryError(f"'{path}' cannot be read: it is not a file's name.") from None
    found = loaded(file)
    if found.options != game.options:
        raise OptionError(f"The weights in '{path}' are for {found.title}, not for {title(dict(game.options))}.")
    return found


@cache
def nearest(game: SixSeven) -> Weights | None:
    """The weights that come with the package and serve a game best; none if no others are of any use for it.

    Patterns of tiles mean much the same on a larger or smaller board, as long as lines collapse alike.
    """
    found = [loaded(path) for path in shipped()]
    alike = [each for each in found if distance(each.options, dict(game.options)) is not None]
    return min(alike, key=lambda each: distance(each.options, dict(game.options)) or 0.0, default=None)


MERGING = ("pairs", "final")


def distance(one: dict[str, Any], other: dict[str, Any]) -> float | None:
    """How different the games with these options are; None if what is learned in one says nothing about the other."""
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
