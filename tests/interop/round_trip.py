"""Every dialect through every part of cardwright: published, read back, in a gateway, and probed."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

import httpx
from a2a.client import A2ACardResolver

from cardwright import Card, fetch_card, well_known_agent_card
from cardwright.discovery import AgentRegistry
from cardwright.view.interfaces import interfaces
from tests.discovery.calling.sdk_agents import serving
from tests.gateway.processes import before
from tests.interop.agent import LOOPBACK, PYTHON
from tests.interop.peers.steps import ABSENT, Steps, expect, no
from tests.interop.servers import check_probe
from tests.interop.table import Table
from tests.serve.cards import DIALECTS, example

if TYPE_CHECKING:
    from collections.abc import Iterable

SDK: Final = f"a2a-sdk {version('a2a-sdk')}"
COLUMNS: Final = ("example", "dialect", "serve", "discover", "registry", "read as", SDK, "gateway", "probe")
# Each version of a card, in `A2A-Version`.
_VERSIONS: Final = ("", "1.0", "0.3")


async def round_trip() -> Table:
    """Run every example card through every part."""
    rows = {name: await _row(example(name)) for name in DIALECTS}
    return Table(COLUMNS, rows)


async def _row(card: Card) -> dict[str, str]:
    steps = Steps()
    steps.cells["dialect"] = str(card.dialect)
    async with serving(well_known_agent_card(card)) as origin, httpx.AsyncClient() as http:
        forms: list[Card] = []
        read: list[Card] = []

        async def serve() -> None:
            for form in _VERSIONS:
                headers = {"A2A-Version": form} if form else {}
                response = await http.get(f"{origin}/.well-known/agent-card.json", headers=headers)
                expect(response.status_code, 200)
                forms.append(Card.from_bytes(response.content).check())
            assert any(form.document == card.document for form in forms), "no form is the card"

        async def discover() -> None:
            read.append((await fetch_card(origin, allow=LOOPBACK)).card)
            _check_back(card, read[-1], forms)

        async def registry() -> None:
            async with AgentRegistry([origin], allow=LOOPBACK) as known:
                await known.refresh()
                (peer,) = known.all()
                assert peer.card is not None, peer.why_no_card
                _check_back(card, peer.card, forms)

        async def sdk() -> None:
            async with httpx.AsyncClient(headers={"A2A-Version": "1.0"}) as other:
                resolved = await A2ACardResolver(other, origin).get_agent_card()
            expect(resolved.name, card.document["name"])
            _check_urls((one.url for one in resolved.supported_interfaces), card)

        await steps.run("serve", serve)
        await steps.run("discover", discover)
        await steps.run("registry", registry)
        steps.cells["read as"] = str(read[-1].dialect) if read else ABSENT
        await steps.run(SDK, sdk)
    await _in_gateway(card, steps)
    return steps.cells


def _check_back(card: Card, back: Card, forms: list[Card]) -> None:
    """Fail unless a card that was read is valid, one of the published forms, and has all interfaces."""
    assert back.valid, "not valid"
    expect(back.dialect.family, card.dialect.family)
    assert any(back.document == form.document for form in forms), "not a published form"
    missing = {(one.protocol, one.url) for one in interfaces(card)} - {
        (one.protocol, one.url) for one in interfaces(back)
    }
    assert not missing, f"interfaces are missing: {sorted(missing)}"


def _check_urls(found: Iterable[str], card: Card) -> None:
    """Fail unless a client of A2A finds the URLs of the interfaces for A2A."""
    wanted = {one.url for one in interfaces(card) if one.protocol == "a2a"}
    expect(wanted - set(found), set())


async def _in_gateway(card: Card, steps: Steps) -> None:
    """Run the card as an agent of the gateway, with a function that answers."""
    agent: dict[str, Any] = {"card": card.document, "backend": {"python": PYTHON}}

    async def gateway() -> None:
        back = (await fetch_card(running.at("one"), allow=LOOPBACK)).card
        assert back.valid, "not valid"
        expect(back.document["name"], card.document["name"])
        expect({one.url.startswith(running.origin) for one in interfaces(back)}, {True})

    try:
        async with before({"one": agent}, webhooks={"allow": LOOPBACK}) as running:
            await steps.run("gateway", gateway)
            await steps.run("probe", lambda: check_probe(running.at("one"), send=True), 90)
    except Exception as error:  # noqa: BLE001 - the error is the result
        steps.cells.setdefault("gateway", no(error))
        steps.cells.setdefault("probe", ABSENT)
