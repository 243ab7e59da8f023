"""How the arcade is run: one table of settings, each of which is a flag of `rookery serve` and an environment variable.

It imports nothing of the server, so that `rookery serve --help` needs no packages.
"""

from __future__ import annotations

from argparse import SUPPRESS, BooleanOptionalAction
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any

from rookery.core.errors import OptionError
from rookery.core.options import Option

if TYPE_CHECKING:
    from argparse import ArgumentParser

PREFIX = "ROOKERY_"


def _setting(default: Any, help: str, metavar: str = "", *, name: str = "", plural: str = "", **more: Any) -> Any:
    """A setting: its default, what it does, and how its value is shown. `name` is that of its flag, if not the field's;
    `plural` that of the variable of a setting that may be given several times. `more` says what values it takes.
    """
    return field(default=default, metadata={"help": help, "metavar": metavar, "name": name, "plural": plural} | more)


@dataclass(frozen=True)
class Settings:
    """How the arcade is run."""

    host: str = _setting("127.0.0.1", "the address to listen on", "H")
    port: int = _setting(8067, "the port; 0 picks a free one", "P", low=0, high=65535)
    database: str | None = _setting(
        None, "the database, a file or a URL (default: a file in your data folder)", "URL", name="db"
    )
    games: tuple[str, ...] = _setting(
        (), "also offer the game in a Python file", "FILE.py", name="game", plural="games"
    )
    allowed_hosts: tuple[str, ...] = _setting(
        (),
        "also answer to this host name, as a proxy or a domain needs it (repeatable; * for any)",
        "NAME",
        name="allowed_host",
        plural="allowed_hosts",
    )
    trusted_proxies: tuple[str, ...] = _setting(
        (),
        "believe X-Forwarded-For, X-Forwarded-Proto and X-Request-ID from this address or network (repeatable)",
        "ADDRESS",
        name="trusted_proxy",
        plural="trusted_proxies",
        network=True,
    )
    people_per_address: int = _setting(
        20,
        "how many people may share an address, such as a school's; limits grow with it",
        "N",
        low=1,
        high=100_000,
    )
    keep_days: int | None = _setting(
        None, "delete games that nobody has changed for this many days (default: never)", "DAYS", low=1, high=36_500
    )
    workers: int = _setting(1, "how many processes serve; more than 1 need PostgreSQL", "N", low=1, high=64)
    drain: int = _setting(
        0,
        "seconds for which a server still answers after SIGTERM, with /readyz at 503, so that a load balancer notices",
        "S",
        low=0,
        high=600,
    )
    log: str = _setting(
        "text", "the form of the log: text, or json with one object a line", "FORM", choices=("text", "json")
    )
    access_log: bool = _setting(False, "log every request: its id, method, path, status, time and size")
    metrics: bool = _setting(False, "answer /metrics with figures for Prometheus")
    browser: bool = _setting(True, "open a browser, if there is a screen")


class Setting:
    """One setting: its flag, its variable, and how its text is read."""

    def __init__(self, declared: Field[Any]) -> None:
        given = declared.metadata
        name = given["name"] or declared.name
        self.field, self.default, self.help = declared.name, declared.default, given["help"]
        self.flag = "--" + name.replace("_", "-")
        self.variable = PREFIX + (given["plural"] or name).upper()
        self.many = bool(given["plural"])
        self.metavar = given["metavar"]
        self._network = given.get("network", False)
        whole = "low" in given
        self.kind: type[bool] | type[int] | type[str] = (
            bool if isinstance(self.default, bool) else int if whole else str
        )
        self._takes = {key: given[key] for key in ("low", "high", "choices") if key in given}

    def add_to(self, parser: ArgumentParser) -> None:
        """Add the flag. What is not given stays out of what is parsed, so that the environment may give it."""
        said = self.kind is not bool and self.default not in (None, ())
        shown = f" (default {self.default})" if said else ""
        about = f"{self.help}{shown} [{self.variable}]"
        how: dict[str, Any] = {"dest": self.field, "default": SUPPRESS, "help": about}
        if self.kind is bool:
            parser.add_argument(self.flag, action=BooleanOptionalAction, **how)
        else:
            parser.add_argument(self.flag, action="append" if self.many else "store", metavar=self.metavar, **how)

    def read(self, chosen: Mapping[str, Any], environment: Mapping[str, str]) -> Any:
        """The value: the flag's, else the variable's, else the default. An empty variable counts as none."""
        if self.field in chosen:
            found = chosen[self.field]
            return found if self.kind is bool else self._value(self.flag.removeprefix("--"), found)
        text = environment.get(self.variable, "").strip()
        if not text:
            return self.default
        return self._value(self.variable, text.replace(",", " ").split() if self.many else text)

    def _value(self, source: str, given: Any) -> Any:
        """The value of what was given, or an error that names where."""
        if self.many:
            for each in given if self._network else ():
                _check_network(source, each)
            return tuple(given)
        return Option(source, self.kind, None, "", **self._takes).parse(given)


def _check_network(source: str, text: str) -> None:
    try:
        ip_network(text)
    except ValueError as problem:
        raise OptionError(
            f"{source} takes an IP address or a network, such as 127.0.0.1 or 172.16.0.0/12: {problem}."
        ) from None


SETTINGS = tuple(Setting(each) for each in fields(Settings))
"""All settings."""


def add_flags(parser: ArgumentParser) -> None:
    """Add a flag for every setting."""
    for each in SETTINGS:
        each.add_to(parser)
    parser.epilog = (
        "Every flag may be given by the environment variable in brackets instead; flags win. Several values are "
        "separated by commas or blanks, switches take yes or no."
    )


def settings_of(chosen: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """The settings that flags and environment variables give."""
    return Settings(**{each.field: each.read(chosen, environment) for each in SETTINGS})
