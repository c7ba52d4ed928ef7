"""From text to the words that are found again: the same for every database, so that none does it its own way.

A word is a run of letters and digits without case and accents. Scripts that put no space between words
are cut into characters and pairs of characters, so that any part of a run is found by the pairs in it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# Longer runs are data, not words (ours).
WORD_CHARACTERS: Final = 48
# What can be told apart of a value that is filtered by (ours).
VALUE_CHARACTERS: Final = 200

# Thai, Lao, Myanmar, Khmer; kana, Bopomofo, ideographs and their extensions.
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PLAIN_WORD: Final = re.compile(r"[a-z0-9]+")
_WORD: Final = re.compile(rf"(?P<run>[{_UNSPACED}]+)|[^\W_{_UNSPACED}]+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# No database takes these in a text.
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
# Every index splits at some ASCII mark or other; in the private area none of them does.
_MARKS: Final = {code: 0xE000 + code for code in range(128) if not chr(code).isalnum()}


def storable(text: str) -> str:
    """Return a text as every database takes it: without NUL and halves of surrogate pairs."""
    return text if text.isascii() and "\x00" not in text else _UNSTORABLE.sub("\ufffd", text)


def folded(text: str) -> str:
    """Return a text without case and accents.

    >>> folded("Fähre nach Ærø"), folded("STRASSE") == folded("Straße")
    ('fahre nach ærø', True)
    """
    if text.isascii():
        return text.lower()
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", plain)


def words_of(text: str) -> list[str]:
    """Return the words of a text in their order.

    >>> words_of("Wetter-Dienst: 東京の天気")
    ['wetter', 'dienst', '東', '京', 'の', '天', '気', '東京', '京の', 'の天', '天気']
    """
    plain = folded(text)
    if plain.isascii():
        return [word[:WORD_CHARACTERS] for word in _PLAIN_WORD.findall(plain)]
    found: list[str] = []
    for match in _WORD.finditer(plain):
        word = match.group()
        if match.lastgroup == "run":
            found += word
            found += _pairs(word)
        else:
            found.append(word[:WORD_CHARACTERS])
    return found


def asked_words(text: str) -> list[str]:
    """Return the words that a search asks for: of an unspaced run its pairs, which say more than its characters.

    >>> asked_words("天気 Tokyo"), asked_words("天")
    (['天気', 'tokyo'], ['天'])
    """
    found: list[str] = []
    for match in _WORD.finditer(folded(text)):
        word = match.group()
        found += (_pairs(word) or [word]) if match.lastgroup == "run" else [word[:WORD_CHARACTERS]]
    return list(dict.fromkeys(found))


def spaced(names: str) -> str:
    """Return names with their camelCase parts beside them.

    >>> spaced("getWeather")
    'getWeather get Weather'
    """
    parts = _HUMP.sub(" ", names)
    return names if parts == names else f"{names} {parts}"


def unspaced_run(word: str) -> bool:
    """Whether a word is of a script without spaces, so that no beginning of it need be looked for."""
    match = _WORD.match(word)
    return match is not None and match.lastgroup == "run"


def marked(mark: str, values: Iterable[str]) -> list[str]:
    """Return values as words of one kind, which no text has: exact but for case, accents and what is past 200 characters."""
    return [mark + _as_word(value[:VALUE_CHARACTERS]) for value in values]


# Cards say the same of their protocols, modes and schemes again and again.
@lru_cache(maxsize=4_096)
def _as_word(value: str) -> str:
    return folded(storable(value))[:VALUE_CHARACTERS].translate(_MARKS)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]
