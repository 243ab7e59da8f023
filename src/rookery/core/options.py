"""Options: declared once on a dataclass, they define keyword arguments, command-line flags, a JSON schema and errors.

    @dataclass(frozen=True)
    class Race(Game):
        size: int = option(7, "cells along a side", low=3, high=7)
        jump: bool = option(False, "each player may jump once")

Games and bots declare theirs this way; everything else reads the declarations with `options_of`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from rookery.core.arguments import quoted, shown
from rookery.core.errors import OptionError

Value = int | float | bool | str | None
ABBREVIATED = {"cols": "columns"}
"""Names of options that forms write out."""
KINDS: dict[str, type[int] | type[float] | type[bool] | type[str]] = {
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
}


@dataclass(frozen=True)
class Option:
    """One declared option: its name, the values it takes, and its default."""

    name: str
    kind: type[int] | type[float] | type[bool] | type[str]
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    meanings: tuple[str, ...] = ()
    """What each choice means, if that is told."""
    letters: str = ""
    """For text made of letters, each at most once: the letters it may hold."""
    signs: str = ""
    """How these letters are shown, one sign for each, if not as they are."""
    file: bool = False
    """Text that names a file on this machine; requests over a network may not set it."""
    label: str = ""
    """What forms call it, if that is not its name."""
    most: float | None = None
    """The largest value that forms offer, if `high` is far more than anybody wants."""
    optional: bool = False
    """None is allowed and means that the other options decide."""

    @property
    def takes(self) -> str:
        """What the option takes, in words, for help and errors."""
        if self.kind is bool:
            return "yes or no"
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.letters:
            return "one or more of " + " ".join(self.letters)
        text = "a file's name" if self.file else "text"
        noun = "a whole number" if self.kind is int else "a number" if self.kind is float else text
        if self.low is not None and self.high is not None:
            return f"{noun} from {self.low} to {self.high}"
        if self.low is not None:
            return f"{noun}, {self.low} or more"
        return noun

    @property
    def title(self) -> str:
        """What forms call it: its label, or its name in words."""
        words = self.label or ABBREVIATED.get(self.name) or self.name.replace("_", " ")
        return words[:1].upper() + words[1:]

    @property
    def flag(self) -> str:
        """The command-line flag."""
        return "--" + self.name.replace("_", "-")

    def check(self, value: object) -> Value:
        """The value, if the option takes it; an `OptionError` otherwise."""
        if value is None and self.optional:
            return None
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
            value = float(value)
        if type(value) is not self.kind or not self._allows(value):
            raise self.refusal(value)
        return value

    def parse(self, text: str) -> Value:
        """The value of a text that a person typed."""
        try:
            if self.kind is bool:
                return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[text.lower()]
            if self.kind is int and not (text.isascii() and text.removeprefix("-").isdigit()):
                raise self.refusal(text)
            return self.check(self.kind(text))
        except (KeyError, ValueError, OverflowError):
            raise self.refusal(text) from None

    def schema(self) -> dict[str, Any]:
        """The option as a JSON Schema."""
        kinds = {int: "integer", float: "number", bool: "boolean", str: "string"}
        schema: dict[str, Any] = {"title": self.title, "description": self.help, "default": self.default}
        schema["type"] = [kinds[self.kind], "null"] if self.optional else kinds[self.kind]
        if self.low is not None:
            schema["minimum"] = self.low
        if self.high is not None:
            schema["maximum"] = self.high
        if self.most is not None:
            schema["usualMaximum"] = self.most
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.meanings:
            schema["enumDescriptions"] = list(self.meanings)
        if self.letters:
            schema["letters"] = dict(zip(self.letters, self.signs or self.letters, strict=True))
            # Each letter at most once, in any order: a negative look-ahead for a repeat, then letters only.
            schema["pattern"] = r"^(?!.*(.).*\1)[" + "".join("\\" + letter for letter in self.letters) + "]+$"
        return schema

    def refusal(self, value: object) -> OptionError:
        """The error for a value that the option does not take."""
        given = quoted(value) if isinstance(value, str) else shown(value)
        return OptionError(f"{self.name} takes {self.takes}, not {given}.", self.name)

    def _allows(self, value: Any) -> bool:
        if isinstance(value, str):
            if self.letters:
                return bool(value) and len(set(value)) == len(value) and set(value) <= set(self.letters)
            return not self.choices or value in self.choices
        if self.low is not None and not self.low <= value:  # also refuses a float that is not a number
            return False
        return self.high is None or value <= self.high


def option(
    default: Value,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | Mapping[str, str] = (),
    letters: str | Mapping[str, str] = "",
    file: bool = False,
) -> Any:
    """Declare an option of a game or bot, as a dataclass field.

    Numbers take bounds, `low` and `high`, both included. Text takes one of some `choices`, which may come
    with what each means; or `letters`, each at most once, which may come with the sign that forms show for each; or it
    names a `file`.
    """
    meanings = tuple(choices.values()) if isinstance(choices, Mapping) else ()
    details = {"help": help, "low": low, "high": high, "choices": tuple(choices), "meanings": meanings}
    signs = "".join(letters.values()) if isinstance(letters, Mapping) else ""
    details |= {"letters": "".join(letters), "signs": signs, "file": file}
    return dataclasses.field(default=default, metadata={"option": details})


def in_forms(declared: Any, label: str = "", most: float | None = None) -> Any:
    """An option that forms call otherwise, or offer only up to a value, although larger ones are allowed."""
    details = {**declared.metadata["option"], "label": label, "most": most}
    return dataclasses.field(default=declared.default, metadata={"option": details})


D = TypeVar("D", bound="Declared")


@dataclass(frozen=True)
class Declared:
    """A base class with declared options; the constructor checks every value."""

    noun: ClassVar[str] = "thing"

    def __post_init__(self) -> None:
        for each in options_of(type(self)):
            object.__setattr__(self, each.name, each.check(getattr(self, each.name)))
        self.check()

    def check(self) -> None:
        """Raise an `OptionError` for options that are valid alone but not together."""

    @property
    def options(self) -> dict[str, Value]:
        """The values of the options by name."""
        return {each.name: getattr(self, each.name) for each in options_of(type(self))}

    @classmethod
    def make(cls: type[D], /, **given: Any) -> D:
        """Create one with the given options, the rest at their defaults; unknown names raise an `OptionError`."""
        known = {each.name: each for each in options_of(cls)}
        for name in given:
            if name not in known:
                has = ", ".join(known) or "none"
                raise OptionError(f"{cls.title_of()} has no option '{name}'; it has {has}.")
        return cls(**given)

    @classmethod
    def title_of(cls) -> str:
        """What messages call it."""
        return getattr(cls, "title", None) or f"The {cls.noun} {getattr(cls, 'name', cls.__name__)}"


def options_of(cls: type[Declared]) -> tuple[Option, ...]:
    """The declared options of a game or bot, in order."""
    if cls not in _declared:
        _declared[cls] = _read(cls)
    return _declared[cls]


_declared: dict[type[Declared], tuple[Option, ...]] = {}


def _read(cls: type[Declared]) -> tuple[Option, ...]:
    found = []
    for field in dataclasses.fields(cls):
        if "option" in field.metadata:
            default: Value = field.default  # type: ignore[assignment]  # `option` always gives one
            # Annotations are read as text: resolving them would import whatever else the class mentions.
            noted = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", str(field.type))
            kind, _, rest = noted.partition(" | ")
            optional = rest == "None"
            found.append(Option(field.name, KINDS[kind], default, optional=optional, **field.metadata["option"]))
    return tuple(found)


def schema_of(cls: type[Declared]) -> dict[str, Any]:
    """A JSON Schema of the options, for forms and for checking requests."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": getattr(cls, "title", cls.__name__),
        "type": "object",
        "properties": {each.name: each.schema() for each in options_of(cls)},
        "additionalProperties": False,
    }
