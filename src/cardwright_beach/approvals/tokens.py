"""Approval ids: what a ledger issues, and what can be written where an answer comes from."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadArgument

if TYPE_CHECKING:
    from collections.abc import Callable

# 80 bits nobody guesses, and as many of the tag: RFC 2104 §5 keeps no fewer.
_RANDOM_BYTES: Final = 10
_TAG_BYTES: Final = 10
# So that no other use of the same secret makes these tags (ours).
_PURPOSE: Final = b"cardwright approval id 1\0"
_ISSUED: Final = re.compile(r"[a-z2-7]{32}")
# What a subject, a button and a line can carry without being read as anything else (ours).
WRITABLE: Final = r"[A-Za-z0-9._~-]{1,128}"
_WRITABLE: Final = re.compile(WRITABLE)


def issued(secret: bytes, session: str, randomness: Callable[[int], bytes]) -> str:
    """Return a new id of a session: 32 characters of base32 in lower case (RFC 4648 §6).

    Raises:
        BadArgument: If the randomness does not give as many bytes as it is asked for.
    """
    random = randomness(_RANDOM_BYTES)
    if not isinstance(random, bytes) or len(random) != _RANDOM_BYTES:
        raise BadArgument("randomness", f"must return {_RANDOM_BYTES} bytes when asked for as many")
    return base64.b32encode(random + _tag(secret, session, random)).decode().lower()


def is_issued(secret: bytes, session: str, approval_id: str) -> bool:
    """Whether an id was issued with this secret for this session; it takes as long for a wrong tag as for a right one."""
    if not looks_issued(approval_id):
        return False
    decoded = base64.b32decode(folded(approval_id).upper())
    random, tag = decoded[:_RANDOM_BYTES], decoded[_RANDOM_BYTES:]
    return hmac.compare_digest(tag, _tag(secret, session, random))


def looks_issued(approval_id: str) -> bool:
    """Whether an id has the form of those that a ledger issues."""
    return _ISSUED.fullmatch(folded(approval_id)) is not None


def folded(approval_id: str) -> str:
    """Return an id as ids are compared: mail gateways change the case, and leave white space (ours)."""
    return approval_id.strip().casefold()


def is_writable(approval_id: str) -> bool:
    """Whether every encoding can carry an id."""
    return _WRITABLE.fullmatch(approval_id) is not None


def writable(approval_id: str) -> str:
    """Return an id that an encoding can carry.

    Raises:
        BadArgument: If it would be read as something else there.
    """
    if not isinstance(approval_id, str) or not is_writable(approval_id):
        raise BadArgument(
            "approval_id",
            "only 1 to 128 of A-Z, a-z, 0-9 and ._~- survive there: request an id of the ledger's",
        )
    return approval_id


def _tag(secret: bytes, session: str, random: bytes) -> bytes:
    # The random bytes are always as many, so no two pairs make the same message.
    told = _PURPOSE + random + session.encode("utf-8", "surrogatepass")
    return hmac.new(secret, told, hashlib.sha256).digest()[:_TAG_BYTES]
