"""Two legs, to the hub and from it, as one way from a dialect to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from cardwright.conversion import (
    a2a_hybrid,
    a2a_v0_1,
    a2a_v0_2,
    a2a_v0_3,
    a2a_v1_0,
    beach_v1_0,
    mcp_v2024_11_05,
)
from cardwright.conversion.notes import Notes, covers, found, led_back, standing

if TYPE_CHECKING:
    from collections.abc import Mapping


class Module(Protocol):
    """What each dialect's module has."""

    def to_hub(self, document: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the hub's form of a document."""
        ...

    def from_hub(self, hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the dialect's form of a hub."""
        ...


MODULES: Final[Mapping[str, Module]] = {
    "a2a-0.1": a2a_v0_1,
    "a2a-0.2": a2a_v0_2,
    "a2a-0.3": a2a_v0_3,
    "a2a-1.0": a2a_v1_0,
    "a2a-hybrid": a2a_hybrid,
    "beach-1.0": beach_v1_0,
    "mcp-2024-11-05": mcp_v2024_11_05,
}


@dataclass(frozen=True, slots=True)
class Way:
    """A document in another dialect.

    Attributes:
        document: The result.
        losses: Why, by pointer of the source.
        whys: Reasons for what may come back in another form, by pointer of the source.
        assumptions: What was assumed and why, by pointer of the result.
    """

    document: dict[str, Any]
    losses: dict[str, str]
    whys: dict[str, str]
    assumptions: dict[str, tuple[Any, str]]


def turned(document: dict[str, Any], source: str, target: str) -> dict[str, Any]:
    """Return a document in another dialect, without a word."""
    return MODULES[target].from_hub(MODULES[source].to_hub(document, Notes()), Notes())


def way(document: dict[str, Any], source: str, target: str) -> Way:
    """Return a document in another dialect, and all that is to be said of it."""
    there, on = Notes(), Notes()
    hub = MODULES[source].to_hub(document, there)
    result = MODULES[target].from_hub(hub, on)
    losses = dict(there.losses)
    for pointer, why in on.losses.items():
        # What the first leg assumed is nothing that the source lost.
        if covers(there.assumptions, pointer) is None:
            place = standing(document, led_back(pointer, there.moves))
            if place:
                losses.setdefault(place, why)
    whys = {led_back(pointer, there.moves): why for pointer, why in on.whys.items()} | there.whys
    assumptions = dict(on.assumptions)
    if there.assumptions:
        onward = {source: place for place, source in reversed(on.moves.items())}
        for pointer, said in there.assumptions.items():
            stays = led_back(pointer, on.moves) == pointer and found(result, pointer) is not None
            place = pointer if stays else led_back(pointer, onward)
            if covers(on.losses, pointer) is None and found(result, place) is not None:
                assumptions.setdefault(place, said)
    return Way(result, losses, whys, assumptions)
