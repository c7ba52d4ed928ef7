"""Cards and schemas that were read from the store a moment ago."""

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

# How many are held; the others are read again when they are asked for (ours).
_HELD: Final = 1024

_K = TypeVar("_K")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class CardCache:
    """What was read of the store, by the version of a card, which never changes.

    Attributes:
        store: Where it is read from.
        checks: The registries, limits and rule sets to validate with.
    """

    store: CardStore
    checks: Checks
    _cards: OrderedDict[int, Card] = field(default_factory=OrderedDict[int, Card], repr=False)
    _schemas: OrderedDict[tuple[int, float | None], Schemas] = field(
        default_factory=OrderedDict["tuple[int, float | None]", Schemas], repr=False
    )

    def card(self, record: PeerRecord) -> Card | None:
        """Return the good card of a peer; None where there is none."""
        version = record.version
        return None if version is None else self.version(version)

    def version(self, version: int) -> Card:
        """Return the card of a version."""
        return _held(self._cards, version, lambda: self._read(version))

    def schemas(self, record: PeerRecord) -> Schemas:
        """Return the schemas that the good card of a peer refers to, as they were fetched with it."""
        version, card = record.version, self.card(record)
        if version is None or card is None or record.answer is None:
            return Schemas()
        # They are fetched anew whenever the card is looked at.
        looked = record.last_checked_at if record.answer.references else None
        base = record.answer.url
        return _held(self._schemas, (version, looked), lambda: self._referred(record.url, card, base))

    def _read(self, version: int) -> Card:
        body = self.store.body(version)
        # It was read once; under whatever limits that was, it is read again.
        limits = replace(self.checks.limits, max_bytes=max(self.checks.limits.max_bytes, len(body)))
        return Card.from_bytes(body, checks=replace(self.checks, limits=limits))

    def _referred(self, peer: str, card: Card, base: str) -> Schemas:
        schemas = Schemas()
        while wanted := wanted_schemas(card, schemas=schemas, base=base):
            found = self.store.documents(peer, wanted)
            for url, body in found.items():
                try:
                    schemas = schemas.with_schema(url, body)
                except MalformedDocument as error:
                    schemas = schemas.with_failure(url, str(error))
            if not found:
                break
        return schemas


def _held(table: OrderedDict[_K, _T], key: _K, read: Callable[[], _T]) -> _T:
    found = table.get(key)
    if found is not None:
        # Another thread may have let go of it meanwhile.
        with suppress(KeyError):
            table.move_to_end(key)
        return found
    made = table[key] = read()
    if len(table) > _HELD:
        table.popitem(last=False)
    return made
