"""Many messages about surfaces in the fewest that show the same (Beach protocol seed, Delivery rules)."""

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
    """What is known of one surface; `ended` where one that the receiver may have is to be deleted first."""

    ended: bool = False
    created: Message | None = None
    components: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, "Mapping[str, Any]"])
    patches: Patches = field(default_factory=Patches)


class SurfaceFolder:
    """Gathers messages into the final state of each surface, and holds no more than that.

    A surface is created once, the last component of an id wins, and data change where a message says. A
    surface that ends leaves nothing, unless it began before the first message here: then it is deleted. Where
    an update cannot be carried out here, as its data began elsewhere, it stays a message of its own.

    >>> folder = SurfaceFolder().add([{"version": "v0.9", "deleteSurface": {"surfaceId": "berths"}}])
    >>> folder.messages()
    [{'version': 'v0.9', 'deleteSurface': {'surfaceId': 'berths'}}]
    """

    __slots__ = ("_surfaces",)

    def __init__(self) -> None:
        self._surfaces: dict[str, _Surface] = {}

    def add(self, messages: Iterable[Message]) -> Self:
        """Take more messages, as a judged `a2ui-surface` part has them; none of them is changed."""
        for message in messages:
            self._add(message)
        return self

    def messages(self) -> list[dict[str, Any]]:
        """Return the fewest messages that make the surfaces what they are now; adding more changes none of them."""
        return [
            # By their ids: which of them began first means nothing.
            told
            for surface_id, surface in sorted(self._surfaces.items())
            for told in _messages(surface_id, surface)
        ]

    def _add(self, message: Message) -> None:
        match message:
            case {"createSurface": {"surfaceId": name}}:
                surface = self._surface(name)
                # A2UI 0.9, createSurface: to create what is there already is an error, which changes nothing.
                if surface.created is None:
                    surface.created = message
                    surface.patches = surface.patches.begun()
            case {"updateComponents": {"surfaceId": name, "components": components}}:
                self._surface(name).components.update({one["id"]: one for one in components})
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
    """Return the fewest messages that show what all of them show, one after the other.

    Args:
        so_far: The messages until now, or what this returned for them.
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


def _message(kind: str, surface_id: str, **members: Any) -> dict[str, Any]:
    return {"version": "v0.9", kind: {"surfaceId": surface_id, **members}}


def _path(update: Mapping[str, Any]) -> tuple[str, ...]:
    # A2UI 0.9, updateDataModel: absent and "/" both name the whole. A path without a first "/" is read from
    # the root here, where nothing is repeated.
    path = update.get("path", "/").strip("/")
    return tuple(steps_of(f"/{path}")) if path else ()
