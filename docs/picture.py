"""Draws docs/rookery.svg: the four games side by side, each in a position reached by legal play.

Run it with `python docs/picture.py`. Like every surface it draws scenes and knows nothing of the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

import rookery
from rookery.core import sketch
from rookery.core.rules import CHANCE, DIRECTIONS
from rookery.core.scene import Cell, Scene, Wall
from rookery.core.state import State
from rookery.core.stream import Stream

WIDTH, HEIGHT, GAP, MARGIN = 392, 384, 16, 22
BOARD = 268
"""The room for a board's height."""
PLAYERS = ("", "#4fd1a1", "#f0b23e", "#e08fc0")
ROUNDS = ("", "#8fa3c8", "#d9b36c")
"""A cell's rings, by how many there are."""
WAYS = dict(zip("urdl", DIRECTIONS, strict=True))

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
    """One game of the picture: what was typed to start it, its colours, and which of its figures to show."""

    command: str
    state: State
    accent: str
    ground: str
    panels: tuple[str, ...] = ()


def played(state: State, names: list[str], seed: int = 0) -> State:
    """The state after these actions, with chance decided by a stream."""
    stream = Stream(seed)
    for name in [*names, ""]:
        while state.turn == CHANCE:
            state.play(state.draw(stream))
        if name:
            state.play(state.game.action(name))
    return state


def cards() -> list[Card]:
    loops = played(rookery.game("gotham").start(), [WAYS[way] for way in LOOPS.replace(" ", "")], seed=115)
    takes = played(rookery.game("gamma", players=3).start(), [" ".join(take) for take in TAKES.split()])
    slides = played(rookery.game("sixseven").start(), [WAYS[way] for way in SLIDES], seed=87)
    run = played(rookery.game("gaterun").start(), RUN.split())
    return [
        Card("gotham", loops, "#f5b041", "#101c38", ("Round", "This round", "Total")),
        Card("gamma --players 3", takes, "#4fd1a1", "#10201b", ("cells",)),
        Card("sixseven", slides, "#ff8e78", "#241616", ("Moves", "Largest")),
        Card("gaterun", run, "#b9a0ff", "#1a1530", ("walls left",)),
    ]


def picture() -> str:
    parts = []
    for number, card in enumerate(cards()):
        x, y = number % 2 * (WIDTH + GAP), number // 2 * (HEIGHT + GAP)
        parts.append(f'<g transform="translate({x} {y})">{frame(card)}{board(card)}</g>')
    width, height = 2 * WIDTH + GAP, 2 * HEIGHT + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" role="img">'
        "<title>Gotham Loops, Gamma, 67! and GateRun in a terminal</title>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def frame(card: Card) -> str:
    """The card with the command in its bar, and the message and figures at its foot."""
    scene, accent = card.state.scene(), card.accent
    names = ("", *(f"{name} " for name in scene.players))
    shown = [panel for panel in scene.panels if panel.label in card.panels]
    figures = "   ".join(f"{names[panel.owner]}{panel.label} {panel.value}" for panel in shown)
    dots = "".join(
        f'<circle cx="{MARGIN + 14 * k}" cy="20" r="4.5" fill="{accent}" opacity="{1 - 0.3 * k:.1f}"/>'
        for k in range(3)
    )
    return (
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="14" fill="{card.ground}"'
        f' stroke="{accent}" stroke-opacity="0.35"/>{dots}'
        + text(MARGIN + 46, 24.5, f"rookery play {card.command}", "#c9cedb", 12.5)
        + text(WIDTH - MARGIN, 24.5, card.state.game.title, accent, 13, anchor="end", bold=True)
        + f'<path d="M1 40H{WIDTH - 1}" stroke="{accent}" stroke-opacity="0.2"/>'
        + text(MARGIN, HEIGHT - 34, scene.message, accent, 10.4)
        + text(MARGIN, HEIGHT - 17, figures, "#9aa3b5", 10.4)
    )


def board(card: Card) -> str:
    scene = card.state.scene()
    size = min(BOARD / scene.rows, (WIDTH - 2 * MARGIN) / scene.cols)
    left, top = (WIDTH - scene.cols * size) / 2, 52 + (BOARD - scene.rows * size) / 2
    cells = [
        sign(card, scene, scene.cell(row, col), left + col * size, top + row * size, size)
        for row in range(scene.rows)
        for col in range(scene.cols)
    ]
    return "".join(cells) + "".join(bar(wall, left, top, size, card.accent) for wall in scene.walls)


def sign(card: Card, scene: Scene, cell: Cell, x: float, y: float, size: float) -> str:
    """A cell: a tile behind it if something is there, and its text in the colour of its role."""
    roles = {mark.role for mark in cell.marks}
    pawn = next((mark.number for mark in cell.marks if mark.role == "pawn"), 0)
    rings = sum(mark.role == "ring" for mark in cell.marks)
    shown, colour, fill, strength = sketch.sign(cell).rstrip("!"), "#ffffff", card.accent, 0.0
    inset, corner = 0.06, 0.2
    if "here" in roles or cell.text == "67":
        colour, strength = card.ground, 1.0
    elif pawn:
        colour, fill, strength, inset, corner = card.ground, ("", "#e9e1ff", "#f0b23e")[pawn], 1.0, 0.16, 0.5
    elif cell.role in ("home", "safe"):
        colour, strength = card.accent, 0.3
    elif cell.role == "trail":
        colour, fill, strength = "#7cc4f5", "#56b4e9", 0.22
    elif cell.role == "owned":
        colour, fill, strength = PLAYERS[cell.owner], PLAYERS[cell.owner], 0.45 if cell.last else 0.2
    elif cell.role in ("number", "operator"):
        colour, strength = ("#ffe3dc", 0.26) if cell.role == "number" else (card.accent, 0.12)
    elif rings:
        shown, colour, fill, strength = str(rings), ROUNDS[rings], ROUNDS[rings], 0.16
    elif scene.edges:
        shown, strength = "", 0.14 if cell.role == "goal" else 0.07
    else:
        shown, colour = "·", "#5f6b85" if "takeable" not in roles else "#d7e6df"
    side = size * (1 - 2 * inset)
    tile = (
        f'<rect x="{x + size * inset:.1f}" y="{y + size * inset:.1f}" width="{side:.1f}" height="{side:.1f}"'
        f' rx="{size * corner:.1f}" fill="{fill}" fill-opacity="{strength}"'
        + (' stroke="#ffd75e" stroke-width="1.5"' if "golden" in roles else "")
        + "/>"
    )
    font = size * (0.56 if len(shown) < 3 else 0.42)
    words = text(x + size / 2, y + size / 2 + font * 0.35, shown, colour, font, anchor="middle", bold=strength > 0.1)
    return (tile if strength else "") + (words if shown else "")


def bar(wall: Wall, left: float, top: float, size: float, accent: str) -> str:
    """A wall on the edge between its two cells."""
    (row, col), (_, next_col) = wall.between
    x, y, long, thick = left + col * size, top + row * size, size * 0.92, 5.0
    if next_col > col:
        x, y, width, height = x + size - thick / 2, y + (size - long) / 2, thick, long
    else:
        x, y, width, height = x + (size - long) / 2, y + size - thick / 2, long, thick
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2.5" fill="{accent}"/>'


def text(x: float, y: float, content: str, fill: str, size: float, *, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" font-size="{size:.1f}" text-anchor="{anchor}"{weight}'
        f' xml:space="preserve">{escape(content)}</text>'
    )


if __name__ == "__main__":
    (Path(__file__).parent / "rookery.svg").write_text(picture(), encoding="utf-8")
