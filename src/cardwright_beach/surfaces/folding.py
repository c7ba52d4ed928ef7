"""Fold A2UI messages into the fewest messages with the same result (Beach protocol seed, Delivery rules)."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from cardwright_beach.surfaces.patches import ABSENT, Patches
from cardwright_runtime.violation import pointer_of, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cardwright_runtime.violation import JsonObject

    Message = Mapping[str, Any]


@dataclass(slots=True)
class _Surface:
    """State of one surface; `ended`: the receiver may have an older surface that must be deleted first."""

    ended: bool = False
    created: Message | None = None
    components: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, "Mapping[str, Any]"])
    patches: Patches = field(default_factory=Patches)


class SurfaceFolder:
    """Accumulator that reduces messages to the final state of each surface.

    A surface is created once, the last component with an id wins, and data updates are applied to the data. A deleted
    surface leaves no messages, unless it was created before the first message: then the deletion is kept. An update of
    data that was set before the first message is kept as a message.

    >>> folder = SurfaceFolder().add([{"version": "v0.9", "deleteSurface": {"surfaceId": "berths"}}])
    >>> folder.messages()
    [{'version': 'v0.9', 'deleteSurface': {'surfaceId': 'berths'}}]
    """

    __slots__ = ("_surfaces",)

    def __init__(self) -> None:
        self._surfaces: dict[str, _Surface] = {}

    def add(self, messages: Iterable[Message]) -> Self:
        """Add the messages of a validated `a2ui-surface` part; they are not changed."""
        for message in messages:
            self._add(message)
        return self

    def messages(self) -> list[dict[str, Any]]:
        """Return the fewest messages that create the current state; later `add` calls do not change them."""
        return [
            # Sorted by surface id; the order of creation has no meaning.
            message
            for surface_id, surface in sorted(self._surfaces.items())
            for message in _messages(surface_id, surface)
        ]

    def _add(self, message: Message) -> None:
        match message:
            case {"createSurface": {"surfaceId": name}}:
                surface = self._surface(name)
                # A2UI 0.9, createSurface: creating an existing surface is an error without effect.
                if surface.created is None:
                    surface.created = message
                    surface.patches = surface.patches.on_new_surface()
            case {"updateComponents": {"surfaceId": name, "components": components}}:
                self._surface(name).components.update(
                    {component["id"]: component for component in components}
                )
            case {"updateDataModel": {"surfaceId": name} as update}:
                value = deepcopy(update["value"]) if "value" in update else ABSENT
                self._surface(name).patches.set(_path(update), value)
            case {"deleteSurface": {"surfaceId": name}}:
                surface = self._surfaces.pop(name, _Surface())
                if surface.created is None or surface.ended:
                    self._surfaces[name] = _Surface(ended=True)
            case _:
                pass

    def _surface(self, surface_id: str) -> _Surface:
        return self._surfaces.setdefault(surface_id, _Surface())


def fold_surface(so_far: Iterable[Message], update: Iterable[Message]) -> list[JsonObject]:
    """Return the fewest messages with the same result as all given messages in order.

    Args:
        so_far: The earlier messages, or an earlier result of this function.
        update: The messages that follow.
    """
    return SurfaceFolder().add(so_far).add(update).messages()


def _messages(surface_id: str, surface: _Surface) -> Iterator[dict[str, Any]]:
    if surface.ended:
        yield _message("deleteSurface", surface_id)
    if surface.created is not None:
        yield deepcopy({**surface.created})
    if surface.components:
        yield _message("updateComponents", surface_id, components=deepcopy(list(surface.components.values())))
    for path, value in surface.patches:
        place = {"path": pointer_of(path) or "/"}
        content = {} if value is ABSENT else {"value": deepcopy(value)}
        yield _message("updateDataModel", surface_id, **place, **content)


def _message(kind: str, surface_id: str, **properties: Any) -> dict[str, Any]:
    return {"version": "v0.9", kind: {"surfaceId": surface_id, **properties}}


def _path(update: Mapping[str, Any]) -> tuple[str, ...]:
    # A2UI 0.9, updateDataModel: no path and "/" both mean the root. A path without a leading "/" is relative to the
    # root here, because no template repeats.
    path = update.get("path", "/").strip("/")
    return tuple(steps_of(f"/{path}")) if path else ()
