"""Cards from files, and what happens when one changes."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import well_known_agent_card
from cardwright.errors import BadKey, InvalidCard
from cardwright.serve import AgentCardMiddleware, ApiKeys, BadSettings, Caller, CardFiles, UnreadableCard
from tests.serve.cards import both, newer
from tests.serve.client import CARD_PATH, ask, call

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cardwright import Card
    from cardwright.http.request import Message

PATIENCE_SECONDS = 30


def write(path: Path, card: Card | bytes) -> None:
    beside = path.with_suffix(".new")
    beside.write_bytes(card if isinstance(card, bytes) else json.dumps(card.document).encode())
    os.replace(beside, path)  # noqa: PTH105 - as an editor does


class Observed:
    """A provider of cards that signals when it is checked for a change."""

    _check_ended: Callable[[], object] = staticmethod(lambda: None)

    async def checked(self, times: int = 3) -> None:
        """Wait until that many checks have ended; the reload after the last one may still run."""
        loop = asyncio.get_running_loop()
        for _ in range(times):
            event = asyncio.Event()
            # A check runs in a thread.
            self._check_ended = partial(loop.call_soon_threadsafe, event.set)
            async with asyncio.timeout(PATIENCE_SECONDS):
                await event.wait()


class ObservedFiles(Observed, CardFiles):
    """Card files that signal when they are checked for a change."""

    def changed(self) -> bool:
        changed = CardFiles.changed(self)
        self._check_ended()
        return changed


async def serves(app: object, provider: Observed, version: str, url: str = CARD_PATH) -> None:
    """Wait until a version of the card is served."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await call(app, url=url)).json["version"] != version:
            await provider.checked(1)


