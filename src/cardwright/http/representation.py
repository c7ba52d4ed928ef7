"""The bytes of a form: each media type and coding once, ahead of any request, each with its own strong ETag."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from cardwright.http.negotiation import CODINGS, IDENTITY

if TYPE_CHECKING:
    from collections.abc import Mapping

# Below this, a coding saves nothing that a packet would notice (ours).
_WORTH_CODING: Final = 512
# A sixth larger than at quality 11 and made in a sixtieth of the time; a wider window costs 2 ms each (measured).
_BR: Final = {"quality": 9, "lgwin": 16}


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes as they are sent.

    Attributes:
        body: The bytes, in the coding.
        coding: `identity`, `gzip` or `br`.
        etag: A strong entity tag: the SHA-256 of the bytes, so that every process and every start gives the same.
    """

    body: bytes
    coding: str
    etag: str


Codings = dict[str, Content]


def coded(body: bytes) -> Codings:
    """Return bytes in every coding that makes them smaller, and as they are."""
    made = {IDENTITY: _content(body, IDENTITY)}
    if len(body) >= _WORTH_CODING:
        for coding in filter(_CODERS.__contains__, CODINGS):
            smaller = _CODERS[coding](body)
            if len(smaller) < len(body):
                made[coding] = _content(smaller, coding)
    return made


def json_bytes(document: Any) -> bytes:
    """Return a JSON value as it is sent: UTF-8, members in their order, no blanks."""
    import orjson

    return orjson.dumps(document)


def yaml_bytes(document: Mapping[str, Any]) -> bytes:
    """Return a JSON value as YAML that 1.1 and 1.2 readers read alike: whatever is not plainly a word is quoted."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes no anchors: every value stands where it is used."""

        def ignore_aliases(self, data: Any) -> bool:
            del data
            return True

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - PyYAML's signature
            super().increase_indent(flow, False)  # noqa: FBT003 - likewise

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        plain = value.isascii() and value.replace(" ", "").isalpha() and value.casefold() not in _WORDS
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=None if plain else '"')

    Dumper.add_representer(str, text)
    return yaml.dump(
        document, Dumper=Dumper, sort_keys=False, allow_unicode=True, encoding="utf-8", width=2**20
    )


# What some version of YAML reads as anything but text (1.1 §10.2, 1.2 §10.3).
_WORDS: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "nan"})


def _content(body: bytes, coding: str) -> Content:
    return Content(body, coding, f'"{hashlib.sha256(body).hexdigest()}"')


def _gzip(body: bytes) -> bytes:
    # Without a time, or no two processes would send the same bytes.
    return gzip.compress(body, compresslevel=9, mtime=0)


def _br(body: bytes) -> bytes:
    import brotli

    made: bytes = brotli.compress(body, mode=brotli.MODE_TEXT, **_BR)
    return made


# brotli comes with [serve]; an application that another server runs does without.
_CODERS: Final = {"br": _br, "gzip": _gzip} if find_spec("brotli") else {"gzip": _gzip}
