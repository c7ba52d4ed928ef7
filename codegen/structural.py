"""Rules that JSON Schema cannot express, generated as calls of the checks in `cardwright_runtime/checks.py`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from codegen.shape import steps_of

Lines = list[str]
CallWriter = Callable[[Any, str, dict[str, Any]], Lines]
# Fields that nearly every card has: a test before the call would only cost time.
_USUAL: Final[list[list[str]]] = [[], ["skills"], ["capabilities"], ["transports"]]


# A rule of this kind is data of `text.json`, which `cardwright_runtime/signs.py` reads; no call is generated.
SIGNS: Final = "signs"


@dataclass(frozen=True, slots=True)
class CheckKind:
    """A kind of rule: the function that writes its calls, its required fields and its message placeholders.

    ``place`` names the entry of `PLACES` with the pointers that it accepts; ``tests_presence`` is true if the
    rule is about the presence of a field, and ``walks`` if the document may be an array.
    """

    writer: CallWriter
    words: tuple[str, ...]
    needs: tuple[str, ...] = ()
    place: str = "anywhere"
    tests_presence: bool = False
    walks: bool = False


def calls(rule: Any, vocabularies: dict[str, Any]) -> Lines:
    """Return the Python lines (inside a function over `document` and `violations`) that check one rule.

    A field that most cards lack is tested before the call, so that its absence costs almost nothing.
    """
    kind = KINDS[rule["kind"]]
    lines: Lines = []
    for pointer in rule["at"]:
        call_lines = kind.writer(rule, pointer, vocabularies)
        before = list(itertools.takewhile(lambda step: step != "*", steps_of(pointer)))
        if kind.walks or kind.tests_presence or before in _USUAL:
            lines += call_lines
        else:
            test = f"{before[0]!r} in document" if len(before) == 1 else f"dig(document, {tuple(before)!r})"
            lines += [f"if {test}:", *(f"    {line}" for line in call_lines)]
    return lines


def is_about_names(rule: Any) -> bool:
    """Return whether a rule is about which fields an object has; its calls are only made if a field is unusual."""
    return rule["kind"] in KINDS and KINDS[rule["kind"]].tests_presence


@dataclass(frozen=True, slots=True)
class Place:
    """The pointers that a kind accepts: a pattern over the whole pointer, and its description."""

    pattern: re.Pattern[str]
    words: str


_NAME: Final = "/[A-Za-z0-9_$-]+"
# The beginning of a pointer whose items a rule selects by its `where`.
PICKED: Final = re.compile(rf"({_NAME})+/\*/")
PLACES: Final = {
    "anywhere": Place(re.compile(r"#?(/(?!\*\*)[^/]*)*"), "any pointer without **"),
    "objects": Place(re.compile(r"/\*\*"), "/**, every object"),
    "shallow": Place(re.compile(rf"({_NAME})+|{_NAME}/\*{_NAME}"), "/a, /a/b or /a/*/b"),
    "field": Place(re.compile(r"(/[^/*]+)+"), "one field: /a or /a/b"),
}


def _unique(rule: Any, pointer: str, _: Any) -> Lines:
    by = tuple(rule["by"])
    return _visit(
        pointer, lambda value, at: f"unique(violations, RULES[{rule['id']!r}], {value}, {at}, {by!r})"
    )


def _requirements(rule: Any, pointer: str, _: Any) -> Lines:
    name = rule["kind"]
    schemes = f"document.get({steps_of(rule['in'])[0]!r})"
    inner = rule.get("inner", "")
    return _visit(
        pointer,
        lambda value, at: f"{name}(violations, RULES[{rule['id']!r}], {value}, {schemes}, {at}, {inner!r})",
    )


def _registered(rule: Any, pointer: str, _: Any) -> Lines:
    names = f"vocabularies[{rule['vocabulary']!r}]"
    slug = bool(rule.get("namespaced", False))
    steps = steps_of(pointer)
    if "where" not in rule:
        return [f"registered(violations, RULES[{rule['id']!r}], document, {steps!r}, {names}, slug={slug})"]
    # `where` selects items at the first `*`, for example an extension by its URI.
    ((name, value),) = rule["where"].items()
    first = steps.index("*")
    at = f'f"/{"/".join(steps[:first])}/{{index}}"'
    return [
        f"for index, item in enumerate(listed(dig(document, {steps[:first]!r}))):",
        f"    if type(item) is dict and item.get({name!r}) == {value!r}:",
        f"        registered(violations, RULES[{rule['id']!r}], item, {steps[first + 1 :]!r}, {names}, slug={slug}, at={at})",
    ]


def _needs(rule: Any, pointer: str, vocabularies: dict[str, Any]) -> Lines:
    entries = vocabularies[rule["vocabulary"]]["entries"]
    table = {entry["name"]: tuple(entry["requires"]) for entry in entries if entry.get("requires")}
    names = f"vocabularies[{rule['vocabulary']!r}]"
    place = f"document, {steps_of(pointer)!r}, {rule['by']!r}"
    return [f"needs(violations, RULES[{rule['id']!r}], {place}, {table!r}, {names})"]


def _present(rule: Any, pointer: str, _: Any) -> Lines:
    *outer, name = steps_of(pointer)
    return _presence(rule, pointer, f"{name!r} not in {_holder(outer)}", "None")


def _absent(rule: Any, pointer: str, _: Any) -> Lines:
    *outer, name = steps_of(pointer)
    holder = _holder(outer)
    return _presence(rule, pointer, f"{name!r} in {holder}", f"{holder}[{name!r}]")


def _holder(outer: list[str]) -> str:
    return f"mapping(dig(document, {tuple(outer)!r}))" if outer else "document"


def _presence(rule: Any, pointer: str, condition: str, value: str) -> Lines:
    for name, other in rule.get("unless", {}).items():
        condition += f" and document.get({name!r}) != {other!r}"
    return [
        f"if {condition}:",
        f"    violations.append(break_rule(RULES[{rule['id']!r}], {pointer!r}, {value}))",
    ]


def _spelling(rule: Any, pointer: str, _: Any) -> Lines:
    # One call walks all places of the rule.
    if pointer != rule["at"][0]:
        return []
    unknown = f", RULES[{rule['unknown']!r}]" if "unknown" in rule else ""
    return [f"spelling(violations, RULES[{rule['id']!r}], document, SPELLINGS[{rule['id']!r}]{unknown})"]


def _jws_header(rule: Any, pointer: str, _: Any) -> Lines:
    refused = f", {tuple(rule['refuses'])!r}" if "refuses" in rule else ""
    return [f"jws_header(violations, RULES[{rule['id']!r}], document, {steps_of(pointer)!r}{refused})"]


def _same(rule: Any, pointer: str, _: Any) -> Lines:
    by = tuple(steps_of(one) for one in rule["by"])
    return [f"same(violations, RULES[{rule['id']!r}], document, {steps_of(pointer)!r}, {by!r})"]


def _document_check(name: str) -> CallWriter:
    def writer(rule: Any, pointer: str, _: Any) -> Lines:  # noqa: ARG001 - one signature for all writers
        return [f"{name}(violations, RULES[{rule['id']!r}], document)"]

    return writer


# By the `kind` of a rule; the modules of `KIND_MODULES` fill the placeholders.
KINDS: Final[dict[str, CheckKind]] = {
    "unique": CheckKind(_unique, ("value", "first"), ("by",), place="shallow"),
    "declared": CheckKind(_requirements, ("value", "declared"), ("in",), place="shallow"),
    "scopes": CheckKind(_requirements, ("value", "fault"), ("in",), place="shallow"),
    "registered": CheckKind(_registered, ("value", "known"), ("vocabulary",)),
    "needs": CheckKind(_needs, ("value", "field"), ("by", "vocabulary")),
    "same": CheckKind(_same, ("value", "meant"), ("by",), walks=True),
    "stream-end": CheckKind(_document_check("stream_end"), ("value", "first")),
    "stream-chunks": CheckKind(_document_check("stream_chunks"), ("value", "fault")),
    # A rule about spelling names it, and reports its findings.
    "unknown": CheckKind(lambda *_: [], ("value",)),
    SIGNS: CheckKind(lambda *_: [], ("value", "found"), ("signs", "least")),
    "jws-header": CheckKind(_jws_header, ("value", "fault")),
    "present": CheckKind(_present, ("value",), place="field", tests_presence=True),
    "absent": CheckKind(_absent, ("value",), place="field", tests_presence=True),
    "spelling": CheckKind(_spelling, ("value", "meant"), place="objects", tests_presence=True),
    "publisher": CheckKind(_document_check("publisher"), ("value", "identity")),
    "main-interface-agrees": CheckKind(_document_check("main_interface_agrees"), ("value", "preferred")),
    "main-interface-listed": CheckKind(_document_check("main_interface_listed"), ("value",)),
    "halves-interfaces": CheckKind(_document_check("halves_interfaces"), ("value", "half", "transport")),
    "halves-security": CheckKind(_document_check("halves_security"), ("value", "older", "newer")),
    "halves-extended": CheckKind(_document_check("halves_extended"), ("value", "other")),
}


def _visit(pointer: str, call: Any) -> Lines:
    """Return the lines of a call for `/a` and `/a/b`, or of a loop for `/a/*/b`: the pointers that rules use."""
    steps = steps_of(pointer)
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
