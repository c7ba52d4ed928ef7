"""Signing and verifying bytes: the JWS signing input, and joserfc's algorithms.

joserfc's parser of JWS objects is not used, since it reads headers leniently. `header` reads them strictly.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from cardwright.extras import requires_extra
from cardwright.signing.base64url import encoded

if TYPE_CHECKING:
    from cardwright.signing.header import Header
    from cardwright.signing.keys import Key


def signed(payload: bytes, key: Key, header: dict[str, str]) -> dict[str, str]:
    """Sign a payload; return `protected` and `signature` (RFC 7515 §5.1, A2A 1.0 §8.4.2)."""
    import orjson

    protected = encoded(orjson.dumps(header))
    algorithm = _algorithm(header["alg"], key)
    signature: bytes = algorithm.sign(_input(protected, payload), key.jose)
    return {"protected": protected, "signature": encoded(signature)}


def holds(payload: bytes, key: Key, header: Header) -> bool:
    """Return whether a signature of a payload by a key is valid (RFC 7515 §5.2)."""
    signing_input = _input(header.protected, payload)
    verified: bool = _algorithm(header.alg, key).verify(signing_input, header.signature, key.jose)
    return verified


def _input(protected: str, payload: bytes) -> bytes:
    return b"%b.%b" % (protected.encode(), urlsafe_b64encode(payload).rstrip(b"="))


def _algorithm(name: str, key: Key) -> Any:
    """Return an algorithm, after checking that the key fits it (RFC 8725 §3.1)."""
    with requires_extra("sign"):
        from joserfc.jws import JWSRegistry

    algorithm = JWSRegistry.algorithms[name]
    algorithm.check_key(key.jose)
    return algorithm
