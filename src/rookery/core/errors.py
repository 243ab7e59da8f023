"""The errors Rookery raises for people: each message is a whole sentence that can be shown as it is."""


class RookeryError(ValueError):
    """Something a person gave cannot be used; the message says what, why, and what would do."""


class OptionError(RookeryError):
    """An option of a game or a bot is unknown, of the wrong type or out of its bounds."""


class UnknownName(RookeryError):
    """No game or bot has this name."""


class MalformedAction(RookeryError):
    """A text that is not the name of any action or chance outcome of the game."""


class IllegalAction(RookeryError):
    """An action that exists in the game but may not be played in this position."""


class PositionError(RookeryError):
    """A position that cannot be read, or that no play could have reached."""


class RecordError(RookeryError):
    """A record that is damaged, foreign, from a newer version, or breaks the rules."""
