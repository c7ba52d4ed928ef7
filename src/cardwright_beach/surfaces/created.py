"""Which surfaces a receiver of all messages has, and which place made each (A2UI 0.9, createSurface)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright_beach.errors import SurfaceFailed
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Message = Mapping[str, Any]


class CreatedSurfaces:
    """The surfaces that are there after all messages so far, each with the place that made it.

    A template makes its surface anew with every change of the data. To create what is there already is an
    error, so a second creation is left out; one of a surface that another place made is refused.

    >>> create = {"version": "v0.9", "createSurface": {"surfaceId": "quay", "catalogId": "harbour:1"}}
    >>> created = CreatedSurfaces()
    >>> [len(created.pruned([create], "harbour.berths")) for _ in range(2)]
    [1, 0]
    """

    __slots__ = ("_places",)

    def __init__(self) -> None:
        self._places: dict[str, str] = {}

    def __len__(self) -> int:
        """How many surfaces are there."""
        return len(self._places)

    def pruned(self, messages: Sequence[Message], place: str, *, kind: str | None = None) -> list[Message]:
        """Return messages without those that create what is there already.

        Args:
            messages: What a judged `a2ui-surface` part has, in order.
            place: What they belong to, such as a slot.
            kind: The kind of data that they show, for the error; the place is named where there is none.

        Raises:
            SurfaceFailed: If one creates a surface that another place made and that is still there. Nothing
                has changed then.
        """
        # Counts only once all of it does; what is deleted has no place.
        changed: dict[str, str | None] = {}
        kept: list[Message] = []
        for message in messages:
            match message:
                case {"createSurface": {"surfaceId": str(name)}}:
                    maker = changed[name] if name in changed else self._places.get(name)
                    if maker is not None and maker != place:
                        told = f"makes {quote(name)}, which is the surface of another slot: take context.surface_id"
                        raise SurfaceFailed(place if kind is None else kind, told)
                    if maker is None:
                        changed[name] = place
                        kept.append(message)
                case {"deleteSurface": {"surfaceId": str(name)}}:
                    changed[name] = None
                    kept.append(message)
                case _:
                    kept.append(message)
        self._take(changed)
        return kept

    def _take(self, changed: Mapping[str, str | None]) -> None:
        for name, place in changed.items():
            if place is None:
                self._places.pop(name, None)
            else:
                self._places[name] = place
