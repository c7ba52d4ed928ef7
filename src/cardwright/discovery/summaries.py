"""What is told of a look at a peer, and kept of it: in bounds, and without a word of the peer's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.errors import (
    BadAnswer,
    CardError,
    ConnectionDenied,
    MalformedDocument,
    PeerError,
    UnknownDialect,
)

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.difference import Comparison

# A version with so many changes is read as a whole, not change by change (ours).
MOST_CHANGES: Final = 50
_MOST_BYTES: Final = 64 * 1024


def change_text(compared: Comparison | None) -> str:
    """Return what changed as JSON, to be kept with the version."""
    if compared is None:
        return ""
    changes: list[dict[str, Any]] = []
    size = 0
    for change in compared.changes[:MOST_CHANGES]:
        told = change.to_json()
        size += len(orjson.dumps(told))
        if size > _MOST_BYTES:
            break
        changes.append(told)
    more = len(compared.changes) - len(changes)
    return orjson.dumps({"bump": compared.bump, "changes": changes, "more": more}).decode()


def same_date(old: Card, new: Card) -> str:
    """Say that `generatedAt` is the same over different bytes (Beach card seed, Caching)."""
    before, after = old.document.get("generatedAt"), new.document.get("generatedAt")
    if before is None or before != after:
        return ""
    return "generatedAt is what it was, and the bytes are not: whoever goes by it keeps the old card"


def rule_of(error: CardError) -> str:
    """Return the id of the rule that an error is of."""
    match error:
        case ConnectionDenied() | MalformedDocument():
            return error.rule
        case BadAnswer():
            return f"fetch/{error.kind}"
        case PeerError():
            return f"fetch/{type(error).__name__.removeprefix('Peer').lower()}"
        case UnknownDialect():
            return "dialect/unknown"
        case _:
            return "registry/fault"


def words_of(error: CardError) -> str:
    """Return what went wrong, and nothing that the peer wrote: of a document not even its members' names."""
    if isinstance(error, MalformedDocument):
        return (
            f"its answer is no JSON that may be read [{error.rule}]: `cardwright check` of its URL says where"
        )
    return str(error)
