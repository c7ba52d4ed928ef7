"""The registry of part types, its schema and its documentation page."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright import PartTypeRegistry, TransportRegistry
from cardwright.errors import BadName, DuplicateEntry
from cardwright_beach import Part, Progress, part
from cardwright_beach.errors import BadPart
from cardwright_beach.validate import shape_violations
from cardwright_rules.vocabulary import DELIVERY_RULES, PART_TYPES, TRANSPORTS
from docs.sitegen.part_types import part_type_pages

CONTENT: dict[str, dict[str, Any]] = {
    "text": {"text": "a"},
    "data": {"data": {}},
    "file": {"url": "https://a.example"},
}


@pytest.mark.parametrize("entry", PART_TYPES, ids=lambda entry: entry.name)
def test_the_schema_requires_the_part_kind_of_the_registry(entry: Any) -> None:
    for kind, content in CONTENT.items():
        found = shape_violations("EnvelopePart", {**content, "metadata": {"partType": entry.name}})
        missing = any(one.pointer in ("/text", "/data") and one.rule == "envelope/required" for one in found)
        if kind == entry.a2a_kind:
            assert not missing, found
        elif entry.a2a_kind != "file":
            assert missing, (kind, found)


@pytest.mark.parametrize("rule", ["", "Flush", "later", None, 5])
def test_an_unknown_delivery_rule_is_refused_with_a_list(rule: Any) -> None:
    registry = PartTypeRegistry.canonical()
    for streaming, buffered in ((rule, "drop"), ("flush", rule)):
        with pytest.raises(BadName, match=r"flush, delta, once"):
            registry.register("acme.board", streaming=streaming, buffered=buffered)
    assert registry == PartTypeRegistry.canonical()


@pytest.mark.parametrize("allowed", [[5], ["a b"], [""], [None]])
def test_an_invalid_transport_name_is_refused(allowed: Any) -> None:
    with pytest.raises(BadName, match="transports"):
        PartTypeRegistry.canonical().register(
            "acme.board", streaming="flush", buffered="drop", allowed_transports=allowed
        )


def test_a_single_transport_string_is_not_split_into_letters() -> None:
    registry = PartTypeRegistry.canonical()
    registry.register("acme.board", streaming="flush", buffered="drop", allowed_transports="sse")

    assert registry["acme.board"].allowed_transports == ("sse",)


def test_a_type_can_be_registered_only_once() -> None:
    registry = PartTypeRegistry.canonical()
    registry.register("acme.board", streaming="flush", buffered="drop")
    with pytest.raises(DuplicateEntry, match=r"acme\.board"):
        registry.register("acme.board", streaming="once", buffered="settle")


def test_an_application_type_is_known_after_registration() -> None:
    registry = PartTypeRegistry.canonical()
    with pytest.raises(BadPart, match="register it"):
        part("acme.board", data={}, types=registry)
    registry.register("acme.board", streaming="flush", buffered="drop")

    assert part("acme.board", data={}, types=registry).type == "acme.board"


def test_every_transport_has_a_delivery_class() -> None:
    assert {entry.name: entry.delivery_class for entry in TRANSPORTS}.items() >= {
        "a2a": "buffered",
        "mcp": "buffered",
        "sse": "streaming",
        "smtp": "buffered",
        "whatsapp": "buffered",
        "webhook": "buffered",
        "cron": "buffered",
    }.items()
    with pytest.raises(BadName, match="streaming or buffered"):
        TransportRegistry.canonical().register("websocket", delivery_class="fast")


def test_the_documentation_lists_every_type_and_rule() -> None:
    ((_, text),) = part_type_pages()
    for entry in PART_TYPES:
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{entry.name}` |")]
        assert f"| `{entry.streaming}` | `{entry.buffered}` |" in row
    for rule in DELIVERY_RULES:
        assert f"| `{rule}` | " in text


def test_a_part_has_a_typed_view_of_its_data() -> None:
    made = part("progress", data=Progress(message="Looking", completed=2.0))

    assert made.document == {
        "data": {"message": "Looking", "completed": 2.0},
        "metadata": {"partType": "progress"},
    }
    view = made.view()
    assert isinstance(view, Progress)
    assert view.message == "Looking"
    assert part("domain-data", data={}).view() is None


def test_the_bytes_of_a_part_are_read_from_base64() -> None:
    assert Part.of({"raw": "AAEC", "metadata": {"partType": "artifact"}}).raw == b"\x00\x01\x02"
    assert part("ack", text="a").raw is None
    for wrong in ("AAE", "A A=", "????", "AAEC\n", "AA==AA"):
        with pytest.raises(BadPart, match="base64"):
            Part.of({"raw": wrong, "metadata": {"partType": "artifact"}})
