"""Classes whose methods check what programs give them, and whose subclasses need not check it again."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Check: TypeAlias = Callable[..., tuple[Any, ...] | None]
    """Takes what a method takes, and raises an error unless it is right. It may return the arguments in the form in
    which the method needs them."""


class Checked:
    """A class that wraps the methods named in `_checks`, and their overrides in subclasses, in checks."""

    _checks: ClassVar[Mapping[str, Check]] = {}

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        for name, check in cls._checks.items():
            if name in vars(cls):
                setattr(cls, name, _checked(vars(cls)[name], check))


def _checked(method: Callable[..., Any], check: Check) -> Callable[..., Any]:
    @functools.wraps(method)
    def asked(self: Any, *given: Any, **named: Any) -> Any:
        right = check(self, *given, **named)
        return method(self, *given, **named) if right is None else method(self, *right)

    return asked
