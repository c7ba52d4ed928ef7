"""Signs that tell dialects apart: conditions as data, printed as Python expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from codegen.shape import pointer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TYPES: Final = {"array": "list", "object": "dict", "string": "str", "boolean": "bool", "null": "type(None)"}
# What stands in each condition: P a path, name a member, type, regex or text; the first may stand alone.
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


class BadSign(ValueError):
    """A condition that the sign language does not have."""


def expression(condition: Any) -> str:
    """Return a Python expression over `document` for a condition.

    Conditions: `{"has": P}`, `{"lacks": P}`, `{"is": [P, type]}`, `{"matches": [P, regex]}`,
    `{"equals": [P, text]}`, `{"all": [...]}`, `{"any": [...]}`, `{"not": C}` and
    `{"null": name}`, `{"some": [P, name]}` (an item of the array or map at P has the member) and
    `{"someEquals": [P, name, text]}` (with that value). P is a member's name, or
    `outer/inner`.

    Raises:
        BadSign: If the condition is none of these.
    """
    for pointer, message in sign_faults(condition):
        msg = f"{pointer}: {message}"
        raise BadSign(msg)
    return _printed(condition)


def patterns_in(condition: Any) -> Iterator[str]:
    """Yield the patterns that a condition matches with, which `expression` finds in `PATTERNS`."""
    ((kind, value),) = condition.items()
    if kind == "matches":
        yield value[1]
    for part in value if kind in _JOINTS else [value] if kind == "not" else []:
        yield from patterns_in(part)


def sign_faults(condition: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield (pointer, what is wrong) of everything in a condition that the sign language does not have."""
    if not isinstance(condition, dict) or len(condition) != 1:
        yield pointer_of(at), "a condition is an object with one member"
        return
    ((kind, value),) = condition.items()
    at = (*at, kind)
    if kind in _JOINTS:
        if not isinstance(value, list) or not value:
            yield pointer_of(at), "must be an array of conditions"
            return
        for index, part in enumerate(value):
            yield from sign_faults(part, (*at, index))
    elif kind == "not":
        yield from sign_faults(value, at)
    elif kind in _OPERANDS:
        yield from _operand_faults(_OPERANDS[kind], value, at)
    else:
        yield pointer_of(at), f"there is no condition {kind}"


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
    return "" if path.count("/") <= 1 and all(path.split("/")) else "must be a member's name, or outer/inner"


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
    return f"holds(document.get({outer!r}), {inner!r})" if inner else f"{outer!r} in document"


def _get(path: str) -> str:
    outer, _, inner = path.partition("/")
    return f"member(document.get({outer!r}), {inner!r})" if inner else f"document.get({outer!r})"


def _printed(condition: Any) -> str:
    ((kind, value),) = condition.items()
    if kind in _JOINTS:
        return "(" + _JOINTS[kind].join(map(_printed, value)) + ")"
    if kind == "not":
        return f"not {_printed(value)}"
    return _PRINTED[kind](*(value if isinstance(value, list) else [value]))


_PRINTED: Final[dict[str, Callable[..., str]]] = {
    "has": _has,
    "lacks": lambda path: f"not {_has(path)}",
    "null": lambda name: f"({name!r} in document and document[{name!r}] is None)",
    "is": lambda path, name: f"isinstance({_get(path)}, {_TYPES[name]})",
    "equals": lambda path, text: f"{_get(path)} == {text!r}",
    "matches": lambda path, pattern: f"matches(PATTERNS[{pattern!r}], {_get(path)})",
    "some": lambda path, name: f"some({_get(path)}, {name!r})",
    "someEquals": lambda path, name, text: f"some({_get(path)}, {name!r}, {text!r})",
}
