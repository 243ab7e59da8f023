"""`rookery gamma`: Gamma's line protocol on standard input and output."""

from __future__ import annotations

from rookery.cli import flags


def gamma(given: list[str]) -> int:
    """Carry out Gamma's line protocol on standard input."""
    from rookery.games import line_protocol

    if given:
        flags.parser("rookery gamma", "Carry out Gamma's commands, one a line, from standard input.").parse_args(given)
    code: int = line_protocol("gamma").run(0, 1, 2)
    return code
