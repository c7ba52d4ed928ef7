"""Signs that tell dialects apart: conditions as data, printed as Python expressions."""

from __future__ import annotations

import re
from typing import Any, Final

_TYPES: Final = {"array": "list", "object": "dict", "string": "str", "boolean": "bool", "null": "type(None)"}


class BadSign(ValueError):
    """A condition that the sign language does not have."""


def expression(condition: Any, patterns: list[str]) -> str:
    """Return a Python expression over `document` for a condition; its patterns are added to a list.

    Conditions: `{"has": P}`, `{"lacks": P}`, `{"is": [P, type]}`, `{"matches": [P, regex]}`,
    `{"equals": [P, text]}`, `{"all": [...]}`, `{"any": [...]}`, `{"not": C}` and
    `{"null": name}`, `{"some": [P, name]}` (an item of the array or map at P has the member) and
    `{"someEquals": [P, name, text]}` (with that value). P is a member's name, or
    `outer/inner`.

    Raises:
        BadSign: If the condition is none of these.
        re.error: If a pattern is none.
    """
    if not isinstance(condition, dict) or len(condition) != 1:
        msg = f"a condition is an object with one member, not {condition!r}"
        raise BadSign(msg)
    ((kind, value),) = condition.items()
    match kind:
        case "all" | "any":
            joint = " and " if kind == "all" else " or "
            return "(" + joint.join(expression(part, patterns) for part in value) + ")"
        case "not":
            return f"not {expression(value, patterns)}"
        case "has":
            return _has(value)
        case "lacks":
            return f"not {_has(value)}"
        case "is":
            return f"isinstance({_get(value[0])}, {_TYPES[value[1]]})"
        case "equals":
            return f"{_get(value[0])} == {value[1]!r}"
        case "matches":
            if value[1] not in patterns:
                patterns.append(re.compile(value[1]).pattern)
            return f"matches(PATTERN_{patterns.index(value[1]) + 1}, {_get(value[0])})"
        case "null":
            return f"({value!r} in document and document[{value!r}] is None)"
        case "some":
            return f"some({_get(value[0])}, {value[1]!r})"
        case "someEquals":
            return f"some({_get(value[0])}, {value[1]!r}, {value[2]!r})"
    msg = f"there is no condition {kind!r}"
    raise BadSign(msg)


def _has(path: str) -> str:
    outer, _, inner = path.partition("/")
    return f"holds(document.get({outer!r}), {inner!r})" if inner else f"{outer!r} in document"


def _get(path: str) -> str:
    outer, _, inner = path.partition("/")
    return f"member(document.get({outer!r}), {inner!r})" if inner else f"document.get({outer!r})"
