"""Agent keys: authentication, revocation, caching and secrecy."""

from __future__ import annotations

import asyncio
import logging
import secrets
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadArgument, StoreError
from cardwright_gateway.auth import ANONYMOUS, Quota
from cardwright_gateway.auth.agent_keys import AgentKeys
from cardwright_gateway.auth.key_ring import MAX_KNOWN, MAX_UNKNOWN
from cardwright_gateway.auth.secret_values import KEY_FORM
from cardwright_gateway.database.audit import Audit
from cardwright_gateway.database.tables import open_database
from cardwright_gateway.errors import SecretsFull, UnknownKey
from tests.gateway.auth.callers import (
    OPEN,
    PUBLIC,
    SECRET,
    UNLISTED,
    AuthSetup,
    Clock,
    auth_setup,
    bearer,
    key_header,
    scope,
)

if TYPE_CHECKING:
    from pathlib import Path


def guess() -> str:
    return f"bak_{secrets.token_urlsafe(32)}"


def test_a_key_is_accepted_in_either_header(auth: AuthSetup) -> None:
    record, secret = auth.keys.issue("public", "ada", actor="test", quota=Quota(5, 10))
    assert KEY_FORM.fullmatch(secret)
    for request in (key_header(secret), bearer(secret), scope(("authorization", f"bearer  {secret}"))):
        found = auth.who(PUBLIC, request)
        assert (found.kind, found.name, found.owner_id, found.key_id) == (
            "key", f"key:{record.id}", "ada", record.id,
        )  # fmt: skip
        assert found.quota == Quota(5, 10)


def test_both_headers_with_one_key_are_one_key(auth: AuthSetup) -> None:
    secret = auth.issued()
    both = scope(("X-Agent-API-Key", secret), ("Authorization", f"Bearer {secret}"))
    assert auth.who(PUBLIC, both).kind == "key"


def bad_requests(secret: str, other: str) -> dict[str, dict[str, Any]]:
    return {
        "none": scope(),
        "another agent's": key_header(other),
        "never issued": key_header(guess()),
        "two keys": scope(("X-Agent-API-Key", secret), ("Authorization", f"Bearer {other}")),
        "the header twice": scope(("X-Agent-API-Key", secret), ("X-Agent-API-Key", secret)),
        "Authorization twice": scope(*2 * [("Authorization", f"Bearer {secret}")]),
        "two in one": key_header(f"{secret}, {secret}"),
        "empty": key_header(""),
        "only the prefix": bearer("bak_"),
        "too long": key_header(f"{secret}A"),
        "another case": key_header(secret.swapcase()),
        "no prefix": key_header(secret.removeprefix("bak_")),
        "not ASCII": key_header(secret[:-1] + "é"),
        "as Basic": scope(("Authorization", f"Basic {secret}")),
        "nothing behind Bearer": scope(("Authorization", "Bearer")),
    }


@pytest.mark.parametrize("fault", bad_requests("", ""))
def test_an_invalid_key_gets_401_with_both_challenges(auth: AuthSetup, fault: str) -> None:
    request = bad_requests(auth.issued(), auth.issued(UNLISTED))[fault]
    problem = auth.refused(PUBLIC, request).problem
    assert problem.error_code.status == 401
    challenge = dict(problem.headers)[b"www-authenticate"]
    assert b"ApiKey" in challenge
    assert b"X-Agent-API-Key" in challenge
    assert b"Bearer" in challenge


def test_a_key_of_a_former_owner_is_refused(auth: AuthSetup) -> None:
    secret = auth.keys.issue("public", "bob", actor="test")[1]
    assert auth.refused(PUBLIC, key_header(secret)).problem.error_code.status == 401


