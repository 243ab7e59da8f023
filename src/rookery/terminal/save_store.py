"""What the terminal saves in the user's data folder: open games, finished games and preferences.

Games are saved as records, an open game in a file of its own and finished games one a line, so that `rookery replay`
and `rookery play --load` read them too.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rookery.core.errors import RookeryError
from rookery.system.folders import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.terminal.session import Session

NO_FOLDER = Path(os.devnull)
"""Stands for a folder that cannot be written."""
MAX_OPEN = 20
"""Open games that are saved; the oldest are deleted."""
FINISHED, ACHIEVEMENT = "finished", "feat"
"""Tags of a finished game: when it ended, and how well the player did."""


@dataclass(frozen=True)
class SavedGame:
    """A saved game, as its record describes it. The record is checked against the rules only when it is opened."""

    path: Path
    number: int
    """Its line in the file, from 1."""
    when: datetime
    game: str
    players: tuple[str, ...]
    plies: int
    winners: tuple[int, ...]
    achievement: str

    @classmethod
    def read(cls, path: Path, number: int, line: str, when: datetime | None = None) -> SavedGame:
        """Parse a line; raises one of `BAD_RECORD` if it is not a record."""
        content = json.loads(line)
        tags, result = content.get("tags", {}), content.get("result") or {"winners": []}
        when = when or datetime.fromisoformat(tags[FINISHED])
        if when.tzinfo is None:
            raise ValueError(when)
        return cls(
            path,
            number,
            when,
            str(content["game"]),
            tuple(map(str, content["players"])),
            len(content["plies"]),
            tuple(map(int, result["winners"])),
            str(tags.get(ACHIEVEMENT, "")),
        )


BAD_RECORD = (OSError, ValueError, KeyError, TypeError, AttributeError)
"""The errors that reading something other than a record can raise."""


class SaveStore:
    """One user's files. Files that cannot be read are skipped; if files cannot be written, the user is told once."""

    def __init__(self, folder: Path | None = None) -> None:
        self.error = ""
        """Why nothing can be saved, as a sentence; empty if saving works."""
        self._warned = False
        self.folder = folder or self._default_folder()
        self.open_folder = self.folder / "open"
        self.games = self.folder / "games.jsonl"
        with self._writing():
            self.open_folder.mkdir(parents=True, exist_ok=True)

    def _default_folder(self) -> Path:
        try:
            return data_folder() / "terminal"
        except RookeryError as problem:
            why = str(problem)
            self.error = f"Games are not saved: {why[:1].lower()}{why[1:]}"
            return NO_FOLDER

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Remember why writing failed."""
        try:
            yield
        except OSError as problem:
            self.error = self.error or f"Games are not saved: {self.folder} cannot be written ({problem.strerror})."

    def warning(self) -> str:
        """The error, the first time only."""
        warned, self._warned = self._warned, self._warned or bool(self.error)
        return "" if warned else self.error

    def new_path(self, session: Session) -> Path:
        """The path for a new open game."""
        now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        return self.open_folder / f"{now}-{os.getpid()}-{session.game.name}.json"

    def save_open(self, path: Path, session: Session) -> None:
        """Save a game that is not over. The file is replaced in one step, so it is never half written."""
        with self._writing():
            new = path.with_suffix(".new")
            new.write_text(session.record().line() + "\n", encoding="utf-8")
            new.replace(path)
            for old in self._open_files()[MAX_OPEN:]:
                old.unlink(missing_ok=True)

    def _open_files(self) -> list[Path]:
        """The files of open games, the most recently played first."""
        return sorted(self.open_folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)

    def delete(self, path: Path) -> None:
        """Delete an open game."""
        with self._writing():
            path.unlink(missing_ok=True)

    def save_finished(self, path: Path, session: Session) -> None:
        """Move a game that is over from the open to the finished games."""
        persons = [player for player in range(1, session.game.players + 1) if player not in session.bots]
        achievement = session.game.achievement(session.state, persons[0] if len(persons) == 1 else 1)
        tags = {FINISHED: datetime.now(UTC).isoformat(timespec="seconds")}
        if achievement is not None and len(persons) == 1:
            tags[ACHIEVEMENT] = achievement.text
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            if not self._is_last(session):
                with self.games.open("a", encoding="utf-8") as file:
                    file.write(session.record(tags).line() + "\n")
            self.delete(path)

    def _is_last(self, session: Session) -> bool:
        """Whether this game is the last finished one, as it is after an undo and a redo."""
        with suppress(*BAD_RECORD):
            last = json.loads(self.games.read_text(encoding="utf-8").rstrip("\n").rpartition("\n")[2])
            this = json.loads(session.record().line())
            return all(last[name] == this[name] for name in ("game", "options", "players", "plies"))
        return False

    def open_games(self) -> list[SavedGame]:
        """The open games, newest first."""
        found = []
        files: list[Path] = []
        with suppress(OSError):
            files = self._open_files()
        for path in files:
            with suppress(*BAD_RECORD):
                when = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                found.append(SavedGame.read(path, 1, path.read_text(encoding="utf-8"), when))
        return found

    def finished_games(self) -> list[SavedGame]:
        """The finished games, newest first."""
        found = []
        with suppress(*BAD_RECORD):
            lines = self.games.read_text(encoding="utf-8").split("\n")
            for number, line in enumerate((line for line in lines if line.strip()), start=1):
                with suppress(*BAD_RECORD):
                    found.append(SavedGame.read(self.games, number, line))
        return found[::-1]

    def preferences(self) -> dict[str, str]:
        """The user's preferences."""
        with suppress(OSError, ValueError):
            found = json.loads((self.folder / "likes.json").read_text(encoding="utf-8"))
            if isinstance(found, dict):
                return {str(name): str(value) for name, value in found.items()}
        return {}

    def set_preferences(self, **given: str) -> None:
        """Change some preferences."""
        with self._writing():
            text = json.dumps(self.preferences() | given, ensure_ascii=False)
            (self.folder / "likes.json").write_text(text, encoding="utf-8")
