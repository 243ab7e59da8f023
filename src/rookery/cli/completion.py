"""`rookery completion`: completion scripts for bash, zsh and fish, and the candidates they ask for on Tab.

A script calls `rookery __complete` with the words typed so far and gets one line for each candidate: the word, a tab,
its help. A line that starts with a tab asks the shell for files, all of them or those with an ending. The candidates
come from the commands' parsers and the games' declared options, so there is no second list to maintain.
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
"""Metavars of file arguments, with the ending of the file name."""
FREE = {"H", "P", "URL", "N", "K", "S", "M", "B", "GB", "TEXT", "NAME", "ADDRESS", "DAYS", "ID", "THEME"}
"""Metavars of arguments without candidates."""
MOST_NUMBERS = 20
"""Whole-number options with at most this many values are completed."""

BASH = """\
# rookery completion for bash. In ~/.bashrc: eval "$(rookery completion bash)"
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
# rookery completion for zsh. In ~/.zshrc, after compinit: eval "$(rookery completion zsh)"
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
# rookery completion for fish. Write it to ~/.config/fish/completions/rookery.fish
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
    """Print the completion script for a shell."""
    parser = flags.parser(
        "rookery completion",
        "Print a script that completes commands, flags, games, options and bots. Its first lines say how to use it.",
    )
    parser.add_argument("shell", metavar="SHELL", help="bash, zsh or fish")
    shell = parser.parse_args(given).shell
    if shell not in SCRIPTS:
        raise OptionError(f"There is no completion for '{shell}'; choose bash, zsh or fish.")
    print(SCRIPTS[shell], end="")
    return 0


def answer(given: list[str]) -> int:
    """Print the candidates for the last of the given words.

    bash splits words at more than blanks, by default at = and : too, and replaces only what follows the last split. So
    it passes the line as typed and the split characters, and gets only the rest of each word.
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
    """The words of a shell line; the last is the one being typed, possibly empty or with an open quote."""
    for closing in ("", '"', "'"):
        try:
            words = shlex.split(line + closing)
        except ValueError:
            continue
        return [*words, ""] if not closing and line[-1:].isspace() else words
    return []


def candidates(words: list[str]) -> Iterable[tuple[str, str]]:
    """Candidates for the last word, with help; none if the words before it are invalid."""
    word = words[-1]
    try:
        return [(text, help) for text, help in _candidates(words[:-1], word) if text.startswith((word, TAB))]
    except Exception:  # pressing Tab must never print an error
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
            ("help", "show help about a command"),
            ("--help", "show this help"),
            ("--version", "show the version"),
        )
        return
    command, given = load_command(before[0]), before[1:]
    parser, cls = flags.parser_of(command, []), None
    if parser.prog.split()[-1] in ("GAME", "[GAME]"):  # the game comes before the flags
        if not given and not word.startswith("-"):
            yield from _games()
            return
        if given and not given[0].startswith("-"):
            # Pressing Tab must not run a Python file, so its options are not completed.
            if not given[0].endswith(".py"):
                cls, parser = flags.named(given[0]), flags.parser_of(command, given[:1])
            given = given[1:]
    yield from _after(parser, cls, given, word)


def _after(parser: argparse.ArgumentParser, cls: type[Game] | None, given: list[str], word: str) -> Found:
    """Candidates after a command's flags and values."""
    from argparse import SUPPRESS

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
        again = action.metavar in ("FILE.py", "OPTION=A,B,…")  # may be repeated
        if action.option_strings and action.help != SUPPRESS and (action not in used or again):
            help = (action.help or "").replace("%%", "%")
            yield from ((name, help) for name in action.option_strings if name.startswith("--"))


def _values(action: argparse.Action, cls: type[Game] | None, word: str) -> Found:
    """Candidates for an argument, by its metavar or by the game's option."""
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
    elif kind == "BACKEND":
        yield from (("local", "threads or processes, whichever fits"), ("threads", ""), ("processes", ""))
        yield "dask:", "the address of a Dask scheduler"
    elif kind == "FORM":
        yield from (("text", "sentences"), ("json", "one object a line"))
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
    """Levels and names of bots; after a name and a colon, the bot's options."""
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
