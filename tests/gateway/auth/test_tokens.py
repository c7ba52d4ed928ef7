"""User tokens (JWT): validation, issuers, and caching of their key sets."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadConfiguration
from cardwright.http.problem import HttpError
from cardwright.signing import new_key
from cardwright_gateway.auth import ANONYMOUS, Authenticator
from cardwright_gateway.auth.agent_keys import AgentKeys
from cardwright_gateway.auth.authenticator import require_owner
from cardwright_gateway.auth.tokens import user_name
from cardwright_gateway.settings.config import GatewayConfig
from cardwright_gateway_models.settings.gateway import Issuer
from tests import tokens
from tests.gateway.auth.callers import (
    OPEN,
    PUBLIC,
    SECRET,
    UNLISTED,
    AuthSetup,
    auth_setup,
    bearer,
    key_header,
    platform,
    public_of,
    scope,
)
from tests.tokens import AUDIENCE, CLAIMS, ISSUER, NOW, PRIVATE, forged, token, without

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

URL = "https://id.example/jwks"


# As for the server's own JwtBearer, and what the gateway adds to it.
BAD: dict[str, Callable[[], str]] = {
    **tokens.BAD,
    "issuer no text": lambda: token(iss=[ISSUER]),
    "claims twice": lambda: forged(1, b'{"iss":"https://id.example","iss":"https://id.example"}'),
    "no subject": lambda: token(without("sub")),
    "subject no text": lambda: token(sub=7),
    "empty subject": lambda: token(sub=""),
}


@pytest.mark.parametrize("fault", BAD)
def test_an_invalid_token_is_refused_and_not_quoted(auth: AuthSetup, fault: str) -> None:
    bad = BAD[fault]()
    for agent in (PUBLIC, UNLISTED):
        problem = auth.refused(agent, bearer(bad)).problem
        assert problem.error_code.status == 401
        assert b"Bearer" in dict(problem.headers)[b"www-authenticate"]
        assert not any(part in problem.message for part in ("evil", "k2", "HS256", "none'", "other'"))
    with pytest.raises(HttpError) as refused:
        asyncio.run(auth.authenticator.user(bearer(bad)))
    assert refused.value.problem.error_code.status == 401
    assert dict(refused.value.problem.headers)[b"www-authenticate"] == b'Bearer realm="owners"'


def test_a_clock_skew_of_a_minute_is_accepted(auth: AuthSetup) -> None:
    assert auth.who(PUBLIC, bearer(token(exp=NOW - 59))).kind == "user"
    assert auth.who(PUBLIC, bearer(token(nbf=NOW + 60))).kind == "user"


def test_any_user_of_a_trusted_issuer_calls_public_and_unlisted_agents(auth: AuthSetup) -> None:
    for agent in (PUBLIC, UNLISTED):
        stranger = auth.who(agent, bearer(token(sub="eve")))
        assert (stranger.kind, stranger.owner_id) == ("user", "")
        assert not auth.authenticator.owns(agent, stranger)
        owner = auth.who(agent, bearer(token()))
        assert (owner.kind, owner.owner_id) == ("user", "ada")
        assert auth.authenticator.owns(agent, owner)
        assert owner.name != stranger.name


def test_a_key_owns_no_agent(auth: AuthSetup) -> None:
    assert not auth.authenticator.owns(PUBLIC, auth.who(PUBLIC, key_header(auth.issued())))


def test_users_and_keys_have_distinct_names() -> None:
    names = {
        user_name(issuer, subject)
        for issuer, subject in (
            ("a", "b"),
            ("a,b", ""),
            ('a","b', "c"),
            ("a", 'b","c'),
            ("ab", ""),
            ("", "ab"),
        )
    }
    assert len(names) == 6
    assert all(name.startswith("user:") and name.isascii() and " " not in name for name in names)


def test_an_open_agent_ignores_tokens_of_another_issuer_or_audience(auth: AuthSetup) -> None:
    for foreign in (token(iss="https://other.example"), token(aud="the agent behind")):
        assert auth.who(OPEN, bearer(foreign)) is ANONYMOUS
    assert auth.who(OPEN, bearer(token())).owner_id == "ada"
    # It was meant for the gateway: the upstream agent must not get it.
    assert auth.refused(OPEN, bearer(token(exp=NOW - 100))).problem.error_code.status == 401


def test_a_key_with_a_user_token_is_refused_and_with_a_foreign_one_is_not(auth: AuthSetup) -> None:
    secret = auth.issued()
    both = scope(("X-Agent-API-Key", secret), ("Authorization", f"Bearer {token()}"))
    assert auth.refused(PUBLIC, both).problem.error_code.status == 401
    foreign = scope(("X-Agent-API-Key", secret), ("Authorization", f"Bearer {token(aud='else')}"))
    assert auth.who(PUBLIC, foreign).kind == "key"


def test_the_owners_api_is_for_owners_with_a_token(auth: AuthSetup) -> None:
    assert asyncio.run(auth.authenticator.user(bearer(token()))).owner_id == "ada"

    def status(request: dict[str, Any]) -> int:
        with pytest.raises(HttpError) as refused:
            asyncio.run(auth.authenticator.user(request))
        return refused.value.problem.error_code.status

    assert status(scope()) == 401
    assert status(key_header(auth.issued())) == 401
    # A user without agents is authenticated: routes for owners check ownership themselves.
    eve = asyncio.run(auth.authenticator.user(bearer(token(sub="eve"))))
    assert (eve.kind, eve.owner_id) == ("user", "")
    with pytest.raises(HttpError) as refused:
        require_owner(eve)
    assert refused.value.problem.error_code.status == 403


@pytest.mark.parametrize("claim", ["aud", "iss"])
def test_a_token_of_another_audience_is_refused_with_the_reason(auth: AuthSetup, claim: str) -> None:
    foreign = bearer(token({**CLAIMS, claim: "https://other.example"}))
    for check in (auth.authenticator.user(foreign), auth.authenticator.caller(foreign)):
        with pytest.raises(HttpError, match="its iss and aud match no issuer"):
            asyncio.run(check)
    assert "iss and aud" in str(auth.refused(PUBLIC, foreign))


def test_routes_of_no_agent_accept_users_and_any_key(auth: AuthSetup) -> None:
    assert asyncio.run(auth.authenticator.caller(bearer(token()))).owner_id == "ada"
    assert asyncio.run(auth.authenticator.caller(bearer(token(sub="eve")))).kind == "user"
    key = asyncio.run(auth.authenticator.caller(key_header(auth.issued(SECRET))))
    assert (key.owner_id, bool(key.agent_id)) == ("ada", True)
    for request, status in ((scope(), 401), (bearer("bak_x"), 401)):
        with pytest.raises(HttpError) as refused:
            asyncio.run(auth.authenticator.caller(request))
        assert refused.value.problem.error_code.status == status


def test_a_subject_is_an_owner_only_by_its_own_issuer(auth: AuthSetup, tmp_path: Path) -> None:
    other = Issuer(
        issuer="https://second.example",
        audience=AUDIENCE,
        jwks=str(tmp_path / "jwks.json"),
        algorithms=["ES256"],
    )
    config = platform(str(tmp_path / "jwks.json"))
    two = GatewayConfig(agents={}, owners=config.owners, jwt=(*config.jwt, other))
    identity = Authenticator(two, auth.keys, auth.client, auth.clock, wall=auth.clock)
    first = asyncio.run(identity.principal(PUBLIC, bearer(token())))
    second = asyncio.run(identity.principal(PUBLIC, bearer(token(iss="https://second.example"))))
    assert (first.owner_id, second.owner_id) == ("ada", "")
    assert first.name != second.name


@pytest.mark.parametrize("body", [None, b"{", b"[]", b'{"keys": 1}'])
def test_an_unreadable_jwks_file_is_reported_at_the_start(
    auth: AuthSetup, tmp_path: Path, body: bytes | None
) -> None:
    file = tmp_path / "other.json"
    if body is not None:
        file.write_bytes(body)
    with pytest.raises(BadConfiguration, match=r"/jwt: .*other\.json"):
        Authenticator(platform(str(file)), auth.keys, auth.client)


@pytest.mark.parametrize(
    "url", ["http://id.example/jwks", "ftp://id.example/", "https://u:p@id.example/", "https://"]
)
def test_a_jwks_is_fetched_over_https_only(auth: AuthSetup, url: str) -> None:
    with pytest.raises(BadConfiguration, match="/jwt"):
        Authenticator(platform(url), auth.keys, auth.client)


def test_a_changed_jwks_file_is_read_again_and_an_invalid_one_is_ignored(
    auth: AuthSetup, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    file = tmp_path / "jwks.json"
    newer = new_key("ES256", "k2")
    fresh = bearer(token(header={"kid": "k2"}, key=newer))
    assert auth.refused(PUBLIC, fresh).problem.error_code.status == 401
    file.write_bytes(b"half of a fi")
    auth.clock.now += 1
    assert auth.who(PUBLIC, bearer(token())).kind == "user"
    file.unlink()
    auth.clock.now += 1
    assert auth.who(PUBLIC, bearer(token())).kind == "user"
    assert caplog.records
    (tmp_path / "new").write_bytes(public_of(newer))
    os.replace(tmp_path / "new", file)  # noqa: PTH105 - as a program does that renews its keys
    auth.clock.now += 1
    assert auth.who(PUBLIC, fresh).kind == "user"
    assert auth.refused(PUBLIC, bearer(token())).problem.error_code.status == 401


@pytest.fixture
def far(tmp_path: Path) -> Iterator[AuthSetup]:
    """An authenticator whose issuer has its keys at a URL."""
    for auth in auth_setup(tmp_path, platform(URL)):
        auth.client.answers[URL] = public_of(PRIVATE)
        yield auth


async def test_a_jwks_is_fetched_once_and_cached(far: AuthSetup) -> None:
    calls = [far.authenticator.principal(PUBLIC, bearer(token())) for _ in range(50)]
    assert {one.kind for one in await asyncio.gather(*calls)} == {"user"}
    assert far.client.requests == [URL]


def test_unknown_key_ids_cause_one_jwks_fetch_per_minute(far: AuthSetup) -> None:
    async def flood() -> None:
        calls = [
            far.authenticator.principal(PUBLIC, bearer(token(header={"kid": f"x{index}"})))
            for index in range(100)
        ]
        assert all(isinstance(one, HttpError) for one in await asyncio.gather(*calls, return_exceptions=True))

    for _ in range(6):
        asyncio.run(flood())
        far.clock.now += 10
    assert len(far.client.requests) == 1
    asyncio.run(flood())
    assert len(far.client.requests) == 2


def test_a_rotated_issuer_key_is_found_within_a_minute(far: AuthSetup) -> None:
    assert far.who(PUBLIC, bearer(token())).kind == "user"
    newer = new_key("ES256", "k2")
    far.client.answers[URL] = public_of(PRIVATE, newer)
    far.clock.now += 60
    claims = {**CLAIMS, "exp": NOW + 600}
    assert far.who(PUBLIC, bearer(token(claims, {"kid": "k2"}, newer))).kind == "user"


def test_a_failed_jwks_fetch_keeps_cached_keys_and_quotes_no_response(
    far: AuthSetup, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    lasting = bearer(token(exp=NOW + 200_000))

    async def validate_again() -> str:
        found = await far.authenticator.principal(PUBLIC, lasting)
        # Background work finishes.
        for _ in range(5):
            await asyncio.sleep(0)
        return found.kind

    assert asyncio.run(validate_again()) == "user"
    for body in (None, b"canary", b'{"keys": "canary"}'):
        if body is None:
            del far.client.answers[URL]
        else:
            far.client.answers[URL] = body
        far.clock.now += 400
        assert asyncio.run(validate_again()) == "user"
    assert len(far.client.requests) == 4
    assert "canary" not in caplog.text
    # But not for ever: a key that the issuer removed a day ago is not trusted.
    far.clock.now += 86_400
    assert far.refused(PUBLIC, lasting).problem.error_code.status == 503


def test_a_removed_issuer_key_is_trusted_for_minutes_only(far: AuthSetup) -> None:
    lasting = bearer(token(exp=NOW + 4000))
    assert far.who(PUBLIC, lasting).kind == "user"
    far.client.answers[URL] = public_of(new_key("ES256", "k2"))
    far.clock.now += 300

    async def twice() -> None:
        await far.authenticator.principal(PUBLIC, lasting)
        for _ in range(5):
            await asyncio.sleep(0)
        await far.authenticator.principal(PUBLIC, lasting)

    with pytest.raises(HttpError):
        asyncio.run(twice())


def test_without_a_jwks_a_token_gets_503_and_a_foreign_one_causes_no_fetch(far: AuthSetup) -> None:
    far.client.answers.clear()
    refusal = far.refused(PUBLIC, bearer(token())).problem
    assert refusal.error_code.status == 503
    assert (b"retry-after", b"10") in refusal.headers
    lookups = len(far.client.requests)
    far.clock.now += 100
    for foreign in (
        token(iss="https://evil.example"),
        token(header={"jku": "https://evil.example/jwks"}, iss="x"),
    ):
        assert far.refused(PUBLIC, bearer(foreign)).problem.error_code.status == 401
    assert len(far.client.requests) == lookups
    # An algorithm that the issuer never uses causes no JWKS fetch, either.
    assert (
        far.refused(PUBLIC, bearer(forged(0, b'{"alg":"RS256","kid":"k9"}'))).problem.error_code.status == 401
    )
    assert len(far.client.requests) == lookups


def test_two_issuers_at_one_origin_do_not_block_each_other(tmp_path: Path, auth: AuthSetup) -> None:
    second = Issuer(
        issuer="https://second.example",
        audience=AUDIENCE,
        jwks="https://id.example/second",
        algorithms=["ES256"],
    )
    config = platform(URL)
    both = GatewayConfig(agents={}, owners=config.owners, jwt=(*config.jwt, second))
    auth.client.answers = {URL: public_of(PRIVATE), second.jwks: public_of(PRIVATE)}
    identity = Authenticator(both, AgentKeys(auth.database), auth.client, auth.clock, wall=auth.clock)
    for issuer in (ISSUER, second.issuer):
        assert asyncio.run(identity.principal(PUBLIC, bearer(token(iss=issuer)))).kind == "user"
    assert auth.client.requests == [URL, second.jwks]


def test_a_jku_in_a_token_is_never_followed(far: AuthSetup) -> None:
    far.who(PUBLIC, bearer(token(header={"jku": "https://evil.example/jwks"})))
    assert far.client.requests == [URL]
