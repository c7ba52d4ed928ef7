"""Stored webhook configurations: limited, encrypted and not shown."""

from __future__ import annotations

import asyncio
import logging
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from a2a.types.a2a_pb2 import AuthenticationInfo, TaskPushNotificationConfig
from a2a.utils.errors import InvalidParamsError
from sqlalchemy import select

from cardwright.errors import BadArgument, BadConfiguration
from cardwright_gateway.database.tables import PUSH_CONFIGS, WEBHOOKS
from cardwright_gateway.webhooks.keys import encryption_key
from tests.gateway.webhooks.receivers import AGENT, OWNER, called_by, delivering, quick, webhook_store

if TYPE_CHECKING:
    from tests.gateway.webhooks.receivers import WebhookStore

CANARIES = (
    "canary-secret-1",
    "canary-token-2",
    "canary-credential-3",
    "whsec_Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5",
)
URL = "https://hooks.example.com/hook"


def config(**changes: Any) -> TaskPushNotificationConfig:
    """A configuration."""
    fields: dict[str, Any] = {"id": "hook", "url": URL, **changes}
    return TaskPushNotificationConfig(**fields)


async def refused(webhooks: WebhookStore, config: TaskPushNotificationConfig, task_id: str = "t") -> str:
    """The error of a refused configuration."""
    with pytest.raises(InvalidParamsError) as caught:
        await webhooks.service.configs.set_info(task_id, config, called_by())
    return str(caught.value)


def test_secrets_are_stored_encrypted_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from aiohttp import web

    caplog.set_level(logging.DEBUG)
    secret, token, credential, standard = CANARIES

    async def scene() -> str:
        async with delivering(
            lambda _, __: web.Response(status=500, text="canary-body-4"),
            tmp_path / "store",
            quick(encryption_key=None),
        ) as (receiver, webhooks):
            url, auth = f"{receiver.origin}/canary-path-5", ("Bearer", credential)
            await webhooks.published(url, "t", secrets=[secret, standard], token=token, auth=auth)
            await webhooks.wait_for_state("dead", "t")
            (came, *_) = receiver.received
            assert came.field("authorization") == f"Bearer {credential}"
            seen = repr(await webhooks.attempts("t")) + repr(await webhooks.events(AGENT, "t", "hook"))
            receivers = await webhooks.service.configs.receivers("t")
            return seen + repr(receivers)

    shown = asyncio.run(scene())
    files = [file for file in tmp_path.iterdir() if file.is_file()]
    assert {"store", "store.key"} <= {file.name for file in files}
    for canary in (*CANARIES, "canary-body-4", "canary-path-5"):
        assert canary not in shown
        # aiosqlite and the test's own server say at DEBUG what they do.
        records = [
            one for one in caplog.records if not one.name.startswith(("aiosqlite", "aiohttp", "asyncio"))
        ]
        assert not any(canary in one.getMessage() for one in records)
        for file in files:
            assert canary.encode() not in file.read_bytes(), (file.name, canary)


async def test_files_with_secrets_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    async with webhook_store(tmp_path / "store", quick(encryption_key=None)):
        for name in ("store.key",):
            assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


async def test_a_configuration_and_its_secrets_are_encrypted_and_deleted_together(place: str) -> None:
    async with webhook_store(place, start=False) as webhooks:
        await webhooks.listen("t", URL, secrets=["canary-secret-1"], token="canary-token-2")  # noqa: S106 - a test value
        async with webhooks.engine.connect() as connection:
            (row,) = (await connection.execute(select(PUSH_CONFIGS))).all()
        with webhooks.database.reading() as connection:
            (kept,) = connection.execute(select(WEBHOOKS)).all()
        assert row.config_data.startswith(b"gAAAA")
        assert kept.secrets.startswith(b"gAAAA")
        (receiver_,) = await webhooks.service.configs.receivers("t")
        assert [one.key for one in receiver_.secrets] == [b"canary-secret-1"]
        (stored,) = await webhooks.service.configs.get_info("t", called_by())
        assert (stored.url, stored.token) == (URL, "")
        assert await webhooks.service.configs.get_info("t", called_by("mallory")) == []
        await webhooks.service.configs.delete_info("t", called_by("mallory"), "hook")
        assert len(await webhooks.service.configs.receivers("t")) == 1
        await webhooks.service.configs.delete_info("t", called_by(), "hook")
        with webhooks.database.reading() as connection:
            assert connection.execute(select(WEBHOOKS)).all() == []


async def test_new_secrets_replace_old_ones(tmp_path: Path) -> None:
    async with webhook_store(tmp_path / "store", start=False) as webhooks:
        await webhooks.listen("t", URL, secrets=["first-secret"])
        for secrets in (["second-secret", "third-secret"], []):
            await webhooks.service.keep("t", "hook", agent_id=AGENT, owner=OWNER, secrets=secrets)
            (kept,) = await webhooks.service.configs.receivers("t")
            assert [one.key.decode() for one in kept.secrets] == secrets


async def test_invalid_secrets_are_refused_without_quoting_them(tmp_path: Path) -> None:
    async with webhook_store(tmp_path / "store", start=False) as webhooks:
        for bad in (["short"], ["canary secret"], ["good-enough"] * 5, ["whsec_canary"]):
            with pytest.raises(BadArgument) as caught:
                await webhooks.service.keep("t", "hook", agent_id=AGENT, owner=OWNER, secrets=bad)
            assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("ftp://hooks.example.com/", "http and https"),
        ("http://127.0.0.1/", "not public"),
        ("http://hooks.localhost./", "not public"),
        ("http://169.254.169.254/", "not public"),
        ("https://metadata.google.internal/", "not public"),
        ("https://hooks.example.com:8443/", "webhooks.ports"),
        ("https://user:pass@hooks.example.com/", "user@host"),
        ("not a url", "url"),
        ("", "scheme"),
    ],
)
async def test_a_denied_url_is_refused_when_it_is_configured(tmp_path: Path, url: str, expected: str) -> None:
    async with webhook_store(tmp_path / "store", quick(allow=()), start=False) as webhooks:
        assert expected in await refused(webhooks, config(url=url))


