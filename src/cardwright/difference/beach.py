"""Comparators of the parameters of the Beach extension: parts, states, identity, other transports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.conversion import beach_v1_0
from cardwright.difference.comparators import (
    between,
    by,
    fields,
    fixed,
    keyed,
    listed,
    names,
    nothing,
    param,
    text,
)
from cardwright.difference.pair import Pair, holds
from cardwright.difference.versions import is_compatible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_transport: Final = fields(
    {
        "endpoint": nothing,
        "requiredScopes": names("scope-added", "scope-removed"),
        "description": text,
    },
    fixed("transport-changed", "transport-changed/added", "transport-changed/removed"),
)


def _version(pair: Pair) -> Iterator[Change]:
    """Compare the version of the extension: minor versions are compatible (Beach card seed, Versioning)."""
    if pair.old is not None and pair.new is not None and not is_compatible(pair.old, pair.new):
        yield pair.change("beach-version-changed")


_BEACH: Final = fields(
    {
        "envelopeConsumes": names("part-added/consumed", "part-removed/consumed"),
        "envelopeParts": names("part-added/produced", "part-removed/produced"),
        "transports": keyed(
            _transport,
            by("protocol", "endpoint", "tool"),
            by("protocol", "endpoint"),
            added="transport-added",
            removed="transport-removed",
        ),
        "displayName": text,
        "contact": text,
        # Registries of peers identify an agent by it (Beach card seed, Discovering a peer).
        "id": fixed("identity-changed", "identity-added", "identity-removed"),
        "a2uiCatalog": fixed("catalog-changed", "catalog-changed/added", "catalog-changed/removed"),
        "llmContextLanguage": fixed("language-changed", "language-changed/added", "language-changed/removed"),
        "respondToolSchemaVersion": fixed(
            "respond-tool-changed", "respond-tool-changed/added", "respond-tool-changed/removed"
        ),
        "version": _version,
        # It is compared elsewhere, and the time is for caches.
        "schemaVersion": nothing,
        "generatedAt": nothing,
        # One list with two names, compared in `params`.
        "turnStates": nothing,
        "conversationStates": nothing,
    },
    param,
)
# The fields that A2A can express, by block; its extensions are those whose name is a URI.
_BLOCKS: Final = {
    ("envelope",): frozenset(beach_v1_0.ENVELOPE.values()),
    ("extensions", "beach"): frozenset(beach_v1_0.BEACH),
}
_STATES: Final = ("turnStates", "conversationStates")


def params(pair: Pair) -> Iterator[Change]:
    """Compare the parameters of the Beach extension."""
    yield from _BEACH(pair)
    states = [pair.field(name).without_empty() for name in _STATES]
    unreadable = [states_pair for states_pair in states if not holds(list, states_pair.old, states_pair.new)]
    yield from (states_pair.unreadable() for states_pair in unreadable if not states_pair.equal)
    if not unreadable:
        first, second = states
        old = listed(second.old, second.old_at) | listed(first.old, first.old_at)
        new = listed(second.new, second.new_at) | listed(first.new, first.new_at)
        yield from between(old, new, "state-added", "state-removed")


def blocks(pair: Pair) -> Iterator[Change]:
    """Compare what the blocks of two Beach cards have beyond the parameters of the Beach extension."""
    for at, known in _BLOCKS.items():
        block = pair
        for name in at:
            block = block.field(name)
        for name, inner in block.fields():
            if name not in known:
                yield from param(inner)
