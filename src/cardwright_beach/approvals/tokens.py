"""Approval ids: issue and verify them, and check that a channel can carry them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadArgument

if TYPE_CHECKING:
    from collections.abc import Callable

# 80 random bits cannot be guessed; the tag has 80 bits, the minimum of RFC 2104 §5.
_RANDOM_BYTES: Final = 10
_TAG_BYTES: Final = 10
# Domain separation: no other use of the same secret creates these tags (project decision).
_PURPOSE: Final = b"cardwright approval id 1\0"
_ISSUED: Final = re.compile(r"[a-z2-7]{32}")
# Characters that are safe in a subject, a button payload and a line of text (project decision).
WRITABLE: Final = r"[A-Za-z0-9._~-]{1,128}"
_WRITABLE: Final = re.compile(WRITABLE)


def issued(secret: bytes, session: str, randomness: Callable[[int], bytes]) -> str:
    """Return a new approval id for a session: 32 characters of base32 in lower case (RFC 4648 §6).

    Raises:
        BadArgument: If `randomness` returns another number of bytes than requested.
    """
    random = randomness(_RANDOM_BYTES)
    if not isinstance(random, bytes) or len(random) != _RANDOM_BYTES:
        raise BadArgument("randomness", f"must return the requested number of bytes ({_RANDOM_BYTES})")
    return base64.b32encode(random + _tag(secret, session, random)).decode().lower()


def is_issued(secret: bytes, session: str, approval_id: str) -> bool:
    """Return whether an id was issued with this secret for this session; compares in constant time."""
    if not looks_issued(approval_id):
        return False
    decoded = base64.b32decode(folded(approval_id).upper())
    random, tag = decoded[:_RANDOM_BYTES], decoded[_RANDOM_BYTES:]
    return hmac.compare_digest(tag, _tag(secret, session, random))


def looks_issued(approval_id: str) -> bool:
    """Return whether an id has the form of an issued id."""
    return _ISSUED.fullmatch(folded(approval_id)) is not None


def folded(approval_id: str) -> str:
    """Return an id in its comparison form: mail gateways change case and add white space (project decision)."""
    return approval_id.strip().casefold()


def is_writable(approval_id: str) -> bool:
    """Return whether every channel can carry an id."""
    return _WRITABLE.fullmatch(approval_id) is not None


def writable(approval_id: str) -> str:
    """Return an id unchanged if every channel can carry it.

    Raises:
        BadArgument: If the id has other characters or is too long.
    """
    if not isinstance(approval_id, str) or not is_writable(approval_id):
        raise BadArgument(
            "approval_id",
            "must be 1 to 128 characters of A-Z, a-z, 0-9 and ._~-; use an id from Approvals.request",
        )
    return approval_id


def _tag(secret: bytes, session: str, random: bytes) -> bytes:
    # The random bytes have a fixed length, so no two pairs give the same message.
    message = _PURPOSE + random + session.encode("utf-8", "surrogatepass")
    return hmac.new(secret, message, hashlib.sha256).digest()[:_TAG_BYTES]
