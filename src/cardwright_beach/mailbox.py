"""Mailbox: combine the data of a turn's earlier events into one domain object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright_beach.merging import merged
from cardwright_beach.parts import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def collected(events: Iterable[Part]) -> list[tuple[Part, Mapping[str, Any]]]:
    """Combine the `domain-data` events of a mailbox; return parts, each with its data by kind for surface templates.

    Events without a slot become one part. Data with a kind becomes the field of that name; fields of data without
    a kind are added directly. Events of one kind are merged by their strategy, by default field by field. An event
    whose data would overwrite other data stays a separate part, so nothing is lost. Events with a slot and a single
    event are returned unchanged.

    Source: Beach protocol seed, Envelope assembly, step 1; the way of merging is a project decision.
    """
    data = [event for event in events if event.type == "domain-data"]
    slotted = [event for event in data if event.slot_key is not None]
    free = [event for event in data if event.slot_key is None]
    if len(free) < 2:
        return [(event, _kinds(event)) for event in (*free, *slotted)]
    combined: dict[str, Any] = {}
    kinds: set[str] = set()
    separate: list[Part] = []
    for event in free:
        joined = _joined(combined, kinds, event)
        if joined is None:
            separate.append(event)
            continue
        combined = joined
        kinds |= {event.data_kind} if event.data_kind is not None else set()
    part = Part({"data": combined, "metadata": {"partType": "domain-data"}})
    return [
        *([(part, {kind: combined[kind] for kind in kinds})] if combined else []),
        *((event, _kinds(event)) for event in (*separate, *slotted)),
    ]


def _joined(combined: dict[str, Any], kinds: set[str], event: Part) -> dict[str, Any] | None:
    """Return the object with the data of one more event; None if existing data would be overwritten."""
    kind = event.data_kind
    if kind is None:
        if not isinstance(event.data, dict) or kinds & event.data.keys() or _loses(combined, event.data):
            return None
        return {**merged(combined, event.data, "deep-merge")}
    if kind not in combined:
        return {**combined, kind: event.data}
    if kind not in kinds:
        return None
    strategy = event.metadata.get("mergeStrategy")
    if strategy is None and _loses(combined[kind], event.data):
        return None
    return {**combined, kind: merged(combined[kind], event.data, str(strategy or "deep-merge"))}


def _loses(old: Any, new: Any) -> bool:
    """Return whether merging two values field by field would overwrite existing data."""
    if isinstance(old, dict) and isinstance(new, dict):
        return any(name in old and _loses(old[name], item) for name, item in new.items())
    return bool(old != new)


def _kinds(event: Part) -> dict[str, Any]:
    return {} if event.data_kind is None else {event.data_kind: event.data}
