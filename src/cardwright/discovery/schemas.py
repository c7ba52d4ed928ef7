"""Schemas that a card refers to by URL: which these are, fetched beforehand and kept as one value.

Judging fetches nothing. Whoever refreshes a card asks `wanted_schemas`, or lets `fetch_schemas` do it, and
passes what came on to `check_input` and its kin.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urldefrag

import orjson

from cardwright.canonical import GREATEST_DEPTH, Limits, copied, decode
from cardwright.discovery.schema_graph import MOST_NODES, Graph
from cardwright.discovery.skill_schemas import declared_schemas
from cardwright.errors import BadArgument, CardError, MalformedDocument

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from cardwright.card import Card

# A chain of references longer than this is no contract that a person keeps (ours).
MOST_ROUNDS: Final = 8
# How much that was made of schemas is kept with them (ours).
MOST_KEPT: Final = 64
# How many are fetched at a time (ours).
_AT_ONCE: Final = 8

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SchemaLimits:
    """How much is kept (ours): how many schemas, bytes of one and of all, levels of nesting."""

    max_count: int = 64
    max_bytes: int = 256 * 1024
    max_total_bytes: int = 1024 * 1024
    max_depth: int = 64

    def __post_init__(self) -> None:
        """Refuse limits that could not be kept."""
        for limit in (self.max_count, self.max_bytes, self.max_total_bytes, self.max_depth):
            if type(limit) is not int or limit < 1:
                raise BadArgument("limits", f"a limit is an integer of at least 1, not {limit!r}")
        if self.max_depth > GREATEST_DEPTH:
            raise BadArgument("limits", f"documents are read to at most {GREATEST_DEPTH} levels")


_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_LIMITS: Final = SchemaLimits()


@dataclass(frozen=True, slots=True)
class Schemas:
    """Schemas by their URL, as far as they were fetched.

    What was compiled with them is kept beside them: hold on to one value to judge quickly.

    Attributes:
        documents: The JSON value of each, by URL without a fragment. They must not be changed.
        failures: Why others could not be had, by URL.
        limits: How much is kept.
    """

    documents: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    failures: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    limits: SchemaLimits = _LIMITS
    _sizes: Mapping[str, int] = field(default_factory=lambda: _NOTHING, repr=False, compare=False)
    _made: dict[Hashable, Any] = field(
        default_factory=dict[Hashable, Any], init=False, repr=False, compare=False
    )

    def kept(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return what was made of these schemas before, or make it; the oldest goes past `MOST_KEPT`."""
        found: _T | None = self._made.get(key)
        if found is None:
            found = make()
            for oldest in list(self._made)[: max(0, len(self._made) + 1 - MOST_KEPT)]:
                self._made.pop(oldest, None)
            self._made[key] = found
        return found

    def with_schema(self, url: str, schema: bytes | Any) -> Schemas:
        """Return the same schemas and one more; the value is copied.

        Args:
            url: The absolute URL that references name, with or without a fragment.
            schema: Its JSON value, or the bytes of it.

        Raises:
            MalformedDocument: If it is no JSON, is no schema, or is past a limit.
        """
        limits = Limits(max_bytes=self.limits.max_bytes, max_depth=self.limits.max_depth)
        value = decode(schema, limits) if isinstance(schema, bytes) else copied(schema, limits)
        if type(value) not in (dict, bool):
            raise MalformedDocument("contract/schema", "a schema is an object, true or false")
        key = urldefrag(url)[0]
        size = len(orjson.dumps(value))
        sizes = {**self._sizes, key: size}
        if size > self.limits.max_bytes:
            reason = f"a schema has {size:,} bytes; at most {self.limits.max_bytes:,} are kept"
            raise MalformedDocument("contract/too-large", reason)
        if len(sizes) > self.limits.max_count:
            raise MalformedDocument("contract/too-many", f"at most {self.limits.max_count} schemas are kept")
        if sum(sizes.values()) > self.limits.max_total_bytes:
            reason = f"at most {self.limits.max_total_bytes:,} bytes of schemas are kept"
            raise MalformedDocument("contract/too-large", reason)
        return replace(
            self,
            documents=MappingProxyType({**self.documents, key: value}),
            failures=MappingProxyType({name: why for name, why in self.failures.items() if name != key}),
            _sizes=MappingProxyType(sizes),
        )

    def with_failure(self, url: str, reason: str) -> Schemas:
        """Return the same schemas, and why one could not be had."""
        return self.with_failures({urldefrag(url)[0]: reason})

    def with_failures(self, reasons: Mapping[str, str]) -> Schemas:
        """Return the same schemas, and why others could not be had, by URL without a fragment."""
        return replace(self, failures=MappingProxyType({**self.failures, **reasons}))


