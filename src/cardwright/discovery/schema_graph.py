"""An untrusted JSON Schema as a graph: references, missing documents, and the amount of work.

An edge leads to a schema for the same value (`allOf`, `$ref`) or for a part of it (`properties`, `items`).
References are resolved as in jsonschema-rs, which has no limits of its own: so its lookups and the number of its
evaluations are known before it runs. Nothing is fetched here.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urldefrag, urljoin

from cardwright.discovery.schema_patterns import patterns_of
from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# The maximum of subschemas in a contract (project decision; a card of 256 KiB holds about 20,000).
MAX_NODES: Final = 50_000
# The meta-schemas of the known drafts: jsonschema-rs includes them.
_META: Final = ("https://json-schema.org/draft/", "http://json-schema.org/draft-0")
_SAME_ONE: Final = ("not", "if", "then", "else")
_SAME_LIST: Final = ("allOf", "anyOf", "oneOf")
# `dependencies` of draft 7 and older holds schemas or lists of names.
_SAME_MAP: Final = ("dependentSchemas", "dependencies")
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_REST: Final = ("additionalProperties", "unevaluatedProperties")
_ITEMS: Final = ("items", "additionalItems", "unevaluatedItems", "contains")
# Subschemas that are only used by reference.
_STORES: Final = ("$defs", "definitions")
_ASIDE: Final = ("contentSchema",)
_UNEVALUATED: Final = ("unevaluatedProperties", "unevaluatedItems")


@dataclass(slots=True)
class Node:
    """One schema of the graph, with its edges as numbers of nodes.

    Attributes:
        same: Schemas for the same value, with repetitions.
        properties: Schemas of properties, by property name.
        every: Schemas of any property.
        rest: Schemas of properties that are not in `properties`.
        names: Schemas of property names.
        items: Schemas of any item.
        positions: Schemas of the item at that index.
        unevaluated: Whether it evaluates again what its parts have evaluated.
        pattern: The pattern of a text, or "".
        name_patterns: The patterns of property names.
    """

    same: list[int] = field(default_factory=list[int])
    properties: dict[str, int] = field(default_factory=dict[str, int])
    every: list[int] = field(default_factory=list[int])
    rest: list[int] = field(default_factory=list[int])
    names: list[int] = field(default_factory=list[int])
    items: list[int] = field(default_factory=list[int])
    positions: list[int] = field(default_factory=list[int])
    unevaluated: bool = False
    pattern: str = ""
    name_patterns: list[str] = field(default_factory=list[str])

    def inside(self) -> Iterator[int]:
        """Yield the schemas of parts of the value."""
        yield from self.properties.values()
        for edges in (self.every, self.rest, self.names, self.items, self.positions):
            yield from edges


class Graph:
    """All subschemas of a schema, as far as the documents are available.

    Attributes:
        nodes: The schemas; the first one is the root.
        used: The referenced documents, by URL.
        missing: URLs of documents that are not available, in the order of their first reference.
        broken: References without a target, or to a URL that must not be fetched.
        too_large: Whether there are more than `MAX_NODES` schemas; the rest is not read.
        patterns: All patterns, also those that no value is matched with.
    """

    def __init__(
        self, schema: Any, documents: Mapping[str, Any], base: str = "", *, max_nodes: int = MAX_NODES
    ) -> None:
        self._max_nodes = max_nodes
        self.nodes: list[Node] = []
        self.used: dict[str, Any] = {}
        self.missing: dict[str, None] = {}
        self.broken: dict[str, None] = {}
        self.too_large = False
        self.patterns: dict[str, None] = {}
        self._documents = documents
        self._numbers: dict[int, int] = {}
        # Nodes are identified by `id()`, so their objects must stay alive.
        self._schemas: list[Any] = []
        self._named: dict[str, tuple[Any, str]] = {}
        self._dynamic: dict[str, list[tuple[Any, str]]] = {}
        self._waiting: deque[tuple[int, Any, str]] = deque()
        base = urldefrag(base)[0]
        self._index(schema, base)
        self._named.setdefault(base, (schema, base))
        self._number(schema, base)
        while self._waiting and not self.too_large:
            self._expand(*self._waiting.popleft())

    def _number(self, schema: Any, base: str) -> int:
        """Return a schema's number; queue a new one."""
        existing = self._numbers.get(id(schema))
        if existing is not None:
            return existing
        number = len(self.nodes)
        if number >= self._max_nodes:
            self.too_large = True
            return 0
        self.nodes.append(Node())
        self._schemas.append(schema)
        if isinstance(schema, dict):
            # True and False are singletons, so they cannot be identified by `id()`.
            self._numbers[id(schema)] = number
            self._waiting.append((number, schema, _based(schema, base)))
        return number

    def _expand(self, number: int, schema: dict[str, Any], base: str) -> None:
        node = self.nodes[number]
        node.unevaluated = any(name in schema for name in _UNEVALUATED)
        self.patterns |= dict.fromkeys(patterns_of(schema))
        if isinstance(schema.get("pattern"), str):
            node.pattern = schema["pattern"]
        if isinstance(schema.get("patternProperties"), dict):
            node.name_patterns = list(schema["patternProperties"])
        for name in _REFERENCES:
            if isinstance(schema.get(name), str):
                node.same += [self._number(*target) for target in self._targets(name, schema[name], base)]
        for name in _SAME_ONE:
            node.same += [self._number(subschema, base) for subschema in _one(schema.get(name))]
        for name in _SAME_LIST:
            node.same += [self._number(subschema, base) for subschema in _several(schema.get(name))]
        for name in _SAME_MAP:
            node.same += [self._number(subschema, base) for _, subschema in _mapped(schema.get(name))]
        node.properties = {
            name: self._number(subschema, base) for name, subschema in _mapped(schema.get("properties"))
        }
        node.every = [
            self._number(subschema, base) for _, subschema in _mapped(schema.get("patternProperties"))
        ]
        node.rest = [self._number(subschema, base) for name in _REST for subschema in _one(schema.get(name))]
        node.names = [self._number(subschema, base) for subschema in _one(schema.get("propertyNames"))]
        node.items = [
            self._number(subschema, base) for name in _ITEMS for subschema in _one(schema.get(name))
        ]
        for name in ("prefixItems", "items"):
            node.positions += [self._number(subschema, base) for subschema in _several(schema.get(name))]

    def _targets(self, keyword: str, reference: str, base: str) -> Iterator[tuple[Any, str]]:
        """Yield the possible targets of a reference; a dynamic one may lead to any anchor with its name."""
        if keyword == "$recursiveRef":
            reference = "#"
        target = self._resolve(reference, base)
        if target is not None:
            yield target
        if keyword == "$dynamicRef":
            anchor = reference.rpartition("#")[2]
            yield from (
                subschema
                for subschema in self._dynamic.get(anchor, ())
                if target is None or subschema[0] is not target[0]
            )

    def _resolve(self, reference: str, base: str) -> tuple[Any, str] | None:
        joined = _joined(base, reference)
        if joined is None:
            self.broken.setdefault(reference)
            return None
        url, fragment = urldefrag(joined)
        if url not in self._named:
            if url.startswith(_META):
                return None
            if url not in self._documents:
                (self.missing if _fetchable(url) else self.broken).setdefault(url or reference)
                return None
            self.used[url] = self._documents[url]
            self._index(self._documents[url], url)
            self._named.setdefault(url, (self._documents[url], url))
        target = self._in(url, fragment)
        if target is None:
            self.broken.setdefault(joined)
        return target

    def _in(self, url: str, fragment: str) -> tuple[Any, str] | None:
        """Return the target of a fragment in a document: a JSON Pointer or an anchor."""
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            return self._named.get(f"{url}#{fragment}")
        value, base = self._named[url]
        for step in steps_of(fragment):
            if isinstance(value, dict) and step in value:
                base = _based(value, base)
                value = value[step]
            elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            else:
                return None
        return value, base

    def _index(self, document: Any, base: str) -> None:
        """Index the named subschemas of a document: `$id`, `$anchor` and their older forms."""
        waiting = [(document, base)]
        while waiting:
            schema, base = waiting.pop()
            if not isinstance(schema, dict):
                continue
            # A meta-schema validates patterns in schemas that nothing refers to as well.
            self.patterns |= dict.fromkeys(patterns_of(schema))
            inner = _based(schema, base)
            if inner != base:
                self._named.setdefault(inner, (schema, inner))
            base = inner
            for name in ("$anchor", "$dynamicAnchor"):
                if isinstance(schema.get(name), str):
                    self._named.setdefault(f"{base}#{schema[name]}", (schema, base))
            if isinstance(schema.get("$dynamicAnchor"), str):
                self._dynamic.setdefault(schema["$dynamicAnchor"], []).append((schema, base))
            for name in ("$id", "id"):
                # Drafts 4 to 7 write an anchor as an id that is only a fragment.
                if isinstance(schema.get(name), str) and schema[name].startswith("#"):
                    self._named.setdefault(f"{base}{schema[name]}", (schema, base))
            waiting += [(subschema, base) for subschema in _subschemas(schema)]


