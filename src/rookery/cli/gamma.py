"""`rookery gamma`: Gamma's line protocol on standard input and output."""

from __future__ import annotations

from rookery.cli import flags


def gamma(given: list[str]) -> int:
    """Run Gamma's line protocol on standard input."""
    from rookery.games import line_protocol

    if given:
        flags.parser("rookery gamma", "Read Gamma commands from standard input, one a line.").parse_args(given)
    code: int = line_protocol("gamma").run(0, 1, 2)
    return code
