"""What a turn's earlier events come to: one domain object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright_beach.merging import merged
from cardwright_beach.parts import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def collected(events: Iterable[Part]) -> list[tuple[Part, Mapping[str, Any]]]:
    """Return the data-bearing events of a mailbox as one `domain-data` part; none where there is no data.

    Beside each part stands its data by kind, for surface templates.

    Data of a kind stands at the member of that name, data of none lends its own members. Events of one kind
    meet by the strategy that they say, else member by member. What would take the place of something else
    stays a part of its own, so nothing that different tools found is lost; so does what has a slot, and a
    single event is taken as it is.

    Source: Beach protocol seed, Envelope assembly, step 1; how they are put together is ours.
    """
    data = [event for event in events if event.type == "domain-data"]
    slotted = [event for event in data if event.slot_key is not None]
    free = [event for event in data if event.slot_key is None]
    if len(free) < 2:
        return [(event, _kinds(event)) for event in (*free, *slotted)]
    whole: dict[str, Any] = {}
    kinds: set[str] = set()
    apart: list[Part] = []
    for event in free:
        joined = _joined(whole, kinds, event)
        if joined is None:
            apart.append(event)
            continue
        whole = joined
        kinds |= {event.data_kind} if event.data_kind is not None else set()
    one = Part({"data": whole, "metadata": {"partType": "domain-data"}})
    return [
        *([(one, {kind: whole[kind] for kind in kinds})] if whole else []),
        *((event, _kinds(event)) for event in (*apart, *slotted)),
    ]


def _joined(whole: dict[str, Any], kinds: set[str], event: Part) -> dict[str, Any] | None:
    """Return the object with one more event's data; None where something would be lost."""
    kind = event.data_kind
    if kind is None:
        if not isinstance(event.data, dict) or kinds & event.data.keys() or _loses(whole, event.data):
            return None
        return {**merged(whole, event.data, "deep-merge")}
    if kind not in whole:
        return {**whole, kind: event.data}
    if kind not in kinds:
        return None
    strategy = event.metadata.get("mergeStrategy")
    if strategy is None and _loses(whole[kind], event.data):
        return None
    return {**whole, kind: merged(whole[kind], event.data, str(strategy or "deep-merge"))}


def _loses(old: Any, new: Any) -> bool:
    """Whether something that is there would be overwritten, if both were put together member by member."""
    if isinstance(old, dict) and isinstance(new, dict):
        return any(name in old and _loses(old[name], item) for name, item in new.items())
    return bool(old != new)


def _kinds(event: Part) -> dict[str, Any]:
    return {} if event.data_kind is None else {event.data_kind: event.data}
