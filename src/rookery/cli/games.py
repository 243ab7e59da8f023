"""`rookery games`: the games with their options, bots and levels."""

from __future__ import annotations

import sys

from rookery.cli import flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.game import Game


def games(given: list[str]) -> int:
    """List the games with their options and bots."""
    import json

    from rookery.core.options import options_of, schema_of
    from rookery.games import playable, problems

    parser = flags.parser("rookery games", "List the games with their options and bots.")
    parser.add_argument("game", nargs="?", metavar="GAME", help="list only this game")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args(given)
    found = [flags.named(name) for name in ([chosen.game] if chosen.game else playable())]
    for sentence in [] if chosen.game else problems():
        print(f"rookery: {sentence}", file=sys.stderr)
    if chosen.json:
        listing = {
            cls.name: {
                "title": cls.title,
                "summary": cls.summary,
                "options": schema_of(cls),
                "bots": list(cls.bots()),
                "levels": list(cls.levels()),
            }
            for cls in found
        }
        print(json.dumps(listing, ensure_ascii=False))
        return 0
    for cls in found:
        print(f"{cls.name}: {cls.title}. {cls.summary}")
        for each in options_of(cls):
            default = "" if each.default is None or each.default is False else f" (default {each.default})"
            print(
                f"  {each.flag:12} {each.help}{default}; takes {each.takes}"
                if each.kind is not bool
                else f"  {each.flag:12} {each.help}"
            )
            for value, meaning in zip(each.choices, each.meanings, strict=False):
                print(f"  {'':12}   {value:8} {meaning}")
        print(f"  {'--bot':12} {', '.join(cls.bots())}, or a level from 1 to 10\n")
    if chosen.game:
        _print_bots(found[0])
    return 0


def _print_bots(cls: type[Game]) -> None:
    """Print what each bot does, its options, and the bot of each level."""
    from rookery.core.bot import Bot
    from rookery.core.options import options_of

    common = {each.name for each in options_of(Bot)}
    print(f"All bots take {', '.join(sorted(common))}, as in {list(cls.bots())[-1]}:ms=50.")
    for name, bot in cls.bots().items():
        own = [f"{each.name}: {each.help}" for each in options_of(bot) if each.name not in common]
        first = " ".join((bot.__doc__ or "").split("\n\n")[0].split())
        print(f"  {name:12} {first}" + "".join(f"\n  {'':12} {each}" for each in own))
    print("Levels")
    for level, spec in enumerate(cls.levels(), start=1):
        print(f"  {level:<12} {spec}")
