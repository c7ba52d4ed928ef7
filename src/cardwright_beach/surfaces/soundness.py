"""What of a surface JSON Schema cannot judge: its root, its children, its components one by one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from cardwright_beach.surfaces.catalogues import catalogues_of, is_basic
from cardwright_beach.validate import shape_violations
from cardwright_runtime.violation import Violation, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Components = dict[str, tuple[str, Mapping[str, Any]]]

# A2UI 0.9, updateComponents and ChildList.
_SPEC: Final = "A2UI 0.9, server_to_client.json"
# A2UI 0.9, catalogs/basic/catalog.json: the members that name one child.
_CHILD: Final = ("child", "trigger", "content")


def surface_violations(messages: Sequence[Mapping[str, Any]]) -> list[Violation]:
    """Return what is wrong with the messages that make surfaces, sorted by pointer.

    A surface that is created must have one component `root`, every child must be there, and none may hold
    itself. Children are known in the basic catalogue only. Of surfaces that were created before, only the
    shape is judged.
    """
    found = shape_violations("A2uiSurface", messages)
    if found:
        return sorted(found, key=lambda one: (one.pointer, one.rule))
    for surface_id, catalogue in catalogues_of(messages).items():
        components = _components(messages, surface_id)
        found += _rooted(messages, surface_id, components)
        found += _repeated(messages, surface_id)
        if is_basic(catalogue):
            found += list(_unsound(components)) or _children(components)
    return sorted(found, key=lambda one: (one.pointer, one.rule))


def _components(messages: Sequence[Mapping[str, Any]], surface_id: str) -> Components:
    return {
        component["id"]: (f"/{index}/updateComponents/components/{place}", component)
        for index, message in enumerate(messages)
        if message.get("updateComponents", {}).get("surfaceId") == surface_id
        for place, component in enumerate(message["updateComponents"]["components"])
    }


def _rooted(
    messages: Sequence[Mapping[str, Any]], surface_id: str, components: Components
) -> Iterator[Violation]:
    ended = any(message.get("deleteSurface", {}).get("surfaceId") == surface_id for message in messages)
    if "root" not in components and not ended:
        at = next(
            index
            for index, message in enumerate(messages)
            if message.get("createSurface", {}).get("surfaceId") == surface_id
        )
        told = f"the surface {quote(surface_id)} has no component of the id root: one must hold all others"
        yield Violation("surface/root", "error", f"/{at}/createSurface", told, _SPEC)


def _repeated(messages: Sequence[Mapping[str, Any]], surface_id: str) -> Iterator[Violation]:
    for index, message in enumerate(messages):
        update = message.get("updateComponents", {})
        if update.get("surfaceId") != surface_id:
            continue
        counted = Counter(component["id"] for component in update["components"])
        for place, component in enumerate(update["components"]):
            if counted[component["id"]] > 1:
                told = f"{quote(component['id'])} is the id of several components of one message: keep one"
                at = f"/{index}/updateComponents/components/{place}/id"
                yield Violation("surface/repeated-id", "error", at, told, _SPEC)


def _unsound(components: Components) -> Iterator[Violation]:
    # The schema of the whole judges these only where all surfaces are of the basic catalogue.
    for at, component in components.values():
        for one in shape_violations("A2uiBasicComponent", component):
            yield Violation(one.rule, one.severity, at + one.pointer, one.message, one.spec, one.fix)


def _children(components: Components) -> Iterator[Violation]:
    for at, component in components.values():
        for pointer, child in _references(component):
            if child not in components:
                told = f"there is no component {quote(child)} in the surface: add it, or correct the id"
                yield Violation("surface/child", "error", at + pointer, told, _SPEC)
    for name in _circular(components):
        at, _ = components[name]
        told = f"the component {quote(name)} holds itself, directly or through others: no tree can be drawn"
        yield Violation("surface/circle", "error", at, told, _SPEC)


def _references(component: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each child that a component of the basic catalogue names, with the pointer from it."""
    for name in _CHILD:
        if isinstance(component.get(name), str):
            yield f"/{name}", component[name]
    children = component.get("children", ())
    if isinstance(children, dict):
        yield "/children/componentId", children["componentId"]
    else:
        yield from ((f"/children/{index}", child) for index, child in enumerate(children))
    for index, tab in enumerate(component.get("tabs", ())):
        yield f"/tabs/{index}/child", tab["child"]


def _circular(components: Components) -> list[str]:
    """Return the ids of components that lie in a circle, or between two."""
    children = {
        name: {child for _, child in _references(component) if child in components}
        for name, (_, component) in components.items()
    }
    parents: dict[str, set[str]] = {name: set() for name in children}
    for name, inner in children.items():
        for child in inner:
            parents[child].add(name)
    held = _without_ends(children, parents)
    turned = _without_ends(
        {name: parents[name] & held for name in held}, {name: children[name] & held for name in held}
    )
    return [name for name in children if name in turned]


def _without_ends(forward: Mapping[str, set[str]], back: Mapping[str, set[str]]) -> set[str]:
    """Return the names of a graph without those from which every way ends."""
    left = {name: len(following) for name, following in forward.items()}
    ends = [name for name, count in left.items() if not count]
    while ends:
        end = ends.pop()
        del left[end]
        for name in back[end]:
            left[name] -= 1
            if not left[name]:
                ends.append(name)
    return set(left)
