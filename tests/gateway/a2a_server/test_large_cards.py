"""Cards with many skill schemas are converted for a2a-sdk in a thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from cardwright.a2a_sdk import to_a2a_sdk
from cardwright.card import Card
from cardwright_gateway.a2a_server import endpoint, handler
from tests.gateway.a2a_server.endpoints import a2a_endpoint, card, rpc

if TYPE_CHECKING:
    import pytest

    from cardwright.conversion.report import ConversionReport

EXTENSION = {"uri": "https://a.example/x", "params": {"s": {"type": "object"}}}


def large(name: str) -> Card:
    document = card(extendedAgentCard=True, extensions=[EXTENSION]).document
    skills = [{**document["skills"][0], "id": f"s{number}", "name": name} for number in range(20)]
    return Card.from_document({**document, "skills": skills}).check()


async def test_large_cards_reach_the_sdk_reduced_and_in_a_thread(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    converted: list[tuple[int, int, bool]] = []
    convert = to_a2a_sdk

    def noted(card: Card) -> tuple[Any, ConversionReport]:
        extensions = card.document["capabilities"]["extensions"]
        on_loop = threading.current_thread() is main
        converted.append((len(card.document["skills"]), len(extensions), on_loop))
        return convert(card)

    main = threading.current_thread()
    for module in (endpoint, handler):
        monkeypatch.setattr(module, "to_a2a_sdk", noted)

    async with a2a_endpoint(published=large("Berth"), extended=large("Berth")) as served:
        assert converted == [(1, 0, True)]
        for name in ("Berth", "Quay"):
            served.exchange(large(name), large(name))
            for _ in range(2):
                reply = await rpc(served, "GetExtendedAgentCard")
                assert [skill["name"] for skill in reply["result"]["skills"]] == [name] * 20
    # Once for each card: on the loop only what the SDK reads.
    assert converted == [(1, 0, True), (1, 0, True), (20, 1, False), (1, 0, True), (20, 1, False)]
    assert "spec-compliant" not in caplog.text