async def test_an_invalid_header_value_is_refused(tmp_path: Path) -> None:
    async with webhook_store(tmp_path / "store", start=False) as webhooks:
        for name, value in (("token", "a\r\nb: c"), ("token", "é"), ("token", "x" * 5000)):
            assert "token" in await refused(webhooks, config(**{name: value}))
        for scheme, credentials in (("Bea rer", "x"), ("Bearer", "x\n"), ("Bearer", " x")):
            invalid = config()
            invalid.authentication.CopyFrom(AuthenticationInfo(scheme=scheme, credentials=credentials))
            assert "authentication" in await refused(webhooks, invalid)


async def test_configuration_ids_and_their_number_are_limited(tmp_path: Path) -> None:
    async with webhook_store(tmp_path / "store", start=False) as webhooks:
        assert "id" in await refused(webhooks, config(id="x" * 129))
        assert "taskId" in await refused(webhooks, config(), task_id="t" * 129)
        for number in range(16):
            await webhooks.service.configs.set_info("t", config(id=f"hook{number}"), called_by())
        assert "16" in await refused(webhooks, config(id="one-more"))
        # An existing one may be changed.
        await webhooks.service.configs.set_info("t", config(id="hook0"), called_by())
        assert len(await webhooks.service.configs.receivers("t")) == 16


async def test_the_configuration_id_of_another_caller_cannot_be_taken(tmp_path: Path) -> None:
    async with webhook_store(tmp_path / "store", start=False) as webhooks:
        await webhooks.service.configs.set_info("t", config(), called_by("bob"))
        assert "another" in await refused(webhooks, config())


def test_concurrent_starts_create_one_encryption_key(tmp_path: Path) -> None:
    barrier = threading.Barrier(8)
    keys: list[bytes] = []

    def ask() -> None:
        barrier.wait()
        keys.append(encryption_key(None, tmp_path / "store"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8
    assert len(set(keys)) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["store.key"]


def test_a_world_readable_or_invalid_key_file_is_refused(tmp_path: Path) -> None:
    encryption_key(None, tmp_path / "store")
    file = tmp_path / "store.key"
    file.chmod(0o644)
    with pytest.raises(BadConfiguration, match="chmod 600"):
        encryption_key(None, tmp_path / "store")
    file.write_text("nonsense", encoding="ascii")
    file.chmod(0o600)
    with pytest.raises(BadConfiguration, match="not a valid key"):
        encryption_key(None, tmp_path / "store")


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="encryption_key"):
        encryption_key(None, tmp_path / "none" / "store")


def test_postgresql_without_an_encryption_key_is_refused_with_a_fix() -> None:
    with pytest.raises(BadConfiguration, match="openssl rand"):
        encryption_key(None, "postgresql://host/database")
    assert encryption_key("A" * 43 + "=", "postgresql://host/database") == b"A" * 43 + b"="


def test_a_store_in_memory_has_a_temporary_key() -> None:
    assert encryption_key(None, ":memory:") != encryption_key(None, ":memory:")
    assert not Path(":memory:.key").exists()


async def test_secret_settings_are_sent_and_never_returned(place: str) -> None:
    async with webhook_store(place, start=False) as webhooks:
        made = await webhooks.listen(
            "t",
            URL,
            token="canary-token-2",  # noqa: S106 - a test value
            auth=("Bearer", "canary-credential-3"),
        )
        (got,) = await webhooks.service.configs.get_info("t", called_by())
        for shown in (made, got):
            assert "canary" not in str(shown)
            assert (shown.url, shown.authentication.scheme) == (URL, "Bearer")
        (receiver_,) = await webhooks.service.configs.receivers("t")
        assert receiver_.fields == {
            "X-A2A-Notification-Token": "canary-token-2",
            "Authorization": "Bearer canary-credential-3",
        }


async def test_concurrent_configurations_do_not_exceed_the_maximum(place: str) -> None:
    # Two processes from the point of view of the database.
    async with webhook_store(place, start=False) as one, webhook_store(place, start=False) as other:
        made = await asyncio.gather(
            *(
                (one, other)[number % 2].service.configs.set_info("t", config(id=f"h{number}"), called_by())
                for number in range(40)
            ),
            return_exceptions=True,
        )
        refused = [outcome for outcome in made if isinstance(outcome, BaseException)]
        assert {type(outcome) for outcome in refused} == {InvalidParamsError}
        assert len(refused) == 24
        assert len(await one.service.configs.receivers("t")) == 16


async def test_one_id_stored_concurrently_is_one_configuration(place: str) -> None:
    async with webhook_store(place, start=False) as one, webhook_store(place, start=False) as other:
        made = await asyncio.gather(
            *(webhooks.service.configs.set_info("t", config(), called_by()) for webhooks in (one, other) * 10)
        )
        assert {shown.id for shown in made} == {"hook"}
        assert len(await one.service.configs.receivers("t")) == 1


@pytest.mark.parametrize(
    "invalid_id", ["../x", "a/b", "a\\b", ".", "..", "..;x", "a\nb", "a\x00b", "a\u202eb", "a?b", "a%62"]
)
async def test_an_id_that_does_not_fit_a_path_is_refused(tmp_path: Path, invalid_id: str) -> None:
    async with webhook_store(tmp_path / "store", start=False) as webhooks:
        assert "path" in await refused(webhooks, config(id=invalid_id))
