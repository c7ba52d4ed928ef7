"""Created surfaces of a stream, with the slot that created each (A2UI 0.9, createSurface)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright_beach.errors import SurfaceFailed
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Message = Mapping[str, Any]


class CreatedSurfaces:
    """Existing surfaces after all messages so far, with the slot that created each.

    A template renders its surface again whenever the data changes. Creating an existing surface is an error, so a
    second `createSurface` from the same slot is left out; from another slot it is refused.

    >>> create = {"version": "v0.9", "createSurface": {"surfaceId": "quay", "catalogId": "harbour:1"}}
    >>> created = CreatedSurfaces()
    >>> [len(created.pruned([create], "harbour.berths")) for _ in range(2)]
    [1, 0]
    """

    __slots__ = ("_slots",)

    def __init__(self) -> None:
        self._slots: dict[str, str] = {}

    def __len__(self) -> int:
        """Return the number of existing surfaces."""
        return len(self._slots)

    def pruned(self, messages: Sequence[Message], slot: str, *, kind: str | None = None) -> list[Message]:
        """Return the messages without those that create an existing surface.

        Args:
            messages: The messages of a validated `a2ui-surface` part, in order.
            slot: The slot of the part.
            kind: The kind of data, for the error message; default: the slot.

        Raises:
            SurfaceFailed: If a message creates a surface that another slot created and that still exists. Then
                nothing changes.
        """
        # Applied only if all messages are accepted; None marks a deleted surface.
        changed: dict[str, str | None] = {}
        remaining: list[Message] = []
        for message in messages:
            match message:
                case {"createSurface": {"surfaceId": str(name)}}:
                    creator = changed[name] if name in changed else self._slots.get(name)
                    if creator is not None and creator != slot:
                        reason = (
                            f"creates the surface {quote(name)} of another slot; "
                            "use context.surface_id as surface id"
                        )
                        raise SurfaceFailed(slot if kind is None else kind, reason)
                    if creator is None:
                        changed[name] = slot
                        remaining.append(message)
                case {"deleteSurface": {"surfaceId": str(name)}}:
                    changed[name] = None
                    remaining.append(message)
                case _:
                    remaining.append(message)
        self._apply(changed)
        return remaining

    def _apply(self, changed: Mapping[str, str | None]) -> None:
        for name, slot in changed.items():
            if slot is None:
                self._slots.pop(name, None)
            else:
                self._slots[name] = slot
