"""The command of the fuzz; the package says what it does."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import tests.fuzz_api
from tests.fuzz_api.running import watched, worker


def main() -> int:
    about = tests.fuzz_api.__doc__
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--notes", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.notes:
        return worker(given.calls, given.seed, given.notes)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "last"
        asked = ["--calls", str(given.calls), "--seed", str(given.seed), "--notes", str(notes)]
        code = watched([sys.executable, "-m", "tests.fuzz_api", *asked], notes)
    print(f"seed {given.seed}, {time.perf_counter() - began:.0f} s")
    return code


if __name__ == "__main__":
    sys.exit(main())
