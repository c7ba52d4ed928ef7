"""Content negotiation: media type, content coding and A2A version (RFC 9110 §12, A2A 1.0 §3.6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright.http.problem import BAD_HEADER, NOT_ACCEPTABLE, VERSION_NOT_SUPPORTED, refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

JSON: Final = "json"
YAML: Final = "yaml"
HTML: Final = "html"
# The offered media types; the first of each kind is its default.
MEDIA_TYPES: Final = {
    "application/json": JSON,
    "application/a2a-agent-card+json": JSON,
    "application/a2a+json": JSON,
    "application/yaml": YAML,
    "application/x-yaml": YAML,
    "text/html": HTML,
    "text/yaml": YAML,
}
CODINGS: Final = ("br", "gzip")
IDENTITY: Final = "identity"

_TOKEN: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105 - RFC 9110 §5.6.2 calls it a token
# Possessive quantifiers, so that no input causes backtracking.
_PARAMETER: Final = rf'[ \t]*+;[ \t]*+(?:{_TOKEN}=(?:{_TOKEN}|"(?:[^"\\]|\\.)*+"))?+'
_ELEMENT: Final = re.compile(rf"[ \t]*+({_TOKEN}(?:/{_TOKEN})?)((?:{_PARAMETER})*+)[ \t]*+")
_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
_QUOTED: Final = re.compile(rf'(?:[^"]|{_STRING})*+')
_BETWEEN_COMMAS: Final = re.compile(rf'(?:[^,"]|{_STRING})++')
_QUALITY: Final = re.compile(r";[ \t]*[qQ]=([^;\s]*)")
# RFC 9110 §12.4.2.
_WEIGHT: Final = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")
_VERSION: Final = re.compile(r"([0-9]{1,3}\.[0-9]{1,3})(?:\.[0-9]{1,6})?")


def media_type(accept: str | None, offered: Sequence[str]) -> str:
    """Return the offered media type that a caller prefers; of several, the first.

    Raises:
        HttpError: If the field is malformed, or no offered media type is acceptable.
    """
    if accept is None or accept == "*/*" or not accept.strip(", \t"):
        return offered[0]
    ranges = _weighted(accept, "Accept")
    best, chosen = 0.0, ""
    for offer in offered:
        weight = _weight_of(offer, ranges)
        if weight > best:
            best, chosen = weight, offer
    if not chosen:
        raise refuse(
            NOT_ACCEPTABLE,
            f"no offered media type is acceptable; name one of these in Accept: {', '.join(offered)}",
            mediaTypes=", ".join(offered),
        )
    return chosen


def codings(accept_encoding: str | None) -> tuple[str, ...]:
    """Return the codings that a caller accepts, the preferred first; identity is always the last.

    Raises:
        HttpError: If the field is malformed.
    """
    if accept_encoding is None or not accept_encoding.strip():
        return (IDENTITY,)
    weights = _weighted(accept_encoding, "Accept-Encoding")
    rest = weights.get("*", 0.0)
    known = {"gzip": weights.get("gzip", weights.get("x-gzip", rest)), "br": weights.get("br", rest)}
    plain = weights.get(IDENTITY, 0.0)
    preferred = [name for name in CODINGS if known[name] > 0 and known[name] >= plain]
    return (*sorted(preferred, key=lambda name: -known[name]), IDENTITY)


def stated_version(header: str | None, parameter: str | None) -> str | None:
    """Return the version of A2A that a request for a card states, as Major.Minor.

    None if the request has none, if the header field and the query parameter differ, or if one is malformed: a card
    is never refused for a version.
    """
    stated = {text.strip() for text in (header, parameter) if text and text.strip()}
    versions = {match[1] if (match := _VERSION.fullmatch(text)) else None for text in stated}
    return versions.pop() if len(versions) == 1 else None


def version(header: str | None, parameter: str | None, offered: Sequence[str]) -> str | None:
    """Return the requested version of a call as Major.Minor, or None.

    It is in the header field or the query parameter (§3.6.1); a patch number is ignored (§14.2.1).

    Raises:
        HttpError: If the two differ, or the version is not offered.
    """
    requested = {text.strip() for text in (header, parameter) if text and text.strip()}
    if not requested:
        return None
    matches = [_VERSION.fullmatch(text) for text in requested]
    versions = {match[1] for match in matches if match}
    if len(versions) == 2:
        raise refuse(BAD_HEADER, "A2A-Version differs between the header and the query: send one of them")
    if all(matches) and versions <= set(offered):
        return versions.pop()
    if offered:
        message = f"unsupported A2A version; send A2A-Version {' or '.join(offered)}, or omit it"
    else:
        message = "this card is only served as written: omit A2A-Version"
    raise refuse(VERSION_NOT_SUPPORTED, message, supportedVersions=", ".join(offered))


def _weighted(field: str, name: str) -> dict[str, float]:
    """Return the elements of a field with their weights; a repeated element has its greatest weight."""
    weights: dict[str, float] = {}
    for text in _split(field, name):
        if not text.strip(" \t"):
            continue  # RFC 9110 §5.6.1.2: empty elements are ignored
        match = _ELEMENT.fullmatch(text)
        if match is None:
            raise refuse(BAD_HEADER, f"{name} is malformed: see RFC 9110 §12.5")
        quality = _QUALITY.search(match[2])
        if quality and not _WEIGHT.fullmatch(quality[1]):
            raise refuse(BAD_HEADER, f"a weight in {name} is malformed: expected a number from 0 to 1")
        element = match[1].lower()
        weights[element] = max(weights.get(element, 0.0), float(quality[1]) if quality else 1.0)
    return weights


def _split(field: str, name: str) -> list[str]:
    """Split a field at commas outside quoted strings."""
    if '"' not in field:
        return field.split(",")
    if not _QUOTED.fullmatch(field):
        raise refuse(BAD_HEADER, f"a quoted string in {name} is not closed")
    return _BETWEEN_COMMAS.findall(field)


def _weight_of(offer: str, ranges: dict[str, float]) -> float:
    """Return the weight of a media type: the weight of the most specific range that includes it."""
    kind = offer.partition("/")[0]
    for name in (offer, f"{kind}/*", "*/*", "*"):
        if name in ranges:
            return ranges[name]
    return 0.0
