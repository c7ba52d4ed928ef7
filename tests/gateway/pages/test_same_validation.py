"""The catalogue page, the card page and the report of an agent have the same warnings."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from tests.gateway.gateways import AGENTS, CARD, gateway

HTML = {"Accept": "text/html"}
LOCAL = "http://127.0.0.1:4000"
CARD_PAGE = "/agents/greeter/.well-known/agent-card.json"
FAULTY: dict[str, Any] = {**CARD, "documentationUrl": "http://127.0.0.1/docs"}


def counts(card: dict[str, Any], base: str) -> tuple[list[str], list[str]]:
    """Return the warnings as the catalogue and the card's page count them, and their pointers in the report."""

    async def run() -> tuple[list[str], list[str]]:
        agents = {"greeter": {**AGENTS["greeter"], "card": card}}
        async with gateway(agents=agents, base_url=base) as ask:
            # The catalogue still has the former state.
            await ask("GET", CARD_PAGE)
            pages = [(await ask("GET", path, HTML)).body.decode() for path in ("/", CARD_PAGE)]
            report = (await ask("GET", "/agents/greeter/report", {"Accept": "application/json"})).json
        # A card that has warnings has their number twice on its own page.
        counted = [number for page in pages for number in re.findall(r"(\d+) warnings?\b", page)]
        found = [one for one in report["served"]["violations"] if one["rule"] != "gateway/internal-host"]
        return counted, [one["pointer"] for one in found]

    return asyncio.run(run())


@pytest.mark.parametrize("base", [LOCAL, "https://gateway.example.com"])
def test_the_address_of_the_gateway_is_no_warning(base: str) -> None:
    assert counts(CARD, base) == ([], [])


def test_all_pages_count_the_warnings_of_a_card() -> None:
    assert counts(FAULTY, LOCAL) == (["1"] * 3, ["/documentationUrl"])