def wanted_schemas(card: Card, *, schemas: Schemas | None = None, base: str = "") -> tuple[str, ...]:
    """Return the URLs of the schemas that a card refers to and that are not at hand.

    What is at hand is read for further references, so asking again after each round closes the set.
    Only `https` and `http` URLs are wanted; the meta-schemas of JSON Schema itself never are.

    Args:
        card: The card; it is not changed.
        schemas: What was fetched before.
        base: The URL that the card came from, which relative references are relative to.
    """
    documents = schemas.documents if schemas else _NOTHING
    wanted: dict[str, None] = {}
    left = MOST_NODES
    for one in declared_schemas(card):
        graph = Graph(one.schema, documents, base, most=left)
        wanted |= graph.missing
        # All of a card's schemas together are no more work than one may be.
        left -= len(graph.nodes)
        if left <= 0:
            break
    return tuple(wanted)


async def fetch_schemas(
    card: Card,
    fetch: Callable[[str], Awaitable[bytes]],
    *,
    known: Schemas | None = None,
    base: str = "",
    rounds: int = MOST_ROUNDS,
) -> Schemas:
    """Return the schemas that a card refers to, those that they refer to, and so on.

    A schema that cannot be had is no error: `Schemas.failures` says why, and what needs it is judged to
    be broken. It is asked for again at the next call.

    Args:
        card: The card; it is not changed.
        fetch: What gets the bytes at a URL; it is to go through the guarded client.
        known: What was fetched before.
        base: The URL that the card came from, which relative references are relative to.
        rounds: How long a chain of references is followed.
    """
    schemas = replace(known or Schemas(), failures=_NOTHING)
    for _ in range(rounds):
        found = await asyncio.to_thread(wanted_schemas, card, schemas=schemas, base=base)
        wanted = [url for url in found if url not in schemas.failures]
        if not wanted:
            return schemas
        room = max(0, schemas.limits.max_count - len(schemas.documents))
        bodies = await _fetched(wanted[:room], fetch)
        for url, body in zip(wanted, bodies, strict=False):
            schemas = _taken(schemas, url, body)
        more = f"at most {schemas.limits.max_count} schemas are kept"
        schemas = schemas.with_failures(dict.fromkeys(wanted[room:], more))
    found = await asyncio.to_thread(wanted_schemas, card, schemas=schemas, base=base)
    more = f"the references go on for more than {rounds} rounds"
    return schemas.with_failures({url: more for url in found if url not in schemas.failures})


def _taken(schemas: Schemas, url: str, body: bytes | CardError) -> Schemas:
    if isinstance(body, CardError):
        return schemas.with_failure(url, str(body))
    try:
        return schemas.with_schema(url, body)
    except MalformedDocument as error:
        return schemas.with_failure(url, str(error))


async def _fetched(urls: list[str], fetch: Callable[[str], Awaitable[bytes]]) -> list[bytes | CardError]:
    """Fetch a few at a time; an error of ours is a result, any other ends it all."""
    slots = asyncio.Semaphore(_AT_ONCE)

    async def one(url: str) -> bytes | CardError:
        async with slots:
            try:
                return await fetch(url)
            except CardError as error:
                return error

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(url)) for url in urls]
    return [task.result() for task in tasks]
