"""Shell completion: the scripts for bash, zsh and fish, and the answer they ask for at each press of Tab.

The scripts are a few lines each. They call `rookery __complete` with the words typed so far and get a line for each
word that may come next: the word, a tab, its help. A line that begins with a tab asks for files, all or those with an
ending. The answer is read from the parsers of the commands and the declared options of the games; there is no second
list to keep.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rookery.cli import flags
from rookery.core.errors import OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.options import Option

    Found = Iterator[tuple[str, str]]

FILES = {"FILE": "", "FILE.py": ".py"}
"""Values that are files, by metavar, and how their names end."""
FREE = {"H", "P", "URL", "N", "K", "S", "M", "B", "GB", "TEXT"}
"""Values that are nothing to choose from."""
MOST_NUMBERS = 20
"""A whole number with at most so many values is completed like a choice."""

BASH = """\
# Completion of rookery for bash. In ~/.bashrc: eval "$(rookery completion bash)"
_rookery() {
    local line file ending
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            $'\\tfiles'*)
                compopt -o filenames 2>/dev/null
                ending=${line#$'\\tfiles'}
                while IFS= read -r file; do
                    if [[ -d $file || $file == *"${ending# }" ]]; then COMPREPLY+=("$file"); fi
                done < <(compgen -f -- "$2")
                ;;
            *)
                line=${line%%$'\\t'*}
                case $line in *[=:,]) compopt -o nospace 2>/dev/null ;; esac
                COMPREPLY+=("$line")
                ;;
        esac
    done < <("${1/#\\~/$HOME}" __complete --line "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -F _rookery rookery
"""

ZSH = """\
#compdef rookery
# Completion of rookery for zsh. In ~/.zshrc, after compinit: eval "$(rookery completion zsh)"
_rookery() {
    local line word help
    local -a found open
    while IFS= read -r line; do
        if [[ $line == $'\\tfiles'* ]]; then
            _files ${${line#$'\\tfiles'}:+-g "*${line#$'\\tfiles '}"}
            continue
        fi
        word=${line%%$'\\t'*} help=${line#*$'\\t'}
        if [[ $word == *[=:,] ]]; then
            open+=("${word//:/\\\\:}:$help")
        else
            found+=("${word//:/\\\\:}:$help")
        fi
    done < <(${~words[1]} __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
    (( $#found )) && _describe -V rookery found
    (( $#open )) && _describe -V rookery open -S ''
    return 0
}
compdef _rookery rookery
"""

FISH = """\
# Completion of rookery for fish. Write it to ~/.config/fish/completions/rookery.fish
function __rookery_complete
    set -l typed (commandline -opc)
    set -l word (commandline -ct)
    for line in (eval $typed[1] __complete (string escape -- $typed[2..] "$word") 2>/dev/null)
        switch $line
            case \\t'files .*'
                __fish_complete_suffix (string replace \\t'files ' '' -- $line)
            case \\tfiles
                __fish_complete_path $word
            case '*'
                echo $line
        end
    end
end
complete -c rookery -f -k -a '(__rookery_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def completion(given: list[str]) -> int:
    """Print the script for a shell."""
    parser = flags.parser(
        "rookery completion",
        "Print a script that completes commands, flags, games, options and bots. Its first lines say where to put it.",
    )
    parser.add_argument("shell", metavar="SHELL", help="bash, zsh or fish")
    shell = parser.parse_args(given).shell
    if shell not in SCRIPTS:
        raise OptionError(f"There is no completion for '{shell}'; there is one for bash, zsh and fish.")
    print(SCRIPTS[shell], end="")
    return 0


def answer(given: list[str]) -> int:
    """Print what may come next after the words given, the last of which is being typed.

    bash breaks words at more than blanks, by default at = and : too, and replaces only what follows the last break. So
    it sends the line as typed and the characters at which it breaks, and is given only the rest of each word.
    """
    words, breaks = given or [""], ""
    if given[:1] == ["--line"] and len(given) == 3:
        words, breaks = split(given[1])[1:] or [""], given[2].strip()
    typed = max((at for at, letter in enumerate(words[-1], start=1) if letter in breaks), default=0)
    for word, help in candidates(words):
        print(word if word.startswith(TAB) else f"{word[typed:]}\t{help}")
    return 0


TAB = "\t"


def split(line: str) -> list[str]:
    """The words of a line of a shell; the last is the one being typed, with a quote that is still open or empty."""
    for closing in ("", '"', "'"):
        try:
            words = shlex.split(line + closing)
        except ValueError:
            continue
        return [*words, ""] if not closing and line[-1:].isspace() else words
    return []


def candidates(words: list[str]) -> Iterable[tuple[str, str]]:
    """What may stand for the last word, with help; nothing if what comes before makes no sense."""
    word = words[-1]
    try:
        return [(text, help) for text, help in _candidates(words[:-1], word) if text.startswith((word, TAB))]
    except Exception:  # nobody who presses Tab wants to read an error
        return []


def _candidates(before: list[str], word: str) -> Found:
    from rookery.cli import COMMANDS, load_command

    if before[:1] == ["help"]:
        before = before[1:]
        if before:
            return
    if not before:
        yield from ((name, about) for name, (_, _, about) in COMMANDS.items())
        yield from (
            ("help", "Show help about a command"),
            ("--help", "Show this help"),
            ("--version", "Show the version"),
        )
        return
    command, given = load_command(before[0]), before[1:]
    parser, cls = flags.parser_of(command, []), None
    if parser.prog.split()[-1] in ("GAME", "[GAME]"):  # it stands first, before the flags
        if not given and not word.startswith("-"):
            yield from _games()
            return
        if given and not given[0].startswith("-"):
            # A Python file is not run because somebody pressed Tab; its own options are not completed.
            if not given[0].endswith(".py"):
                cls, parser = flags.named(given[0]), flags.parser_of(command, given[:1])
            given = given[1:]
    yield from _after(parser, cls, given, word)


def _after(parser: argparse.ArgumentParser, cls: type[Game] | None, given: list[str], word: str) -> Found:
    """What may follow flags and values."""
    takes = {name: action for action in parser._actions for name in action.option_strings}
    waiting: argparse.Action | None = None
    used: set[argparse.Action] = set()
    positions = 0
    for each in given:
        flag, equals, _ = each.partition("=")
        if flag in takes:
            used.add(takes[flag])
            waiting = takes[flag] if takes[flag].nargs != 0 and not equals else None
        elif waiting is None:
            positions += 1
        elif waiting.nargs != "+":
            waiting = None
    if waiting is not None and (waiting.nargs != "+" or not word.startswith("-")):
        yield from _values(waiting, cls, word)
        return
    flag, equals, value = word.partition("=")
    if equals and flag in takes:
        yield from ((f"{flag}={text}", help) for text, help in _values(takes[flag], cls, value) if text[:1] != TAB)
        return
    places = [action for action in parser._actions if not action.option_strings]
    many = bool(places) and places[-1].nargs == "*"
    if not word.startswith("-") and (positions < len(places) or many):
        yield from _values(places[min(positions, len(places) - 1)], cls, word)
        return
    for action in parser._actions:
        again = action.metavar in ("FILE.py", "OPTION=A,B,…")  # may be given several times
        if action.option_strings and action.help != flags.HIDDEN and (action not in used or again):
            help = (action.help or "").replace("%%", "%")
            yield from ((name, help) for name in action.option_strings if name.startswith("--"))


def _values(action: argparse.Action, cls: type[Game] | None, word: str) -> Found:
    """What a flag or an argument takes, told by its metavar, or by the declaration of the game's option."""
    from rookery.core.options import options_of

    declared = {each.name: each for each in options_of(cls)} if cls is not None else {}
    kind = action.metavar
    if action.dest.startswith("option_"):
        yield from _of_option(declared[action.dest.removeprefix("option_")])
    elif kind in FILES:
        yield from _files(FILES[str(kind)])
    elif kind == "GAME":
        yield from _games()
    elif kind == "LEVEL":
        yield from _bots(cls, word)
    elif kind == "A,B[,C…]":
        begun = word[: word.rfind(",") + 1]
        yield from ((begun + name, help) for name, help in _bots(cls, word[len(begun) :]))
    elif kind == "OPTION=A,B,…":
        yield from ((f"{name}=", each.help) for name, each in declared.items())
    elif kind == "PLACE":
        yield from (("local", "threads or processes, as fits"), ("threads", ""), ("processes", ""))
        yield "dask:", "the address of a Dask scheduler"
    elif kind == "SHELL":
        yield from ((shell, "") for shell in SCRIPTS)


def _files(ending: str) -> Found:
    yield f"{TAB}files {ending}".rstrip(" "), ""


def _games() -> Found:
    from rookery.games import names

    yield from ((name, flags.named(name).summary) for name in names())
    yield from _files(".py")


def _of_option(option: Option) -> Found:
    if option.file:
        yield from _files("")
    elif option.choices:
        yield from ((choice, "") for choice in option.choices)
    elif option.kind is int and option.low is not None and option.high is not None:
        numbers = range(int(option.low), int(option.high) + 1)
        yield from ((str(number), "") for number in numbers if len(numbers) <= MOST_NUMBERS)


def _bots(cls: type[Game] | None, word: str) -> Found:
    """Levels and names; after a name and a colon, what the bot takes."""
    if cls is None:
        yield from ((str(level), "") for level in range(1, 11))
        return
    bots = cls.bots()
    name, colon, rest = word.partition(":")
    if colon:
        from rookery.core.options import options_of

        begun = name + colon + rest[: rest.rfind(",") + 1]
        yield from ((f"{begun}{each.name}=", each.help) for each in options_of(bots[name]))
        return
    yield from ((str(level), spec) for level, spec in enumerate(cls.levels(), start=1))
    yield from ((name, _about(bot)) for name, bot in bots.items())


def _about(bot: type[Bot]) -> str:
    return " ".join((bot.__doc__ or "").split("\n\n")[0].split()).partition(". ")[0].rstrip(".")
