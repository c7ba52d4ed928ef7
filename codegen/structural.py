"""Rules that JSON Schema cannot say, printed as calls of the kinds in `support/kinds.py`."""

from __future__ import annotations

import itertools
from typing import Any, Final

Lines = list[str]


def calls(rule: Any, vocabularies: dict[str, Any]) -> Lines:
    """Return the Python lines (inside a function over `document` and `found`) that ask one rule.

    What most cards do not have is looked for first, so that its absence costs next to nothing.
    """
    lines: Lines = []
    for pointer in rule["at"]:
        printed = PRINTERS[rule["kind"]](rule, pointer, vocabularies)
        before = list(itertools.takewhile(lambda step: step != "*", _steps(pointer)))
        asks_itself = rule["kind"] in ("present", "absent")
        if asks_itself or before in ([], ["skills"], ["capabilities"], ["transports"]):
            lines += printed
        else:
            there = f"{before[0]!r} in document" if len(before) == 1 else f"dig(document, {tuple(before)!r})"
            lines += [f"if {there}:", *(f"    {line}" for line in printed)]
    return lines


def _unique(rule: Any, pointer: str, _: Any) -> Lines:
    by = tuple(rule["by"])
    return _visit(pointer, lambda value, at: f"unique(found, RULES[{rule['id']!r}], {value}, {at}, {by!r})")


def _declared(rule: Any, pointer: str, _: Any) -> Lines:
    schemes = f"document.get({rule['in'].strip('/')!r})"
    inner = rule.get("inner", "")
    return _visit(
        pointer,
        lambda value, at: f"declared(found, RULES[{rule['id']!r}], {value}, {schemes}, {at}, {inner!r})",
    )


def _registered(rule: Any, pointer: str, _: Any) -> Lines:
    names = f"vocabularies[{rule['vocabulary']!r}]"
    slug = bool(rule.get("namespaced", False))
    return [f"registered(found, RULES[{rule['id']!r}], document, {_steps(pointer)!r}, {names}, slug={slug})"]


def _needs(rule: Any, pointer: str, vocabularies: dict[str, Any]) -> Lines:
    entries = vocabularies[rule["vocabulary"]]["entries"]
    table = {entry["name"]: tuple(entry["requires"]) for entry in entries if entry.get("requires")}
    return [f"needs(found, RULES[{rule['id']!r}], document, {_steps(pointer)!r}, {rule['by']!r}, {table!r})"]


def _present(rule: Any, pointer: str, _: Any) -> Lines:
    *outer, name = _steps(pointer)
    return _presence(rule, pointer, f"{name!r} not in {_holder(outer)}", "None")


def _absent(rule: Any, pointer: str, _: Any) -> Lines:
    *outer, name = _steps(pointer)
    holder = _holder(outer)
    return _presence(rule, pointer, f"{name!r} in {holder}", f"{holder}[{name!r}]")


def _holder(outer: list[str]) -> str:
    return f"mapping(dig(document, {tuple(outer)!r}))" if outer else "document"


def _presence(rule: Any, pointer: str, condition: str, value: str) -> Lines:
    for name, other in rule.get("unless", {}).items():
        condition += f" and document.get({name!r}) != {other!r}"
    return [f"if {condition}:", f"    found.append(break_rule(RULES[{rule['id']!r}], {pointer!r}, {value}))"]


def _jws_header(rule: Any, pointer: str, _: Any) -> Lines:
    return [f"jws_header(found, RULES[{rule['id']!r}], document, {_steps(pointer)!r})"]


def _whole(name: str) -> Any:
    def printer(rule: Any, pointer: str, _: Any) -> Lines:  # noqa: ARG001 - one signature for all printers
        return [f"{name}(found, RULES[{rule['id']!r}], document)"]

    return printer


PRINTERS: Final[dict[str, Any]] = {
    "unique": _unique,
    "declared": _declared,
    "registered": _registered,
    "needs": _needs,
    "jws-header": _jws_header,
    "present": _present,
    "absent": _absent,
    "main-interface-agrees": _whole("main_interface_agrees"),
    "main-interface-listed": _whole("main_interface_listed"),
    "halves-interfaces": _whole("halves_interfaces"),
    "halves-security": _whole("halves_security"),
    "halves-extended": _whole("halves_extended"),
}


def _steps(pointer: str) -> tuple[str, ...]:
    return tuple(pointer.split("/")[1:])


def _visit(pointer: str, call: Any) -> Lines:
    """Print a call for `/a` and `/a/b`, or a loop for `/a/*/b`: the shapes that cards have."""
    steps = _steps(pointer)
    if len(steps) == 1:
        return [call(f"document.get({steps[0]!r})", repr(pointer))]
    if "*" not in steps:
        return [call(f"dig(document, {steps!r})", repr(pointer))]
    outer, _, inner = steps
    at = f'f"/{outer}/{{index}}/{inner}"'
    return [
        f"for index, item in enumerate(listed(document.get({outer!r}))):",
        f"    if type(item) is dict and {inner!r} in item:",
        f"        {call(f'item[{inner!r}]', at)}",
    ]
