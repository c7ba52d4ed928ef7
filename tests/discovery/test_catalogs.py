"""Catalogues of agents: discovery, accepted entries, and limits against hostile ones."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import AgentRegistry
from cardwright.discovery.catalogs import MAX_CATALOGS, MAX_INLINE, CatalogReading, read_catalogs
from cardwright.errors import BadResponse, CardError, PeerError
from cardwright.guard import Guard, GuardedClient
from tests.discovery.test_card_lookup import CARD, LOOPBACK
from tests.discovery.test_registry import Clock
from tests.peers import Peer, RecordedRequest, Reply, peer

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.discovery.events import Event

ARD = "/.well-known/ard.json"
AI_CATALOG = "/.well-known/ai-catalog.json"
CARD_TYPE = "application/a2a-agent-card+json"
QUERIES = {"representativeQueries": ["When is high tide?", "How deep is the harbour?"]}


def entry(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "identifier": f"urn:air:example.com:agents:{name}",
        "displayName": name,
        "type": CARD_TYPE,
        **QUERIES,
        **fields,
    }


def manifest(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"entries": list(entries)}


class Site:
    """The documents of a server by path: bytes, or JSON values in which ORIGIN is its origin."""

    def __init__(self, **documents: Any) -> None:
        self.documents: dict[str, Any] = {ARD: documents.get("ard"), AI_CATALOG: documents.get("ai_catalog")}
        self.headers: dict[str, str] = {}
        self.origin = ""

    def __call__(self, request: RecordedRequest) -> Reply:
        document = self.documents.get(request.path)
        if document is None:
            return Reply(404)
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        return Reply(body=body.replace(b"ORIGIN", self.origin.encode()), headers=self.headers)


def read(site: Site, path: str = "", *, peers: list[Peer] | None = None) -> CatalogReading:
    async def run() -> CatalogReading:
        async with peer(site) as server, GuardedClient(Guard(allow=LOOPBACK)) as client:
            site.origin = server.origin
            if peers is not None:
                peers.append(server)
            return await read_catalogs(f"{server.origin}{path}", client)

    return asyncio.run(run())


def names(reading: CatalogReading) -> list[str]:
    return [agent.name for agent in reading.agents]


def test_both_well_known_paths_are_read_and_each_agent_is_taken_once() -> None:
    both = entry("tides", url="ORIGIN/tides.json")
    site = Site(
        ard=manifest(both, entry("harbour", url="ORIGIN/harbour.json")),
        ai_catalog={"specVersion": "1.0", "entries": [both, entry("pilot", url="ORIGIN/pilot.json")]},
    )
    reading = read(site)

    assert names(reading) == ["tides", "harbour", "pilot"]
    assert reading.catalogs == (f"{site.origin}{ARD}", f"{site.origin}{AI_CATALOG}")
    assert reading.agents[0].catalog == f"{site.origin}{ARD}"
    assert reading.complete


def test_an_entry_that_is_no_agent_is_counted_once() -> None:
    server = entry("server", url="ORIGIN/mcp", type="application/mcp-server-card+json")
    site = Site(ard=manifest(server), ai_catalog={"specVersion": "1.0", "entries": [server]})
    assert dict(read(site).others) == {"application/mcp-server-card+json": 1}


def test_a_catalogue_at_one_path_only_and_a_differing_url_are_reported() -> None:
    site = Site(ard=manifest(entry("tides", url="ORIGIN/tides.json")))
    assert any("only at /.well-known/ard.json" in finding for finding in read(site).findings)

    site.documents[AI_CATALOG] = {"specVersion": "1.0", "entries": [entry("tides", url="ORIGIN/other.json")]}
    reading = read(site)
    assert [agent.url for agent in reading.agents] == [f"{site.origin}/tides.json"]
    assert any("the first counts" in finding for finding in reading.findings)


@pytest.mark.parametrize("place", ["link", "robots"])
def test_a_hint_leads_to_a_catalogue_at_another_url(place: str) -> None:
    site = Site()
    site.documents["/lists/agents.json"] = manifest(entry("tides", url="ORIGIN/tides.json"))
    if place == "link":
        site.documents["/"] = b"<html></html>"
        site.headers["Link"] = '</style.css>; rel="preload", </lists/agents.json>; rel="ard"'
    else:
        site.documents["/robots.txt"] = b"User-agent: *\nAgentmap: ORIGIN/lists/agents.json\n"
    reading = read(site)

    assert names(reading) == ["tides"]
    assert reading.catalogs == (f"{site.origin}/lists/agents.json",)


def test_nested_catalogues_are_read_once_and_a_cycle_ends() -> None:
    nested = {"type": "application/ai-catalog+json"}
    site = Site(ard=manifest(entry("inner", url="ORIGIN/inner.json", **nested)))
    site.documents["/inner.json"] = manifest(
        entry("tides", url="tides.json"),
        entry("back", url=f"ORIGIN{ARD}", **nested),
        entry("self", url="ORIGIN/inner.json", **nested),
    )
    requests: list[Peer] = []
    reading = read(site, peers=requests)

    assert names(reading) == ["tides"]
    assert reading.agents[0].url == f"{site.origin}/tides.json"
    assert requests[0].paths.count("/inner.json") == 1
    assert requests[0].paths.count(ARD) == 1


def test_a_chain_of_catalogues_and_a_large_number_of_them_are_limited() -> None:
    nested = {"type": "application/ai-catalog+json"}
    chain = Site(ard=manifest(entry("n0", url="ORIGIN/0.json", **nested)))
    for index in range(10):
        chain.documents[f"/{index}.json"] = manifest(
            entry("x", url=f"ORIGIN/a{index}.json"), entry("n", url=f"ORIGIN/{index + 1}.json", **nested)
        )
    reading = read(chain)
    assert len(reading.catalogs) == 4
    assert not reading.complete

    crowd = Site(ard=manifest(*(entry(f"n{i}", url=f"ORIGIN/{i}.json", **nested) for i in range(100))))
    crowd.documents |= {f"/{index}.json": manifest() for index in range(100)}
    requests: list[Peer] = []
    assert len(read(crowd, peers=requests).catalogs) == MAX_CATALOGS
    assert len(requests[0].requests) <= MAX_CATALOGS + 2


def test_private_addresses_other_schemes_and_other_kinds_are_left_out() -> None:
    site = Site(
        ard=manifest(
            entry("metadata", url="http://169.254.169.254/latest"),
            entry("private", url="https://10.0.0.1/card.json"),
            entry("file", url="file:///etc/passwd"),
            entry("password", url="https://user:kanarie@example.com/"),
            entry("server", url="ORIGIN/mcp", type="application/mcp-server-card+json"),
            entry("skill", url="ORIGIN/skill", type="application/agent-skills+zip"),
            entry("spelled", url="ORIGIN/a.json", type="application/vnd.a2a.agent-card+json"),
        )
    )
    reading = read(site)

    assert names(reading) == ["spelled"]
    assert dict(reading.others) == {"application/mcp-server-card+json": 1, "application/agent-skills+zip": 1}
    assert sum("is left out" in finding for finding in reading.findings) == 4
    assert "kanarie" not in str(reading)


def test_another_publisher_is_reported() -> None:
    reading = read(Site(ard=manifest(entry("tides", url="ORIGIN/tides.json"))))
    assert any("another publisher than 127.0.0.1" in finding for finding in reading.findings)


def test_too_many_entries_and_a_missing_catalogue_are_errors() -> None:
    with pytest.raises(CardError, match="bytes"):
        read(Site(ard=b'{"entries": [' + b"{},\n" * 1_500_000 + b"{}]}"))
    with pytest.raises(BadResponse, match="no catalogue at"):
        read(Site(ard={"name": "A", "supportedInterfaces": []}, ai_catalog=b"<html>"))


def test_an_unreadable_catalogue_is_an_error_and_not_empty() -> None:
    class Down(Site):
        def __call__(self, request: RecordedRequest) -> Reply:
            return Reply(503, request.body)

    with pytest.raises(PeerError, match="503"):
        read(Down())


def test_only_some_cards_inside_catalogues_are_taken() -> None:
    site = Site(ard=manifest(*(entry(f"a{i}", data=CARD) for i in range(MAX_INLINE + 5))))
    reading = read(site)
    assert len(reading.agents) == MAX_INLINE
    assert not reading.complete


# The registry


class Scene:
    """A registry that follows the catalogue of a site, through one reading after the other."""

    def __init__(self, site: Site, **options: Any) -> None:
        self.site = site
        self.clock = Clock()
        self.events: list[Event] = []
        self.options = options

    def play(self, *steps: dict[str, Any] | None, store: Any = ":memory:") -> AgentRegistry:
        """Add the site, then for each step change its documents and refresh an hour and a half later."""

        async def run() -> AgentRegistry:
            async with peer(self.site) as server:
                self.site.origin = server.origin
                registry = AgentRegistry(
                    allow=LOOPBACK, store=store, clock=self.clock, on_event=self.events.append
                )
                await registry.add_catalog(server.origin)
                await registry.refresh()
                for step in steps:
                    if step is not None:
                        self.site.documents |= step
                    self.clock.now += 5400
                    await registry.refresh()
                return registry

        return asyncio.run(run())


def site_of(*names: str, **more: Any) -> Site:
    site = Site(ard=manifest(*(entry(name, url=f"ORIGIN/{name}.json") for name in names)))
    site.documents |= {f"/{name}.json": {**CARD, "name": name} for name in names} | more
    return site


def test_the_registry_adds_all_agents_of_a_catalogue_with_their_source() -> None:
    site = site_of("tides", "harbour")
    registry = Scene(site).play()

    assert sorted(found.name for found in registry.all()) == ["harbour", "tides"]
    assert {found.record.settings.source for found in registry.all()} == {f"catalog:{site.origin}"}
    (record,) = registry.catalogs()
    assert (record.url, record.agents, record.error) == (site.origin, 2, "")


def test_agents_removed_from_or_added_to_a_catalogue_change_in_the_registry() -> None:
    site = site_of("tides", "harbour")
    scene = Scene(site)
    step = {
        ARD: manifest(entry("tides", url="ORIGIN/tides.json"), entry("pilot", url="ORIGIN/pilot.json")),
        "/pilot.json": {**CARD, "name": "pilot"},
    }
    registry = scene.play(step)

    assert sorted(found.name for found in registry.all()) == ["pilot", "tides"]
    (event,) = [event for event in scene.events if event.kind == "unlisted"]
    assert event.url == f"{site.origin}/harbour.json"
    assert site.origin in event.detail


@pytest.mark.parametrize("broken", [b"not JSON", b"<html>", None])
def test_a_failed_catalogue_removes_no_agent(broken: bytes | None) -> None:
    site = site_of("tides")
    scene = Scene(site)
    registry = scene.play({ARD: broken})

    assert [found.name for found in registry.all()] == ["tides"]
    (record,) = registry.catalogs()
    assert record.error
    assert [event.kind for event in scene.events if event.url == site.origin] == ["failed"]


def test_a_failed_nested_catalogue_removes_no_agent() -> None:
    nested = entry("more", url="ORIGIN/more.json", type="application/ai-catalog+json")
    site = site_of("tides")
    site.documents[ARD] = manifest(nested)
    site.documents["/more.json"] = manifest(entry("tides", url="ORIGIN/tides.json"))
    registry = Scene(site).play({"/more.json": b"{"})

    assert [found.name for found in registry.all()] == ["tides"]


async def test_an_agent_that_was_added_by_hand_stays_when_it_leaves_the_catalogue() -> None:
    site = site_of("tides")

    async with peer(site) as server:
        site.origin = server.origin
        registry = AgentRegistry([f"{server.origin}/tides.json"], allow=LOOPBACK)
        await registry.add_catalog(server.origin)
        site.documents[ARD] = manifest()
        await registry.refresh(force=True)
        assert [found.name for found in registry.all()] == ["tides"]


def test_a_card_in_the_catalogue_is_an_agent_and_its_change_is_seen() -> None:
    site = Site(ard=manifest(entry("tides", data={**CARD, "name": "Tides"})))
    scene = Scene(site)
    registry = scene.play({ARD: manifest(entry("tides", data={**CARD, "name": "New tides"}))})

    (found,) = registry.all()
    assert found.url == f"{site.origin}{ARD}#urn:air:example.com:agents:tides"
    assert found.name == "New tides"
    assert [event.kind for event in scene.events] == ["added", "changed"]


def test_removing_a_catalogue_removes_its_agents() -> None:
    site = site_of("tides", "harbour")
    registry = Scene(site).play()

    assert registry.remove_catalog(site.origin) == [
        f"{site.origin}/harbour.json",
        f"{site.origin}/tides.json",
    ]
    assert list(registry.all()) == []
    assert registry.catalogs() == []
    assert registry.remove_catalog(site.origin) is None


async def test_a_file_is_a_catalogue_too(tmp_path: Path) -> None:
    file = tmp_path / "ard.json"
    file.write_text(json.dumps(manifest(entry("tides", data={**CARD, "name": "Tides"}))))

    registry = AgentRegistry()
    await registry.add_catalog(file.as_uri())
    result = await registry.refresh()
    assert result.failures == {}
    assert [found.name for found in registry.all()] == ["Tides"]


async def test_two_registries_on_one_database_fetch_a_catalogue_once(tmp_path: Path) -> None:
    site = site_of("tides")

    async with peer(site) as server:
        site.origin = server.origin
        clock = Clock()
        first, second = (
            AgentRegistry(allow=LOOPBACK, store=tmp_path / "a.db", clock=clock) for _ in range(2)
        )
        await first.add_catalog(server.origin)
        clock.now += 5400
        before = server.paths.count(ARD)
        await asyncio.gather(first.refresh(), second.refresh())
        assert server.paths.count(ARD) - before == 1


def test_a_catalogue_cannot_make_the_registry_ask_a_private_address() -> None:
    site = site_of("tides")
    site.documents[ARD] = manifest(
        entry("private", url="https://10.0.0.1/card.json"), entry("tides", url="ORIGIN/tides.json")
    )
    assert [found.name for found in Scene(site).play().all()] == ["tides"]
