"""Summaries of a peer check for the store and for events: bounded, and without text of the peer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.discovery.fetch_rules import fetch_rule
from cardwright.errors import CardError, ConnectionDenied, MalformedDocument, PeerError, UnknownDialect

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.difference import Comparison

# A version with more changes is compared as a whole, not change by change (project decision).
MAX_CHANGES: Final = 50
_MAX_BYTES: Final = 64 * 1024


def change_text(compared: Comparison | None) -> str:
    """Return the changes as JSON, to store with the version."""
    if compared is None:
        return ""
    changes: list[dict[str, Any]] = []
    size = 0
    for change in compared.changes[:MAX_CHANGES]:
        change_json = change.to_json()
        size += len(orjson.dumps(change_json))
        if size > _MAX_BYTES:
            break
        changes.append(change_json)
    more = len(compared.changes) - len(changes)
    return orjson.dumps({"bump": compared.bump, "changes": changes, "more": more}).decode()


def same_date(old: Card, new: Card) -> str:
    """Return a warning if `generatedAt` is unchanged in a changed card (Beach card seed, Caching)."""
    before, after = old.document.get("generatedAt"), new.document.get("generatedAt")
    if before is None or before != after:
        return ""
    return "generatedAt is unchanged although the card changed: clients that compare it keep the old card"


def rule_of(error: CardError) -> str:
    """Return the rule id of an error."""
    match error:
        case ConnectionDenied() | MalformedDocument():
            return error.rule
        case PeerError():
            return fetch_rule(error)
        case UnknownDialect():
            return "dialect/unknown"
        case _:
            return "registry/fault"


def safe_message(error: CardError) -> str:
    """Return the message of an error, without any text of the peer, not even field names of its document."""
    if isinstance(error, MalformedDocument):
        reason = "the response is not a readable JSON document"
        return f"{reason} [{error.rule}]; run `cardwright check` with its URL for details"
    return str(error)
