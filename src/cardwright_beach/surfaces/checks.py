"""Surface rules that JSON Schema cannot express: root, children, cycles."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cardwright_beach.surfaces.catalogues import catalogues_of, is_basic
from cardwright_beach.validate import shape_violations
from cardwright_runtime.violation import Violation, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Components = dict[str, tuple[str, Mapping[str, Any]]]

# A2UI 0.9, updateComponents and ChildList.
_SPEC: Final = "A2UI 0.9, server_to_client.json"
# A2UI 0.9, catalogs/basic/catalog.json: the properties that name one child.
_CHILD: Final = ("child", "trigger", "content")


def surface_violations(messages: Sequence[Mapping[str, Any]]) -> list[Violation]:
    """Return the violations of A2UI messages, sorted by pointer.

    A created surface must have one component `root`; in the basic catalogue every child must exist, and no component
    may contain itself. Surfaces that were created before are only validated against the schema.
    """
    violations = shape_violations("A2uiSurface", messages)
    if violations:
        return sorted(violations, key=_position)
    for surface_id, catalogue in catalogues_of(messages).items():
        components = _components(messages, surface_id)
        violations += _root_violations(messages, surface_id, components)
        violations += _repeated_ids(messages, surface_id)
        if is_basic(catalogue):
            violations += list(_component_violations(components)) or _child_violations(components)
    return sorted(violations, key=_position)


def _position(violation: Violation) -> tuple[str, str]:
    return violation.pointer, violation.rule


def _components(messages: Sequence[Mapping[str, Any]], surface_id: str) -> Components:
    return {
        component["id"]: (f"/{index}/updateComponents/components/{place}", component)
        for index, message in enumerate(messages)
        if message.get("updateComponents", {}).get("surfaceId") == surface_id
        for place, component in enumerate(message["updateComponents"]["components"])
    }


def _root_violations(
    messages: Sequence[Mapping[str, Any]], surface_id: str, components: Components
) -> Iterator[Violation]:
    ended = any(message.get("deleteSurface", {}).get("surfaceId") == surface_id for message in messages)
    if "root" not in components and not ended:
        creation = next(
            index
            for index, message in enumerate(messages)
            if message.get("createSurface", {}).get("surfaceId") == surface_id
        )
        message = f"the surface {quote(surface_id)} has no root component; add a component with the id root"
        yield Violation("surface/root", "error", f"/{creation}/createSurface", message, _SPEC)


def _repeated_ids(messages: Sequence[Mapping[str, Any]], surface_id: str) -> Iterator[Violation]:
    for index, message in enumerate(messages):
        update = message.get("updateComponents", {})
        if update.get("surfaceId") != surface_id:
            continue
        counted = Counter(component["id"] for component in update["components"])
        for place, component in enumerate(update["components"]):
            if counted[component["id"]] > 1:
                text = f"duplicate component id {quote(component['id'])} in one message; keep one"
                at = f"/{index}/updateComponents/components/{place}/id"
                yield Violation("surface/repeated-id", "error", at, text, _SPEC)


def _component_violations(components: Components) -> Iterator[Violation]:
    # The full schema validates components only if all surfaces use the basic catalogue.
    for at, component in components.values():
        for violation in shape_violations("A2uiBasicComponent", component):
            yield replace(violation, pointer=at + violation.pointer)


def _child_violations(components: Components) -> Iterator[Violation]:
    for at, component in components.values():
        for pointer, child in _references(component):
            if child not in components:
                message = f"unknown component {quote(child)}; add it to the surface or correct the id"
                yield Violation("surface/child", "error", at + pointer, message, _SPEC)
    for name in _in_cycles(components):
        at, _ = components[name]
        message = f"the component {quote(name)} contains itself, directly or through others; remove the cycle"
        yield Violation("surface/circle", "error", at, message, _SPEC)


def _references(component: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each child of a component of the basic catalogue, with its pointer in the component."""
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


def _in_cycles(components: Components) -> list[str]:
    """Return the ids of components in a cycle, or on a path between two cycles."""
    children = {
        name: {child for _, child in _references(component) if child in components}
        for name, (_, component) in components.items()
    }
    parents: dict[str, set[str]] = {name: set() for name in children}
    for name, names in children.items():
        for child in names:
            parents[child].add(name)
    inner = _without_leaves(children, parents)
    cyclic = _without_leaves(
        {name: parents[name] & inner for name in inner}, {name: children[name] & inner for name in inner}
    )
    return [name for name in children if name in cyclic]


def _without_leaves(forward: Mapping[str, set[str]], back: Mapping[str, set[str]]) -> set[str]:
    """Return the nodes of a graph from which an endless path starts; leaves are removed repeatedly."""
    degrees = {name: len(targets) for name, targets in forward.items()}
    leaves = [name for name, degree in degrees.items() if not degree]
    while leaves:
        leaf = leaves.pop()
        del degrees[leaf]
        for name in back[leaf]:
            degrees[name] -= 1
            if not degrees[name]:
                leaves.append(name)
    return set(degrees)
