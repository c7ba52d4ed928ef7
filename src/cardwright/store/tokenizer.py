"""Tokenizer of the full-text search, the same for every database.

A word is a run of letters and digits, without case and accents. Runs of scripts without spaces are split into
characters and pairs of characters, so that each part of a run is found by its pairs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# The maximum length of a word; longer runs are data (project decision).
WORD_CHARACTERS: Final = 48
# The maximum length of a facet value (project decision).
VALUE_CHARACTERS: Final = 200

# Thai, Lao, Myanmar, Khmer; kana, Bopomofo, ideographs and their extensions.
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# A longer run counts as its start.
_PLAIN_WORD: Final = re.compile(rf"([a-z0-9]{{1,{WORD_CHARACTERS}}})[a-z0-9]*")
_WORD: Final = re.compile(rf"(?P<run>[{_UNSPACED}]+)|[^\W_{_UNSPACED}]+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
# A quick search: most names have no such pair.
_MAY_HAVE_HUMP: Final = re.compile("[a-zA-Z0-9][A-Z]")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Characters that databases cannot store in a text.
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
# Index parsers split at ASCII punctuation and at every white space, but not at characters of the private use area.
_SPACES: Final = "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_MARKS: Final = {
    **{code: 0xE000 + code for code in range(128) if not chr(code).isalnum()},
    **{ord(space): 0xE080 + index for index, space in enumerate(_SPACES)},
}


def storable(text: str) -> str:
    """Return a text that every database can store: without NUL and unpaired surrogates."""
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
    """Return the words of a text in order.

    >>> words_of("Wetter-Dienst: 東京の天気")
    ['wetter', 'dienst', '東', '京', 'の', '天', '気', '東京', '京の', 'の天', '天気']
    """
    plain = folded(text)
    if plain.isascii():
        return _PLAIN_WORD.findall(plain)
    words: list[str] = []
    for match in _WORD.finditer(plain):
        word = match.group()
        if match.lastgroup == "run":
            words += word
            words += _pairs(word)
        else:
            words.append(word[:WORD_CHARACTERS])
    return words


def query_words_of(text: str) -> list[str]:
    """Return the words of a query: a run without spaces gives its pairs, which are more specific than characters.

    >>> query_words_of("天気 Tokyo"), query_words_of("天")
    (['天気', 'tokyo'], ['天'])
    """
    words: list[str] = []
    for match in _WORD.finditer(folded(text)):
        word = match.group()
        words += (_pairs(word) or [word]) if match.lastgroup == "run" else [word[:WORD_CHARACTERS]]
    return list(dict.fromkeys(words))


def spaced(names: str) -> str:
    """Return names with the parts of camelCase names appended.

    >>> spaced("getWeather")
    'getWeather get Weather'
    """
    if not _MAY_HAVE_HUMP.search(names):
        return names
    parts = _HUMP.sub(" ", names)
    return names if parts == names else f"{names} {parts}"


def unspaced_run(word: str) -> bool:
    """Whether a word belongs to a script without spaces; such words need no prefix search."""
    match = _WORD.match(word)
    return match is not None and match.lastgroup == "run"


def marked(mark: str, values: Iterable[str]) -> list[str]:
    """Return facet values as prefixed words, distinct from words of texts: without case and accents, at most 200 characters."""
    return [mark + _as_word(value[:VALUE_CHARACTERS]) for value in values]


# Many cards have the same protocols, modes and schemes.
@lru_cache(maxsize=4_096)
def _as_word(value: str) -> str:
    return folded(storable(value))[:VALUE_CHARACTERS].translate(_MARKS)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]
