"""Runs the examples of a page: Python in a separate interpreter, and a tutorial from top to bottom in one shell.

`python tests/page.py PAGE` runs the `pycon` blocks of a page, which share their names; with several pages, those of each
in a process of its own. `follow` runs a tutorial:

| block | what it does |
|---|---|
| `console` | runs every line after `$ `, in order and in one shell; the output must be what the page shows |
| `python` that begins with `# NAME.py` | saves it under that name |
| `diff` that begins with `--- NAME` | edits that file: the lines with a space or `-` become those with a space or `+` |

Input at a prompt is shown after `> `. A `…` in the output stands for any text, and alone on a line for any lines. A command
must succeed, unless the page shows its error message, `rookery: …`.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 600
"""Seconds a tutorial may take, with ample room for compiling on a busy machine."""
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n", re.MULTILINE)
TYPED = re.compile(r"^> (\S.*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, with the number of its first line."""

    language: str
    text: str
    line: int


def fenced(page: str, *languages: str) -> list[Block]:
    """The blocks of a page in these languages."""
    found = [Block(each[1], each[2], page.count("\n", 0, each.start(2)) + 1) for each in FENCE.finditer(page)]
    return [block for block in found if block.language in languages]


def asked(block: str) -> list[tuple[str, str]]:
    """The commands of a `console` block, each with what is shown below it."""
    parts = COMMAND.split(block)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def typed(said: str) -> str:
    """What a person types while a command runs."""
    return "".join(line + "\n" for line in TYPED.findall(said))


def agrees(said: str, printed: str) -> bool:
    """Whether the page shows what was printed, ignoring trailing blanks and blank lines at the end."""
    return _agree(_lines(said), _lines(printed))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def _agree(said: list[str], printed: list[str]) -> bool:
    if said and said[0] == "…":
        return any(_agree(said[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    if not said or not printed:
        return said == printed
    pattern = ".*".join(map(re.escape, said[0].split("…")))
    return re.fullmatch(pattern, printed[0]) is not None and _agree(said[1:], printed[1:])


def follow(page: str, folder: Path) -> None:
    """Run a tutorial in a folder; raise an `AssertionError` at the first difference."""
    programs = folder.parent / "programs"
    programs.mkdir()
    for name, words in (("rookery", [sys.executable, "-m", "rookery"]), ("python", [sys.executable])):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONIOENCODING": "utf-8",
        "ROOKERY_DATA": str(folder.parent / "data"),
    }
    with subprocess.Popen(
        ["bash", "--noprofile", "--norc"],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    ) as shell:
        alarm = threading.Timer(PATIENCE, os.killpg, (shell.pid, signal.SIGKILL))
        alarm.start()
        try:
            for block in fenced(page, "console", "python", "diff"):
                _step(block, folder, shell)
        finally:
            alarm.cancel()
            os.killpg(shell.pid, signal.SIGKILL)  # the shell, and what a failed tutorial has left running


def _step(block: Block, folder: Path, shell: subprocess.Popen[str]) -> None:
    first, _, rest = block.text.partition("\n")
    if block.language == "console":
        for command, said in asked(block.text):
            code, printed, errors = _run(command, typed(said), folder.parent, shell)
            refused = said.startswith("rookery: ")
            assert "Traceback" not in errors, errors
            assert code == (2 if refused else 0), f"$ {command}\n{printed}{errors}"
            assert agrees(said, printed + errors if refused else printed), f"$ {command}\n{printed}{errors}"
    elif block.language == "python" and re.fullmatch(r"# \w+\.py", first):
        (folder / first[2:]).write_text(block.text, encoding="utf-8")
    elif block.language == "diff":
        file, old, new = folder / first.removeprefix("--- "), "", ""
        for line in rest.splitlines(keepends=True):
            old += "" if line[0] == "+" else line[1:]
            new += "" if line[0] == "-" else line[1:]
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file.name} has this {text.count(old)} times:\n{old}"
        file.write_text(text.replace(old, new), encoding="utf-8")


def _run(command: str, entered: str, beside: Path, shell: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Have the shell run a command; its exit code, and what it printed on standard output and on standard error."""
    given, printed, errors = (beside / name for name in ("given", "printed", "errors"))
    given.write_text(entered, encoding="utf-8")
    for file in (printed, errors):
        file.unlink(missing_ok=True)  # a program still running in the background keeps the old one
    where = " ".join(f"{sign}{shlex.quote(str(file))}" for sign, file in (("<", given), (">", printed), ("2>", errors)))
    assert shell.stdin is not None and shell.stdout is not None
    shell.stdin.write(f"{{ {command}\n}} {where}; echo $?\n")
    shell.stdin.flush()
    code = shell.stdout.readline()
    assert code, f"$ {command}\nThe shell has ended, or this took too long."
    return int(code), printed.read_text(encoding="utf-8"), errors.read_text(encoding="utf-8")


def run_python(page: Path) -> int:
    """Run a page's Python examples in order; return how many failed."""
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    names: dict[str, object] = {}
    for block in fenced(page.read_text(encoding="utf-8"), "pycon"):
        examples = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line - 1)
        runner.run(examples, clear_globs=False)
        names = examples.globs
    return runner.summarize(verbose=False).failed


def run_each(pages: list[Path]) -> Iterator[tuple[Path, int, str]]:
    """Run the Python examples of pages, each in a process of its own; yields pages, exit codes and what was printed.

    The processes are forked from this one once it has imported what takes longest.
    """
    import numba
    import numpy

    del numba, numpy
    for page in pages:
        with tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                os.dup2(printed.fileno(), 1)
                os.dup2(printed.fileno(), 2)
                failed = True
                try:
                    failed = run_python(page) > 0
                finally:
                    sys.stdout.flush()
                    os._exit(failed)
            _, status = os.waitpid(child, 0)
            printed.seek(0)
            yield page, os.waitstatus_to_exitcode(status), printed.read()


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.exit(run_python(Path(sys.argv[1])) > 0)
    for page, code, text in run_each([Path(each) for each in sys.argv[1:]]):
        print(json.dumps([str(page), code, text]), flush=True)
