"""Detection rules for dialects: conditions as data, generated as Python expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from codegen.shape import pointer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TYPES: Final = {"array": "list", "object": "dict", "string": "str", "boolean": "bool", "null": "type(None)"}
# The operands of each condition; a single operand is written without an array.
_OPERANDS: Final = {
    "has": ("path",),
    "lacks": ("path",),
    "null": ("name",),
    "is": ("path", "type"),
    "equals": ("path", "text"),
    "matches": ("path", "regex"),
    "some": ("path", "name"),
    "someEquals": ("path", "name", "text"),
}
_JOINTS: Final = {"all": " and ", "any": " or "}


class BadCondition(ValueError):
    """A condition that does not follow the syntax of `expression`."""


def expression(condition: Any) -> str:
    """Return a Python expression over `document` for a condition.

    Conditions: `{"has": P}`, `{"lacks": P}`, `{"is": [P, type]}`, `{"matches": [P, regex]}`,
    `{"equals": [P, text]}`, `{"all": [...]}`, `{"any": [...]}`, `{"not": C}` and
    `{"null": name}`, `{"some": [P, name]}` (an item of the array or map at P has the field) and
    `{"someEquals": [P, name, text]}` (with that value). P is a field name, or
    `outer/inner`.

    Raises:
        BadCondition: If the condition does not follow this syntax.
    """
    for pointer, message in condition_faults(condition):
        msg = f"{pointer}: {message}"
        raise BadCondition(msg)
    return _expression(condition)


def signs_of(rule: Any) -> list[tuple[str, Any]]:
    """Return the name and the condition of each sign of a rule; a field name is the sign that the field exists."""
    signs = rule.get("signs", ())
    return [
        (sign, {"has": sign}) if isinstance(sign, str) else (sign["name"], sign["when"]) for sign in signs
    ]


def condition_of(rule: Any) -> Any:
    """Return the condition of a rule: its `when`, and any of its signs."""
    signs = [sign for _, sign in signs_of(rule)]
    return {"all": [rule["when"], {"any": signs}]} if signs else rule["when"]


def rule_faults(rule: Any) -> Iterator[tuple[str, str]]:
    """Yield (pointer, message) of each error in a detection rule."""
    yield from condition_faults(rule["when"], ("when",))
    for index, sign in enumerate(rule.get("signs", ())):
        at = ("signs", index)
        if isinstance(sign, str):
            yield from ((pointer_of(at), message) for _, message in condition_faults({"has": sign}))
        else:
            yield from condition_faults(sign["when"], (*at, "when"))
    if ("{found}" in rule["evidence"]) != ("signs" in rule):
        yield "/evidence", "must contain {found} if the rule has signs, and only then"


def patterns_in(condition: Any) -> Iterator[str]:
    """Yield the regular expressions of a condition; its `expression` looks them up in `PATTERNS`."""
    ((kind, value),) = condition.items()
    if kind == "matches":
        yield value[1]
    for part in value if kind in _JOINTS else [value] if kind == "not" else []:
        yield from patterns_in(part)


def condition_faults(condition: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield (pointer, message) of each syntax error in a condition."""
    if not isinstance(condition, dict) or len(condition) != 1:
        yield pointer_of(at), "must be an object with exactly one field, the condition"
        return
    ((kind, value),) = condition.items()
    at = (*at, kind)
    if kind in _JOINTS:
        if not isinstance(value, list) or not value:
            yield pointer_of(at), "must be an array of conditions"
            return
        for index, part in enumerate(value):
            yield from condition_faults(part, (*at, index))
    elif kind == "not":
        yield from condition_faults(value, at)
    elif kind in _OPERANDS:
        yield from _operand_faults(_OPERANDS[kind], value, at)
    else:
        yield pointer_of(at), f"unknown condition {kind}"


def _operand_faults(
    kinds: tuple[str, ...], value: Any, at: tuple[str | int, ...]
) -> Iterator[tuple[str, str]]:
    operands = value if isinstance(value, list) else [value]
    if isinstance(value, list) != (len(kinds) > 1) or len(operands) != len(kinds):
        yield pointer_of(at), f"must be {'an array of ' if len(kinds) > 1 else ''}{', '.join(kinds)}"
        return
    for index, (kind, operand) in enumerate(zip(kinds, operands, strict=True)):
        fault = "must be a string" if not isinstance(operand, str) else _FAULT_OF[kind](operand)
        if fault:
            yield pointer_of((*at, index) if len(kinds) > 1 else at), fault


def _path_fault(path: str) -> str:
    return "" if path.count("/") <= 1 and all(path.split("/")) else "must be a field name, or outer/inner"


def _type_fault(name: str) -> str:
    return "" if name in _TYPES else f"must be one of {', '.join(sorted(_TYPES))}"


def _regex_fault(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        return f"must be a regular expression: {error}"
    return ""


_FAULT_OF: Final[dict[str, Callable[[str], str]]] = {
    "path": _path_fault,
    "name": lambda _: "",
    "text": lambda _: "",
    "type": _type_fault,
    "regex": _regex_fault,
}


def _has(path: str) -> str:
    outer, _, inner = path.partition("/")
    return f"has_field(document.get({outer!r}), {inner!r})" if inner else f"{outer!r} in document"


def _get(path: str) -> str:
    outer, _, inner = path.partition("/")
    return f"field(document.get({outer!r}), {inner!r})" if inner else f"document.get({outer!r})"


def _expression(condition: Any) -> str:
    ((kind, value),) = condition.items()
    if kind in _JOINTS:
        return "(" + _JOINTS[kind].join(map(_expression, value)) + ")"
    if kind == "not":
        return f"not {_expression(value)}"
    return _EXPRESSIONS[kind](*(value if isinstance(value, list) else [value]))


_EXPRESSIONS: Final[dict[str, Callable[..., str]]] = {
    "has": _has,
    "lacks": lambda path: f"not {_has(path)}",
    "null": lambda name: f"({name!r} in document and document[{name!r}] is None)",
    "is": lambda path, name: f"isinstance({_get(path)}, {_TYPES[name]})",
    "equals": lambda path, text: f"{_get(path)} == {text!r}",
    "matches": lambda path, pattern: f"matches(PATTERNS[{pattern!r}], {_get(path)})",
    "some": lambda path, name: f"some({_get(path)}, {name!r})",
    "someEquals": lambda path, name, text: f"some({_get(path)}, {name!r}, {text!r})",
}
