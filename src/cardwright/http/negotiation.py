"""What a caller asks for: the media type, the coding, and the version of A2A (RFC 9110 §12, A2A 1.0 §3.6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright.http.problem import BAD_HEADER, NOT_ACCEPTABLE, VERSION_NOT_SUPPORTED, refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

JSON: Final = "json"
YAML: Final = "yaml"
HTML: Final = "html"
# What may be asked for by name, the first of each kind the one that stands for it.
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
# Possessive, so that no field makes it look twice at the same blanks.
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
    """Return which of the offered media types a caller likes best, the earlier one where it likes two.

    Raises:
        HttpError: If the field is malformed, or none of them is acceptable.
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
            f"this is offered as {', '.join(offered)}: ask for one of them in Accept",
            mediaTypes=", ".join(offered),
        )
    return chosen


def codings(accept_encoding: str | None) -> tuple[str, ...]:
    """Return the codings that a caller takes, the best first; identity is always the last.

    Raises:
        HttpError: If the field is malformed.
    """
    if accept_encoding is None or not accept_encoding.strip():
        return (IDENTITY,)
    weights = _weighted(accept_encoding, "Accept-Encoding")
    rest = weights.get("*", 0.0)
    known = {"gzip": weights.get("gzip", weights.get("x-gzip", rest)), "br": weights.get("br", rest)}
    plain = weights.get(IDENTITY, 0.0)
    liked = [name for name in CODINGS if known[name] > 0 and known[name] >= plain]
    return (*sorted(liked, key=lambda name: -known[name]), IDENTITY)


def version(header: str | None, parameter: str | None, offered: Sequence[str]) -> str | None:
    """Return the version of A2A that is asked for, as Major.Minor; None where none is.

    The field comes first, then the query parameter (§3.6.1); a patch number does not count (§14.2.1).

    Raises:
        HttpError: If the two differ, or the version is not offered.
    """
    asked = {text.strip() for text in (header, parameter) if text and text.strip()}
    if not asked:
        return None
    matches = [_VERSION.fullmatch(text) for text in asked]
    named = {match[1] for match in matches if match}
    if len(named) == 2:
        raise refuse(BAD_HEADER, "A2A-Version in the header and in the query differ: send one of them")
    if all(matches) and named <= set(offered):
        return named.pop()
    if offered:
        told = f"this card is offered in A2A {', '.join(offered)}: send one of these as A2A-Version, or none"
    else:
        told = "this card is offered as it was written only: send no A2A-Version"
    raise refuse(VERSION_NOT_SUPPORTED, told, supportedVersions=", ".join(offered))


def _weighted(field: str, name: str) -> dict[str, float]:
    """Return the elements of a field with their weights; what is said twice counts by its greatest."""
    weights: dict[str, float] = {}
    for text in _split(field, name):
        if not text.strip(" \t"):
            continue  # RFC 9110 §5.6.1.2: empty elements are passed over
        match = _ELEMENT.fullmatch(text)
        if match is None:
            raise refuse(BAD_HEADER, f"{name} is malformed: see RFC 9110 §12.5")
        quality = _QUALITY.search(match[2])
        if quality and not _WEIGHT.fullmatch(quality[1]):
            raise refuse(BAD_HEADER, f"a weight in {name} is malformed: it is a number from 0 to 1")
        element = match[1].lower()
        weights[element] = max(weights.get(element, 0.0), float(quality[1]) if quality else 1.0)
    return weights


def _split(field: str, name: str) -> list[str]:
    """Return what stands between commas that are not quoted."""
    if '"' not in field:
        return field.split(",")
    if not _QUOTED.fullmatch(field):
        raise refuse(BAD_HEADER, f"a quotation mark in {name} is left open")
    return _BETWEEN_COMMAS.findall(field)


def _weight_of(offer: str, ranges: dict[str, float]) -> float:
    """Return the weight of a media type: that of the most specific range it falls under."""
    kind = offer.partition("/")[0]
    for name in (offer, f"{kind}/*", "*/*", "*"):
        if name in ranges:
            return ranges[name]
    return 0.0
