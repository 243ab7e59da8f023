"""Finds puzzles in bots' games, and verifies those that are shipped.

    make puzzles                                       # find and write the puzzles of GateRun and Gamma
    python -m tools.puzzles.mine find gaterun          # those of one game; an interrupted run continues
    python -m tools.puzzles.mine pick gaterun          # choose and write from what was found
    python -m tools.puzzles.mine verify [--share 0.1]  # solve the shipped puzzles again

What is found depends only on the seed and on the number of games.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tools.puzzles.finder import positions
from tools.puzzles.gamma import GammaFinder
from tools.puzzles.gaterun import GateRunFinder

from rookery.core.puzzle import Puzzle
from rookery.core.stream import Stream
from rookery.games import find

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tools.puzzles.finder import Finder

FINDERS: dict[str, Callable[[], Finder]] = {"gaterun": GateRunFinder, "gamma": GammaFinder}
KEPT = Path("docs/_build/puzzles")
MOST_DRAWS = 0.25
"""The share of puzzles whose solution only draws, at most."""
INTERRUPTED = 130


def main() -> int:
    parser = argparse.ArgumentParser(description="Find or verify puzzles.")
    parser.add_argument("what", choices=("find", "pick", "verify", "all"))
    parser.add_argument("game", nargs="*", help="gaterun, gamma; both by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, help="games to look at")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the shipped puzzles to verify")
    chosen = parser.parse_args()
    bad = 0
    try:
        for name in chosen.game or FINDERS:
            finder = FINDERS[name]()
            if chosen.what in ("find", "all"):
                search(finder, chosen.seed, chosen.games or finder.games)
            if chosen.what in ("pick", "all"):
                write(finder, pick(finder, found(finder)))
            if chosen.what == "verify":
                bad += verify(finder, chosen.share)
    except KeyboardInterrupt:
        print("Interrupted; the same command continues from here.", file=sys.stderr)
        return INTERRUPTED
    return 1 if bad else 0


def search(finder: Finder, seed: int, games: int) -> None:
    """Look for a puzzle in each game, and note what was found; games looked at before are left out."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = notes(finder)
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    count = sum(len(json.loads(line)) for line in lines)
    with file.open("a", encoding="utf-8") as out:
        for index in range(len(lines), games):
            stream = Stream(seed, index)
            puzzles = finder.puzzles(positions(*finder.game(stream), stream), stream)
            out.write(json.dumps([puzzle.json() for puzzle in puzzles], separators=(",", ":")) + "\n")
            out.flush()
            count += len(puzzles)
            print(f"{finder.name}: game {index + 1} of {games}, {count} puzzles", file=sys.stderr)


def notes(finder: Finder) -> Path:
    """The file of what was found: a line with the puzzles of each game."""
    return KEPT / f"{finder.name}.jsonl"


def found(finder: Finder) -> list[Puzzle]:
    """What was found, worded as it would be now: to change the words, nothing has to be found again."""
    lines = notes(finder).read_text(encoding="utf-8").splitlines()
    return [finder.told(Puzzle.of_json(finder.name, fields)) for line in lines for fields in json.loads(line)]


def pick(finder: Finder, puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Take from all themes and difficulties in turn, until there are enough; the easy ones first."""
    groups: dict[tuple[str, int], list[Puzzle]] = {}
    for puzzle in {finder.likeness(puzzle): puzzle for puzzle in filter(finder.is_worthwhile, puzzles)}.values():
        groups.setdefault((puzzle.theme, puzzle.rating // 200), []).append(puzzle)
    taken: list[Puzzle] = []
    draws = round(MOST_DRAWS * finder.wanted)
    while groups and len(taken) < finder.wanted:
        for key in sorted(groups):
            puzzle = groups[key].pop(0)
            draws -= puzzle.theme == "save"
            if puzzle.theme != "save" or draws >= 0:
                taken.append(puzzle)
            if not groups[key]:
                del groups[key]
    return sorted(taken[: finder.wanted], key=lambda puzzle: (puzzle.rating, puzzle.id))


def write(finder: Finder, puzzles: Sequence[Puzzle]) -> None:
    file = find(finder.name).puzzles_file
    assert file is not None
    text = "".join(json.dumps(puzzle.json(), separators=(",", ":"), ensure_ascii=False) + "\n" for puzzle in puzzles)
    file.write_text(text, encoding="utf-8")
    print(f"{len(puzzles)} puzzles, {len(text.encode()):,} bytes: {file}", file=sys.stderr)


def verify(finder: Finder, share: float) -> int:
    """Solve puzzles again; return how many are wrong."""
    puzzles = find(finder.name).puzzles()
    some = puzzles[:: max(1, round(1 / share))]
    bad = 0
    for number, puzzle in enumerate(some, start=1):
        faults = list(finder.faults(puzzle))
        bad += bool(faults)
        print(f"{finder.name}: {number} of {len(some)}, {puzzle.id}: {'; '.join(faults) or 'right'}", file=sys.stderr)
    return bad


if __name__ == "__main__":
    sys.exit(main())
