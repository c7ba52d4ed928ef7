"""Closing a gateway after errors: nothing stays open."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from cardwright.errors import BadConfiguration, CardError, StoreError
from cardwright.store import CardStore
from cardwright_gateway import Gateway
from cardwright_gateway.cluster.heartbeat import Heartbeat
from tests.gateway.gateways import BASE, CARD
from tests.gateway.tasks.gateways import OWNERS, function, owned

if TYPE_CHECKING:
    from cardwright_gateway.tasks.service import TaskService


@pytest.mark.parametrize("cancelled", [False, True], ids=["fails", "is cancelled"])
async def test_an_error_while_closing_leaves_nothing_else_open(*, cancelled: bool) -> None:
    begun = asyncio.Event()

    async def close() -> None:
        begun.set()
        if not cancelled:
            raise StoreError("other", "it cannot be closed")
        await asyncio.Event().wait()

    async def work() -> None:
        async with owned({"greeter": function("answer")}) as there:
            durable = there.gateway.task_service
            assert durable is not None
            kept.append((there.gateway, durable))
            durable.replicas.close = close  # type: ignore[method-assign]

    kept: list[tuple[Gateway, TaskService]] = []
    working = asyncio.create_task(work())
    await begun.wait()
    if cancelled:
        working.cancel()
    await asyncio.wait({working})
    assert working.cancelled() == cancelled
    gateway, durable = kept[0]
    with pytest.raises(StoreError, match="is closed"):
        gateway.registry.store.count()
    assert not Path(str(gateway.registry.store.database.engine.url.database)).parent.exists()
    # Objects that this test prevented from being closed.
    await Heartbeat.close(durable.replicas)


@pytest.mark.parametrize("opens", [True, False], ids=["of its agents", "of its database"])
def test_a_gateway_with_invalid_settings_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, opens: bool
) -> None:
    def refuse(*_: object) -> NoReturn:
        raise StoreError("other", "it cannot be opened")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if not opens:
        monkeypatch.setattr("cardwright_gateway.gateway.open_registry", refuse)
    agents = {"one": {"card": CARD, "backend": {"python": "nowhere.at:all"}}}
    with pytest.raises((BadConfiguration, StoreError)) as caught:
        Gateway({"base_url": BASE, "owners": OWNERS, "webhooks": {"enabled": False}, "agents": agents})
    # While the error is referenced, its objects are not garbage collected.
    assert caught.tb is not None
    assert list(tmp_path.iterdir()) == []


async def test_a_gateway_whose_start_fails_under_a_server_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise StoreError("other", "it cannot be begun")

    async def nothing(_: object) -> None:
        """Take what is sent."""

    messages = [{"type": "lifespan.startup"}]

    async def receive() -> dict[str, Any]:
        return messages.pop()

    gateway = Gateway({"base_url": BASE, "agents": {"one": {"card": CARD}}})
    monkeypatch.setattr(gateway.agent_sync, "start", refuse)
    with pytest.raises(StoreError, match="begun"):
        await gateway({"type": "lifespan"}, receive, nothing)
    with pytest.raises(StoreError, match="is closed"):
        gateway.registry.store.count()


def test_a_gateway_with_invalid_proxies_leaves_no_database_open(monkeypatch: pytest.MonkeyPatch) -> None:
    stores: list[Any] = []
    opening = CardStore.__init__

    def note(store: CardStore, *arguments: Any, **named: Any) -> None:
        stores.append(store)
        opening(store, *arguments, **named)

    monkeypatch.setattr(CardStore, "__init__", note)
    proxies = {"networks": ["nonsense"], "base_urls": [BASE]}
    with pytest.raises(CardError):
        Gateway({"proxies": proxies, "agents": {"one": {"card": CARD}}})
    with pytest.raises(StoreError, match="is closed"):
        stores[0].count()
