"""Representations: a body in each content coding, rendered once, each with a strong ETag."""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from cardwright.http.negotiation import CODINGS, IDENTITY

if TYPE_CHECKING:
    from collections.abc import Mapping

# A smaller body fits into one packet without compression (project decision).
_MIN_COMPRESSED: Final = 512
# The whole numbers up to this one are exact as doubles.
_EXACT: Final = 2.0**53 - 1
_WHOLE: Final = re.compile(rb"\.0(?![0-9])")
# Measured: a sixth larger than at quality 11, but 60 times faster; a larger window costs 2 ms each.
_BR: Final = {"quality": 9, "lgwin": 16}


@dataclass(frozen=True, slots=True)
class Content:
    """A body in one content coding.

    Attributes:
        body: The bytes, in the coding.
        coding: `identity`, `gzip` or `br`.
        etag: A strong entity tag: the SHA-256 of the bytes, so that every process and every restart gives the same.
    """

    body: bytes
    coding: str
    etag: str


Codings = dict[str, Content]


def coded(body: bytes) -> Codings:
    """Return a body unencoded, and in every coding that makes it smaller."""
    contents = {IDENTITY: _content(body, IDENTITY)}
    if len(body) >= _MIN_COMPRESSED:
        for coding in filter(_CODERS.__contains__, CODINGS):
            smaller = _CODERS[coding](body)
            if len(smaller) < len(body):
                contents[coding] = _content(smaller, coding)
    return contents


def json_bytes(document: Any) -> bytes:
    """Return a JSON value as UTF-8 without spaces; fields keep their order."""
    from cardwright.canonical import json_text

    return json_text(document)


def with_integers(value: Any) -> Any:
    """Return a JSON value of protobuf with whole numbers as integers: `google.protobuf.Value` has only doubles."""
    if isinstance(value, dict):
        return {name: with_integers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [with_integers(item) for item in value]
    whole = isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT
    return int(value) if whole else value


def integral(text: bytes) -> bytes:
    """Return a JSON text of protobuf with whole numbers as integers, as their sender wrote them.

    >>> integral(b'{"count": 5.0, "share": 0.05, "version": "1.0"}')
    b'{"count":5,"share":0.05,"version":"1.0"}'
    """
    import orjson

    try:
        return orjson.dumps(with_integers(orjson.loads(text))) if _WHOLE.search(text) else text  # noqa: TID251 - its own JSON
    except orjson.JSONDecodeError:
        return text


def yaml_bytes(document: Mapping[str, Any]) -> bytes:
    """Return a JSON value as YAML with the same meaning in YAML 1.1 and 1.2: only plain words are not quoted."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Dumper without anchors and aliases."""

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


# Words that YAML 1.1 or 1.2 does not read as a string (1.1 §10.2, 1.2 §10.3).
_WORDS: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "inf", "nan"})


def _content(body: bytes, coding: str) -> Content:
    return Content(body, coding, f'"{hashlib.sha256(body).hexdigest()}"')


def _gzip(body: bytes) -> bytes:
    # Without a time, so that every process creates the same bytes.
    return gzip.compress(body, compresslevel=9, mtime=0)


def _br(body: bytes) -> bytes:
    import brotli

    compressed: bytes = brotli.compress(body, mode=brotli.MODE_TEXT, **_BR)
    return compressed


# brotli is installed with [serve]; without it only gzip is used.
_CODERS: Final = {"br": _br, "gzip": _gzip} if find_spec("brotli") else {"gzip": _gzip}
