"""A changed configuration file is applied agent by agent, and a bad one changes nothing."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadConfiguration
from cardwright_gateway import Gateway, GatewayConfig
from cardwright_gateway.cli.reloading import ReloadingGateway
from tests.gateway.gateways import CARD
from tests.gateway.processes import in_process
from tests.gateway.waiting import wait_until
from tests.peers import RecordedRequest, Reply, peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator
    from pathlib import Path

BASE = {"base_url": "https://gateway.example"}


def settings(**agents: Any) -> GatewayConfig:
    return GatewayConfig.from_value({**BASE, "agents": agents})


def calling(text: str) -> bytes:
    return f'{{"jsonrpc":"2.0","id":1,"method":"message/send","params":{{"text":"{text}"}}}}'.encode()


def card(url: str) -> Reply:
    body = json.dumps({
        "name": "Slow", "description": "d", "version": "1.0.0", "protocolVersion": "0.3.0", "url": url,
        "capabilities": {}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "a", "name": "A", "description": "d", "tags": ["a"]}],
    })  # fmt: skip
    return Reply(200, body.encode(), {"Content-Type": "application/json"})


class Held:
    """An agent that answers when the test allows it."""

    def __init__(self) -> None:
        self.requests = asyncio.Event()
        self.free = asyncio.Event()

    async def __call__(self, request: RecordedRequest) -> Reply:
        if request.method == "GET":
            origin = f"http://{request.headers['host']}/"
            return card(origin)
        self.requests.set()
        await self.free.wait()
        message = (
            b'{"jsonrpc":"2.0","id":1,"result":{"kind":"message","messageId":"m","role":"agent","parts":[]}}'
        )
        return Reply(200, message, {"Content-Type": "application/json"})


@asynccontextmanager
async def watching(
    gateway: Gateway, application_class: type[ReloadingGateway] = ReloadingGateway
) -> AsyncGenerator[Any]:
    """Run a gateway that watches its file; yields the application."""
    application = application_class(gateway, lambda config: config, watch=True, watch_seconds=0.01)
    received: asyncio.Queue[Any] = asyncio.Queue()
    sent: asyncio.Queue[Any] = asyncio.Queue()
    await received.put({"type": "lifespan.startup"})
    lifespan = asyncio.create_task(application({"type": "lifespan"}, received.get, sent.put))
    assert (await sent.get())["type"] == "lifespan.startup.complete"
    yield application
    await received.put({"type": "lifespan.shutdown"})
    await lifespan


async def until(caplog: pytest.LogCaptureFixture, text: str) -> None:
    await wait_until(lambda: text in caplog.text)


async def test_only_changed_agents_are_replaced() -> None:
    held = Held()
    async with peer(held) as there:
        before = {
            "a": {"url": there.origin},
            "b": {"url": "http://127.0.0.1:9"},
            "c": {"url": "http://127.0.0.1:9"},
        }
        async with in_process(before) as gateway:
            kept, changed = gateway.agents["a"], gateway.agents["b"]
            running = asyncio.create_task(call(gateway, "POST", "/agents/a", body=calling("x")))
            await held.requests.wait()

            changes = await gateway.directory.reload(
                settings(a=before["a"], b={"url": "http://127.0.0.1:10"}, d=before["c"]).agents
            )

            assert changes == {"b": "changed", "c": "removed", "d": "added"}
            assert sorted(gateway.agents) == ["a", "b", "d"]
            assert gateway.agents["a"] is kept
            assert gateway.agents["b"] is not changed
            held.free.set()
            assert (await running).json["result"]["messageId"] == "m"
            assert (await call(gateway, "GET", "/agents/c/.well-known/agent-card.json")).status == 404


async def test_if_one_agent_cannot_be_created_nothing_changes() -> None:
    async with in_process({"a": {"url": "http://127.0.0.1:9"}}) as gateway:
        before = dict(gateway.agents)
        wrong = settings(
            b={"url": "http://127.0.0.1:9"},
            c={"card": {"name": "C"}, "backend": {"python": "nowhere:at_all"}},
        )

        with pytest.raises(BadConfiguration):
            await gateway.directory.reload(wrong.agents)

        assert gateway.agents == before


async def test_an_added_agent_stays_and_comes_back_when_the_file_no_longer_hides_it() -> None:
    async with in_process({"a": {"url": "http://127.0.0.1:9"}}) as gateway:
        await gateway.submit("added", {"url": "https://one.example"})

        await gateway.directory.reload(settings(added={"url": "http://127.0.0.1:9"}).agents)
        assert gateway.agents["added"].config.from_file

        await gateway.directory.reload(settings(a={"url": "http://127.0.0.1:9"}).agents)
        back = gateway.agents["added"].config
        assert (back.from_file, back.connection.url) == (False, "https://one.example/")  # type: ignore[union-attr]


def test_changed_defaults_are_applied_with_the_agents() -> None:
    before = settings(a={"url": "http://127.0.0.1:9"})
    after = GatewayConfig.from_value(
        {**BASE, "agents": {"a": {"url": "http://127.0.0.1:9"}}, "timeout_seconds": 7, "ports": [8443]}
    )

    assert after.agents["a"].timeout_seconds == 7
    assert after.differences(before) == ["ports"]


async def test_the_file_is_watched_and_a_bad_one_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="cardwright_gateway")
    file = tmp_path / "agents.yml"

    def write(text: str) -> None:
        file.write_text(f"base_url: https://gateway.example\nstore: ':memory:'\n{text}")

    async with asyncio.timeout(60):
        write("agents: {a: {url: 'http://127.0.0.1:9'}}\n")
        gateway = Gateway(GatewayConfig.from_file(file))
        async with watching(gateway):
            write("agents: {a: {url: 'http://127.0.0.1:9'}, b: {url: 'http://127.0.0.1:9'}}\n")
            await until(caplog, "configuration read again: added b")
            write("agents: [\n")
            await until(caplog, "the previous one stays: ")
            assert sorted(gateway.agents) == ["a", "b"]
            write("agents: {b: {url: 'http://127.0.0.1:9'}}\nports: [8443]\n")
            await until(caplog, "need a new start: ports")
            assert sorted(gateway.agents) == ["b"]


async def test_a_changed_card_file_is_read_again_and_a_bad_one_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="cardwright_gateway")
    file, card_file = tmp_path / "agents.yml", tmp_path / "card.json"
    document = {**CARD, "name": "Before"}
    card_file.write_text(json.dumps(document))
    file.write_text(
        "base_url: https://gateway.example\nstore: ':memory:'\n"
        "agents: {a: {card: card.json, backend: {python: 'tests.gateway.gateways:answer'}}}\n"
    )

    async with asyncio.timeout(60):
        gateway = Gateway(GatewayConfig.from_file(file))
        async with watching(gateway):

            async def name() -> str:
                headers = {"A2A-Version": "1.0"}
                got = await call(gateway, "GET", "/agents/a/.well-known/agent-card.json", headers=headers)
                return str(got.json["name"])

            assert await name() == "Before"
            kept = gateway.agents["a"]
            card_file.write_text(json.dumps({**document, "name": "After"}))
            await until(caplog, "configuration read again: new card of a")
            assert await name() == "After"
            assert gateway.agents["a"] is kept
            card_file.write_text("{")
            await until(caplog, "the changed card is not used, the previous one stays: ")
            assert await name() == "After"


async def test_a_module_that_exits_and_a_missing_root_agent_change_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "module_that_exits.py").write_text("raise SystemExit(1)\n")
    file = tmp_path / "agents.yml"
    head = "base_url: https://gateway.example\nstore: ':memory:'\nroot: a\n"
    agent = "{url: 'http://127.0.0.1:9'}"
    file.write_text(f"{head}agents: {{a: {agent}}}\n")

    async with asyncio.timeout(60):
        gateway = Gateway(GatewayConfig.from_file(file))
        async with watching(gateway):
            exits = json.dumps({"card": CARD, "backend": {"python": "module_that_exits:answer"}})
            file.write_text(f"{head}agents: {{a: {agent}, b: {exits}}}\n")
            await until(caplog, "importing the module raises SystemExit")
            file.write_text(f"{head.replace('root: a', 'root: b')}agents: {{b: {agent}}}\n")
            await until(caplog, "a, the agent at the root, is missing")
            assert sorted(gateway.agents) == ["a"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
async def test_a_pipe_in_place_of_the_file_does_not_end_the_watch(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="cardwright_gateway")
    file = tmp_path / "agents.yml"
    text = "base_url: https://gateway.example\nstore: ':memory:'\nagents: {a: {url: 'http://127.0.0.1:9'}}\n"
    file.write_text(text)

    async with asyncio.timeout(60):
        gateway = Gateway(GatewayConfig.from_file(file))
        async with watching(gateway):
            file.unlink()
            os.mkfifo(file)
            await until(caplog, "expected a file")
            file.unlink()
            file.write_text(text.replace("a: {", "b: {"))
            await until(caplog, "added b; removed a")


def test_a_file_is_read_when_its_writing_has_settled(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="cardwright_gateway")
    file = tmp_path / "agents.yml"
    head = "base_url: https://gateway.example\nstore: ':memory:'\nagents:\n  a: {url: 'http://127.0.0.1:9'}\n"
    lines = [f"  b{number}: {{url: 'http://127.0.0.1:9'}}\n" for number in range(20)]
    file.write_text(head + "".join(lines))

    unwritten: Iterator[str] = iter(())

    class Writing(ReloadingGateway):
        """Before each check of the file, one more line of it is written."""

        def _stamps(self) -> dict[Path, Any]:
            opened.write(next(unwritten, ""))
            opened.flush()
            return super()._stamps()

    async def run() -> None:
        nonlocal unwritten
        gateway = Gateway(GatewayConfig.from_file(file))
        async with watching(gateway, Writing):
            kept = gateway.agents["b19"]
            opened.truncate(0)
            unwritten = iter([head, *lines, "  c: {url: 'http://127.0.0.1:9'}\n"])
            await until(caplog, "configuration read again: added c")
            assert gateway.agents["b19"] is kept
            assert "removed" not in caplog.text

    with file.open("a") as opened:
        asyncio.run(asyncio.wait_for(run(), 60))
