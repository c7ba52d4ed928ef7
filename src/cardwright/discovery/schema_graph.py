"""A foreign JSON Schema as a graph: what refers to what, what is missing, and how much work it makes.

An edge leads to a schema that judges the same value (`allOf`, `$ref`), or a value inside it (`properties`,
`items`). References are followed here as jsonschema-rs follows them, so that what it would ask for, and how
often it would judge, is known before it runs: it has no limit of its own. Nothing here fetches.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urldefrag, urljoin

from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Past so many schemas in one contract nobody means them (ours; a card of 256 KiB holds some 20,000).
MOST_NODES: Final = 50_000
# What every reader has at hand, and jsonschema-rs brings: the meta-schemas of the drafts it knows.
_META: Final = ("https://json-schema.org/draft/", "http://json-schema.org/draft-0")
_SAME_ONE: Final = ("not", "if", "then", "else")
_SAME_LIST: Final = ("allOf", "anyOf", "oneOf")
# `dependencies` of draft 7 and older holds schemas or lists of names.
_SAME_MAP: Final = ("dependentSchemas", "dependencies")
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_REST: Final = ("additionalProperties", "unevaluatedProperties")
_ITEMS: Final = ("items", "additionalItems", "unevaluatedItems", "contains")
# Subschemas that stand ready to be referred to, and judge nothing where they stand.
_STORES: Final = ("$defs", "definitions")
_ASIDE: Final = ("contentSchema",)
_UNEVALUATED: Final = ("unevaluatedProperties", "unevaluatedItems")


@dataclass(slots=True)
class Node:
    """One schema of the graph: where it leads to, by number.

    Attributes:
        same: Schemas that judge the same value, once for each time.
        members: By member name, schemas of that member.
        every: Schemas of any member.
        rest: Schemas of a member that `members` does not name.
        names: Schemas of the members' names.
        items: Schemas of any item.
        places: Schemas of the item in that place.
        unevaluated: Whether it looks again at what its parts have judged.
    """

    same: list[int] = field(default_factory=list[int])
    members: dict[str, int] = field(default_factory=dict[str, int])
    every: list[int] = field(default_factory=list[int])
    rest: list[int] = field(default_factory=list[int])
    names: list[int] = field(default_factory=list[int])
    items: list[int] = field(default_factory=list[int])
    places: list[int] = field(default_factory=list[int])
    unevaluated: bool = False

    def inside(self) -> Iterator[int]:
        """Yield the schemas of values inside."""
        yield from self.members.values()
        for several in (self.every, self.rest, self.names, self.items, self.places):
            yield from several


class Graph:
    """All that a schema leads to, as far as the documents at hand go.

    Attributes:
        nodes: The schemas; the first is the one that it begins with.
        used: URLs of the documents that it leads into.
        missing: URLs of documents that are not at hand, as they were first referred to.
        broken: References that lead nowhere, or to what may not be fetched.
        too_large: Whether it has more than `MOST_NODES` schemas; the rest is not read.
    """

    def __init__(
        self, schema: Any, documents: Mapping[str, Any], base: str = "", *, most: int = MOST_NODES
    ) -> None:
        self._most = most
        self.nodes: list[Node] = []
        self.used: dict[str, Any] = {}
        self.missing: dict[str, None] = {}
        self.broken: dict[str, None] = {}
        self.too_large = False
        self._documents = documents
        self._numbers: dict[int, int] = {}
        # Objects are told apart by where they are in memory, so they must stay.
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
        """Return a schema's number; a new one waits to be expanded."""
        known = self._numbers.get(id(schema))
        if known is not None:
            return known
        number = len(self.nodes)
        if number >= self._most:
            self.too_large = True
            return 0
        self.nodes.append(Node())
        self._schemas.append(schema)
        if isinstance(schema, dict):
            # True and False are each one object, however often they stand there.
            self._numbers[id(schema)] = number
            self._waiting.append((number, schema, _based(schema, base)))
        return number

    def _expand(self, number: int, schema: dict[str, Any], base: str) -> None:
        node = self.nodes[number]
        node.unevaluated = any(name in schema for name in _UNEVALUATED)
        for name in _REFERENCES:
            if isinstance(schema.get(name), str):
                node.same += [self._number(*target) for target in self._targets(name, schema[name], base)]
        for name in _SAME_ONE:
            node.same += [self._number(one, base) for one in _one(schema.get(name))]
        for name in _SAME_LIST:
            node.same += [self._number(one, base) for one in _several(schema.get(name))]
        for name in _SAME_MAP:
            node.same += [self._number(one, base) for _, one in _mapped(schema.get(name))]
        node.members = {name: self._number(one, base) for name, one in _mapped(schema.get("properties"))}
        node.every = [self._number(one, base) for _, one in _mapped(schema.get("patternProperties"))]
        node.rest = [self._number(one, base) for name in _REST for one in _one(schema.get(name))]
        node.names = [self._number(one, base) for one in _one(schema.get("propertyNames"))]
        node.items = [self._number(one, base) for name in _ITEMS for one in _one(schema.get(name))]
        for name in ("prefixItems", "items"):
            node.places += [self._number(one, base) for one in _several(schema.get(name))]

    def _targets(self, keyword: str, reference: str, base: str) -> Iterator[tuple[Any, str]]:
        """Yield what a reference may lead to; a dynamic one may end at any anchor of its name."""
        if keyword == "$recursiveRef":
            reference = "#"
        target = self._resolved(reference, base)
        if target is not None:
            yield target
        if keyword == "$dynamicRef":
            anchor = reference.rpartition("#")[2]
            yield from (
                one for one in self._dynamic.get(anchor, ()) if target is None or one[0] is not target[0]
            )

    def _resolved(self, reference: str, base: str) -> tuple[Any, str] | None:
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
        found = self._in(url, fragment)
        if found is None:
            self.broken.setdefault(joined)
        return found

    def _in(self, url: str, fragment: str) -> tuple[Any, str] | None:
        """Return what a fragment names in a document: a JSON Pointer, or an anchor."""
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
        """Note what has a name of its own in a document: `$id`, `$anchor` and their older forms."""
        waiting = [(document, base)]
        while waiting:
            schema, base = waiting.pop()
            if not isinstance(schema, dict):
                continue
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
                # Drafts 4 to 7 write an anchor as an id that is a fragment alone.
                if isinstance(schema.get(name), str) and schema[name].startswith("#"):
                    self._named.setdefault(f"{base}{schema[name]}", (schema, base))
            waiting += [(one, base) for one in _subschemas(schema)]


def _subschemas(schema: dict[str, Any]) -> Iterator[Any]:
    """Yield the schemas that stand in one; what is data (`const`, `examples`) holds none."""
    for name in (*_SAME_ONE, *_REST, *_ITEMS, *_ASIDE, "propertyNames"):
        yield from _one(schema.get(name))
    for name in (*_SAME_LIST, "prefixItems", "items"):
        yield from _several(schema.get(name))
    for name in (*_SAME_MAP, *_STORES, "properties", "patternProperties"):
        yield from (one for _, one in _mapped(schema.get(name)))


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
    """Return the base that references in a schema are relative to: its own `$id`, if it has one."""
    for name in ("$id", "id"):
        own = schema.get(name)
        # A property may be called `id`, too; then it is a schema and no text.
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
