"""The assertions of ACTS (ACTS 0.1.0 §5): match a value, and return where it differs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_TYPES: Final[dict[str, Any]] = {
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
_OPERATORS: Final = frozenset({
    "type", "exists", "absent", "contains", "matches", "starts_with", "ends_with", "gte", "lte", "gt", "lt", "count",
    "count_gte", "count_lte", "one_of", "all_of", "any_of", "not", "items",
})  # fmt: skip
ABSENT: Final = object()


def fault(value: Any, wanted: Any, at: str = "") -> str:
    """Return where a value is not what an assertion wants; "" if it is."""
    if isinstance(wanted, dict):
        # A field may have the name of an operator, as `type` of problem details: its rule is an assertion.
        for name, rule in wanted.items():
            if _is_operator(name, rule):
                differences = _operator(name, value, rule, at)
            else:
                inner = value.get(name, ABSENT) if isinstance(value, dict) else ABSENT
                differences = fault(inner, rule, f"{at}/{name}")
            if differences:
                return differences
        return ""
    if isinstance(wanted, list):
        if not isinstance(value, list):
            return f"{at}: {_shown(value)} is not a list"
        for index, rule in enumerate(wanted):
            item = value[index] if index < len(value) else ABSENT
            if differences := fault(item, rule, f"{at}/{index}"):
                return differences
        return ""
    return (
        ""
        if value == wanted and type(value) is type(wanted)
        else f"{at}: {_shown(value)} instead of {wanted!r}"
    )


def _is_operator(name: str, rule: Any) -> bool:
    return name in _OPERATORS and (not isinstance(rule, dict) or name in ("not", "items"))


def _operator(name: str, value: Any, rule: Any, at: str) -> str:
    if name == "any_of" or (name == "one_of" and any(isinstance(one, dict) for one in rule)):
        differences = [fault(value, one, at) for one in rule]
        return "" if "" in differences else f"{at}: none of: {'; '.join(differences)}"
    if name == "all_of":
        return next(filter(None, (fault(value, one, at) for one in rule)), "")
    if name == "not":
        return "" if fault(value, rule, at) else f"{at}: {_shown(value)} is {rule!r}"
    if name == "items":
        if isinstance(rule, list):
            return fault(value, rule, at)
        items = value if isinstance(value, list) else []
        return next(
            filter(None, (fault(item, rule, f"{at}/{index}") for index, item in enumerate(items))), ""
        )
    return "" if _HOLDS[name](value, rule) else f"{at}: {_shown(value)} is not {name} {rule!r}"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list) else -1


def _has_type(value: Any, rule: Any) -> bool:
    return _is_number(value) if rule == "number" else isinstance(value, _TYPES[rule])


_HOLDS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "absent": lambda value, rule: (value is ABSENT) == rule,
    "exists": lambda value, rule: (value is not ABSENT) == rule,
    "type": _has_type,
    "one_of": lambda value, rule: value in rule,
    "contains": lambda value, rule: isinstance(value, str) and rule in value,
    "matches": lambda value, rule: isinstance(value, str) and re.search(rule, value) is not None,
    "starts_with": lambda value, rule: isinstance(value, str) and value.startswith(rule),
    "ends_with": lambda value, rule: isinstance(value, str) and value.endswith(rule),
    "count": lambda value, rule: _length(value) == rule,
    "count_gte": lambda value, rule: _length(value) >= rule,
    "count_lte": lambda value, rule: 0 <= _length(value) <= rule,
    "gte": lambda value, rule: _is_number(value) and bool(value >= rule),
    "lte": lambda value, rule: _is_number(value) and bool(value <= rule),
    "gt": lambda value, rule: _is_number(value) and bool(value > rule),
    "lt": lambda value, rule: _is_number(value) and bool(value < rule),
}


def values_at(value: Any, path: str) -> list[Any]:
    """Return the values at a path such as `task.artifacts[*].parts[0]` (ACTS §5.2)."""
    found = [value]
    for name, index in re.findall(r"([^.\[\]]+)|\[(\*|\d+)\]", path):
        found = [child for one in found for child in _children(one, name, index)]
    return found


def _children(value: Any, name: str, index: str) -> list[Any]:
    if name:
        return [value[name]] if isinstance(value, dict) and name in value else []
    if not isinstance(value, list):
        return []
    return value if index == "*" else value[int(index) : int(index) + 1]


def _shown(value: Any) -> str:
    return "nothing" if value is ABSENT else f"{value!r:.120}"