def _subschemas(schema: dict[str, Any]) -> Iterator[Any]:
    """Yield the direct subschemas of a schema; data (`const`, `examples`) has none."""
    for name in (*_SAME_ONE, *_REST, *_ITEMS, *_ASIDE, "propertyNames"):
        yield from _one(schema.get(name))
    for name in (*_SAME_LIST, "prefixItems", "items"):
        yield from _several(schema.get(name))
    for name in (*_SAME_MAP, *_STORES, "properties", "patternProperties"):
        yield from (subschema for _, subschema in _mapped(schema.get(name)))


def _one(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, bool)):
        yield value


def _several(value: Any) -> Iterator[Any]:
    for item in value if isinstance(value, list) else ():
        yield from _one(item)


def _mapped(value: Any) -> Iterator[tuple[str, Any]]:
    for name, item in value.items() if isinstance(value, dict) else ():
        if isinstance(item, (dict, bool)):
            yield name, item


def _based(schema: dict[str, Any], base: str) -> str:
    """Return the base URL for references in a schema: its own `$id`, if it has one."""
    for name in ("$id", "id"):
        own = schema.get(name)
        # A property may have the name `id`; then the value is a schema, not a text.
        if isinstance(own, str) and own and not own.startswith("#"):
            joined = _joined(base, own)
            return urldefrag(joined)[0] if joined else base
    return base


def _joined(base: str, reference: str) -> str | None:
    if not reference or reference.startswith("#"):
        return base + reference
    try:
        return urljoin(base, reference)
    except ValueError:
        return None


def _fetchable(url: str) -> bool:
    return url.lower().startswith(("https://", "http://"))
