"""Checks that JSON Schema cannot express, each a function over a document of any shape.

A check skips a value of the wrong type, because the schema reports it.
"""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.violation import break_rule, pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from cardwright_runtime.violation import Rule, Violation

    Step = str | int

EACH: Final = "*"
# Every item of an array, and no field of an object.
ITEM: Final = "[*]"
# Security schemes without scopes (OpenAPI 3.0, Security Requirement Object): their types, and wrappers of A2A 1.0.
_NO_SCOPES: Final = (
    *("http", "apiKey", "mutualTLS"),
    *("httpAuthSecurityScheme", "apiKeySecurityScheme", "mtlsSecurityScheme"),
)


def reach(
    node: Any, steps: Sequence[str], path: tuple[Step, ...] = ()
) -> Iterator[tuple[tuple[Step, ...], Any]]:
    """Yield (path, value) of each match of a pointer pattern; `*` is every item or field, `[*]` every item."""
    if not steps:
        yield path, node
        return
    step, rest = steps[0], steps[1:]
    if step in (EACH, ITEM):
        if isinstance(node, list):
            for index, item in enumerate(node):
                yield from reach(item, rest, (*path, index))
        elif isinstance(node, dict) and step == EACH:
            for name, item in node.items():
                yield from reach(item, rest, (*path, name))
    elif isinstance(node, dict) and step in node:
        yield from reach(node[step], rest, (*path, step))


def listed(value: Any) -> list[Any]:
    """Return a value if it is an array, otherwise an empty array."""
    return value if type(value) is list else []


def mapping(value: Any) -> dict[str, Any]:
    """Return a value if it is an object, otherwise an empty object."""
    return value if type(value) is dict else {}


