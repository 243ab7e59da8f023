"""Gotham Loops as a printout: the city with its flips, a table for seven rounds, and the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rookery.core.notation import counted
from rookery.core.printout import Printout, Section
from rookery.games.gotham import rules

if TYPE_CHECKING:
    from rookery.core.scene import Scene
    from rookery.games.gotham.game import GothamLoops


def printed(game: GothamLoops) -> Printout:
    scene = city(game)
    return Printout(
        title=scene.title,
        scene=scene,
        columns=("Round", "Colour", "Points this round", "Total"),
        rows=tuple(str(number) for number in range(1, rules.ROUNDS + 1)),
        rules=(what_you_need(game), a_round(game), the_check(game), *table_of_odds(game), points(game), the_end()),
    )


def city(game: GothamLoops) -> Scene:
    """The empty board, with the flips of the first round in each cell but home."""
    state = game.start()
    scene = state.scene()
    cells = []
    for index, cell in enumerate(scene.cells):
        flips = rules.flips(state.words, index)
        if index == rules.home(state.words):
            cells.append(replace(cell, name=cell.name.removesuffix(", you are here"), marks=()))
        else:
            number = f"number {flips}" if game.rules_number == rules.APP else counted(flips, "flip")
            cells.append(replace(cell, name=f"{cell.name}, {number}", text=str(flips)))
    message = (
        "The number in a cell is its row in the table of odds."
        if game.rules_number == rules.APP
        else "The number in a cell is how many flips it has in the first round."
    )
    return replace(scene, message=message, cells=tuple(cells), panels=(), choices=())


def what_you_need(game: GothamLoops) -> Section:
    chance = "two ten-sided dice" if game.rules_number == rules.APP else counted(game.config[1], "coin")
    return Section(
        "What you need",
        (
            f"This sheet, {chance}, pencils in seven colours, and something small to show where you are.",
            "Put it on home, the cell in the middle. Choose a colour for each of the seven rounds, and note it in the "
            "table.",
            "To play together, give everyone a sheet. The highest total wins.",
        ),
    )


def a_round(game: GothamLoops) -> Section:
    caught = (
        "The rings you have drawn stay, and the cell where you were caught gets one too; home gets none."
        if game.rules_number == rules.APP
        else "The rings you have drawn stay; the cell where you were caught gets none, and neither does home."
    )
    again = (
        "Walking back over cells you have entered in this round needs no check."
        if game.rules_number == rules.TABLE
        else "A cell you have entered in this round already is checked again each time you enter it."
    )
    return Section(
        "A round",
        (
            "Each round starts at home. Go one cell up, down, left or right, as often as you like, never diagonally.",
            "Entering a cell takes a check. If you pass it, draw a ring in the colour of the round into the cell, and "
            "go on from there.",
            again,
            "Entering home needs no check. It ends the round: draw a ring there too, write down the points of the "
            "round, and add them to the total.",
            f"If you are caught, the round ends at once without points. {caught}",
            "Either way, go back to home and take the next colour.",
        ),
    )


def the_check(game: GothamLoops) -> Section:
    if game.rules_number == rules.APP:
        return the_roll(game)
    coins, heads = ("the coin", "heads") if game.config[1] == 1 else ("all coins at once", "heads on every coin")
    extra = (
        "one flip for every ring of an earlier round that you find in these five cells"
        if game.rules_number == rules.TABLE
        else "one flip for every earlier round that has a ring in any of these five cells"
    )
    words = game.start().words
    corner, beside = 0, rules.home(words) + 1
    return Section(
        "The check",
        (
            f"The number in the cell is how often you may flip {coins}.",
            f"Known streets give you more: look at the cell and at the four beside it, and add {extra}. Home counts "
            "like any other cell. Rings of this round do not count.",
            f"As soon as a flip shows {heads}, you have passed. If none of your flips does, you are caught.",
            f"In the first round {odds(words, beside, 'a cell beside home')}, and {odds(words, corner, 'a corner')}.",
        ),
    )


def the_roll(game: GothamLoops) -> Section:
    """The check under the rules `app`, whose odds no throw of coins has: a roll of two dice against a table."""
    return Section(
        "The check",
        (
            "Look at the cell and at the four beside it. Count the earlier rounds that have a ring in any of these "
            "five cells. Home counts like any other cell. Rings of this round do not count.",
            "The table has a row for the number in the cell, and a column for the rounds you counted.",
            "Roll the dice as tens and ones, 00 for 100. If you roll no more than the table says, you have passed. If "
            "you roll more, you are caught.",
        ),
    )


def table_of_odds(game: GothamLoops) -> tuple[Section, ...]:
    """The odds under the rules `app`, in per cent; the other rule sets need no table."""
    if game.rules_number != rules.APP:
        return ()
    words = game.start().words
    table = [("Number", *(str(extra) for extra in range(rules.ROUNDS)))]
    for number in range(game.side - 1, 0, -1):
        chances = [100 * rules.app_odds(words, game.side - number, extra) for extra in range(rules.ROUNDS)]
        table.append((str(number), *(f"{chance:.0f}" for chance in chances)))
    return (Section("The table of odds", ("In per cent, by the rounds you counted.",), tuple(table)),)


def odds(words: list[int], cell: int, where: str) -> str:
    flips, chance = counted(rules.flips(words, cell), "flip"), 100 * (1 - rules.risk(words, cell))
    return f"{where} has {flips} and lets you in about {chance:.3g} times out of 100"


def points(game: GothamLoops) -> Section:
    return Section(
        "Points",
        (
            "A cell you enter for the first time in a round brings as many points as it is steps away from home. That "
            f"is {game.side} less the number in the cell.",
            "Take off a point for each ring of an earlier round in the cell itself; no cell brings less than nothing.",
            "Entered again in the same round, a cell brings nothing. Nor does home.",
            "The points are yours only once you are home.",
        ),
    )


def the_end() -> Section:
    return Section("The end", ("After seven rounds the game is over, and the total is your score.",))
