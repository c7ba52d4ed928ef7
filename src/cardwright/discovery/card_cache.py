"""In-memory cache of cards and schemas from the store."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar

from cardwright.card import Card
from cardwright.discovery.schemas import Schemas, wanted_schemas
from cardwright.errors import MalformedDocument

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.checks import Checks
    from cardwright.store import CardStore, PeerRecord

# The maximum of cached cards (project decision).
_MAX_CARDS: Final = 1024

_K = TypeVar("_K")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class CardCache:
    """Cache of cards and schemas by the version of a card, which never changes.

    Attributes:
        store: The database.
        checks: The registries, limits and rule sets to validate with.
    """

    store: CardStore
    checks: Checks
    _cards: OrderedDict[int, Card] = field(default_factory=OrderedDict[int, Card], repr=False)
    _schemas: OrderedDict[tuple[int, float | None], Schemas] = field(
        default_factory=OrderedDict["tuple[int, float | None]", Schemas], repr=False
    )

    def card(self, record: PeerRecord) -> Card | None:
        """Return the current card of a peer, or None."""
        version = record.version
        return None if version is None else self.version(version)

    def version(self, version: int) -> Card:
        """Return the card of a version."""
        return _cached(self._cards, version, lambda: self._read(version))

    def schemas(self, record: PeerRecord) -> Schemas:
        """Return the schemas that the current card of a peer refers to, as fetched with it."""
        version, card = record.version, self.card(record)
        if version is None or card is None or record.answer is None:
            return Schemas()
        # Schemas are fetched again at each check of the card.
        checked_at = record.last_checked_at if record.answer.references else None
        base = record.answer.url
        return _cached(self._schemas, (version, checked_at), lambda: self._referenced(record.url, card, base))

    def _read(self, version: int) -> Card:
        body = self.store.body(version)
        # The card was accepted under the limits of its time: allow at least its size.
        limits = replace(self.checks.limits, max_bytes=max(self.checks.limits.max_bytes, len(body)))
        return Card.from_bytes(body, checks=replace(self.checks, limits=limits))

    def _referenced(self, peer: str, card: Card, base: str) -> Schemas:
        schemas = Schemas()
        while missing := wanted_schemas(card, schemas=schemas, base=base):
            bodies = self.store.documents(peer, missing)
            for url, body in bodies.items():
                try:
                    schemas = schemas.with_schema(url, body)
                except MalformedDocument as error:
                    schemas = schemas.with_failure(url, str(error))
            if not bodies:
                break
        return schemas


def _cached(table: OrderedDict[_K, _T], key: _K, read: Callable[[], _T]) -> _T:
    cached = table.get(key)
    if cached is not None:
        # Another thread may have removed it meanwhile.
        with suppress(KeyError):
            table.move_to_end(key)
        return cached
    created = table[key] = read()
    if len(table) > _MAX_CARDS:
        table.popitem(last=False)
    return created
