"""Registries: a canonical core, and what an application adds."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright import (
    AuthTypeRegistry,
    Checks,
    ConversationStateRegistry,
    PartTypeRegistry,
    TransportRegistry,
)
from cardwright.errors import BadName, DuplicateEntry
from cardwright.registries import Registries
from cardwright.validate import violations

PLAIN = (TransportRegistry, AuthTypeRegistry, ConversationStateRegistry)
CARD: dict[str, Any] = {
    "schemaVersion": "1.0",
    "id": "a",
    "name": "A",
    "description": "Does things.",
    "version": "1.0.0",
    "capabilities": [{"id": "c", "description": "Does one thing."}],
    "transports": [{"protocol": "websocket", "endpoint": "https://a.example.com/ws"}],
}


def test_the_canonical_registries_are_those_of_the_seeds() -> None:
    assert set(TransportRegistry.canonical()) == {"a2a", "mcp", "sse", "smtp", "whatsapp", "webhook", "cron"}
    assert set(AuthTypeRegistry.canonical()) == {"none", "api-key", "oauth2", "mtls"}
    states = {"awaiting", "complete", "clarifying", "error", "suspended", "delegated", "passed"}
    assert set(ConversationStateRegistry.canonical()) == states


@pytest.mark.parametrize("registry", PLAIN)
def test_a_duplicate_is_refused_and_changes_nothing(registry: type[TransportRegistry]) -> None:
    filled = registry.canonical()
    name = next(iter(filled))
    with pytest.raises(DuplicateEntry, match=name):
        filled.register(name, description="another")
    assert filled == registry.canonical()


@pytest.mark.parametrize("name", ["", " ", "a b", "-a", "a/b", "ä", "a" * 65, "a\n"])
def test_a_bad_name_is_refused_and_changes_nothing(name: str) -> None:
    registry = TransportRegistry.canonical()
    with pytest.raises(BadName, match="letters"):
        registry.register(name)
    assert registry == TransportRegistry.canonical()


def test_a_name_that_is_no_text_is_refused() -> None:
    with pytest.raises(BadName):
        TransportRegistry.canonical().register(7)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("name", ["board", "acme.", ".board", "acme board.x", "acme..board"])
def test_a_part_type_of_an_application_is_namespaced(name: str) -> None:
    with pytest.raises(BadName, match=r"slug\.type-name"):
        PartTypeRegistry.canonical().register(name, streaming="flush", buffered="drop")


def test_a_registered_transport_and_auth_type_make_a_card_valid() -> None:
    registries = Registries()
    card = {**CARD, "transports": [{**CARD["transports"][0], "auth": {"type": "dpop"}}]}
    before = violations(card, checks=Checks(registries=registries))
    assert [(v.rule, v.pointer) for v in before] == [
        ("beach/auth-registered", "/transports/0/auth/type"),
        ("beach/transport-registered", "/transports/0/protocol"),
    ]
    registries.transports.register("websocket")
    registries.auth_types.register("dpop")
    assert violations(card, checks=Checks(registries=registries)) == ()
    assert len(violations(card)) == len(before), "the canonical core cannot be changed"


def test_the_requirements_of_a_registered_name_are_validated() -> None:
    registries = Registries()
    registries.transports.register("websocket", requires=["path"])
    found = violations(CARD, checks=Checks(registries=registries))
    assert [(v.rule, v.pointer) for v in found] == [("beach/transport-member", "/transports/0/path")]


def test_a_part_kind_that_a2a_does_not_have_is_refused() -> None:
    with pytest.raises(BadName, match="A2A part kinds"):
        PartTypeRegistry.canonical().register(
            "acme.board", streaming="flush", buffered="drop", a2a_kind="video"
        )
