"""Sphinx configuration: Markdown pages, the API from docstrings, the theme's colours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import rookery
from rookery.core.palette import DARK, LIGHT

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Rookery"
author = "the Rookery authors"
copyright = author
version = release = rookery.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90

html_theme = "furo"
html_title = f"Rookery {version}"
html_logo = "_static/rook.svg"
html_favicon = "_static/rook.svg"
html_static_path = ["_static"]
html_css_files = ["rookery.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": LIGHT.accent,
        "color-brand-content": LIGHT.accent,
        "color-background-primary": "#fdfbf7",
        "color-background-secondary": "#f6f2ea",
    },
    "dark_css_variables": {
        "color-brand-primary": DARK.accent,
        "color-brand-content": DARK.accent,
        "color-background-primary": "#12151f",
        "color-background-secondary": "#181c29",
    },
}
pygments_style = "friendly"
pygments_dark_style = "one-dark"

ROW = re.compile(r"^\|(.*)\|$", re.MULTILINE)
CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


def as_row(found: re.Match[str]) -> str:
    """Convert a row of a Markdown table to one of a list-table, which an empty heading starts."""
    cells = [cell.strip() for cell in found[1].split(" | ")]
    if not "".join(cells).strip("| "):
        return ".. list-table::\n   :class: spec\n"
    if set(found[1]) <= set("|-"):
        return ""
    return "\n     - ".join(["   * - " + cells[0], *cells[1:]])


def as_rst(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Convert a docstring to reStructuredText: `code` and indented blocks become literals, tables list-tables."""
    found: list[str] = []
    for line in ROW.sub(as_row, CODE.sub(r"``\1``", "\n".join(lines))).split("\n"):
        if line.startswith("    ") and len(found) > 1 and not found[-1] and not found[-2].startswith("    "):
            found += ["::", ""]
        found.append(line)
    lines[:] = found


def setup(app: Sphinx) -> None:
    """Convert every docstring that autodoc reads."""
    app.connect("autodoc-process-docstring", as_rst)
