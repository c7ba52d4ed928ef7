"""The provided authenticators."""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64encode
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from joserfc import jwt
from joserfc.jwk import import_key

from cardwright import well_known_agent_card
from cardwright.errors import BadKey
from cardwright.serve import AnyOf, ApiKeys, BadCredentials, Caller, JwtBearer, Views
from cardwright.signing import KeySet, new_key
from tests.serve.cards import newer
from tests.serve.client import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NOW = 1_800_000_000
PRIVATE = new_key("ES256", "k1")
CLAIMS: dict[str, Any] = {"iss": "https://id.example", "aud": "cards", "exp": NOW + 60, "sub": "ada"}
JWT = JwtBearer(
    "https://id.example", "cards", KeySet.of([PRIVATE]), ("ES256",), clock=lambda: NOW,
    owner=lambda claims: claims.get("role") == "owner",
)  # fmt: skip


def token(claims: Any = None, header: Mapping[str, Any] | None = None, key: dict[str, str] = PRIVATE) -> str:
    fields = {"alg": "ES256", "kid": "k1", **(header or {})}
    return jwt.encode(
        fields,
        CLAIMS if claims is None else claims,
        import_key(dict[str, str | list[str]](key)),
        algorithms=["ES256", "HS256"],
    )


def scope(*headers: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [(name.lower().encode(), value.encode()) for name, value in headers]}


def test_a_valid_token_identifies_its_caller() -> None:
    assert JWT(scope(("Authorization", f"Bearer {token()}"))) == Caller("ada")
    owner = token({**CLAIMS, "role": "owner"})
    assert JWT(scope(("authorization", f"bearer {owner}"))) == Caller("ada", "owner")
    assert JWT(scope(("Authorization", f"Bearer {token({**CLAIMS, 'aud': ['x', 'cards']})}"))) == Caller(
        "ada"
    )


def test_a_request_without_a_token_has_no_caller() -> None:
    assert JWT(scope()) is None
    assert JWT(scope(("Authorization", "Basic YTpi"))) is None


def forged(part: int, replacement: bytes) -> str:
    parts = token().split(".")
    parts[part] = urlsafe_b64encode(replacement).rstrip(b"=").decode()
    return ".".join(parts)


HEADER = {"alg": "ES256", "kid": "k1"}
BAD: dict[str, Callable[[], str]] = {
    "another issuer": lambda: token({**CLAIMS, "iss": "https://evil.example"}),
    "no issuer": lambda: token({k: v for k, v in CLAIMS.items() if k != "iss"}),
    "another audience": lambda: token({**CLAIMS, "aud": ["other"]}),
    "no audience": lambda: token({k: v for k, v in CLAIMS.items() if k != "aud"}),
    "expired": lambda: token({**CLAIMS, "exp": NOW - 60}),
    "no expiry": lambda: token({k: v for k, v in CLAIMS.items() if k != "exp"}),
    "expiry as text": lambda: forged(1, json.dumps({**CLAIMS, "exp": str(NOW + 60)}).encode()),
    "not yet": lambda: token({**CLAIMS, "nbf": NOW + 120}),
    "another key": lambda: token(key=new_key("ES256", "k1")),
    "unknown key": lambda: token(header={"kid": "k2"}),
    "no kid": lambda: forged(0, b'{"alg":"ES256"}'),
    "alg none": lambda: forged(0, b'{"alg":"none","kid":"k1"}'),
    "no signature": lambda: token().rpartition(".")[0] + ".",
    "HS256 by the public key": lambda: forged(0, b'{"alg":"HS256","kid":"k1"}'),
    "an algorithm not listed": lambda: forged(0, b'{"alg":"ES384","kid":"k1"}'),
    "crit": lambda: forged(0, json.dumps({**HEADER, "crit": ["x"], "x": 1}).encode()),
    "b64": lambda: forged(0, json.dumps({**HEADER, "b64": False}).encode()),
    "alg twice": lambda: forged(0, b'{"alg":"none","alg":"ES256","kid":"k1"}'),
    "claims changed": lambda: forged(1, json.dumps({**CLAIMS, "role": "owner"}).encode()),
    "claims no object": lambda: forged(1, b"[]"),
    "two parts": lambda: token().rpartition(".")[0],
    "four parts": lambda: f"{token()}.x",
    "no base64url": lambda: "a+b.c/d.e=f",
    "empty": lambda: "",
    "long": lambda: "a" * 100_000,
    "deep": lambda: forged(1, b"[" * 5000),
}


@pytest.mark.parametrize("fault", BAD)
def test_an_invalid_token_is_refused(fault: str) -> None:
    with pytest.raises(BadCredentials):
        JWT(scope(("Authorization", f"Bearer {BAD[fault]()}")))


def test_algorithm_confusion_of_a_token_is_refused() -> None:
    other = replace(JWT, algorithms=("EdDSA",))
    with pytest.raises(BadCredentials, match="algorithm is not accepted"):
        other(scope(("Authorization", f"Bearer {token()}")))


def test_a_clock_skew_of_a_minute_is_accepted() -> None:
    assert JWT(scope(("Authorization", f"Bearer {token({**CLAIMS, 'exp': NOW - 59})}"))) is not None
    assert JWT(scope(("Authorization", f"Bearer {token({**CLAIMS, 'nbf': NOW + 60})}"))) is not None


def test_a_short_api_key_is_refused_and_none_is_stored() -> None:
    with pytest.raises(BadKey, match="16 characters"):
        ApiKeys.of({"short": Caller("a")})
    keys = ApiKeys.of({"a-key-of-some-length": Caller("a")})
    assert "a-key-of-some-length" not in repr(keys)
    assert "a-key-of-some-length" not in str(keys.callers)


def test_several_authenticators_are_tried_in_turn_and_each_is_challenged() -> None:
    keys = ApiKeys.of({"a-key-of-some-length": Caller("k")}, header="X-Agent-Key")
    ways = AnyOf((keys, JWT))
    assert ways(scope(("X-Agent-Key", "a-key-of-some-length"))) == Caller("k")
    assert ways(scope(("Authorization", f"Bearer {token()}"))) == Caller("ada")
    assert ways(scope()) is None
    assert ways.vary == ("X-Agent-Key", "Authorization")
    assert ways.challenge.count('realm="agent card"') == 2


def test_a_custom_authenticator_may_be_async() -> None:
    async def who(scope: Mapping[str, Any]) -> Caller | None:
        await asyncio.sleep(0)
        return Caller("x", "owner") if (b"x-me", b"1") in scope["headers"] else None

    app = well_known_agent_card(newer(), views=Views(skills={"audit": "owner"}), authenticate=who)
    assert len(ask(app).json["skills"]) == 2
    assert len(ask(app, headers={"X-Me": "1"}).json["skills"]) == 3
    assert "Authorization" in ask(app).headers["vary"]
