"""Words without their disguises: a model reads them, and a pattern for plain text does not match them.

The letters of other scripts that look Latin, and what is folded at all, are a selection (project decision; Unicode
TS 39 §4 lists thousands of look-alikes). Only a copy is folded, to search it: text in another script stays as it is.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from importlib import resources
from typing import Final

# Latin letters in circles and squares that have no compatibility form: U+1F150, U+1F170.
_ENCLOSED: Final = {chr(start + at): chr(ord("A") + at) for start in (0x1F150, 0x1F170) for at in range(26)}
_ASCII: Final = frozenset(map(chr, range(0x80)))
_MAX_LETTERS: Final = 16_384
# Tags and comments between two letters. Each part ends at the next bracket, so that no text makes the search slow.
_TAGS: Final = re.compile(r"(?<=[A-Za-z])(?:<[/!]?[A-Za-z-][^<>]*>)+(?=[A-Za-z])")


def undisguised(text: str) -> str:
    """Return a text with Latin letters in place of look-alikes, without combining marks and tags inside words.

    >>> undisguised("\u0406gno\u0433\u0435 a<b></b>ll \U0001d429rev\u0336ious")
    'Ignore all previous'
    """
    # Most texts of other scripts and with typographic marks have no look-alike: see their different characters first.
    if any(_LETTERS[ord(one)] != one for one in set(text) - _ASCII):
        text = text.translate(_LETTERS)
    return _TAGS.sub("", text) if "<" in text else text


@cache
def _latin() -> dict[str, str]:
    """Return Latin letters by the Cyrillic, Greek, Armenian, stroked and small capital letters that look like them."""
    table = json.loads(resources.files(__package__).joinpath("lookalikes.json").read_bytes())  # noqa: TID251 - a file of this package
    return {other: latin for latin, others in table.items() for other in others}


class _Letters(dict[int, str]):
    """The letter of each code point, found at its first use; so many are kept."""

    def __missing__(self, code: int) -> str:
        letter = _letter(chr(code)) if code > 0x7F else chr(code)
        if len(self) < _MAX_LETTERS:
            self[code] = letter
        return letter


_LETTERS: Final = _Letters()


def _letter(character: str) -> str:
    """Return the ASCII letters or digits that a character looks like, "" for a mark, or the character."""
    if character in _latin():
        return _latin()[character]
    if character in _ENCLOSED:
        return _ENCLOSED[character]
    if unicodedata.category(character) in ("Mn", "Me"):
        return ""
    # Mathematical, full-width and enclosed letters; an accented letter is no disguise and has no ASCII form here.
    plain = unicodedata.normalize("NFKC", character).strip("()")
    return plain if plain.isascii() and plain.isalnum() else character
