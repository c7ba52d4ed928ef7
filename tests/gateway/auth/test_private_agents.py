"""A private agent is as absent for everybody but its owner and who has a key of it; cards say how others are called."""

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
    NOW,
    OPEN,
    PUBLIC,
    SECRET,
    House,
    bearer,
    house,
    key_header,
    platform,
    scope,
    token,
)
from tests.gateway.auth.test_agent_keys import bad_requests
from tests.gateway.auth.test_tokens import BAD

if TYPE_CHECKING:
    from pathlib import Path


def absent(home: House, request: dict[str, Any]) -> None:
    """Say that a request learns what one for an agent learns that is not there."""
    with pytest.raises(UnknownAgent) as unknown:
        home.who(SECRET, request)
    assert unknown.value.agent_id == "secret"
    assert unknown.value.__cause__ is None
    assert problem_of(unknown.value) == problem_of(UnknownAgent("secret"))
    assert str(unknown.value) == str(UnknownAgent("secret"))


def test_the_owner_and_who_has_a_key_are_let_in(home: House) -> None:
    owner = home.who(SECRET, bearer(token()))
    assert home.identity.owns(SECRET, owner)
    assert home.who(SECRET, key_header(home.issued(SECRET))).kind == "key"


@pytest.mark.parametrize("fault", bad_requests("", ""))
def test_for_bad_keys_it_is_absent(home: House, fault: str) -> None:
    absent(home, bad_requests(home.issued(PUBLIC), home.issued(PUBLIC))[fault])


@pytest.mark.parametrize("fault", BAD)
def test_for_bad_tokens_it_is_absent(home: House, fault: str) -> None:
    absent(home, bearer(BAD[fault]()))


def test_for_strangers_and_revoked_keys_it_is_absent(home: House) -> None:
    absent(home, scope())
    absent(home, bearer(token(sub="eve")))
    record, secret = home.keys.issue("secret", "ada", actor="test")
    home.keys.revoke(record.id, agent_id="secret", actor="test")
    absent(home, key_header(secret))


def test_where_nothing_can_be_looked_up_it_is_absent(home: House, tmp_path: Path) -> None:
    secret = home.issued(SECRET)

    def broken(digests: Any) -> Any:
        raise StoreError("locked", "the database is locked")

    home.keys.find_all = broken  # type: ignore[method-assign]
    absent(home, key_header(secret))
    for far in house(tmp_path, platform("https://id.example/jwks")):
        absent(far, bearer(token()))


def test_cards_name_what_is_asked_for() -> None:
    assert schemes_of(OPEN, users=True) == {}
    assert requirements_of(OPEN, users=True) == []
    told = schemes_of(PUBLIC, users=True)
    assert told["agentApiKey"]["apiKeySecurityScheme"]["name"] == "X-Agent-API-Key"
    assert told["agentApiKey"]["apiKeySecurityScheme"]["location"] == "header"
    assert told["userJwt"]["httpAuthSecurityScheme"]["scheme"] == "Bearer"
    assert told["userJwt"]["httpAuthSecurityScheme"]["bearerFormat"] == "JWT"
    assert requirements_of(PUBLIC, users=True) == [
        {"schemes": {"agentApiKey": {"list": []}}},
        {"schemes": {"userJwt": {"list": []}}},
    ]


def test_cards_name_no_tokens_where_no_issuer_is_trusted(tmp_path: Path) -> None:
    for home in house(tmp_path, GatewayConfig(agents={})):
        assert list(schemes_of(PUBLIC, users=False)) == ["agentApiKey"]
        # Then every token is somebody else's.
        assert home.who(OPEN, bearer(token())) is ANONYMOUS


def test_nothing_of_ours_goes_to_the_agent_behind(home: House) -> None:
    def left(request: dict[str, Any], principal: Principal) -> list[str]:
        pairs = [*request["headers"], (b"accept", b"*/*")]
        return [name.decode() for name, _ in home.identity.strip(pairs, principal)]

    secret, user = home.issued(), bearer(token(exp=NOW + 1))
    assert left(key_header(secret), home.who(PUBLIC, key_header(secret))) == ["accept"]
    assert left(bearer(secret), home.who(PUBLIC, bearer(secret))) == ["accept"]
    assert left(user, home.who(PUBLIC, user)) == ["accept"]
    foreign = scope(("X-Agent-API-Key", secret), ("Authorization", "Basic YTpi"))
    assert left(foreign, home.who(PUBLIC, foreign)) == ["authorization", "accept"]
    assert left(bearer("of the agent behind"), ANONYMOUS) == ["authorization", "accept"]
    # Whatever was recognised: names in any case, and a key in either place.
    shouted = {"headers": [(b"AUTHORIZATION", b"bEARER \t " + secret.encode()), (b"X-AGENT-API-KEY", b"")]}
    assert left(shouted, ANONYMOUS) == ["accept"]
    # Also in the form that only `compat` reads, and tokens of owners.
    for prefix in ("oag_", "cwo_"):
        assert left(bearer(prefix + secret.removeprefix("bak_")), ANONYMOUS) == ["accept"]


def test_who_waits_for_keys_when_it_closes_is_told_that_there_are_none(tmp_path: Path) -> None:
    for home in house(tmp_path, platform("https://id.example/jwks")):
        home.client.hangs = True

        async def close(home: House = home) -> HttpError:
            calling = asyncio.create_task(home.identity.principal(PUBLIC, bearer(token())))
            for _ in range(5):
                await asyncio.sleep(0)
            assert home.client.requests
            await home.identity.close()
            with pytest.raises(HttpError) as refused:
                await calling
            return refused.value

        assert asyncio.run(close()).problem.error_code.status == 503
