"""The provided authenticators."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import well_known_agent_card
from cardwright.errors import BadKey
from cardwright.serve import AnyOf, ApiKeys, BadCredentials, Caller, JwtBearer, Views
from cardwright.signing import KeySet
from tests.serve.cards import newer
from tests.serve.client import ask
from tests.tokens import AUDIENCE, BAD, ISSUER, NOW, PRIVATE, token

if TYPE_CHECKING:
    from collections.abc import Mapping

JWT = JwtBearer(
    ISSUER, AUDIENCE, KeySet.of([PRIVATE]), ("ES256",), clock=lambda: NOW,
    owner=lambda claims: claims.get("role") == "owner",
)  # fmt: skip


def scope(*headers: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [(name.lower().encode(), value.encode()) for name, value in headers]}


def test_a_valid_token_identifies_its_caller() -> None:
    assert JWT(scope(("Authorization", f"Bearer {token()}"))) == Caller("ada")
    owner = token(role="owner")
    assert JWT(scope(("authorization", f"bearer {owner}"))) == Caller("ada", "owner")
    assert JWT(scope(("Authorization", f"Bearer {token(aud=['x', AUDIENCE])}"))) == Caller("ada")


def test_a_request_without_a_token_has_no_caller() -> None:
    assert JWT(scope()) is None
    assert JWT(scope(("Authorization", "Basic YTpi"))) is None


@pytest.mark.parametrize("fault", BAD)
def test_an_invalid_token_is_refused(fault: str) -> None:
    with pytest.raises(BadCredentials):
        JWT(scope(("Authorization", f"Bearer {BAD[fault]()}")))


def test_algorithm_confusion_of_a_token_is_refused() -> None:
    other = replace(JWT, algorithms=("EdDSA",))
    with pytest.raises(BadCredentials, match="algorithm is not accepted"):
        other(scope(("Authorization", f"Bearer {token()}")))


def test_a_clock_skew_of_a_minute_is_accepted() -> None:
    assert JWT(scope(("Authorization", f"Bearer {token(exp=NOW - 59)}"))) is not None
    assert JWT(scope(("Authorization", f"Bearer {token(nbf=NOW + 60)}"))) is not None


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
