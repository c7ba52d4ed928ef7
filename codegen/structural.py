"""Rules that JSON Schema cannot say, printed as calls of the kinds in `cardwright_runtime/checks.py`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from codegen.shape import steps_of

Lines = list[str]
Printer = Callable[[Any, str, dict[str, Any]], Lines]
# Members that nearly every card has: asking first would only cost.
_USUAL: Final[list[list[str]]] = [[], ["skills"], ["capabilities"], ["transports"]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of rule: who prints it, the members it needs and the words its message may use.

    ``place`` names the pointers of `PLACES` that it can look at; ``asks_itself`` is true where it is
    about a member's being there or not.
    """

    printer: Printer
    words: tuple[str, ...]
    needs: tuple[str, ...] = ()
    place: str = "anywhere"
    asks_itself: bool = False


def calls(rule: Any, vocabularies: dict[str, Any]) -> Lines:
    """Return the Python lines (inside a function over `document` and `found`) that ask one rule.

    What most cards do not have is looked for first, so that its absence costs next to nothing.
    """
    kind = KINDS[rule["kind"]]
    lines: Lines = []
    for pointer in rule["at"]:
        printed = kind.printer(rule, pointer, vocabularies)
        before = list(itertools.takewhile(lambda step: step != "*", steps_of(pointer)))
        if kind.asks_itself or before in _USUAL:
            lines += printed
        else:
            there = f"{before[0]!r} in document" if len(before) == 1 else f"dig(document, {tuple(before)!r})"
            lines += [f"if {there}:", *(f"    {line}" for line in printed)]
    return lines


@dataclass(frozen=True, slots=True)
class Place:
    """The pointers that a kind can look at: a pattern over the whole pointer, and its words."""

    pattern: re.Pattern[str]
    words: str


_NAME: Final = "/[A-Za-z0-9_$-]+"
# What leads to the items that a rule picks among by its `where`.
PICKED: Final = re.compile(rf"({_NAME})+/\*/")
PLACES: Final = {
    "anywhere": Place(re.compile(r"(/(?!\*\*)[^/]*)*"), "any pointer without **"),
    "shallow": Place(re.compile(rf"({_NAME})+|{_NAME}/\*{_NAME}"), "/a, /a/b or /a/*/b"),
    "member": Place(re.compile(r"(/[^/*]+)+"), "one member: /a or /a/b"),
    "holder": Place(re.compile(rf"({_NAME})*|({_NAME})+/\*"), "the root, /a, /a/b or /a/*"),
}


def _unique(rule: Any, pointer: str, _: Any) -> Lines:
    by = tuple(rule["by"])
    return _visit(pointer, lambda value, at: f"unique(found, RULES[{rule['id']!r}], {value}, {at}, {by!r})")


def _declared(rule: Any, pointer: str, _: Any) -> Lines:
    schemes = f"document.get({steps_of(rule['in'])[0]!r})"
    inner = rule.get("inner", "")
    return _visit(
        pointer,
        lambda value, at: f"declared(found, RULES[{rule['id']!r}], {value}, {schemes}, {at}, {inner!r})",
    )


def _registered(rule: Any, pointer: str, _: Any) -> Lines:
    names = f"vocabularies[{rule['vocabulary']!r}]"
    slug = bool(rule.get("namespaced", False))
    steps = steps_of(pointer)
    if "where" not in rule:
        return [f"registered(found, RULES[{rule['id']!r}], document, {steps!r}, {names}, slug={slug})"]
    # `where` picks among the items at the first `*`, as an extension is known by its URI.
    ((name, value),) = rule["where"].items()
    first = steps.index("*")
    at = f'f"/{"/".join(steps[:first])}/{{index}}"'
    return [
        f"for index, item in enumerate(listed(dig(document, {steps[:first]!r}))):",
        f"    if type(item) is dict and item.get({name!r}) == {value!r}:",
        f"        registered(found, RULES[{rule['id']!r}], item, {steps[first + 1 :]!r}, {names}, slug={slug}, at={at})",
    ]


def _needs(rule: Any, pointer: str, vocabularies: dict[str, Any]) -> Lines:
    entries = vocabularies[rule["vocabulary"]]["entries"]
    table = {entry["name"]: tuple(entry["requires"]) for entry in entries if entry.get("requires")}
    names = f"vocabularies[{rule['vocabulary']!r}]"
    place = f"document, {steps_of(pointer)!r}, {rule['by']!r}"
    return [f"needs(found, RULES[{rule['id']!r}], {place}, {table!r}, {names})"]


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
    return [f"if {condition}:", f"    found.append(break_rule(RULES[{rule['id']!r}], {pointer!r}, {value}))"]


def _spelling(rule: Any, pointer: str, _: Any) -> Lines:
    # Whether all is known is asked here and not in the call: it is asked of every skill of every card.
    def ask(node: str, at: str) -> Lines:
        known = f"SPELLINGS[{pointer!r}]"
        call = f"spelling(found, RULES[{rule['id']!r}], {node}, {at}, {known})"
        return [f"if type({node}) is dict and not {node}.keys() <= {known}.names:", f"    {call}"]

    *outer, last = steps_of(pointer) or ("",)
    if last == "*":
        items = f"document.get({outer[0]!r})" if len(outer) == 1 else f"dig(document, {tuple(outer)!r})"
        at = f'f"{pointer[:-1]}{{index}}"'
        return [
            f"for index, item in enumerate(listed({items})):",
            *(f"    {line}" for line in ask("item", at)),
        ]
    if not pointer:
        return ask("document", "''")
    return [f"item = dig(document, {steps_of(pointer)!r})", *ask("item", repr(pointer))]


def _jws_header(rule: Any, pointer: str, _: Any) -> Lines:
    return [f"jws_header(found, RULES[{rule['id']!r}], document, {steps_of(pointer)!r})"]


def _whole(name: str) -> Printer:
    def printer(rule: Any, pointer: str, _: Any) -> Lines:  # noqa: ARG001 - one signature for all printers
        return [f"{name}(found, RULES[{rule['id']!r}], document)"]

    return printer


# By the name that a rule's `kind` says; `cardwright_runtime/checks.py` and `cardwright_runtime/agreement.py` fill in the words.
KINDS: Final[dict[str, Kind]] = {
    "unique": Kind(_unique, ("value", "first"), ("by",), place="shallow"),
    "declared": Kind(_declared, ("value", "declared"), ("in",), place="shallow"),
    "registered": Kind(_registered, ("value", "known"), ("vocabulary",)),
    "needs": Kind(_needs, ("value", "member"), ("by", "vocabulary")),
    "jws-header": Kind(_jws_header, ("value", "fault")),
    "present": Kind(_present, ("value",), place="member", asks_itself=True),
    "absent": Kind(_absent, ("value",), place="member", asks_itself=True),
    "spelling": Kind(_spelling, ("value", "meant"), place="holder", asks_itself=True),
    "main-interface-agrees": Kind(_whole("main_interface_agrees"), ("value", "preferred")),
    "main-interface-listed": Kind(_whole("main_interface_listed"), ("value",)),
    "halves-interfaces": Kind(_whole("halves_interfaces"), ("value", "half", "transport")),
    "halves-security": Kind(_whole("halves_security"), ("value", "older", "newer")),
    "halves-extended": Kind(_whole("halves_extended"), ("value", "other")),
}


def _visit(pointer: str, call: Any) -> Lines:
    """Print a call for `/a` and `/a/b`, or a loop for `/a/*/b`: the shapes that cards have."""
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
