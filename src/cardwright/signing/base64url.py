"""base64url without padding, in its canonical encoding only (RFC 7515 §2, RFC 4648 §3.5)."""

from __future__ import annotations

import binascii
from base64 import b64decode, urlsafe_b64encode
from typing import Any


def decoded(text: Any) -> bytes | None:
    """Return the bytes of a text, or None if it is not their canonical encoding.

    Unused bits must be zero; otherwise one signature would have several encodings.
    """
    if type(text) is not str or not text.isascii() or "+" in text or "/" in text:
        return None
    try:
        body = b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return body if encoded(body) == text else None


def encoded(body: bytes) -> str:
    """Return bytes as base64url without padding."""
    return urlsafe_b64encode(body).rstrip(b"=").decode()
