"""Two gateways on one database: changes are synchronised, and conflicts are refused."""

from __future__ import annotations

import asyncio
import inspect
import threading
from contextlib import asynccontextmanager, closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from cardwright.errors import BadConfiguration, StoreError
from cardwright_gateway import Gateway
from cardwright_gateway.catalog.served_card import served_card
from cardwright_gateway.catalog.sources.a2a import A2aSource
from cardwright_gateway.database.agents import AddedAgents
from cardwright_gateway.database.tables import open_database
from cardwright_gateway.errors import ChangedMeanwhile
from tests.databases import own_database
from tests.gateway.catalog.test_changes import card
from tests.gateway.gateways import CARD
from tests.gateway.tasks.gateways import OWNERS
from tests.peers import peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Iterator
    from pathlib import Path

    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.settings.agents import AgentConfig

MANAGED: dict[str, Any] = {"card": CARD, "backend": {"url": "https://managed.example"}}
AWAY = StoreError("unreachable", "it is away")


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    """A database that is gone after this module."""
    with own_database() as url:
        yield url


@pytest.fixture
def shared(postgresql: str) -> str:
    """It, without agents and peers."""
    with closing(open_database(postgresql, wait_seconds=1.0)) as database, database.writing() as connection:
        connection.execute(text("TRUNCATE agents, peers CASCADE"))
    return postgresql


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of either kind."""
    return str(tmp_path / "store") if request.param == "sqlite" else str(request.getfixturevalue("shared"))


def gateway(place: str, **more: Any) -> Gateway:
    """Return a gateway that is not started: it does not synchronise by itself."""
    settings = {"base_url": "https://agents.example.com", "allow": ["127.0.0.0/8"], "agents": {}, **more}
    return Gateway({**settings, "store": place})


@asynccontextmanager
async def two(place: str, **more: Any) -> AsyncGenerator[tuple[Gateway, Gateway]]:
    """Yield two gateways on one database."""
    one, other = gateway(place, **more), gateway(place, **more)
    try:
        yield one, other
    finally:
        await asyncio.gather(one.close(), other.close())


async def add(to: Gateway, agent_id: str, settings: Any = MANAGED) -> Agent:
    """Add or change an agent, as over the network."""
    return await to.submit(agent_id, settings)


@contextmanager
def failing(on: type, name: str, error: Exception, only: str = "") -> Generator[None]:
    """Make a method fail within the block, perhaps for one agent only."""
    real = getattr(on, name)

    def fails(self: Any, *arguments: Any) -> Any:
        if only and only not in arguments:
            return real(self, *arguments)
        raise error

    async def fails_later(*_: Any) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(on, name, fails_later if inspect.iscoroutinefunction(real) else fails)
        yield


async def test_a_change_before_the_first_poll_is_synchronised(place: str) -> None:
    before = gateway(place)
    await add(before, "gone")
    async with two(place) as (one, other):
        await before.withdraw("gone")
        await add(before, "new")
        assert set(one.agents) == {"gone"}
        for each in (one, other):
            await each.agent_sync.apply_changes()
            assert set(each.agents) == {"new"}
    await before.close()


async def test_a_failed_synchronisation_is_retried(place: str) -> None:
    async with two(place) as (one, other):
        await add(other, "new")
        with failing(AddedAgents, "one", AWAY), pytest.raises(StoreError):
            await one.agent_sync.apply_changes()
        assert "new" not in one.agents
        await one.agent_sync.apply_changes()
        assert "new" in one.agents


async def test_one_failed_synchronisation_does_not_block_others(place: str) -> None:
    async with two(place) as (one, other):
        await add(other, "a")
        await add(other, "b")
        with failing(AddedAgents, "one", RuntimeError("a fault"), only="a"):
            await one.agent_sync.apply_changes()
        assert set(one.agents) == {"b"}
        await one.agent_sync.apply_changes()
        assert set(one.agents) == {"a", "b"}


async def test_a_failed_card_fetch_is_retried(place: str) -> None:
    async with peer(card) as there, two(place) as (one, other):
        await add(other, "a", {"url": there.origin})
        await one.agent_sync.apply_changes()
        await other.card("a")
        with failing(A2aSource, "reread", RuntimeError("a fault")):
            await one.agent_sync.apply_changes()
        with failing(A2aSource, "reread", AWAY), pytest.raises(StoreError):
            await one.agent_sync.apply_changes()
        assert one.agents["a"].source.now() is None
        await one.agent_sync.apply_changes()
        assert one.agents["a"].source.now() is not None
        assert len(there.requests) == 1


async def test_the_first_of_two_replicas_that_add_one_id_wins(place: str) -> None:
    async with two(place) as (one, other):
        await add(one, "a", {**MANAGED, "concurrency": 1})
        with pytest.raises(ChangedMeanwhile):
            await add(other, "a", {**MANAGED, "concurrency": 2})
        # The next synchronisation sees the current state.
        assert other.agents["a"].config.concurrency == 1
        for each in (one, other):
            await each.agent_sync.apply_changes()
            assert each.agents["a"].config.concurrency == 1


async def test_a_conflicting_change_is_refused_and_then_accepted(place: str) -> None:
    async with two(place) as (one, other):
        await add(one, "a")
        await other.agent_sync.apply_changes()
        await add(one, "a", {**MANAGED, "concurrency": 1})
        with pytest.raises(ChangedMeanwhile):
            await add(other, "a", {**MANAGED, "invoke": True})
        assert other.agents["a"].config.concurrency == 1
        await add(other, "a", {**MANAGED, "concurrency": 1, "invoke": True})
        with pytest.raises(ChangedMeanwhile):
            await one.withdraw("a")
        assert one.agents["a"].config.invoke
        await one.withdraw("a")
        with pytest.raises(ChangedMeanwhile):
            await other.withdraw("a")
        assert "a" not in other.agents


async def test_headers_of_a_removed_agent_are_not_sent_for_the_next_one(place: str) -> None:
    async with peer(card) as there, two(place) as (one, other):
        await add(one, "xs", {"url": there.origin, "bearer": "xs"})
        await other.agent_sync.apply_changes()
        await other.card("xs")
        await one.withdraw("xs")
        await add(one, "ys", {"url": there.origin})
        await other.agent_sync.apply_changes()
        assert set(other.agents) == {"ys"}
        source = other.agents["ys"].source
        assert isinstance(source, A2aSource)
        await source.fetch(force=True)
        assert len(there.requests) == 2
        assert there.requests[0].headers["authorization"] == "Bearer xs"
        assert "authorization" not in there.requests[-1].headers


async def test_an_agent_frees_its_url_before_another_takes_it(place: str) -> None:
    async with two(place) as (one, other):
        await add(one, "z", {"url": "http://127.0.0.1:9", "bearer": "zs"})
        await other.agent_sync.apply_changes()
        await add(one, "z", {"url": "http://127.0.0.1:10", "bearer": "zs"})
        await add(one, "a", {"url": "http://127.0.0.1:9"})
        await other.agent_sync.apply_changes()
        assert set(other.agents) == {"a", "z"}


async def test_an_invalid_row_is_tried_once(place: str, caplog: pytest.LogCaptureFixture) -> None:
    async with two(place) as (one, _):
        added = AddedAgents(one.registry.store.database)
        first = added.put("broken", {"what": 1}, at=1.0, actor="test")
        for _ in range(3):
            await one.agent_sync.apply_changes()
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        added.put("broken", MANAGED, before=first, at=2.0, actor="test")
        await one.agent_sync.apply_changes()
        assert "broken" in one.agents


@pytest.mark.parametrize("fails", ["registry", "table"])
async def test_a_refused_change_leaves_all_replicas_unchanged(
    place: str, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise StoreError("full", "the disk is full")

    async with peer(card) as there, two(place) as (one, other):
        await add(one, "a", {"url": there.origin, "bearer": "old"})
        before = one.agents["a"]
        with monkeypatch.context() as patched:
            if fails == "registry":
                patched.setattr(one.registry, "add", full)
            else:
                patched.setattr(AddedAgents, "put", full)
            with pytest.raises(StoreError):
                await add(one, "a", {"url": there.origin, "bearer": "new"})
        assert one.agents["a"] is before
        await other.agent_sync.apply_changes()
        for each in (one, other):
            source = each.agents["a"].source
            assert isinstance(source, A2aSource)
            await source.fetch(force=True)
        assert len(there.requests) == 2
        assert {request.headers["authorization"] for request in there.requests} == {"Bearer old"}
        # The next change is no conflict.
        await add(one, "a", {"url": there.origin, "bearer": "next"})


async def test_a_peer_that_cannot_be_forgotten_undoes_no_change(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise AWAY

    async with two(place) as (one, other):
        await add(one, "a", {"url": "http://127.0.0.1:9"})
        with monkeypatch.context() as patched:
            patched.setattr(one.registry, "remove", away)
            await add(one, "a", {"url": "http://127.0.0.1:10"})
            await other.agent_sync.apply_changes()
            await one.withdraw("a")
        assert "a" not in one.agents
        await other.agent_sync.apply_changes()
        assert "a" not in other.agents


async def test_starting_a_replica_does_not_forget_peers_of_another(shared: str) -> None:
    kept, moved = "http://127.0.0.1:9/card", "http://127.0.0.1:10/card"
    agents = {"a": {"url": "http://127.0.0.1:9", "card_url": kept}}
    one = gateway(shared, agents=agents)
    other = gateway(shared, agents={"a": {"url": "http://127.0.0.1:9", "card_url": moved}})
    assert one.registry.by_url(f"{kept}#a") is not None
    assert other.registry.by_url(f"{moved}#a") is not None
    await asyncio.gather(one.close(), other.close())


async def test_a_database_of_one_process_forgets_peers_without_an_agent(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    await gateway(store, agents={"a": {"url": "http://127.0.0.1:9"}}).close()
    one = gateway(store)
    assert not list(one.registry.all())
    await one.close()


async def test_an_added_agent_does_not_replace_one_of_the_file_at_a_replica(place: str) -> None:
    one = gateway(place)
    other = gateway(place, agents={"a": MANAGED})
    await add(one, "a", {**MANAGED, "concurrency": 1})
    await other.agent_sync.apply_changes()
    assert other.agents["a"].config.from_file
    with pytest.raises(BadConfiguration, match="configuration file"):
        await add(other, "a")
    await asyncio.gather(one.close(), other.close())


def test_calls_continue_when_the_visibility_of_an_agent_changes(place: str) -> None:
    shown = {**MANAGED, "owner": "acme", "access": "open", "tasks": "pass"}

    async def run() -> None:
        async with two(place, owners=OWNERS, webhooks={"enabled": False}) as (one, other):
            await add(one, "a", shown)
            await other.agent_sync.apply_changes()
            agents = [each.agents["a"] for each in (one, other)]
            with agents[0].calling(""), agents[1].calling(""):
                for each in (one, other):
                    assert await description_at(each) == "Greets and counts"
                await add(one, "a", {**shown, "visibility": "unlisted"})
                await other.agent_sync.apply_changes()
                # A cancelled call would end here.
                await asyncio.sleep(0)
                for each, agent in zip((one, other), agents, strict=True):
                    assert each.agents["a"] is agent
                    assert agent.running_calls == 1
                    assert await description_at(each) == "not shown"
            # Any other change creates a new agent.
            await add(one, "a", {**shown, "visibility": "unlisted"})
            assert one.agents["a"] is not agents[0]

    async def description_at(at: Gateway) -> str:
        path = "/agents/a/.well-known/agent-card.json"
        body = (await call(at, "GET", path)).body
        return "Greets and counts" if b"Greets and counts" in body else "not shown"

    asyncio.run(run())


async def test_a_card_rendered_while_its_agent_is_hidden_is_rendered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    shown = {**MANAGED, "owner": "acme", "access": "open", "tasks": "pass"}

    def slow(config: AgentConfig, *arguments: Any) -> ServedCard:
        if config.visibility == "public":
            begun.set()
            assert go_on.wait(30)
        return served_card(config, *arguments)

    one = gateway(str(tmp_path / "store"), owners=OWNERS, webhooks={"enabled": False})
    await add(one, "a", shown)
    monkeypatch.setattr("cardwright_gateway.catalog.agent.served_card", slow)
    fetching = asyncio.create_task(call(one, "GET", "/agents/a/.well-known/agent-card.json"))
    await asyncio.to_thread(begun.wait, 30)
    await add(one, "a", {**shown, "visibility": "unlisted"})
    go_on.set()
    await fetching
    again = await call(one, "GET", "/agents/a/.well-known/agent-card.json")
    assert again.status == 200
    assert b"Greets and counts" not in again.body
    await one.close()
