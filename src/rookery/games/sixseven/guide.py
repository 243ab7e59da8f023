"""67! for newcomers: the goal, the quick rules, a moving example, the options in words, and the daily challenges."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rookery.core.game import Challenge, Example
from rookery.core.notation import counted

if TYPE_CHECKING:
    from rookery.games.sixseven.game import SixSeven

SIGNS = {"+": "+", "-": "−", "*": "×"}
RESULTS = {"+": 13, "-": -3, "*": 40}
"""What 5 and 8 become."""
JOINING = {
    "original": "Where number, operator, number stand side by side in a line, with no gap, a slide turns them into",
    "modified": "Where a slide brings number, operator, number together in a line, the three become",
}


def quick_rules(game: SixSeven) -> tuple[str, ...]:
    sign = game.operators[-1]
    names = [SIGNS[each] for each in game.operators]
    operators = "operator " + names[0] if len(names) == 1 else f"operators {', '.join(names[:-1])} and {names[-1]}"
    joining = JOINING.get(game.variant, JOINING["modified"])
    result = str(RESULTS[sign]).replace("-", "−")
    merging = {
        "pairs": f"Equal operators that meet merge two by two: {names[0]} {names[0]} becomes {names[0]}.",
        "final": f"Equal operators that meet merge into one: {names[0]} {names[0]} {names[0]} becomes {names[0]}.",
    }.get(game.variant, "Two operators side by side do not join.")
    return (
        "Slide all tiles left, right, up or down. Make a 67, and you have won.",
        f"Tiles are numbers and the {operators}. {joining} their result: 5, {SIGNS[sign]}, 8 turns into {result}.",
        "It is always worked out from left to right and from top to bottom, whichever way you slide. A result has to "
        f"wait for the next slide before it joins again. Two numbers side by side do not join. {merging}",
        f"After every slide {counted(game.tiles, 'new tile')} {'appears' if game.tiles == 1 else 'appear'} on empty "
        f"cells: {new_tiles(game)}. Numbers may grow as large as they like, and fall below zero.",
        "A slide must change something. When none does, the game is lost.",
    )


def new_tiles(game: SixSeven) -> str:
    """What appears after a slide, by the share of operators."""
    if game.rate == 0:
        return "digits from 0 to 9, never an operator, so no 67 can be made"
    if game.rate == 1:
        return "operators, never a number"
    return f"an operator {100 * game.rate:.3g} times out of 100, else a digit from 0 to 9"


def examples(game: SixSeven) -> tuple[Example, ...]:
    """Four lines that slide left: three in a row, with a gap, with equal operators, and with a result in the way."""
    some, other = game.operators[-1], game.operators[0]
    lines = (f"5 {some} 8 . .", f"6 {other} . 4 .", f"{other} {other} {other} 9 .", "1 + 2 + 3".replace("+", some))
    small = replace(game, rows=len(lines), cols=5, tiles=1)
    state = small.position("/".join(",".join(line.split()) for line in lines) + " 0 0")
    before = state.scene()
    state.play(small.action("left"))
    after = state.json()["rows"]
    told = []
    for was, now in zip((_line(line.split()) for line in lines), map(_line, after), strict=True):
        told.append(f"{was} stays" if was == now else f"{was} becomes {now}")
    return (Example(f"Sliding left, variant {game.variant}: {'; '.join(told)}.", (before, state.scene())),)


def _line(tiles: list[str]) -> str:
    """A line as people read it, `_` for a gap, without the empty cells behind; its spaces do not break."""
    shown = ["_" if tile == "." else SIGNS.get(tile, tile.replace("-", "−")) for tile in tiles]
    return " ".join(shown).rstrip(" _").replace(" ", "\u00a0")


def goal(game: SixSeven, player: int = 0) -> str:
    return "Make a tile of exactly 67."


def options_text(game: SixSeven) -> str:
    shown = "".join(SIGNS[each] for each in game.operators)
    parts = [f"{game.rows}×{game.cols}", game.variant]
    parts += [f"only {shown}"] * (len(game.operators) < len(SIGNS))
    parts += [f"{100 * game.rate:.3g} % operators"] * (game.rate != type(game)().rate)
    parts += [f"{counted(game.tiles, 'new tile')} a turn"] * (game.tiles != type(game)().tiles)
    return ", ".join(parts)


CHALLENGES = (
    Challenge({}),
    Challenge({"variant": "pairs"}),
    Challenge({"variant": "final"}),
    Challenge({"variant": "original"}),
    Challenge({"operators": "+*"}),
    Challenge({"variant": "final", "rate": 0.6}),
    Challenge({"rows": 5, "cols": 5, "variant": "final", "rate": 0.67}),
    Challenge({"rows": 5, "cols": 5, "tiles": 1}),
    Challenge({"rows": 5, "cols": 6, "variant": "final"}),
    Challenge({"rows": 5, "cols": 7, "variant": "pairs", "rate": 0.6}),
    Challenge({"rows": 6, "cols": 6, "operators": "+*", "rate": 0.4}),
    Challenge({"rows": 6, "cols": 6, "variant": "final", "rate": 0.6}),
    Challenge({"rows": 7, "cols": 7, "tiles": 3}),
)
"""All can be won: the bot `greedy` wins between a tenth and a half of the games, most of them in 30 to 120 moves."""
