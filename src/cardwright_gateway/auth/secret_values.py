"""Secrets that the gateway issues: random, shown once, stored as a digest.

A secret is a prefix followed by 43 characters of base64url, which are 32 random bytes. It cannot be guessed, so its
digest needs no salt.
"""

from __future__ import annotations

import re
import secrets
from hashlib import sha256
from typing import Any, Final

from cardwright.errors import BadArgument

# BeeOS seed §2.
KEY_PREFIX: Final = "bak_"
# Project decision: cardwright owner.
TOKEN_PREFIX: Final = "cwo_"  # noqa: S105 - the prefix of a token
KEY_FORM: Final = re.compile(r"bak_[A-Za-z0-9_-]{43}")
TOKEN_FORM: Final = re.compile(r"cwo_[A-Za-z0-9_-]{43}")
_ANY: Final = re.compile(r"(bak|cwo)_[A-Za-z0-9_-]{43}")
# The prefix and four more: 24 bits of 256, enough to tell secrets apart.
PREFIX_CHARACTERS: Final = 8
MAX_NAME: Final = 128
_RANDOM_BYTES: Final = 32
# The last second that RFC 3339 can express.
LAST_EXPIRY: Final = 253_402_300_799.0


def new_secret(prefix: str) -> tuple[str, dict[str, Any]]:
    """Return a new secret with a prefix, and what is stored of it."""
    secret = prefix + secrets.token_urlsafe(_RANDOM_BYTES)
    return secret, {"prefix": secret[:PREFIX_CHARACTERS], "digest": digest_of(secret)}


def digest_of(secret: str) -> str:
    """Return the digest by which a secret is stored and found: its SHA-256 in hexadecimal."""
    return sha256(secret.encode()).hexdigest()


def check_name(name: str) -> None:
    """Check the name that an owner gives a secret.

    Raises:
        BadArgument: If it is too long, is not printable, or contains a secret.
    """
    if len(name) > MAX_NAME or not (name == "" or name.isprintable()):
        raise BadArgument("name", f"must have at most {MAX_NAME} printable characters")
    if _ANY.search(name):
        raise BadArgument("name", "must not contain a key, because names are shown in lists")


def check_expiry(expires_at: float | None, now: float) -> None:
    """Check a time of expiry, in seconds since 1970.

    Raises:
        BadArgument: If it is not in the future, or RFC 3339 cannot express it.
    """
    if expires_at is not None and not now < expires_at <= LAST_EXPIRY:
        raise BadArgument(
            "expires_at", "must be in the future and before the year 10000, in seconds since 1970"
        )
