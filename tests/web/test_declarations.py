"""The types that the page's modules are checked with are those of the server's messages."""

from __future__ import annotations

from tools.page import declarations


def test_the_declarations_are_those_of_the_messages() -> None:
    made = declarations.declarations()
    assert declarations.OUT.read_text(encoding="utf-8") == made, "run make page-types"


def test_messages_of_both_directions_are_declared() -> None:
    made = declarations.declarations()
    assert '    do: "play";\n    ref?: number | null;\n    action: string;\n    ply?: number | null;\n' in made
    assert '    is: "refused";\n    why: string;\n    ref: number | null;\n' in made
    assert "    plies: [string, number][];\n    phrases: string[];\n    scene: AnyScene;\n" in made
