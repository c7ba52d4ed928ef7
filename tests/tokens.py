"""Tokens (JWT) of one issuer: a valid one, and one for each fault that any validation must refuse."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from joserfc import jwt
from joserfc.jwk import import_key

from cardwright.signing import new_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NOW = 1_800_000_000
PRIVATE = new_key("ES256", "k1")
ISSUER = "https://id.example"
AUDIENCE = "agents"
CLAIMS: dict[str, Any] = {"iss": ISSUER, "aud": AUDIENCE, "exp": NOW + 60, "sub": "ada"}
HEADER = {"alg": "ES256", "kid": "k1"}


def token(
    claims: Mapping[str, Any] | None = None,
    header: Mapping[str, Any] | None = None,
    key: dict[str, str] = PRIVATE,
    **changed: Any,
) -> str:
    """Return a valid token, with changes."""
    return jwt.encode(
        {**HEADER, **(header or {})},
        {**(CLAIMS if claims is None else claims), **changed},
        import_key(dict[str, str | list[str]](key)),
        algorithms=["ES256"],
    )


def without(*names: str) -> dict[str, Any]:
    """Return the claims without some."""
    return {name: value for name, value in CLAIMS.items() if name not in names}


def forged(part: int, replacement: bytes) -> str:
    """Return a valid token with another part under its signature."""
    parts = token().split(".")
    parts[part] = urlsafe_b64encode(replacement).rstrip(b"=").decode()
    return ".".join(parts)


BAD: dict[str, Callable[[], str]] = {
    "another issuer": lambda: token(iss="https://evil.example"), "no issuer": lambda: token(without("iss")),
    "another audience": lambda: token(aud=["other"]), "no audience": lambda: token(without("aud")),
    "expired": lambda: token(exp=NOW - 60), "no expiry": lambda: token(without("exp")),
    "expiry as text": lambda: forged(1, json.dumps({**CLAIMS, "exp": str(NOW + 60)}).encode()),
    "not yet": lambda: token(nbf=NOW + 120), "another key": lambda: token(key=new_key("ES256", "k1")),
    "unknown key": lambda: token(header={"kid": "k2"}), "no kid": lambda: forged(0, b'{"alg":"ES256"}'),
    "alg none": lambda: forged(0, b'{"alg":"none","kid":"k1"}'),
    "no signature": lambda: token().rpartition(".")[0] + ".",
    "HS256 by the public key": lambda: forged(0, b'{"alg":"HS256","kid":"k1"}'),
    "an algorithm not listed": lambda: forged(0, b'{"alg":"ES384","kid":"k1"}'),
    "crit": lambda: forged(0, json.dumps({**HEADER, "crit": ["x"], "x": 1}).encode()),
    "b64": lambda: forged(0, json.dumps({**HEADER, "b64": False}).encode()),
    "alg twice": lambda: forged(0, b'{"alg":"none","alg":"ES256","kid":"k1"}'),
    "claims changed": lambda: forged(1, json.dumps({**CLAIMS, "sub": "eve", "role": "owner"}).encode()),
    "claims no object": lambda: forged(1, b"[]"), "two parts": lambda: token().rpartition(".")[0],
    "four parts": lambda: f"{token()}.x", "no base64url": lambda: "a+b.c/d.e=f", "empty": lambda: "",
    "long": lambda: "a" * 100_000, "deep": lambda: forged(1, b"[" * 5000),
}  # fmt: skip
