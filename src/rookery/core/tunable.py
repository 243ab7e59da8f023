"""Bots that people tune by hand with sliders, as a choice beside the levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rookery.core.bot import make_bot

if TYPE_CHECKING:
    from rookery.core.bot import Bot
    from rookery.core.game import Game


@dataclass(frozen=True)
class Slider:
    """A parameter of a bot with the values to choose from."""

    option: str
    label: str
    values: tuple[float, ...]
    default: float
    text: str
    """How a value is said, as a format such as `depth {:.0f}`."""

    def texts(self) -> tuple[str, ...]:
        """All values in words."""
        return tuple(self.text.format(value) for value in self.values)


@dataclass(frozen=True)
class TunableBot:
    """A bot with sliders."""

    title: str
    summary: str
    spec: str
    """The bot without the parameters that have sliders."""
    sliders: tuple[Slider, ...]

    @property
    def template(self) -> str:
        """The bot's spec, with the name of each slider's option in braces where its value goes."""
        parts = ",".join(f"{slider.option}={{{slider.option}}}" for slider in self.sliders)
        return f"{self.spec}{',' if ':' in self.spec else ':'}{parts}"

    def label(self, game: type[Game], bot: Bot) -> str | None:
        """What this bot is called, such as “Classic bot, depth 2”, if it differs by the sliders alone; else None."""
        base = make_bot(game, self.spec)
        if type(base) is not type(bot):
            return None
        values = {slider.option: getattr(bot, slider.option) for slider in self.sliders}
        if replace(base, **values) != bot:
            return None
        return ", ".join([f"{self.title} bot", *(each.text.format(values[each.option]) for each in self.sliders)])
