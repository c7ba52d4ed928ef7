"""Surfaces from templates, and audit records, during a turn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_beach import (
    BASIC_CATALOGUE,
    MemoryAudit,
    SurfaceContext,
    SurfaceTemplates,
    Transport,
    deliver,
    fold_surface,
)
from tests.beach.envelopes import envelope, live, parts_of, request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_beach import Part

TRACE = {"partType": "reasoning-trace", "text": "the user seems to be in a hurry"}


def berths(data: Any, context: SurfaceContext) -> list[dict[str, Any]]:
    text = {"id": "root", "component": "Text", "text": f"{len(data)} berths"}
    surface = {"surfaceId": context.surface_id}
    return [
        {"version": "v0.9", "createSurface": {**surface, "catalogId": BASIC_CATALOGUE}},
        {"version": "v0.9", "updateComponents": {**surface, "components": [text]}},
    ]


def templates(fn: Any = berths) -> SurfaceTemplates:
    made = SurfaceTemplates()
    made.register_surface_template("berth-list", fn)
    return made


def data(value: Any, **stamps: Any) -> dict[str, Any]:
    return {"partType": "domain-data", "data": value, "dataKind": "berth-list", **stamps}


def texts(parts: list[Part]) -> list[str]:
    return [
        message["updateComponents"]["components"][0]["text"]
        for part in parts
        if part.type == "a2ui-surface"
        for message in part.data
        if "updateComponents" in message
    ]


def test_a_surface_follows_its_data_and_shows_the_whole_slot() -> None:
    events = [
        data(["N4"], slotKey="s", mergeStrategy="append"),
        data(["S1"], slotKey="s", mergeStrategy="append"),
    ]
    parts = asyncio.run(parts_of(envelope(events, surfaces=templates())))

    assert [part.type for part in parts] == ["domain-data", "a2ui-surface"] * 2
    assert texts(parts) == ["1 berths", "2 berths"]
    created = [
        message
        for part in parts
        if part.type == "a2ui-surface"
        for message in part.data
        if "createSurface" in message
    ]
    assert len(created) == 1
    assert all(part.slot_key == "s" for part in parts)


def test_each_slot_has_its_own_surface() -> None:
    parts = asyncio.run(
        parts_of(envelope([data(["N4"], slotKey="a"), data(["S1"], slotKey="b")], surfaces=templates()))
    )

    ids = {
        message["createSurface"]["surfaceId"]
        for part in parts
        if part.type == "a2ui-surface"
        for message in part.data
        if "createSurface" in message
    }
    assert len(ids) == 2


def test_data_of_a_kind_without_a_template_has_no_surface() -> None:
    parts = asyncio.run(
        parts_of(
            envelope(
                [{**data([1]), "dataKind": "other"}, {"partType": "domain-data", "data": 1}],
                surfaces=templates(),
            )
        )
    )

    assert [part.type for part in parts] == ["domain-data", "domain-data"]


def test_mailbox_data_has_surfaces_too() -> None:
    parts = asyncio.run(
        parts_of(
            envelope(
                [],
                mailbox=[data(["N4"]), {"partType": "domain-data", "data": {"x": 1}}],
                surfaces=templates(),
            )
        )
    )

    assert [part.type for part in parts] == ["domain-data", "a2ui-surface"]
    assert texts(parts) == ["1 berths"]


def wrong(data: Any) -> Any:
    raise LookupError(data)


@pytest.mark.parametrize("template", [wrong, lambda data: {"version": "v0.9", "nonsense": data}, len])
def test_a_failing_template_loses_only_its_surface(template: Any) -> None:
    parts = asyncio.run(
        parts_of(
            envelope([data(["N4"]), {"partType": "response", "text": "a"}], surfaces=templates(template))
        )
    )

    assert [part.type for part in parts] == ["domain-data", "error", "response"]
    assert parts[1].metadata["rule"] == "envelope/surface"
    assert "berth-list" in (parts[1].text or "")
    assert "N4" not in (parts[1].text or "")


async def test_a_message_shows_the_final_state_of_a_surface() -> None:
    events = [
        data(["N4"], slotKey="s", mergeStrategy="append"),
        data(["S1"], slotKey="s", mergeStrategy="append"),
    ]
    delivery = await deliver(
        envelope(live(events), surfaces=templates()), to=Transport("smtp", a2ui_catalog=BASIC_CATALOGUE)
    )
    parts = [part async for part in delivery]

    assert texts(parts) == ["2 berths"]
    (surface,) = [part for part in parts if part.type == "a2ui-surface"]
    assert fold_surface([], surface.data) == surface.data


def test_an_approval_request_becomes_a_surface_with_response_buttons() -> None:
    parts = asyncio.run(parts_of(envelope([request("a1")])))

    assert [part.type for part in parts] == ["approval-request", "a2ui-surface"]
    buttons = [
        component["action"]["event"]
        for message in parts[1].data
        for component in message.get("updateComponents", {}).get("components", ())
        if component["component"] == "Button"
    ]
    assert {
        (event["name"], event["context"]["approvalId"], event["context"]["decision"]) for event in buttons
    } == {("approval.respond", "a1", "granted"), ("approval.respond", "a1", "denied")}


# The audit


class Full:
    """Audit sink on a full disk."""

    async def record(self, part: Part, meta: Mapping[str, Any]) -> None:
        raise OSError(28, f"no space for {part.type} of {meta['eventId']}")


def test_a_reasoning_trace_is_audited_once_and_not_delivered() -> None:
    async def run() -> tuple[list[str], MemoryAudit]:
        audit = MemoryAudit()
        made = envelope(live([TRACE, {"partType": "response", "text": "a"}]), audit=audit)
        deliveries = [await deliver(made, to=Transport(name)) for name in ("sse", "smtp", "a2a")]
        got = [part.type for delivery in deliveries for part in [part async for part in delivery]]
        assert all(
            row.outcome == "dropped"
            for delivery in deliveries
            for row in delivery.explain()
            if row.index == 0
        )
        return got, audit

    got, audit = asyncio.run(run())

    assert got == ["response"] * 3
    (record,) = audit.records
    assert record.part["text"] == TRACE["text"]
    assert record.meta["eventId"] == "e"


async def test_a_failing_sink_loses_only_the_record() -> None:
    made = envelope([TRACE, {"partType": "response", "text": "a"}], audit=Full())
    types, failure = [part.type for part in await parts_of(made)], made.audit_failure

    assert types == ["reasoning-trace", "response"]
    assert isinstance(failure, OSError)
