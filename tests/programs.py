"""Programs that tests run, and that may be missing on a machine: then tests are skipped, or fail if nothing may be.

`ROOKERY_TEST_STRICT=1` says that nothing may be missing.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest

STRICT = os.environ.get("ROOKERY_TEST_STRICT") == "1"
UNPACKED = Path(sys.prefix) / "proxies" / "usr"
"""Where `make` unpacks programs that are not installed."""


def program(name: str) -> str:
    """A program on the path, or where Debian puts those of administrators, or unpacked for the tests."""
    places = ("/usr/sbin", "/usr/local/sbin", str(UNPACKED / "sbin"), str(UNPACKED / "bin"))
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(places)) or missing(f"{name} is not installed")


def missing(why: str) -> NoReturn:
    """Skip the test, or fail it if nothing may be missing."""
    if STRICT:
        pytest.fail(f"{why}, and ROOKERY_TEST_STRICT allows nothing to be missing", pytrace=False)
    pytest.skip(why)
