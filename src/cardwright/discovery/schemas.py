"""Schemas that a card refers to by URL: which are missing, how to fetch them, and a value that holds them.

Validation fetches nothing. Code that refreshes a card calls `fetch_schemas`, or `wanted_schemas` and its own
fetch, and passes the result to `check_input` and similar functions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urldefrag

import orjson

from cardwright.canonical import MAX_DEPTH, Limits, checked_copy, decode
from cardwright.discovery.schema_graph import MAX_NODES, Graph
from cardwright.discovery.skill_schemas import declared_schemas
from cardwright.errors import BadArgument, CardError, MalformedDocument

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from cardwright.card import Card

# The maximum length of a chain of references (project decision).
MAX_ROUNDS: Final = 8
# The maximum of cached compiled schemas (project decision).
MAX_CACHED: Final = 64
# The maximum of concurrent fetches (project decision).
_CONCURRENCY: Final = 8

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SchemaLimits:
    """Limits (project decision): number of schemas, bytes of one and of all, nesting depth."""

    max_count: int = 64
    max_bytes: int = 256 * 1024
    max_total_bytes: int = 1024 * 1024
    max_depth: int = 64

    def __post_init__(self) -> None:
        """Reject invalid limits."""
        for limit in (self.max_count, self.max_bytes, self.max_total_bytes, self.max_depth):
            if type(limit) is not int or limit < 1:
                raise BadArgument("limits", f"expected an integer of at least 1, found {limit!r}")
        if self.max_depth > MAX_DEPTH:
            raise BadArgument("limits", f"max_depth must be at most {MAX_DEPTH}")


_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_LIMITS: Final = SchemaLimits()


@dataclass(frozen=True, slots=True)
class Schemas:
    """Fetched schemas by URL.

    A value also caches the schemas compiled with it: reuse it for speed.

    Attributes:
        documents: The JSON value of each schema, by URL without a fragment; do not change them.
        failures: The reasons for failed fetches, by URL.
        limits: The limits.
    """

    documents: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    failures: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    limits: SchemaLimits = _LIMITS
    _sizes: Mapping[str, int] = field(default_factory=lambda: _NOTHING, repr=False, compare=False)
    _cache: dict[Hashable, Any] = field(
        default_factory=dict[Hashable, Any], init=False, repr=False, compare=False
    )

    def cached(self, key: Hashable, create: Callable[[], _T]) -> _T:
        """Return a cached object, or create it; past `MAX_CACHED` the oldest is removed."""
        cached_value: _T | None = self._cache.get(key)
        if cached_value is None:
            cached_value = create()
            for oldest in list(self._cache)[: max(0, len(self._cache) + 1 - MAX_CACHED)]:
                self._cache.pop(oldest, None)
            self._cache[key] = cached_value
        return cached_value

    def with_schema(self, url: str, schema: bytes | Any) -> Schemas:
        """Return a copy with one more schema.

        Args:
            url: The absolute URL in references, with or without a fragment.
            schema: Its JSON value or bytes.

        Raises:
            MalformedDocument: If it is not JSON, not a schema, or exceeds a limit.
        """
        limits = Limits(max_bytes=self.limits.max_bytes, max_depth=self.limits.max_depth)
        value = decode(schema, limits) if isinstance(schema, bytes) else checked_copy(schema, limits)
        if type(value) not in (dict, bool):
            raise MalformedDocument("contract/schema", "a schema must be an object, true or false")
        key = urldefrag(url)[0]
        size = len(orjson.dumps(value))
        sizes = {**self._sizes, key: size}
        if size > self.limits.max_bytes:
            reason = f"the schema has {size:,} bytes; the maximum is {self.limits.max_bytes:,}"
            raise MalformedDocument("contract/too-large", reason)
        if len(sizes) > self.limits.max_count:
            reason = f"the maximum is {self.limits.max_count} schemas"
            raise MalformedDocument("contract/too-many", reason)
        if sum(sizes.values()) > self.limits.max_total_bytes:
            reason = f"the maximum for all schemas together is {self.limits.max_total_bytes:,} bytes"
            raise MalformedDocument("contract/too-large", reason)
        return replace(
            self,
            documents=MappingProxyType({**self.documents, key: value}),
            failures=MappingProxyType(
                {name: reason for name, reason in self.failures.items() if name != key}
            ),
            _sizes=MappingProxyType(sizes),
        )

    def with_failure(self, url: str, reason: str) -> Schemas:
        """Return a copy with the reason for a failed fetch."""
        return self.with_failures({urldefrag(url)[0]: reason})

    def with_failures(self, reasons: Mapping[str, str]) -> Schemas:
        """Return a copy with the reasons for failed fetches, by URL without a fragment."""
        return replace(self, failures=MappingProxyType({**self.failures, **reasons}))


def wanted_schemas(card: Card, *, schemas: Schemas | None = None, base: str = "") -> tuple[str, ...]:
    """Return the URLs of the missing schemas that a card refers to.

    The available schemas are searched for further references: call it again after each round of fetches.
    Only `https` and `http` URLs are returned, and never the meta-schemas of JSON Schema.

    Args:
        card: The card.
        schemas: The schemas available.
        base: The URL of the card, the base of relative references.
    """
    documents = schemas.documents if schemas else _NOTHING
    missing: dict[str, None] = {}
    remaining = MAX_NODES
    for declared in declared_schemas(card):
        graph = Graph(declared.schema, documents, base, max_nodes=remaining)
        missing |= graph.missing
        # One work limit for all schemas of a card.
        remaining -= len(graph.nodes)
        if remaining <= 0:
            break
    return tuple(missing)


async def fetch_schemas(
    card: Card,
    fetch: Callable[[str], Awaitable[bytes]],
    *,
    known: Schemas | None = None,
    base: str = "",
    rounds: int = MAX_ROUNDS,
) -> Schemas:
    """Fetch the schemas that a card refers to, and those that they refer to.

    A failed fetch is not an error: `Schemas.failures` has the reason, and contracts that need the schema are
    unusable. The next call tries again.

    Args:
        card: The card.
        fetch: Returns the bytes at a URL; it should use the guarded client.
        known: The available schemas.
        base: The URL of the card, the base of relative references.
        rounds: The maximum length of a chain of references.
    """
    schemas = replace(known or Schemas(), failures=_NOTHING)
    for _ in range(rounds):
        missing = await asyncio.to_thread(wanted_schemas, card, schemas=schemas, base=base)
        to_fetch = [url for url in missing if url not in schemas.failures]
        if not to_fetch:
            return schemas
        room = max(0, schemas.limits.max_count - len(schemas.documents))
        bodies = await _fetched(to_fetch[:room], fetch)
        for url, body in zip(to_fetch, bodies, strict=False):
            schemas = _with_result(schemas, url, body)
        reason = f"not fetched: the maximum is {schemas.limits.max_count} schemas"
        schemas = schemas.with_failures(dict.fromkeys(to_fetch[room:], reason))
    missing = await asyncio.to_thread(wanted_schemas, card, schemas=schemas, base=base)
    reason = f"not fetched: the chain of references has more than {rounds} steps"
    return schemas.with_failures({url: reason for url in missing if url not in schemas.failures})


def _with_result(schemas: Schemas, url: str, body: bytes | CardError) -> Schemas:
    if isinstance(body, CardError):
        return schemas.with_failure(url, str(body))
    try:
        return schemas.with_schema(url, body)
    except MalformedDocument as error:
        return schemas.with_failure(url, str(error))


async def _fetched(urls: list[str], fetch: Callable[[str], Awaitable[bytes]]) -> list[bytes | CardError]:
    """Fetch URLs with limited concurrency; a `CardError` is a result, other errors propagate."""
    slots = asyncio.Semaphore(_CONCURRENCY)

    async def fetch_one(url: str) -> bytes | CardError:
        async with slots:
            try:
                return await fetch(url)
            except CardError as error:
                return error

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(fetch_one(url)) for url in urls]
    return [task.result() for task in tasks]