def test_an_open_agent_accepts_anyone_and_ignores_foreign_credentials(auth: AuthSetup) -> None:
    another = key_header(auth.issued(UNLISTED))
    for request in (scope(), bearer("abc"), bearer("a.b.c"), scope(("Authorization", "Basic YTpi")), another):
        assert auth.who(OPEN, request) is ANONYMOUS
    assert auth.refused(OPEN, bearer(guess())).problem.error_code.status == 401
    assert auth.refused(OPEN, key_header("of the agent behind")).problem.error_code.status == 401


def test_a_revoked_key_is_refused_at_once(auth: AuthSetup) -> None:
    record, secret = auth.keys.issue("public", "ada", actor="test")
    assert auth.who(PUBLIC, key_header(secret)).key_id == record.id
    other = auth.issued()
    auth.keys.revoke(record.id, holder="public", actor="test")
    assert auth.refused(PUBLIC, key_header(secret)).problem.error_code.status == 401
    assert auth.who(PUBLIC, key_header(other)).kind == "key"


def test_a_rotated_key_keeps_its_name_and_revokes_its_old_secret(auth: AuthSetup) -> None:
    record, old = auth.keys.issue("public", "ada", actor="test", name="crm")
    before = auth.who(PUBLIC, key_header(old))
    rotated, new = auth.keys.rotate(record.id, holder="public", actor="test")
    assert (rotated.id, rotated.name) == (record.id, "crm")
    assert auth.refused(PUBLIC, key_header(old)).problem.error_code.status == 401
    assert auth.who(PUBLIC, key_header(new)) == before


def test_a_key_expires_at_its_time(auth: AuthSetup) -> None:
    secret = auth.issued(expires_at=auth.clock.now + 2)
    assert auth.who(PUBLIC, key_header(secret)).kind == "key"
    # Cached for longer than its validity.
    auth.clock.now += 2
    assert auth.refused(PUBLIC, key_header(secret)).problem.error_code.status == 401


def test_a_key_revoked_during_its_lookup_is_refused(auth: AuthSetup) -> None:
    record, secret = auth.keys.issue("public", "ada", actor="test")
    find_all = auth.keys.find_all

    def slow(digests: Any) -> Any:
        found = find_all(digests)
        if auth.keys.requests == 1:
            auth.keys.revoke(record.id, holder="public", actor="test")
        return found

    auth.keys.find_all = slow  # type: ignore[method-assign]
    assert auth.refused(PUBLIC, key_header(secret)).problem.error_code.status == 401


def test_key_lookups_are_cached(auth: AuthSetup) -> None:
    secret = auth.issued()
    for _ in range(100):
        auth.who(PUBLIC, key_header(secret))
        auth.clock.now += 0.1
    assert auth.keys.requests <= 4


async def test_many_concurrent_guesses_cause_few_queries(auth: AuthSetup) -> None:
    secret = auth.issued()

    calls = [auth.authenticator.principal(PUBLIC, key_header(guess())) for _ in range(2000)]
    calls.append(auth.authenticator.principal(PUBLIC, key_header(secret)))
    outcomes: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
    *guesses, known = outcomes
    assert known.kind == "key"
    assert {one.problem.error_code.status for one in guesses} == {401}
    assert auth.keys.requests <= 12


def test_guesses_neither_fill_the_cache_nor_evict_keys(auth: AuthSetup) -> None:
    secret = auth.issued()
    auth.who(PUBLIC, key_header(secret))

    async def flood() -> None:
        for _ in range(3):
            calls = [auth.authenticator.principal(PUBLIC, key_header(guess())) for _ in range(2000)]
            await asyncio.gather(*calls, return_exceptions=True)

    asyncio.run(flood())
    ring = vars(auth.authenticator)["_ring"]
    assert len(vars(ring)["_unknown"]) == MAX_UNKNOWN < MAX_KNOWN
    assert not vars(ring)["_waiting"]
    lookups = auth.keys.requests
    assert auth.who(PUBLIC, key_header(secret)).kind == "key"
    assert auth.keys.requests == lookups


