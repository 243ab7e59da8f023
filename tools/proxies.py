"""Get the proxies that the arcade is tested behind, nginx and Caddy, if they are not installed.

Debian's packages are unpacked into a folder and not installed: so nothing starts with the machine or listens on a port,
and nobody has to be root. The package lists are a copy for the same reason.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

VERSION = {"nginx": "-v", "caddy": "version"}
"""How each program says its version."""


def main(folder: Path) -> None:
    """Have the programs in a folder; say what is missing."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "lists" / "partial").mkdir(parents=True)
    wanted = [name for name in VERSION if not (shutil.which(name) or shutil.which(name, path="/usr/sbin"))]
    try:
        if wanted:
            unpack(folder, wanted)
        (folder / "ready").touch()
    except (OSError, subprocess.CalledProcessError) as problem:
        with (folder / "log").open("a") as log:
            log.write(f"{problem}\n")
        shutil.rmtree(folder / "usr", ignore_errors=True)
        print(f"Tests behind {' and '.join(wanted)} will be skipped: see {folder / 'log'}.", file=sys.stderr)
    shutil.rmtree(folder / "lists")


def unpack(folder: Path, names: list[str]) -> None:
    """Download and unpack packages, and see that their programs run."""
    options = [f"Dir::State::lists={folder.resolve() / 'lists'}", "Dir::Cache::pkgcache=", "Dir::Cache::srcpkgcache="]
    apt = ["apt-get", *(f"-o{each}" for each in (*options, "APT::Sandbox::User=root"))]
    with (folder / "log").open("w") as log:

        def run(*command: str | Path) -> None:
            subprocess.run(command, cwd=folder, stdout=log, stderr=log, check=True)

        run(*apt, "update")
        run(*apt, "download", *names)
        for package in folder.glob("*.deb"):
            run("dpkg-deb", "--extract", package.name, ".")
            package.unlink()
        for name in names:
            found = next(folder.resolve().glob(f"usr/*bin/{name}"), Path(name))
            run(found, VERSION[name])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
