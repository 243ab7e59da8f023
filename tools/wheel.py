"""Try the built package as a stranger gets it: installed from the wheel, away from this folder.

    python -m tools.wheel contents            check what the wheel and the sdist hold
    python -m tools.wheel commands            run the README's commands with each extra, and print which work
    python -m tools.wheel test [ARGUMENT …]   run the tests (or what is given to pytest) on the installed package

`--python PROGRAM` takes another interpreter. `make dist` builds what this looks at.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
EXTRAS = ("", "web", "lab", "envs", "terminal")
PATIENCE = 900
"""Seconds for one command; the first of each kind compiles."""
PIPES: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
SHORTER = ((r"--minutes \S+", "--minutes 0.02"), (r"--games \d+", "--games 20"), (r"\s--plot \S+", ""))
"""What a command of the README is asked for less of: whether it works here matters, not what it finds."""
MORE = (
    "rookery --version",
    "rookery games",
    "rookery puzzles gaterun",
    "rookery doctor",
    "rookery completion bash",
    "printf 'B 3 2 2 1\\nm 1 0 0\\np\\n' | rookery gamma",
    "rookery play gaterun --bot 5 --seed 1",
    "rookery replay example.jsonl",
    "rookery review example.jsonl --nodes 1000",
    "rookery warm",
    "rookery duel gaterun --bots 1,2 --games 4",
    "rookery solve gotham --level trey",
    "rookery train sixseven --minutes 0.02 --out mine.npz",
    "rookery bench gotham",
    "rookery serve --port 0",
    "rookery backup copy.db --db games.db",
    "rookery restore copy.db --db games.db",
    "rookery rekey --db keys.db",
)
"""Commands that are tried though the README may show no example of them. With the README's, these are all commands."""
IN_WHEEL = (
    "rookery/py.typed",
    "rookery/games/sixseven/bots/learned/6x7-final-0.67.npz",
    "rookery/terminal/help.md",
    "rookery/terminal/rookery.tcss",
    "rookery/web/migrations/env.py",
    "rookery/web/migrations/script.py.mako",
    "rookery/web/static/app.js",
    "rookery/web/static/index.html",
)
IN_SDIST = ("LICENSE", "README.md", "Makefile", "constraints.txt", "examples/thin_ice.py", "tests/test_cli.py")
LINK = re.compile(r"\]\((?!https?://|#)([^)\s]+)\)")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"^> (\S.*)\n", re.MULTILINE)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.wheel", description="Try the built package.")
    parser.add_argument("task", choices=("contents", "commands", "test"))
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the clean environments")
    chosen, rest = parser.parse_known_args()
    if chosen.task == "contents":
        return check_contents()
    with tempfile.TemporaryDirectory(prefix="rookery-") as folder:
        if chosen.task == "commands":
            return try_commands(chosen.python, Path(folder))
        return run_tests(chosen.python, Path(folder), rest)


def built(ending: str) -> Path:
    """The newest file of a kind that was built."""
    found = sorted(DIST.glob(f"rookery-*{ending}"), key=lambda path: path.stat().st_mtime)
    if not found:
        sys.exit(f"There is no {ending} in {DIST.name}/: run make dist first.")
    return found[-1]


# ---- what the files hold ----


def check_contents() -> int:
    """Look for what must and what must not be in the wheel and the sdist; print what is wrong."""
    with zipfile.ZipFile(built(".whl")) as wheel:
        names = set(wheel.namelist())
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        description = wheel.read(about).decode()
    with tarfile.open(built(".tar.gz")) as sdist:
        sources = {name.partition("/")[2] for name in sdist.getnames()}
    ours = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src" / "rookery").rglob("*") if path.is_file()}
    package = {name for name in ours if "__pycache__" not in name}
    wrong = [f"The wheel lacks {name}." for name in sorted((package | set(IN_WHEEL)) - names)]
    wrong += [
        f"The wheel should not hold {name}."
        for name in sorted(names - package)
        if not re.match(r"rookery-[^/]+\.dist-info/", name)
    ]
    wrong += [f"The sdist lacks {name}." for name in IN_SDIST if name not in sources]
    wrong += [f"The sdist lacks {name}." for name in sorted(package) if f"src/{name}" not in sources]
    wrong += [f"The README on the index would link to {link}." for link in LINK.findall(description)]
    for sentence in wrong:
        print(sentence)
    if not wrong:
        size = built(".whl").stat().st_size / 10**6
        print(f"{built('.whl').name}: {len(names)} files, {size:.1f} MB; nothing is missing.")
    return 1 if wrong else 0


