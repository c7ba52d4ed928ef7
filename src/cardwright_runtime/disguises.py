"""Words without their disguises: a model reads them, and a pattern for plain text does not match them.

The letters of other scripts that look Latin, and what is folded at all, are a selection (project decision; Unicode
TS 39 §4 lists thousands of look-alikes). Only a copy is folded, to search it: text in another script stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Latin letters by the Cyrillic, Greek, Armenian, stroked and small capital letters that look like them.
_LOOKALIKES: Final = {
    "a": "\u0430\u0251\u03b1\u1d00",
    "b": "\u0432\u042c\u0299",
    "c": "\u0441\u03f2\u1d04",
    "d": "\u0501\u1d05\u0111",
    "e": "\u0435\u04bd\u03b5\u1d07\u0451\u0454",
    "f": "\ua730\u0192",
    "g": "\u0261\u0581\u0262",
    "h": "\u04bb\u0570\u043d\u029c\u0127",
    "i": "\u0456\u03b9\u0131\u0269\u026a\u0457",
    "j": "\u0458\u03f3\u1d0a\u0237",
    "k": "\u043a\u03ba\u1d0b\u049b",
    "l": "\u04cf\u029f\u0142",
    "m": "\u043c\u1d0d",
    "n": "\u0578\u043f\u03b7\u0274",
    "o": "\u043e\u03bf\u0585\u03c3\u1d0f\u00f8\u04e9",
    "p": "\u0440\u03c1\u1d18",
    "q": "\u051b",
    "r": "\u0433\u0280",
    "s": "\u0455\ua731",
    "t": "\u0442\u03c4\u1d1b\u0167",
    "u": "\u03c5\u057d\u1d1c",
    "v": "\u03bd\u0475\u1d20",
    "w": "\u051d\u03c9\u0461\u1d21",
    "x": "\u0445\u03c7",
    "y": "\u0443\u03b3\u028f\u04af",
    "z": "\u1d22",
    "A": "\u0410\u0391",
    "B": "\u0412\u0392",
    "C": "\u0421\u03f9",
    "E": "\u0415\u0395\u0401",
    "G": "\u050c",
    "H": "\u041d\u0397",
    "I": "\u0406\u0399\u04c0\u0407",
    "J": "\u0408",
    "K": "\u041a\u039a",
    "L": "\u0141",
    "M": "\u041c\u039c",
    "N": "\u039d",
    "O": "\u041e\u039f\u0555\u00d8",
    "P": "\u0420\u03a1",
    "Q": "\u051a",
    "S": "\u0405\u054f",
    "T": "\u0422\u03a4",
    "U": "\u054d",
    "V": "\u0474",
    "W": "\u051c",
    "X": "\u0425\u03a7",
    "Y": "\u04ae\u03a5\u0423",
    "Z": "\u0396",
}
_LATIN: Final = {other: latin for latin, others in _LOOKALIKES.items() for other in others}
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
    if character in _LATIN:
        return _LATIN[character]
    if character in _ENCLOSED:
        return _ENCLOSED[character]
    if unicodedata.category(character) in ("Mn", "Me"):
        return ""
    # Mathematical, full-width and enclosed letters; an accented letter is no disguise and has no ASCII form here.
    plain = unicodedata.normalize("NFKC", character).strip("()")
    return plain if plain.isascii() and plain.isalnum() else character