def test_a_database_error_reaches_all_waiting_callers_and_is_not_cached(auth: AuthSetup) -> None:
    secret = auth.issued()
    find_all, broken = auth.keys.find_all, True

    def faulty(digests: Any) -> Any:
        if broken:
            raise StoreError("locked", "the database is locked")
        return find_all(digests)

    auth.keys.find_all = faulty  # type: ignore[method-assign]

    async def several() -> list[Any]:
        calls = [auth.authenticator.principal(PUBLIC, key_header(secret)) for _ in range(5)]
        return await asyncio.gather(*calls, return_exceptions=True)

    assert {type(one) for one in asyncio.run(several())} == {StoreError}
    broken = False
    assert auth.who(PUBLIC, key_header(secret)).kind == "key"


async def test_cancelling_one_lookup_does_not_cancel_others(auth: AuthSetup) -> None:
    secret = auth.issued()

    gone = asyncio.create_task(auth.authenticator.principal(PUBLIC, key_header(secret)))
    stays = asyncio.create_task(auth.authenticator.principal(PUBLIC, key_header(secret)))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await stays).kind == "key"


def test_revoking_an_agents_key_needs_its_agent(auth: AuthSetup) -> None:
    record, secret = auth.keys.issue("public", "ada", actor="test")
    for change in (auth.keys.revoke, auth.keys.rotate):
        with pytest.raises(UnknownKey):
            change(record.id, holder="unlisted", actor="test")
    assert auth.who(PUBLIC, key_header(secret)).kind == "key"