# ---- environments ----


def environment(python: str, folder: Path, extra: str, *more: str) -> Path:
    """A fresh virtual environment with the wheel in it; returns its interpreter."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    own = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = f"rookery[{extra}] @ {built('.whl').as_uri()}" if extra else str(built(".whl"))
    constraints = {"PIP_CONSTRAINT": str(ROOT / "constraints.txt")}
    install = [str(own), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted, *more]
    subprocess.run(install, check=True, env=os.environ | constraints)
    return own


def outside(folder: Path, own: Path) -> dict[str, str]:
    """Environment variables for a person whose home is this folder, who knows the commands of an environment."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TERM")}
    folder.mkdir(exist_ok=True)
    path = f"{own.parent}{os.pathsep}{os.environ['PATH']}"
    home = str(folder / "home")
    return variables | {"HOME": home, "ROOKERY_CACHE": str(folder / "cache"), "PATH": path, "PYTHONIOENCODING": "utf-8"}


# ---- the README's commands ----


def readme_commands(text: str) -> list[tuple[str, str]]:
    """The commands of the README, each with what is typed into it."""
    found = []
    for language, block in FENCE.findall(text):
        if language != "console":
            continue
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, "".join(line + "\n" for line in TYPED.findall(printed))))
    plain = FENCE.sub("", text).replace("\\\n", " ")
    found += [(line, "") for line in re.findall(r"^ {4}(rookery \S.*)$", plain, flags=re.MULTILINE)]
    return [(command, typed) for command, typed in found if re.match(r"rookery|printf .*\| rookery", command)]


def tried_commands(text: str) -> dict[str, str]:
    """The commands of the README and those of `MORE`, shortened, each with what is typed into it."""
    commands = dict(readme_commands(text)) | dict.fromkeys(MORE, "")
    return {shortened(command): typed for command, typed in commands.items()}


def prepare(work: Path) -> None:
    """Put into a folder the files that commands read: the examples, a record, and a database without games."""
    shutil.copytree(ROOT / "examples", work / "examples", dirs_exist_ok=True)
    shutil.copy2(ROOT / "docs" / "example.jsonl", work)
    with closing(sqlite3.connect(work / "games.db")) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS games (id)")


def shortened(command: str) -> str:
    for pattern, replacement in SHORTER:
        command = re.sub(pattern, replacement, command)
    return re.sub(r"\s+", " ", command).strip()


