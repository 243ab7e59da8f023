"""Names that people give themselves: readable, and nobody else's.

A name must not pass for something the page says itself ("You", "Easy bot"), hide what it is, or mix scripts to look
like another one (Unicode Technical Standard 39 calls such names confusable).
"""

from __future__ import annotations

import re
from unicodedata import category, combining, name, normalize

from rookery.core.errors import RookeryError
from rookery.core.strength import LEVEL_NAMES

MOST_MARKS = 2
"""Combining marks that a letter may have."""
RESERVED = frozenset(
    [
        *("you", "somebody", "someone", "nobody", "anybody", "everybody", "guest", "anonymous"),
        *("bot", "level", "seat", "open seat", "player", "rookery"),
        *("system", "server", "admin", "administrator", "moderator"),
    ]
)
"""What the page itself calls players. Digits and punctuation after a word make no difference."""
LEVELS = tuple(name.casefold() for name in LEVEL_NAMES)
"""What bots are called, with "bot" after it."""
EAST_ASIAN = frozenset(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"))
"""Scripts that are written together."""
LOOK_ALIKE = str.maketrans("0134578@$|!", "oieastbasii")
"""Signs that are read as letters."""


def clean_name(text: str) -> str:
    """A name in its normal form (NFKC), without invisible characters and repeated blanks."""
    normal = normalize("NFKC", text)
    return " ".join("".join(each if each.isprintable() else " " for each in normal).split())


def checked_name(text: str) -> str:
    """A name that somebody may have; raise a `RookeryError` that says why if not. An empty one means no name."""
    found = clean_name(text)
    if not found:
        if text.strip():
            raise RookeryError("This name has no character that can be seen.")
        return ""
    if not any(category(each)[0] in "LN" for each in found):
        raise RookeryError("A name needs a letter or a digit.")
    if _most_marks(found) > MOST_MARKS:
        raise RookeryError(f"A letter of a name may have {MOST_MARKS} accents at most.")
    if len(_scripts(found)) > 1:
        raise RookeryError("All letters of a name must be of one script, so that no two names look alike.")
    if _is_reserved(found):
        raise RookeryError(f"The page itself uses the name '{found}'; choose another.")
    return found


def _most_marks(text: str) -> int:
    most = run = 0
    for each in normalize("NFD", text):
        run = run + 1 if combining(each) or category(each) in ("Mn", "Me") else 0
        most = max(most, run)
    return most


def _scripts(text: str) -> set[str]:
    """The scripts of the letters; those that are written together count as one."""
    found = {name(each, "UNKNOWN").partition(" ")[0] for each in text if category(each)[0] == "L"}
    return {
        "EAST ASIAN" if script in EAST_ASIAN else script for script in found - {"MODIFIER", "FEMININE", "MASCULINE"}
    }


def _is_reserved(text: str) -> bool:
    """Whether a name is one of the page's own words, alone or with numbers, or begins like a bot's."""
    folded = text.casefold()
    plain = re.sub(r"[\W\d_]+", " ", folded).strip()
    spelled = re.sub(r"[\W_]+", " ", folded.translate(LOOK_ALIKE)).strip()
    bots = r"(level\s*)?\d*\s*bot|bot(\s.*)?|level\s*\d*(\s*bot.*)?|(" + "|".join(LEVELS) + r")\s*bot(\s*\d*)"
    return any(
        each in RESERVED or re.fullmatch(bots, each) is not None
        for each in (plain, plain.replace(" ", ""), spelled, folded)
    )
