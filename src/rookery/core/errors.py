"""The errors Rookery raises for people: each message is a whole sentence that can be shown as it is."""


class RookeryError(ValueError):
    """A value that cannot be used; the message says which, why, and what is allowed."""


class OptionError(RookeryError):
    """An option of a game or a bot that is unknown, of the wrong type or out of bounds."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option
        """The name of the option, if the error is of one."""


class UnknownName(RookeryError):
    """No game or bot has this name."""


class MalformedAction(RookeryError):
    """A text that is not the name of any action or chance outcome of the game."""


class IllegalAction(RookeryError):
    """An action that exists in the game but may not be played in this position."""


class PositionError(RookeryError):
    """A position that cannot be read, or that no play could have reached."""


class RecordError(RookeryError):
    """A record that is damaged, of another format or a newer version, or against the rules."""