def try_commands(python: str, folder: Path) -> int:
    """Run every command in every environment, and print a table of what came of it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = tried_commands(text)
    blocks = [block for language, block in FENCE.findall(text) if language == "pycon"]
    table: dict[str, list[str]] = {command: [] for command in commands}
    table |= {_title(block): [] for block in blocks}
    for extra in EXTRAS:
        print(f"Installing {'the bare package' if not extra else f'rookery[{extra}]'} …", file=sys.stderr, flush=True)
        own = environment(python, folder / (extra or "bare"), extra)
        variables, work = outside(folder / "person", own), folder / "work" / (extra or "bare")
        prepare(work)
        for command, typed in commands.items():
            table[command].append(_outcome(command, typed, work, variables))
        for block, outcome in zip(blocks, _examples(blocks, own, work, variables), strict=True):
            table[_title(block)].append(outcome)
    version = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"| {version} | {' | '.join(extra or 'bare' for extra in EXTRAS)} |")
    print("|---" * (len(EXTRAS) + 1) + "|")
    for command, outcomes in table.items():
        print(f"| `{command.replace('|', chr(92) + '|')}` | {' | '.join(outcomes)} |")
    return int(any("fails" in outcome for outcomes in table.values() for outcome in outcomes))


def _title(block: str) -> str:
    """A block of examples by its first line that says something."""
    lines = [line[4:] for line in block.splitlines() if line.startswith(">>> ")]
    return next((line for line in lines if not line.startswith(("import", "from"))), lines[0])[:60]


def _outcome(command: str, typed: str, work: Path, variables: dict[str, str]) -> str:
    """What comes of a command: `works`, the extra that it asks for, or `fails` and why."""
    if command.startswith("rookery serve"):
        return _serve(command, work, variables)
    with subprocess.Popen(
        ["bash", "-c", command],
        **PIPES,
        stdin=subprocess.PIPE,
        cwd=work,
        env=variables,
        start_new_session=True,
    ) as process:
        try:
            _, complaint = process.communicate(typed, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with the processes that it started
            return f"fails: it takes more than {PATIENCE} s"
    return _verdict(process.returncode, complaint)


def _verdict(code: int, complaint: str) -> str:
    asked = re.search(r"'rookery\[(\w+)\]'", complaint)
    if code == 0:
        return "works"
    if code == 2 and asked and "Traceback" not in complaint and len(complaint.strip().splitlines()) == 1:
        return f"asks for `{asked[1]}`"
    return f"fails: {(complaint.strip().splitlines() or [f'code {code}'])[-1]}"


def _serve(command: str, work: Path, variables: dict[str, str]) -> str:
    """Open the arcade, fetch its page, and stop it."""
    words = [*shlex.split(command), "--db", str(work / "arcade.db")]
    words[0] = shutil.which("rookery", path=variables["PATH"]) or words[0]
    if "--no-browser" in subprocess.run([*words, "--help"], env=variables, capture_output=True, text=True).stdout:
        words.append("--no-browser")
    with subprocess.Popen(words, **PIPES, cwd=work, env=variables) as server:
        assert server.stdout is not None and server.stderr is not None
        address = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)), None)
        if address is None:
            server.wait(PATIENCE)
            return _verdict(server.returncode, server.stderr.read())
        page = b""
        began = monotonic()
        while b"</html>" not in page and monotonic() - began < PATIENCE:
            try:
                with urllib.request.urlopen(address[0], timeout=10) as answer:  # noqa: S310 - our own server's address
                    page = answer.read()
            except OSError:
                sleep(0.2)
        server.terminate()
        server.wait(30)
    return "works" if b"</html>" in page else "fails: no page"


EXAMPLES = """
import doctest, json, sys
runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
names, outcomes = {}, []
for block in json.load(sys.stdin):
    examples = doctest.DocTestParser().get_doctest(block, names, "README.md", "README.md", 0)
    said = []
    runner.run(examples, out=said.append, clear_globs=False)
    names = examples.globs
    outcomes.append("".join(said))
print(json.dumps(outcomes), file=sys.__stdout__)
"""


def _examples(blocks: list[str], own: Path, work: Path, variables: dict[str, str]) -> list[str]:
    """What comes of the README's Python examples, which share their names."""
    words = [str(own), "-c", EXAMPLES]
    done = subprocess.run(words, cwd=work, env=variables, input=json.dumps(blocks), capture_output=True, text=True)
    if done.returncode:
        return [_verdict(done.returncode, done.stderr)] * len(blocks)
    outcomes = []
    for said in json.loads(done.stdout.splitlines()[-1]):
        asked = re.search(r"'rookery\[(\w+)\]'", said)
        missing = re.search(r"No module named '(\w+)'", said)
        reason = f"asks for `{asked[1]}`" if asked else f"needs {missing[1]}" if missing else "fails"
        outcomes.append(reason if said else "works")
    return outcomes


# ---- the tests ----


def run_tests(python: str, folder: Path, arguments: list[str]) -> int:
    """Run tests on the installed wheel: everything but `src` is copied to a folder of its own."""
    own = environment(python, folder / "environment", "dev")
    copy = folder / "copy"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if not name.startswith("src/") and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    variables = outside(folder / "person", own)
    where = "import rookery, sysconfig; assert rookery.__file__.startswith(sysconfig.get_path('purelib')), rookery"
    subprocess.run([str(own), "-c", where], cwd=copy, env=variables, check=True)
    subprocess.run([str(own), "-m", "rookery", "warm"], cwd=copy, env=variables, check=True)
    return subprocess.run([str(own), "-m", "pytest", *arguments], cwd=copy, env=variables).returncode


if __name__ == "__main__":
    sys.exit(main())
