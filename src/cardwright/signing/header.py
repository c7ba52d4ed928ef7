"""Parsing of the header of one signature, stricter than JOSE libraries.

joserfc, PyJWT and jose accept a header with two `alg` fields, and some use a key from the header. Here the header is
strict JSON within limits, and can only name a listed algorithm and a trusted key (RFC 8725 §3.1, §3.8, §3.10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cardwright.canonical import Limits, decode
from cardwright.errors import MalformedDocument
from cardwright.signing.base64url import decoded
from cardwright.signing.keys import ALGORITHMS, MAX_KID_CHARACTERS
from cardwright_runtime.violation import quote

# The limit that validation has for a protected header; a signature of the largest RSA key has 1,366 characters.
MAX_HEADER_CHARACTERS: Final = 8192
MAX_SIGNATURE_CHARACTERS: Final = 2048
# Each costs up to three verifications; a key rotation needs two or three (project decision).
MAX_SIGNATURES: Final = 16
_LIMITS: Final = Limits(max_bytes=MAX_HEADER_CHARACTERS, max_depth=8, max_members=32)
# Header parameters that change how a signature is computed; they are not supported.
_CRITICAL: Final = ("crit", "b64")


class Unacceptable(Exception):
    """A signature is not accepted; the message says why."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a signature.

    Attributes:
        alg: One of `ALGORITHMS`.
        kid: The id of the key, never empty.
        jku: The URL of its key set, or None.
        protected: The protected header as received, since its exact characters are signed.
        signature: The signature's bytes.
    """

    alg: str
    kid: str
    jku: str | None
    protected: str
    signature: bytes


def read_header(entry: Any) -> Header:
    """Read one entry of `signatures` (A2A 1.0 §8.4.2, RFC 7515 §4).

    Raises:
        Unacceptable: If it is invalid; the message says why.
    """
    if type(entry) is not dict:
        raise Unacceptable("the signature is not a JSON object")
    protected, signature = entry.get("protected"), entry.get("signature")
    header = _protected(protected)
    _check_critical(header, entry.get("header"))
    alg, kid = header.get("alg"), header.get("kid")
    if type(alg) is not str:
        raise Unacceptable("the protected header has no algorithm (alg)")
    if alg not in ALGORITHMS:
        raise Unacceptable(f"unsupported algorithm {quote(alg)}; supported: {', '.join(ALGORITHMS)}")
    if type(kid) is not str or not kid:
        raise Unacceptable("the protected header has no key id (kid)")
    if len(kid) > MAX_KID_CHARACTERS:
        raise Unacceptable(f"the kid is longer than {MAX_KID_CHARACTERS:,} characters")
    if type(header.get("typ", "")) is not str:
        raise Unacceptable("typ in the protected header must be a string")
    jku = header.get("jku")
    # a2a-sdk 1.3 writes `"jku": null` for an absent jku.
    if jku is not None and type(jku) is not str:
        raise Unacceptable("jku in the protected header must be a string")
    if type(signature) is not str:
        raise Unacceptable("the signature value is missing")
    value = decoded(signature) if len(signature) <= MAX_SIGNATURE_CHARACTERS else None
    if not value:
        raise Unacceptable("the signature value is not base64url without padding, or has a wrong length")
    return Header(alg, kid, jku, str(protected), value)


def _protected(text: Any) -> dict[str, Any]:
    if type(text) is not str:
        raise Unacceptable("the protected header is missing")
    if len(text) > MAX_HEADER_CHARACTERS:
        raise Unacceptable(f"the protected header is longer than {MAX_HEADER_CHARACTERS:,} characters")
    body = decoded(text)
    if body is None:
        raise Unacceptable("the protected header is not base64url without padding")
    try:
        header = decode(body, _LIMITS)
    except MalformedDocument as error:
        raise Unacceptable(f"the protected header is refused: {error.reason}") from None
    if type(header) is not dict:
        raise Unacceptable("the protected header is not a JSON object")
    return header


def _check_critical(protected: dict[str, Any], unprotected: Any) -> None:
    if unprotected is not None and type(unprotected) is not dict:
        raise Unacceptable("the unprotected header is not a JSON object")
    unprotected_fields: dict[str, Any] = unprotected or {}
    for name in _CRITICAL:
        if name in protected or name in unprotected_fields:
            raise Unacceptable(f"the header parameter {name} is not supported")
    # RFC 7515 §4: the names in the two headers must be disjoint.
    for name in protected:
        if name in unprotected_fields:
            raise Unacceptable(f"{quote(name)} is in both the protected and the unprotected header")