def objects(value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (index, item) of each object in a value, if it is an array."""
    if type(value) is list:
        for index, item in enumerate(value):
            if type(item) is dict:
                yield index, item


def dig(node: Any, steps: Sequence[str]) -> Any:
    """Return the value at nested field names, or None if one of them does not exist."""
    for step in steps:
        if type(node) is not dict:
            return None
        node = node.get(step)
    return node


def _reached(node: Any, steps: Sequence[str]) -> list[Any]:
    """Return the values that `reach` yields, without their paths: faster, for the usual case of no violation."""
    nodes = [node]
    for step in steps:
        if not nodes:
            break
        if step == EACH:
            nodes = [item for outer in nodes for item in inner_values(outer)]
        else:
            nodes = [outer[step] for outer in nodes if type(outer) is dict and step in outer]
    return nodes


def inner_values(node: Any) -> Iterable[Any]:
    """Return the items of an array or the values of an object."""
    if type(node) is list:
        return node
    return node.values() if type(node) is dict else ()


def _distinct(items: list[Any], name: str) -> bool:
    """Return whether every item has a different value for a field: a fast test for the usual case."""
    try:
        return len({item[name] for item in items}) == len(items)
    except (TypeError, KeyError):
        return False


def same(
    violations: list[Violation],
    rule: Rule,
    document: Any,
    steps: Sequence[str],
    by: Sequence[Sequence[str]],
) -> None:
    """Add a violation for each value in an object that differs from its first one; `by` are the pointers of the values.

    A value that is absent or empty agrees with every other.
    """
    for path, found in reach(document, steps):
        first = dig(found, by[0])
        for other in by[1:] if type(first) is str and first else ():
            for inner, value in reach(found, other):
                if type(value) is str and value not in ("", first):
                    pointer = pointer_of((*path, *inner))
                    violations.append(break_rule(rule, pointer, value, meant=quote(first)))


def unique(violations: list[Violation], rule: Rule, items: Any, at: str, by: Sequence[str]) -> None:
    """Add a violation for each item of a list that has the same values of the fields `by` as an earlier item."""
    if type(items) is not list or len(items) < 2 or _distinct(items, by[0]):
        return
    seen: dict[Any, int] = {}
    name = by[0]
    for index, item in enumerate(items):
        if type(item) is not dict:
            continue
        value = item.get(name)
        if type(value) is not str:
            continue
        key = value if len(by) == 1 else (value, *(repr(item.get(other)) for other in by[1:]))
        first = seen.setdefault(key, index)
        if first != index:
            pointer = f"{at}/{index}/{name}"
            violations.append(break_rule(rule, pointer, value, first=f"{at}/{first}"))


def declared(
    violations: list[Violation], rule: Rule, requirements: Any, schemes: Any, at: str, inner: str
) -> None:
    """Add a violation for each scheme of the security requirements that is not declared (A2A 1.0 §4.5, OpenAPI).

    Args:
        violations: The list to add to.
        rule: The rule to report.
        requirements: The list of alternatives.
        schemes: The declared schemes by name.
        at: The list's pointer.
        inner: The field that holds the names (1.0: `schemes`), or "" if the entry itself holds them.
    """
    known = mapping(schemes)
    for index, requirement in enumerate(listed(requirements)):
        names = requirement.get(inner) if inner and type(requirement) is dict else requirement
        if type(names) is not dict or names.keys() <= known.keys():
            continue
        for name in [name for name in names if name not in known]:
            pointer = at + pointer_of((index, inner, name) if inner else (index, name))
            violations.append(break_rule(rule, pointer, name, declared=_listed(known)))


def scopes(
    violations: list[Violation], rule: Rule, requirements: Any, schemes: Any, at: str, inner: str
) -> None:
    """Add a violation for each scope of the security requirements that its scheme does not offer (OpenAPI 3.0).

    The arguments are those of `declared`. The scopes of OpenID Connect are not in the card, so that all are accepted.
    """
    known = mapping(schemes)
    for index, requirement in enumerate(listed(requirements)):
        names = requirement.get(inner) if inner and type(requirement) is dict else requirement
        for name, wanted in names.items() if type(names) is dict else ():
            required = wanted.get("list") if inner and type(wanted) is dict else wanted
            offered = _offered(known.get(name), newer=bool(inner)) if required else None
            for place, scope in enumerate(listed(required) if offered is not None else ()):
                if type(scope) is str and scope not in offered:
                    steps = (index, inner, name, "list", place) if inner else (index, name, place)
                    fault = f"{quote(name)} offers {_listed(offered)}"
                    violations.append(break_rule(rule, at + pointer_of(steps), scope, fault=fault))


def _offered(scheme: Any, *, newer: bool) -> Container[str] | None:
    """Return the scopes that the flows of a scheme list; none if its type has none, None if that is not known."""
    try:
        types = scheme if newer else (scheme["type"],)
        if ("oauth2SecurityScheme" if newer else "oauth2") not in types:
            return () if any(name in _NO_SCOPES for name in types) else None
        flows = (scheme["oauth2SecurityScheme"] if newer else scheme)["flows"]
        return set().union(*[flow["scopes"] for flow in flows.values()]) if flows else None
    except (AttributeError, KeyError, TypeError):
        return None


def registered(
    violations: list[Violation],
    rule: Rule,
    node: Any,
    steps: Sequence[str],
    names: Container[str],
    *,
    slug: bool,
    at: str = "",
) -> None:
    """Add a violation for each name that is not in its open registry and, with `slug`, not namespaced as `slug.name`.

    `at` is the pointer of the node; every reported pointer begins with it.
    """

    def unknown(value: Any) -> bool:
        return type(value) is str and value not in names and not (slug and _is_namespaced(value))

    if not any(map(unknown, _reached(node, steps))):
        return
    for path, value in reach(node, steps):
        if unknown(value):
            violations.append(break_rule(rule, at + pointer_of(path), value, known=_listed(names)))


def needs(
    violations: list[Violation],
    rule: Rule,
    document: Any,
    steps: Sequence[str],
    by: str,
    table: dict[str, tuple[str, ...]],
    names: Container[str],
) -> None:
    """Add a violation for each field that an object lacks and that the value of its field `by` requires.

    A registry with entries says what each of them requires; otherwise the canonical `table` does.
    """

    def missing(value: Any) -> list[str]:
        if type(value) is not dict or type(value.get(by)) is not str:
            return []
        return [name for name in _required(value[by], names, table) if name not in value]

    if not any(map(missing, _reached(document, steps))):
        return
    for path, value in reach(document, steps):
        for name in missing(value):
            pointer = pointer_of((*path, name))
            violations.append(break_rule(rule, pointer, value[by], field=name))


def _required(value: str, names: Any, table: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    if hasattr(names, "__getitem__") and value in names:
        return tuple(getattr(names[value], "requires", ()))
    return table.get(value, ())


def jws_header(
    violations: list[Violation], rule: Rule, document: Any, steps: Sequence[str], refused: Container[str] = ()
) -> None:
    """Add a violation unless a header is base64url of an object with `alg` and `kid`, or for a `refused` algorithm."""
    for path, value in reach(document, steps):
        if type(value) is str and (fault := (_refused if refused else _header_fault)(value, refused)):
            violations.append(break_rule(rule, pointer_of(path), value, fault=fault))


def _refused(text: str, refused: Container[str]) -> str:
    header = _header(text)
    algorithm = header.get("alg") if isinstance(header, dict) else None
    return quote(algorithm) if isinstance(algorithm, str) and algorithm.casefold() in refused else ""


def _listed(names: Any) -> str:
    try:
        listed = sorted(map(str, names))
    except TypeError:
        return "the names in the registry"
    return ", ".join(quote(name) for name in listed[:12]) or "none"


def _is_namespaced(name: str) -> bool:
    slug, dot, rest = name.partition(".")
    return bool(dot and slug and rest and slug.replace("-", "").isalnum() and slug.isascii())


def _header_fault(text: str, _: Container[str]) -> str:
    header = _header(text)
    if isinstance(header, str):
        return header
    missing = [name for name in ("alg", "kid") if not isinstance(header.get(name), str)]
    return f"its header has no {' and no '.join(missing)}" if missing else ""


@lru_cache(maxsize=16)
def _header(text: str) -> dict[str, Any] | str:
    """Return a decoded protected header, or its fault; several rules read the same header."""
    if not text.replace("-", "").replace("_", "").isalnum() or not text.isascii():
        return "it is not base64url without padding"
    if len(text) > 8192:
        return "it is longer than 8,192 characters"
    try:
        header: Any = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))  # noqa: TID251 - at most 8,192 characters
    except (binascii.Error, ValueError, RecursionError):
        return "it does not decode to JSON"
    return header if isinstance(header, dict) else "it decodes to JSON that is not an object"