async def logged(provider: Observed, caplog: pytest.LogCaptureFixture) -> None:
    """Wait until something is logged."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not caplog.records:
            await provider.checked(1)


async def test_a_changed_card_is_served_with_another_etag(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    write(path, both())
    files = ObservedFiles(path)
    app = well_known_agent_card(files, watch_seconds=0.01)

    before = await call(app)
    write(path, both(version="3.2.0"))
    await serves(app, files, "3.2.0")
    assert (await call(app)).headers["etag"] != before.headers["etag"]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b"{", "JSON"),
        (b"", "empty"),
        (json.dumps({**newer().document, "skills": []}).encode(), "/skills"),
        (
            json.dumps({**newer().document, "documentationUrl": "http://10.0.0.1/"}).encode(),
            "/documentationUrl",
        ),
        (b"[1]", "agent card"),
    ],
)
async def test_an_invalid_new_version_is_logged_and_the_last_valid_one_stays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, bad: bytes, message: str
) -> None:
    path = tmp_path / "card.json"
    write(path, both())
    files = ObservedFiles(path)
    app = well_known_agent_card(files, watch_seconds=0.01)

    before = await call(app)
    with caplog.at_level(logging.INFO, "cardwright.serve"):
        write(path, bad)
        await logged(files, caplog)
        await files.checked()
    assert (await call(app)).body == before.body
    # Logged once, not at every check, and nothing else.
    (record,) = caplog.records
    assert "rejected, the previous version stays" in record.message
    assert message in record.message
    assert "card.json: " in record.message
    with caplog.at_level(logging.INFO, "cardwright.serve"):
        write(path, both(version="3.2.0"))
        await serves(app, files, "3.2.0")
        await files.checked()
    assert caplog.records[-1].message == f"reloaded: {path}"


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes among files there")
def test_a_pipe_in_place_of_a_file_is_refused_and_other_files_are_served(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    write(one, newer())
    write(two, newer())
    files = ObservedFiles({"one": one, "two": two})
    app = well_known_agent_card(files, watch_seconds=0.01)

    async def run() -> None:
        await call(app, url="/one/.well-known/agent-card.json")
        with caplog.at_level(logging.INFO, "cardwright.serve"):
            one.unlink()
            os.mkfifo(one)
            await logged(files, caplog)
            await files.checked()
            (record,) = caplog.records
            assert "one.json: expected a file, found a pipe" in record.message
            write(two, newer(version="4.0.0"))
            await serves(app, files, "4.0.0", url="/two/.well-known/agent-card.json")

    try:
        asyncio.run(asyncio.wait_for(run(), PATIENCE_SECONDS))
    finally:
        # Lets a reader go that has opened the pipe, so that the failure of this test is seen.
        os.close(os.open(one, os.O_RDWR | os.O_NONBLOCK))


def test_a_deleted_file_leaves_its_card_served(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    write(path, both())
    app = well_known_agent_card(CardFiles(path))
    path.unlink()
    with pytest.raises(UnreadableCard, match=r"card\.json: No such file"):
        app.reload()
    assert ask(app).status == 200


def test_an_invalid_card_among_several_stays_and_the_others_are_updated(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    write(one, newer())
    write(two, newer())
    app = well_known_agent_card(CardFiles({"one": one, "two": two}))
    write(one, newer(version="4.0.0"))
    write(two, json.dumps({**newer().document, "skills": []}).encode())
    with pytest.raises(InvalidCard):
        app.reload()
    assert ask(app, url="/one/.well-known/agent-card.json").json["version"] == "4.0.0"
    assert ask(app, url="/two/.well-known/agent-card.json").json["version"] == "3.1.0"
    write(two, b"{")
    with pytest.raises(UnreadableCard, match=r"two\.json"):
        app.reload()
    assert ask(app, url="/two/.well-known/agent-card.json").json["version"] == "3.1.0"


def test_an_unchanged_file_is_not_rendered_again(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    write(one, newer())
    write(two, newer())
    app = well_known_agent_card(CardFiles({"one": one, "two": two}))
    before = app.publication.cards
    write(one, newer(version="4.0.0"))
    app.reload()
    assert app.publication.cards["two"] is before["two"]
    assert app.publication.cards["one"] is not before["one"]


def test_a_later_process_starts_with_the_last_valid_card(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    write(path, newer())
    files = CardFiles(path)
    well_known_agent_card(files)
    write(path, b"{")
    later = files.again()
    assert ask(well_known_agent_card(later)).json["version"] == "3.1.0"
    assert later.changed()


def test_a_provider_may_be_any_callable_and_reload_calls_it_again() -> None:
    cards = iter([newer(), newer(version="4.0.0")])
    app = well_known_agent_card(lambda: next(cards))
    assert ask(app).json["version"] == "3.1.0"
    app.reload()
    assert ask(app).json["version"] == "4.0.0"


async def test_a_failing_provider_is_logged_and_called_again(caplog: pytest.LogCaptureFixture) -> None:
    class Failing(Observed):
        calls = 0

        def __call__(self) -> Card:
            self.calls += 1
            if self.calls == 2:
                raise RuntimeError("the database is away")
            return newer(version=f"{self.calls}.0.0")

        def changed(self) -> bool:
            self._check_ended()
            return self.calls < 3

    provider = Failing()
    app = well_known_agent_card(provider, watch_seconds=0.01)

    with caplog.at_level(logging.ERROR, "cardwright.serve"):
        await serves(app, provider, "3.0.0")
    assert caplog.text.count("reload failed, will be retried") == 1


async def test_a_server_starts_and_stops_watching_files(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    write(path, both())
    app = well_known_agent_card(CardFiles(path), watch_seconds=0.01)
    sent: list[str] = []

    messages = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive() -> dict[str, str]:
        return {"type": next(messages)}

    async def send(message: Message) -> None:
        sent.append(message["type"])

    await app({"type": "lifespan"}, receive, send)
    if watching := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(watching, timeout=PATIENCE_SECONDS)
    assert len(asyncio.all_tasks()) == 1
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


@pytest.mark.parametrize("source", ["agent-card.json", [both()], 3, None])
def test_a_document_that_is_no_card_is_refused_at_once(source: Any) -> None:
    with pytest.raises(BadSettings, match=r"expected a (Card|card)"):
        well_known_agent_card(source)


def test_invalid_arguments_are_refused_at_once() -> None:
    with pytest.raises(BadSettings, match="authenticate must be a callable"):
        well_known_agent_card(newer(), authenticate="key")  # type: ignore[arg-type]
    with pytest.raises(BadSettings, match=r"the result of well_known_agent_card"):
        AgentCardMiddleware(well_known_agent_card(newer()), cards=newer())  # type: ignore[arg-type]
    with pytest.raises(BadKey, match=r"use ApiKeys\.of"):
        ApiKeys({"a-key-of-some-length": Caller("a")})
    with pytest.raises(BadKey, match="expected a Caller for each key"):
        ApiKeys.of({"a-key-of-some-length": "owner"})  # type: ignore[dict-item]
    with pytest.raises(BadKey, match='must be "authenticated" or "owner"'):
        Caller("a", "admin")  # type: ignore[arg-type]
