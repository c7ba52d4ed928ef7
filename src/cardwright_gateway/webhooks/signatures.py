"""Webhook secrets, and the signature headers of deliveries.

Two formats: Standard Webhooks (`whsec_…`, https://www.standardwebhooks.com), and BeeOS (any other text).
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
# Project decision: BeeOS seed §6 sets no limits.
_BEEOS_CHARACTERS: Final = (8, 256)
# Maximum secrets of one receiver, during a rotation (project decision).
MAX_SECRETS: Final = 4


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret that sender and receiver share.

    Attributes:
        standard: Whether it signs in the format of Standard Webhooks, otherwise of BeeOS.
        key: The HMAC key.
    """

    standard: bool
    key: bytes = field(repr=False)


def secret_of(text: object) -> Secret | None:
    """Parse a secret; return None if it is not valid, so that no error message can quote it."""
    if not isinstance(text, str) or not all("!" <= character <= "~" for character in text):
        return None
    if not text.startswith(_PREFIX):
        minimum, maximum = _BEEOS_CHARACTERS
        return Secret(standard=False, key=text.encode()) if minimum <= len(text) <= maximum else None
    try:
        key = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        return None
    minimum, maximum = _STANDARD_BYTES
    return Secret(standard=True, key=key) if minimum <= len(key) <= maximum else None


def signed_fields(event_id: str, timestamp: int, body: bytes, secrets: Iterable[Secret]) -> dict[str, str]:
    """Return the headers of one attempt: the event id, and a signature for each secret in its format."""
    keys = tuple(secrets)
    fields = {ID: event_id}
    standard = [standard_signature(event_id, timestamp, body, secret) for secret in keys if secret.standard]
    beeos = [f"v1={beeos_signature(timestamp, body, secret)}" for secret in keys if not secret.standard]
    if keys:
        fields[TIMESTAMP] = str(timestamp)
    if standard:
        fields[STANDARD] = " ".join(standard)
    if beeos:
        fields["X-BeeOS-Signature"] = ",".join((f"t={timestamp}", *beeos))
    return fields


def standard_signature(event_id: str, timestamp: int, body: bytes, secret: Secret) -> str:
    """Return `v1,<base64>`, the signature of `id.timestamp.body` (Standard Webhooks, Signature scheme)."""
    content = b".".join((event_id.encode(), str(timestamp).encode(), body))
    return f"v1,{base64.b64encode(_hmac(secret, content)).decode()}"


def beeos_signature(timestamp: int, body: bytes, secret: Secret) -> str:
    """Return the signature of `timestamp.body` in hex (BeeOS webhooks §6)."""
    return _hmac(secret, b".".join((str(timestamp).encode(), body))).hex()


def _hmac(secret: Secret, content: bytes) -> bytes:
    return hmac.new(secret.key, content, hashlib.sha256).digest()
