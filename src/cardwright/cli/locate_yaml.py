"""The line and column of each value in a YAML document that is known to be valid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.locate import Place
from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from collections.abc import Collection


def locate_in_yaml(body: bytes, pointers: Collection[str]) -> dict[str, Place]:
    """Return the place of the value at each pointer, or of the name before it.

    Args:
        body: YAML that has been read already.
        pointers: RFC 6901 pointers; one that does not resolve gets the place of its nearest ancestor.
    """
    import yaml

    root = yaml.compose(body, Loader=yaml.CSafeLoader)
    return {pointer: _place(root, pointer) for pointer in pointers}


def _place(node: Any, pointer: str) -> Place:
    at = node
    for step in steps_of(pointer):
        if isinstance(node.value, list) and node.id == "mapping":
            pair = next(((key, value) for key, value in node.value if key.value == step), None)
            if pair is None:
                break
            at, node = pair
        elif node.id == "sequence" and step.isdecimal() and int(step) < len(node.value):
            at = node = node.value[int(step)]
        else:
            break
    return Place(at.start_mark.line + 1, at.start_mark.column + 1)