def test_a_revoked_key_cannot_be_rotated_back(auth: AuthSetup) -> None:
    record, _ = auth.keys.issue("public", "ada", actor="test")
    first = auth.keys.revoke(record.id, holder="public", actor="test")
    with pytest.raises(UnknownKey):
        auth.keys.rotate(record.id, holder="public", actor="test")
    auth.clock.now += 5
    assert auth.keys.revoke(record.id, holder="public", actor="test") == first


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "x" * 129}, {"name": "a\nb"}, {"name": guess()}, {"quota": Quota(-1, 60)}, {"quota": Quota(1, 0)},
        {"quota": Quota(1, 86_401)}, {"expires_at": 1.0}, {"expires_at": float("nan")}, {"expires_at": float("inf")},
    ],
)  # fmt: skip
def test_invalid_settings_of_a_key_are_refused(auth: AuthSetup, changes: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        auth.issued(**changes)
    assert auth.keys.list("public") == []


def test_every_change_is_in_the_audit_in_order(auth: AuthSetup) -> None:
    record, _ = auth.keys.issue("public", "ada", actor="user:a", name="crm", quota=Quota(1, 2))
    auth.keys.rotate(record.id, holder="public", actor="user:b")
    auth.keys.revoke(record.id, holder="public", actor="cli:root")
    auth.keys.revoke(record.id, holder="public", actor="cli:root")
    other = auth.keys.issue("secret", "ada", actor="user:a")[0]
    audit = Audit(auth.database)
    rows = audit.list("public")
    assert [(one.action, one.actor, one.subject) for one in rows] == [
        ("key.revoke", "cli:root", record.id),
        ("key.rotate", "user:b", record.id),
        ("key.issue", "user:a", record.id),
    ]
    assert rows[-1].detail["quota"] == {"requests": 1, "seconds": 2}
    assert [one.subject for one in audit.list(limit=1)] == [other.id]
    assert [one.number for one in audit.list(before=rows[0].number)] == [one.number for one in rows[1:]]


def test_a_change_that_fails_leaves_no_audit(auth: AuthSetup) -> None:
    with pytest.raises(UnknownKey):
        auth.keys.revoke("key_none", holder="public", actor="test")
    assert Audit(auth.database).list() == []


def test_valid_keys_are_counted(auth: AuthSetup) -> None:
    first = auth.keys.issue("public", "ada", actor="test")[0]
    auth.clock.now += 10
    auth.keys.issue("public", "ada", actor="test")
    auth.keys.revoke(first.id, holder="public", actor="test")
    assert auth.keys.counted() == {"public": 1}


def test_a_secret_appears_only_in_the_response_that_issues_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    place = tmp_path / "gateway.db"
    outputs: list[str] = []
    secrets: list[str] = []
    shown = ""
    for auth in auth_setup(tmp_path, place=str(place)):
        record, secret = auth.keys.issue("public", "ada", actor="test", name="crm")
        record, rotated = auth.keys.rotate(record.id, holder="public", actor="test")
        foreign = auth.issued(UNLISTED)
        secrets, shown = [secret, rotated, foreign], record.prefix
        found = auth.who(PUBLIC, key_header(rotated))
        outputs += map(
            repr, (record, found, record.to_json(), vars(auth.authenticator), auth.keys.list("public"))
        )
        outputs += [repr(one) for one in Audit(auth.database).list()]
        for request in bad_requests(secret, foreign).values():
            for agent in (PUBLIC, OPEN):
                if request["headers"]:
                    try:
                        outputs.append(repr(auth.who(agent, request)))
                    except Exception as error:  # noqa: BLE001 - whatever it is, it is looked through
                        outputs += [repr(error), repr(getattr(error, "problem", ""))]
        with auth.database.writing() as connection:
            connection.exec_driver_sql("SELECT 1")
        for file in tmp_path.iterdir():
            outputs.append(file.read_bytes().decode("latin-1"))
    outputs.append(caplog.text)
    assert shown in "".join(outputs)
    for secret in secrets:
        assert not [one for one in outputs if secret[8:] in one]


REVOKE = """
import sys, time
from cardwright_gateway.database.tables import open_database
from cardwright_gateway.auth.agent_keys import AgentKeys
database = open_database(sys.argv[1], wait_seconds=5)
AgentKeys(database).revoke(sys.argv[2], holder="public", actor="test")
database.close()
"""


@pytest.mark.process
def test_a_key_revoked_by_another_process_is_refused_within_three_seconds(tmp_path: Path) -> None:
    place = str(tmp_path / "gateway.db")
    for auth in auth_setup(tmp_path, place=place):
        record, secret = auth.keys.issue("public", "ada", actor="test")
        assert auth.who(PUBLIC, key_header(secret)).kind == "key"
        subprocess.run([sys.executable, "-W", "error", "-c", REVOKE, place, record.id], check=True)
        auth.clock.now += 3
        assert auth.refused(PUBLIC, key_header(secret)).problem.error_code.status == 401


def test_a_key_issued_by_another_process_is_accepted_after_a_second(tmp_path: Path) -> None:
    place = str(tmp_path / "gateway.db")
    for auth in auth_setup(tmp_path, place=place):
        with closing(open_database(place, wait_seconds=5)) as elsewhere:
            record, old = AgentKeys(elsewhere, Clock()).issue("public", "ada", actor="test")
            assert auth.who(PUBLIC, key_header(old)).kind == "key"
            _, new = AgentKeys(elsewhere, Clock()).rotate(record.id, holder="public", actor="test")
        auth.clock.now += 3
        assert auth.refused(PUBLIC, key_header(old)).problem.error_code.status == 401
        assert auth.who(PUBLIC, key_header(new)).key_id == record.id


def test_a_key_of_a_private_agent_is_accepted(auth: AuthSetup) -> None:
    assert auth.who(SECRET, key_header(auth.issued(SECRET))).kind == "key"


def test_the_secret_before_a_rotation_is_valid_for_the_overlap(auth: AuthSetup) -> None:
    record, old = auth.keys.issue("public", "ada", actor="test")
    rotated, new = auth.keys.rotate(record.id, holder="public", actor="test", overlap_seconds=60)
    assert rotated.previous_until == auth.clock.now + 60
    assert auth.who(PUBLIC, key_header(old)) == auth.who(PUBLIC, key_header(new))
    auth.clock.now += 60
    assert auth.refused(PUBLIC, key_header(old)).problem.error_code.status == 401
    assert auth.who(PUBLIC, key_header(new)).key_id == record.id


def test_a_second_rotation_ends_the_overlap_of_the_first(auth: AuthSetup) -> None:
    record, old = auth.keys.issue("public", "ada", actor="test")
    auth.keys.rotate(record.id, holder="public", actor="test", overlap_seconds=60)
    auth.keys.rotate(record.id, holder="public", actor="test")
    assert auth.refused(PUBLIC, key_header(old)).problem.error_code.status == 401


def test_a_revoked_key_has_no_overlap(auth: AuthSetup) -> None:
    record, old = auth.keys.issue("public", "ada", actor="test")
    auth.keys.rotate(record.id, holder="public", actor="test", overlap_seconds=60)
    auth.keys.revoke(record.id, holder="public", actor="test")
    assert auth.refused(PUBLIC, key_header(old)).problem.error_code.status == 401


@pytest.mark.parametrize("overlap", [-1, 604_801])
def test_a_rotation_overlap_has_limits(auth: AuthSetup, overlap: int) -> None:
    record, _ = auth.keys.issue("public", "ada", actor="test")
    with pytest.raises(BadArgument, match="overlap"):
        auth.keys.rotate(record.id, holder="public", actor="test", overlap_seconds=overlap)


def test_a_changed_key_setting_applies_at_once_and_others_stay(auth: AuthSetup) -> None:
    record, secret = auth.keys.issue("public", "ada", actor="test", name="crm", expires_at=auth.clock.now + 9)
    changed = auth.keys.change(record.id, holder="public", actor="test", quota=Quota(7, 60))
    assert (changed.name, changed.expires_at, changed.quota) == ("crm", record.expires_at, Quota(7, 60))
    assert auth.who(PUBLIC, key_header(secret)).quota == Quota(7, 60)
    changed = auth.keys.change(
        record.id, holder="public", actor="test", quota=None, expires_at=None, name="x"
    )
    assert (changed.name, changed.expires_at, changed.quota) == ("x", None, None)
    auth.clock.now += 10
    assert auth.who(PUBLIC, key_header(secret)).quota is None


def test_a_paused_key_keeps_the_time_of_its_pause(auth: AuthSetup) -> None:
    record, secret = auth.keys.issue("public", "ada", actor="test")
    paused = auth.keys.change(record.id, holder="public", actor="test", paused=True)
    auth.clock.now += 5
    assert auth.keys.change(record.id, holder="public", actor="test", paused=True) == paused
    assert auth.who(PUBLIC, key_header(secret)).paused
    assert auth.keys.change(record.id, holder="public", actor="test", paused=False).paused_at is None
    assert not auth.who(PUBLIC, key_header(secret)).paused
    actions = [row.action for row in Audit(auth.database).list("public")]
    assert actions == ["key.resume", "key.pause", "key.pause", "key.issue"]


def test_a_revoked_key_is_not_changed(auth: AuthSetup) -> None:
    record, _ = auth.keys.issue("public", "ada", actor="test")
    auth.keys.revoke(record.id, holder="public", actor="test")
    with pytest.raises(UnknownKey):
        auth.keys.change(record.id, holder="public", actor="test", name="x")


def test_an_agent_has_at_most_the_maximum_of_valid_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AgentKeys, "maximum", 2)
    with closing(open_database(tmp_path / "gateway.db")) as database:
        keys = AgentKeys(database)
        first, _ = keys.issue("greeter", "ada", actor="test")
        keys.issue("greeter", "ada", actor="test")
        with pytest.raises(SecretsFull, match="the agent has the maximum of 2 valid keys; revoke one first"):
            keys.issue("greeter", "ada", actor="test")
        keys.issue("other", "ada", actor="test")
        keys.revoke(first.id, holder="greeter", actor="test")
        keys.issue("greeter", "ada", actor="test")
