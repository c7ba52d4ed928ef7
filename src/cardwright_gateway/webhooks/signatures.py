"""Secrets of webhooks, and the fields that a delivery is signed with by them.

Two forms are spoken: Standard Webhooks (`whsec_…`, https://www.standardwebhooks.com), and BeeOS (any other text).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

ID: Final = "webhook-id"
TIMESTAMP: Final = "webhook-timestamp"
STANDARD: Final = "webhook-signature"
BEEOS: Final = "x-beeos-signature"
_PREFIX: Final = "whsec_"
# Standard Webhooks, Signature scheme: between 24 bytes and 64 bytes.
_STANDARD_BYTES: Final = (24, 64)
# Ours: BeeOS seed §6 names no bounds.
_BEEOS_CHARACTERS: Final = (8, 256)
# How many secrets one receiver has while it exchanges them (ours).
MOST_SECRETS: Final = 4


@dataclass(frozen=True, slots=True)
class Secret:
    """What both sides of a webhook know.

    Attributes:
        standard: Whether it signs as Standard Webhooks, else as BeeOS.
        key: The bytes of the HMAC's key.
    """

    standard: bool
    key: bytes = field(repr=False)


def secret_of(text: object) -> Secret | None:
    """Return the secret that a text is: None where it is none; nothing of it stands in an error that way."""
    if not isinstance(text, str) or not all("!" <= one <= "~" for one in text):
        return None
    if not text.startswith(_PREFIX):
        least, most = _BEEOS_CHARACTERS
        return Secret(standard=False, key=text.encode()) if least <= len(text) <= most else None
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        return None
    least, most = _STANDARD_BYTES
    return Secret(standard=True, key=key) if least <= len(key) <= most else None


def signed_fields(event_id: str, timestamp: int, body: bytes, secrets: Iterable[Secret]) -> dict[str, str]:
    """Return the header fields of one attempt; each secret signs in its own form, and the id always stands there."""
    known = tuple(secrets)
    fields = {ID: event_id}
    standard = [standard_signature(event_id, timestamp, body, one) for one in known if one.standard]
    beeos = [f"v1={beeos_signature(timestamp, body, one)}" for one in known if not one.standard]
    if known:
        fields[TIMESTAMP] = str(timestamp)
    if standard:
        fields[STANDARD] = " ".join(standard)
    if beeos:
        fields["X-BeeOS-Signature"] = ",".join((f"t={timestamp}", *beeos))
    return fields


def standard_signature(event_id: str, timestamp: int, body: bytes, secret: Secret) -> str:
    """Return `v1,<base64>` over `id.timestamp.body` (Standard Webhooks, Signature scheme)."""
    content = b".".join((event_id.encode(), str(timestamp).encode(), body))
    return f"v1,{base64.b64encode(_hmac(secret, content)).decode()}"


def beeos_signature(timestamp: int, body: bytes, secret: Secret) -> str:
    """Return the hex digits over `timestamp.body` (BeeOS webhooks §6)."""
    return _hmac(secret, b".".join((str(timestamp).encode(), body))).hex()


def _hmac(secret: Secret, content: bytes) -> bytes:
    return hmac.new(secret.key, content, hashlib.sha256).digest()
