"""Draws docs/rookery.svg: the four games side by side, each in a position reached by legal play.

Run it with `python -m tools.pictures.overview`, or `make picture`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tools.pictures.board import FONT, THEMES, Grid, Theme, board, text

import rookery
from rookery.core.palette import DARK
from rookery.core.rules import CHANCE, DIRECTIONS
from rookery.core.state import State
from rookery.core.stream import Stream

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "rookery.svg"
WIDTH, HEIGHT, GAP, MARGIN = 392, 384, 16, 22
BOARD = 268
"""The height reserved for a board."""
DIRECTION_OF = dict(zip("urdl", DIRECTIONS, strict=True))

LOOPS = "rrruuulllddd llldddrrruuu uuullllldddddrrrrruu rrrrdddddllluu"
TAKES = """
    m19 m73 m44 m17 m10 m75 m52 m76 m55 m97 m77 m99 m18 m67 m65 m07 m57 m45 m53 m72 m95 m11 m74 m35 m21 m20 m85 m29 m71
    g67 m51 g75 m66 m27 m83 m84 m37 m56 m54 m42 m78 m89 m50 m00 m94 m87 m01 m25 m61 m58 m15"""
SLIDES = "rullurlrurllulldrurdruludr"
RUN = """
    1,3 5,3 2,3 4,3 3,3 5,3|6,3 4,2|4,3 3,2|3,3 0,4|1,4 3,3|3,4 1,2|2,2 3,2|4,2 1,4|1,5 5,2|6,2 2,3|3,3 4,3|5,3 2,4|3,4
    4,4|5,4 2,5|3,5 4,4 2,6|3,6 4,5 4,3 5,5 4,4 4,4|4,5"""


@dataclass(frozen=True)
class Card:
    """One game of the picture: the command that starts it, its position, and which panels to show."""

    command: str
    state: State
    panels: tuple[str, ...] = ()

    @property
    def theme(self) -> Theme:
        """The colours of its game."""
        return THEMES[self.state.game.name]


def played(state: State, names: list[str], seed: int = 0) -> State:
    """The state after these actions; a stream decides chance."""
    stream = Stream(seed)
    for name in [*names, ""]:
        while state.turn == CHANCE:
            state.play(state.draw(stream))
        if name:
            state.play(state.game.action(name))
    return state


def directions(letters: str) -> list[str]:
    """The names of directions given by their first letters."""
    return [DIRECTION_OF[letter] for letter in letters]


def cards() -> list[Card]:
    loops = played(rookery.game("gotham").start(), directions(LOOPS.replace(" ", "")), seed=115)
    takes = played(rookery.game("gamma", players=3).start(), [" ".join(take) for take in TAKES.split()])
    slides = played(rookery.game("sixseven").start(), directions(SLIDES), seed=87)
    run = played(rookery.game("gaterun").start(), RUN.split())
    return [
        Card("gotham", loops, ("Round", "This round", "Total")),
        Card("gamma --players 3", takes, ("cells",)),
        Card("sixseven", slides, ("Moves", "Closest to 67")),
        Card("gaterun", run, ("walls left",)),
    ]


def picture() -> str:
    parts = []
    for number, card in enumerate(cards()):
        x, y = number % 2 * (WIDTH + GAP), number // 2 * (HEIGHT + GAP)
        parts.append(f'<g transform="translate({x} {y})">{frame(card)}{placed(card)}</g>')
    width, height = 2 * WIDTH + GAP, 2 * HEIGHT + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="{FONT}" role="img">'
        "<title>Gotham Loops, Gamma, 67! and GateRun in a terminal</title>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def frame(card: Card) -> str:
    """The card: the command in its title bar, the message and panels in its footer."""
    scene, accent = card.state.scene(), card.theme.accent
    names = ("", *(f"{name} " for name in scene.players))
    shown = [panel for panel in scene.panels if panel.label in card.panels]
    footer = "   ".join(f"{names[panel.owner]}{panel.label} {panel.value}" for panel in shown)
    dots = "".join(
        f'<circle cx="{MARGIN + 14 * k}" cy="20" r="4.5" fill="{accent}" opacity="{1 - 0.3 * k:.1f}"/>'
        for k in range(3)
    )
    return (
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="14" fill="{card.theme.background}"'
        f' stroke="{accent}" stroke-opacity="0.35"/>{dots}'
        + text(MARGIN + 46, 24.5, f"rookery play {card.command}", DARK.ink, 12.5)
        + text(WIDTH - MARGIN, 24.5, card.state.game.title, accent, 13, anchor="end", bold=True)
        + f'<path d="M1 40H{WIDTH - 1}" stroke="{accent}" stroke-opacity="0.2"/>'
        + text(MARGIN, HEIGHT - 34, scene.message, accent, 10.4)
        + text(MARGIN, HEIGHT - 17, footer, DARK.soft, 10.4)
    )


def placed(card: Card) -> str:
    """The board, centred in the space left for it."""
    scene = card.state.scene()
    size = min(BOARD / scene.rows, (WIDTH - 2 * MARGIN) / scene.cols)
    left, top = (WIDTH - scene.cols * size) / 2, 52 + (BOARD - scene.rows * size) / 2
    return board(scene, card.theme, Grid(left, top, size))


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
