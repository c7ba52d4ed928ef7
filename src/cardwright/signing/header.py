"""The header of one signature, read with more suspicion than a JOSE library has.

joserfc, PyJWT and jose each accept a header that names `alg` twice, and some follow what the header
says of its own key. Here the header is strict JSON within limits, and all it may do is name an
algorithm of the list and a key that is trusted already (RFC 8725 §3.1, §3.8, §3.10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cardwright.canonical import Limits, decode
from cardwright.errors import MalformedDocument
from cardwright.signing.base64url import decoded
from cardwright.signing.keys import ALGORITHMS, MAX_KID_CHARACTERS
from cardwright_runtime.violation import quote

# The judge's own bound for a protected header; a signature of the greatest RSA key has 1,366 characters.
MAX_HEADER_CHARACTERS: Final = 8192
MAX_SIGNATURE_CHARACTERS: Final = 2048
# Each costs up to three verifications; keys are rotated two or three at a time (ours).
MAX_SIGNATURES: Final = 16
_LIMITS: Final = Limits(max_bytes=MAX_HEADER_CHARACTERS, max_depth=8, max_members=32)
# What changes how a signature is computed or read; none of it is understood here, so none is accepted.
_CRITICAL: Final = ("crit", "b64")


class Unacceptable(Exception):
    """Why one signature does not count; caught where the verdict is written."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a signature says of itself.

    Attributes:
        alg: One of `ALGORITHMS`.
        kid: The key's id, never empty.
        jku: Where its key set lies, or None.
        protected: The protected header as it was received: its very characters are signed.
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
        Unacceptable: If it breaks any rule; the message says which.
    """
    if type(entry) is not dict:
        raise Unacceptable("it is no JSON object")
    protected, signature = entry.get("protected"), entry.get("signature")
    header = _protected(protected)
    _check_critical(header, entry.get("header"))
    alg, kid = header.get("alg"), header.get("kid")
    if type(alg) is not str:
        raise Unacceptable("its protected header names no algorithm (alg)")
    if alg not in ALGORITHMS:
        raise Unacceptable(f"its algorithm is {quote(alg)}; accepted are {', '.join(ALGORITHMS)}")
    if type(kid) is not str or not kid:
        raise Unacceptable("its protected header names no key (kid)")
    if len(kid) > MAX_KID_CHARACTERS:
        raise Unacceptable(f"its kid is longer than {MAX_KID_CHARACTERS:,} characters")
    if type(header.get("typ", "")) is not str:
        raise Unacceptable("its typ is no text")
    jku = header.get("jku")
    # a2a-sdk 1.3 signs `"jku": null` where it is given none.
    if jku is not None and type(jku) is not str:
        raise Unacceptable("its jku is no text")
    if type(signature) is not str:
        raise Unacceptable("it has no signature value")
    value = decoded(signature) if len(signature) <= MAX_SIGNATURE_CHARACTERS else None
    if not value:
        raise Unacceptable(
            "its signature value is not base64url without padding, or not of a signature's length"
        )
    return Header(alg, kid, jku, str(protected), value)


def _protected(text: Any) -> dict[str, Any]:
    if type(text) is not str:
        raise Unacceptable("it has no protected header")
    if len(text) > MAX_HEADER_CHARACTERS:
        raise Unacceptable(f"its protected header is longer than {MAX_HEADER_CHARACTERS:,} characters")
    body = decoded(text)
    if body is None:
        raise Unacceptable("its protected header is not base64url without padding")
    try:
        header = decode(body, _LIMITS)
    except MalformedDocument as error:
        raise Unacceptable(f"its protected header is refused: {error.reason}") from None
    if type(header) is not dict:
        raise Unacceptable("its protected header is no JSON object")
    return header


def _check_critical(protected: dict[str, Any], unprotected: Any) -> None:
    if unprotected is not None and type(unprotected) is not dict:
        raise Unacceptable("its unprotected header is no JSON object")
    loose: dict[str, Any] = unprotected or {}
    for name in _CRITICAL:
        if name in protected or name in loose:
            raise Unacceptable(
                f"its header has {name}, which changes how it is to be read; that is not accepted"
            )
    # RFC 7515 §4: the two headers have no name in common.
    for name in protected:
        if name in loose:
            raise Unacceptable(f"{quote(name)} stands in both of its headers: readers disagree which counts")
