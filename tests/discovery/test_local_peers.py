"""Peers that are a file, or whose card is in the settings: read without a request."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import AgentRegistry, Card
from cardwright.discovery.configuration import read_agents_file
from cardwright.errors import BadArgument, BadConfiguration, ConnectionDenied
from cardwright.signing import new_key, sign
from tests.discovery.test_card_lookup import CARD
from tests.discovery.test_registry import BEACH

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def written(path: Path, card: Any) -> Path:
    path.write_text(json.dumps(card), encoding="utf-8")
    return path


def refreshed(registry: AgentRegistry, *, force: bool = False) -> dict[str, str]:
    return asyncio.run(registry.refresh(force=force)).failures


def test_a_file_and_a_card_in_the_settings_are_peers(tmp_path: Path) -> None:
    file = written(tmp_path / "travel.json", BEACH)
    registry = AgentRegistry([{"file": str(file)}, {"card": CARD, "id": "mill", "pin": "first"}])

    assert refreshed(registry) == {}
    travel, mill = registry.by_id("example-travel-agent"), registry.known("mill")
    assert travel is not None
    assert travel.card is not None
    assert travel.card.document == BEACH
    assert [one.url for one in travel.transports] == ["https://t.example/a2a", "https://t.example/mcp"]
    same = registry.by_url(file.as_uri())
    assert same is not None
    assert same.record == travel.record
    assert mill.card is not None
    assert mill.card.document == CARD


def test_a_changed_file_is_reloaded_and_a_lost_one_keeps_its_card(tmp_path: Path) -> None:
    now = [1000.0]
    file = written(tmp_path / "travel.json", BEACH)
    registry = AgentRegistry([{"file": str(file)}], clock=lambda: now[0])
    refreshed(registry)
    written(file, {**BEACH, "description": "Plans voyages."})
    now[0] += 61

    result = asyncio.run(registry.refresh())

    (event,) = result.events
    assert event.kind == "changed"
    assert [str(change.pointer) for change in event.changes] == ["/description"]
    file.unlink()
    assert "No such file" in refreshed(registry, force=True)[file.as_uri()]
    kept = registry.known("example-travel-agent")
    assert kept.card is not None
    assert (kept.card.document["description"], kept.stale) == ("Plans voyages.", False)


def test_the_settings_file_names_files_beside_it_and_cards(tmp_path: Path) -> None:
    written(tmp_path / "travel.json", BEACH)
    agents = tmp_path / "agents.yml"
    agents.write_text(
        f"peers:\n- file: travel.json\n- id: mill\n  card: {json.dumps(CARD)}\nstore: a.db\n",
        encoding="utf-8",
    )

    registry = AgentRegistry.from_file(agents)
    assert refreshed(registry) == {}
    assert sorted(peer.id or "" for peer in registry.all()) == ["example-travel-agent", "mill"]
    registry.store.close()

    # Another process knows the peer from the database, but the card is in settings that it does not have.
    other = AgentRegistry(store=tmp_path / "a.db")
    failures = refreshed(other, force=True)
    assert list(failures) == ["card://mill"]
    assert "remove the peer" in failures["card://mill"]
    assert other.known("mill").card is not None
    other.store.close()


def test_a_signature_of_a_file_is_unverified_without_a_key(tmp_path: Path) -> None:
    signed = sign(Card.from_document(CARD), key=new_key("ES256", kid="k"), kid="k", alg="ES256")
    file = written(tmp_path / "card.json", signed.document)
    registry = AgentRegistry([{"file": str(file), "id": "mill"}])
    refreshed(registry)
    seen = registry.known("mill").provenance
    assert seen is not None
    assert seen.signature == "unverified"


@pytest.mark.parametrize(
    ("peer", "message"),
    [
        ({"id": "x"}, "/0: expected exactly one of url, file and card"),
        ({"url": "https://a.example", "file": "x"}, "/0: expected exactly one of url, file and card"),
        ({"file": "x", "headers": {"A": "b"}}, "/0/headers: only for a peer with url"),
        ({"file": "x", "exact": True}, "/0/exact: only for a peer with url"),
        ({"card": {"name": "x"}}, "/0: a peer with card needs id"),
        ({"card": "x", "id": "x"}, "/0/card"),
        ({"file": ""}, "/0/file"),
    ],
)
def test_a_peer_has_exactly_one_of_url_file_and_card(
    peer: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(BadArgument, match=message):
        AgentRegistry([peer])
    file = written(tmp_path / "agents.json", {"peers": [peer]})
    with pytest.raises(BadConfiguration, match=message.replace("/0", "/peers/0")):
        read_agents_file(file)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "card://mill"])
def test_a_file_url_is_refused(url: str) -> None:
    with pytest.raises(ConnectionDenied, match=r"guard/scheme"):
        AgentRegistry([url])


def _too_large(path: Path) -> None:
    path.write_bytes(b" " * 300_000)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda path: path.mkdir(), "found a folder"),
        (os.mkfifo, "found a pipe"),
        (_too_large, "larger than 262,144 bytes"),
        (lambda path: path.write_text("{"), "JSON"),
        (lambda path: path.write_text("[]"), "card"),
    ],
    ids=["folder", "pipe", "size", "json", "list"],
)
def test_a_document_that_is_no_card_is_a_failure_with_its_reason(
    made: Callable[[Path], object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "card.json"
    made(path)
    registry = AgentRegistry([{"file": str(path)}])

    assert message in refreshed(registry)[path.as_uri()]
