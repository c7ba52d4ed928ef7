"""The assertions of ACTS (ACTS 0.1.0 §5): a value against an assertion, with the place where they differ."""

from __future__ import annotations

import re
from typing import Any, Final

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
        operators = {name: rule for name, rule in wanted.items() if _is_operator(name, rule)}
        fields = {name: rule for name, rule in wanted.items() if not _is_operator(name, rule)}
        found = next(
            (told for name, rule in operators.items() if (told := _operator(name, value, rule, at))), ""
        )
        return found or next(
            (
                told
                for name, rule in fields.items()
                if (
                    told := fault(
                        value.get(name, ABSENT) if isinstance(value, dict) else ABSENT, rule, f"{at}/{name}"
                    )
                )
            ),
            "",
        )
    if isinstance(wanted, list):
        if not isinstance(value, list):
            return f"{at}: {_shown(value)} is not a list"
        items = (value[index] if index < len(value) else ABSENT for index in range(len(wanted)))
        return next(
            (
                told
                for index, (item, rule) in enumerate(zip(items, wanted, strict=True))
                if (told := fault(item, rule, f"{at}/{index}"))
            ),
            "",
        )
    return (
        ""
        if value == wanted and type(value) is type(wanted)
        else f"{at}: {_shown(value)} instead of {wanted!r}"
    )


def _is_operator(name: str, rule: Any) -> bool:
    return name in _OPERATORS and (not isinstance(rule, dict) or name in ("not", "items"))


def _operator(name: str, value: Any, rule: Any, at: str) -> str:
    if name == "any_of" or (name == "one_of" and any(isinstance(one, dict) for one in rule)):
        told = [fault(value, one, at) for one in rule]
        return "" if "" in told else f"{at}: none of: {'; '.join(told)}"
    if name == "all_of":
        return next((told for one in rule if (told := fault(value, one, at))), "")
    if name == "not":
        return "" if fault(value, rule, at) else f"{at}: {_shown(value)} is {rule!r}"
    if name == "items":
        if isinstance(rule, list):
            return fault(value, rule, at)
        items = value if isinstance(value, list) else []
        return next(
            (told for index, item in enumerate(items) if (told := fault(item, rule, f"{at}/{index}"))), ""
        )
    return "" if _holds(name, value, rule) else f"{at}: {_shown(value)} is not {name} {rule!r}"


def _holds(name: str, value: Any, rule: Any) -> bool:
    match name:
        case "absent":
            return (value is ABSENT) == rule
        case "exists":
            return (value is not ABSENT) == rule
        case "type":
            return isinstance(value, _TYPES[rule]) and not (rule == "number" and isinstance(value, bool))
        case "one_of":
            return value in rule
        case "contains" | "matches" | "starts_with" | "ends_with":
            tests = {
                "contains": lambda: rule in value,
                "matches": lambda: re.search(rule, value) is not None,
                "starts_with": lambda: value.startswith(rule),
                "ends_with": lambda: value.endswith(rule),
            }
            return isinstance(value, str) and bool(tests[name]())
        case "count" | "count_gte" | "count_lte":
            size = len(value) if isinstance(value, list) else -1
            return (
                size >= 0
                and {"count": size == rule, "count_gte": size >= rule, "count_lte": size <= rule}[name]
            )
        case _:
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return (
                is_number
                and {
                    "gte": lambda: value >= rule,
                    "lte": lambda: value <= rule,
                    "gt": lambda: value > rule,
                    "lt": lambda: value < rule,
                }[name]()
            )


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
