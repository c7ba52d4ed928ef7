"""Private agents are unknown to strangers, and cards declare how to authenticate."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import StoreError
from cardwright.http.problem import HttpError
from cardwright_gateway.a2a.problems import problem_of
from cardwright_gateway.auth import ANONYMOUS, Principal
from cardwright_gateway.auth.schemes import requirements_of, schemes_of
from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.settings.config import GatewayConfig
from tests.gateway.auth.callers import (
    OPEN,
    PUBLIC,
    SECRET,
    AuthSetup,
    auth_setup,
    bearer,
    key_header,
    platform,
    scope,
)
from tests.gateway.auth.test_agent_keys import bad_requests
from tests.gateway.auth.test_tokens import BAD
from tests.tokens import NOW, token

if TYPE_CHECKING:
    from pathlib import Path


def absent(auth: AuthSetup, request: dict[str, Any]) -> None:
    """Assert that the response equals the one for an unknown agent."""
    with pytest.raises(UnknownAgent) as unknown:
        auth.who(SECRET, request)
    assert unknown.value.agent_id == "secret"
    assert unknown.value.__cause__ is None
    assert problem_of(unknown.value) == problem_of(UnknownAgent("secret"))
    assert str(unknown.value) == str(UnknownAgent("secret"))


def test_the_owner_and_callers_with_a_key_are_accepted(auth: AuthSetup) -> None:
    owner = auth.who(SECRET, bearer(token()))
    assert auth.authenticator.owns(SECRET, owner)
    assert auth.who(SECRET, key_header(auth.issued(SECRET))).kind == "key"


@pytest.mark.parametrize("fault", bad_requests("", ""))
def test_a_private_agent_is_not_found_with_an_invalid_key(auth: AuthSetup, fault: str) -> None:
    absent(auth, bad_requests(auth.issued(PUBLIC), auth.issued(PUBLIC))[fault])


@pytest.mark.parametrize("fault", BAD)
def test_a_private_agent_is_not_found_with_an_invalid_token(auth: AuthSetup, fault: str) -> None:
    absent(auth, bearer(BAD[fault]()))


def test_a_private_agent_is_not_found_by_strangers_and_revoked_keys(auth: AuthSetup) -> None:
    absent(auth, scope())
    absent(auth, bearer(token(sub="eve")))
    record, secret = auth.keys.issue("secret", "ada", actor="test")
    auth.keys.revoke(record.id, holder="secret", actor="test")
    absent(auth, key_header(secret))


def test_a_private_agent_is_not_found_if_authentication_is_unavailable(
    auth: AuthSetup, tmp_path: Path
) -> None:
    secret = auth.issued(SECRET)

    def broken(digests: Any) -> Any:
        raise StoreError("locked", "the database is locked")

    auth.keys.find_all = broken  # type: ignore[method-assign]
    absent(auth, key_header(secret))
    for far in auth_setup(tmp_path, platform("https://id.example/jwks")):
        absent(far, bearer(token()))


def test_cards_declare_the_required_security_schemes() -> None:
    assert schemes_of(OPEN, users=True) == {}
    assert requirements_of(OPEN, users=True) == []
    schemes = schemes_of(PUBLIC, users=True)
    assert schemes["agentApiKey"]["apiKeySecurityScheme"]["name"] == "X-Agent-API-Key"
    assert schemes["agentApiKey"]["apiKeySecurityScheme"]["location"] == "header"
    assert schemes["userJwt"]["httpAuthSecurityScheme"]["scheme"] == "Bearer"
    assert schemes["userJwt"]["httpAuthSecurityScheme"]["bearerFormat"] == "JWT"
    assert requirements_of(PUBLIC, users=True) == [
        {"schemes": {"agentApiKey": {"list": []}}},
        {"schemes": {"userJwt": {"list": []}}},
    ]


def test_cards_declare_no_token_scheme_without_a_trusted_issuer(tmp_path: Path) -> None:
    for auth in auth_setup(tmp_path, GatewayConfig(agents={})):
        assert list(schemes_of(PUBLIC, users=False)) == ["agentApiKey"]
        # Then every token is foreign.
        assert auth.who(OPEN, bearer(token())) is ANONYMOUS


def test_gateway_credentials_are_not_sent_upstream(auth: AuthSetup) -> None:
    def left(request: dict[str, Any], principal: Principal) -> list[str]:
        pairs = [*request["headers"], (b"accept", b"*/*")]
        return [name.decode() for name, _ in auth.authenticator.strip(pairs, principal)]

    secret, user = auth.issued(), bearer(token(exp=NOW + 1))
    assert left(key_header(secret), auth.who(PUBLIC, key_header(secret))) == ["accept"]
    assert left(bearer(secret), auth.who(PUBLIC, bearer(secret))) == ["accept"]
    assert left(user, auth.who(PUBLIC, user)) == ["accept"]
    foreign = scope(("X-Agent-API-Key", secret), ("Authorization", "Basic YTpi"))
    assert left(foreign, auth.who(PUBLIC, foreign)) == ["authorization", "accept"]
    assert left(bearer("of the agent behind"), ANONYMOUS) == ["authorization", "accept"]
    # All recognised credentials: header names in any case, and a key in either header.
    shouted = {"headers": [(b"AUTHORIZATION", b"bEARER \t " + secret.encode()), (b"X-AGENT-API-KEY", b"")]}
    assert left(shouted, ANONYMOUS) == ["accept"]
    # Also in the form that only `compat` reads, and tokens of owners.
    for prefix in ("oag_", "cwo_"):
        assert left(bearer(prefix + secret.removeprefix("bak_")), ANONYMOUS) == ["accept"]


def test_a_request_waiting_for_keys_fails_when_the_gateway_closes(tmp_path: Path) -> None:
    for auth in auth_setup(tmp_path, platform("https://id.example/jwks")):
        auth.client.hangs = True

        async def close(auth: AuthSetup = auth) -> HttpError:
            calling = asyncio.create_task(auth.authenticator.principal(PUBLIC, bearer(token())))
            for _ in range(5):
                await asyncio.sleep(0)
            assert auth.client.requests
            await auth.authenticator.close()
            with pytest.raises(HttpError) as refused:
                await calling
            return refused.value

        assert asyncio.run(close()).problem.error_code.status == 503
