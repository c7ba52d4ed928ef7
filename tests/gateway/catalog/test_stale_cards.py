"""Stale cards of unreachable agents: served if the operator allows it, with their age."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from cardwright.serve.routes import CARD_PATH
from cardwright_gateway.catalog.sources.a2a import A2aSource
from tests.gateway.processes import in_process
from tests.peers import RecordedRequest, Reply, peer
from tests.serve.client import Reply as Answer
from tests.serve.client import call

CARD = b"""{"name": "Tides", "description": "d", "version": "1.0.0", "supportedInterfaces":
[{"url": "http://127.0.0.1:1/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}], "capabilities": {},
"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
"skills": [{"id": "a", "name": "A", "description": "d", "tags": ["a"]}]}"""
# Fresh for a minute; then the clock moves by six minutes.
FRESH = {"Content-Type": "application/json", "Cache-Control": "max-age=60"}
LATER_SECONDS = 360


def answered_later(**settings: Any) -> Answer:
    """Return the response to a request for a stale card of an unreachable agent."""
    alive = [True]

    def answer(_: RecordedRequest) -> Reply:
        return Reply(200, CARD, FRESH) if alive else Reply(500)

    async def run() -> Answer:
        async with peer(answer) as there, in_process({"a": {"url": there.origin, **settings}}) as gateway:
            path = f"/agents/a{CARD_PATH}"
            first = await call(gateway, "GET", path)
            assert (first.status, "warning" in first.headers) == (200, False)
            alive.clear()
            source = gateway.agents["a"].source
            assert isinstance(source, A2aSource)
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(source, "_clock", lambda: time.time() + LATER_SECONDS)
                # For the registry it is too early: it leaves the card to another process, which does not exist.
                patched.setattr("cardwright_gateway.catalog.sources.a2a._ELSEWHERE_TRIES", 1)
                return await call(gateway, "GET", path)

    return asyncio.run(run())


@pytest.mark.parametrize(("fields", "fresh_seconds"), [({}, 300), ({"Cache-Control": "max-age=900"}, 900)])
async def test_a_card_is_fresh_for_five_minutes_or_as_its_response_says(
    monkeypatch: pytest.MonkeyPatch, fields: dict[str, str], fresh_seconds: int
) -> None:
    reply = Reply(200, CARD, {"Content-Type": "application/json", **fields})
    async with peer(lambda _: reply) as there, in_process({"a": {"url": there.origin}}) as gateway:
        await gateway.card("a")
        source = gateway.agents["a"].source
        fetched = time.time()
        for seconds, fresh in ((fresh_seconds - 30, True), (fresh_seconds + 1, False)):
            monkeypatch.setattr(source, "_clock", lambda at=fetched + seconds: at)
            assert (source.now() is not None) == fresh


def test_a_stale_card_is_not_served_by_default() -> None:
    assert answered_later().status == 502


def test_a_stale_card_is_served_with_its_age_if_the_settings_allow_it() -> None:
    reply = answered_later(stale_seconds=3600)
    assert reply.status == 200
    assert reply.headers["warning"].startswith("110 ")
    assert int(reply.headers["age"]) >= LATER_SECONDS
    assert reply.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("stale_seconds", [1, LATER_SECONDS - 70])
def test_a_card_older_than_the_stale_limit_is_not_served(stale_seconds: int) -> None:
    assert answered_later(stale_seconds=stale_seconds).status == 502
