"""What a turn's earlier events come to: one domain object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.envelope.merging import merged
from cardwright.envelope.parts import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def collected(events: Iterable[Part]) -> list[tuple[Part, Mapping[str, Any]]]:
    """Return the data-bearing events of a mailbox as one `domain-data` part; none where there is no data.

    Beside each part stands its data by kind, for surface templates.

    Data of a kind stands at the member of that name, data of none lends its own members: so nothing that
    different tools found takes the place of something else. Events of one kind meet by the strategy that
    they say, else member by member. A single event is taken as it is, and what has a slot of its own stays
    in it.

    Source: Beach protocol seed, Envelope assembly, step 1; how they are put together is ours.
    """
    data = [event for event in events if event.type == "domain-data"]
    slotted = [event for event in data if event.slot_key is not None]
    free = [event for event in data if event.slot_key is None]
    if len(free) < 2:
        return [(event, _kinds(event)) for event in (*free, *slotted)]
    whole: dict[str, Any] = {}
    kinds: dict[str, None] = {}
    apart: list[Part] = []
    for event in free:
        strategy = str(event.metadata.get("mergeStrategy", "deep-merge"))
        if event.data_kind is not None:
            there = event.data_kind in whole
            value = merged(whole[event.data_kind], event.data, strategy) if there else event.data
            whole[event.data_kind] = value
            kinds[event.data_kind] = None
        elif isinstance(event.data, dict):
            whole = merged(whole, event.data, "deep-merge")
        else:
            apart.append(event)
    joined = Part({"data": whole, "metadata": {"partType": "domain-data"}})
    by_kind = {kind: whole[kind] for kind in kinds}
    return [
        *([(joined, by_kind)] if whole else []),
        *((event, _kinds(event)) for event in (*apart, *slotted)),
    ]


def _kinds(event: Part) -> dict[str, Any]:
    return {} if event.data_kind is None else {event.data_kind: event.data}
