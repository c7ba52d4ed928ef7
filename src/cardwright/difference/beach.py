"""Comparators of the parameters of the Beach extension: parts, states, identity, other transports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.conversion import beach_v1_0
from cardwright.difference.comparators import (
    ChangeKind,
    between,
    by,
    change_of,
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
        "requiredScopes": names(
            ChangeKind("scope-added", "major", "tokens without this scope are no longer sufficient"),
            ChangeKind("scope-removed", "minor", "tokens no longer need this scope"),
        ),
        "description": text,
    },
    fixed(
        ChangeKind("transport-changed", "major", "callers rely on the previous value"),
        added=ChangeKind("transport-changed", "major", "callers must take this into account"),
        removed=ChangeKind("transport-changed", "major", "callers that rely on this do not find it"),
    ),
)
_VERSION: Final = ChangeKind(
    "beach-version-changed",
    "major",
    "peers that support the previous version of the extension may misread it",
)


def _version(pair: Pair) -> Iterator[Change]:
    """Compare the version of the extension: minor versions are compatible (Beach card seed, Versioning)."""
    if pair.old is not None and pair.new is not None and not is_compatible(pair.old, pair.new):
        yield change_of(pair, _VERSION)


_BEACH: Final = fields(
    {
        "envelopeConsumes": names(
            ChangeKind(
                "part-added", "minor", "a new part type is understood, which peers do not have to send"
            ),
            ChangeKind("part-removed", "major", "peers that send this part are not understood"),
        ),
        "envelopeParts": names(
            ChangeKind("part-added", "minor", "a new part type is produced for peers that understand it"),
            ChangeKind("part-removed", "major", "peers that wait for this part do not get it"),
        ),
        "transports": keyed(
            _transport,
            by("protocol", "endpoint", "tool"),
            by("protocol", "endpoint"),
            added=ChangeKind("transport-added", "minor", "a new transport of the agent"),
            removed=ChangeKind(
                "transport-removed", "major", "peers that use this transport cannot reach the agent"
            ),
        ),
        "displayName": text,
        "contact": text,
        # Registries of peers identify an agent by it (Beach card seed, Discovering a peer).
        "id": fixed(
            ChangeKind("identity-changed", "major", "peers that know the agent by its id do not find it"),
            added=ChangeKind("identity-added", "minor", "the agent now has an id"),
            removed=ChangeKind(
                "identity-removed", "major", "peers that know the agent by its id do not find it"
            ),
        ),
        "a2uiCatalog": fixed(
            ChangeKind("catalog-changed", "major", "surfaces use components that peers may not have"),
            added=ChangeKind("catalog-changed", "minor", "the card now states which components surfaces use"),
            removed=ChangeKind(
                "catalog-changed", "major", "peers that validate surfaces with the catalogue do not find it"
            ),
        ),
        "llmContextLanguage": fixed(
            ChangeKind("language-changed", "major", "peers that read the context get it in another language"),
            added=ChangeKind("language-changed", "minor", "the card now states the language of the context"),
            removed=ChangeKind(
                "language-changed", "major", "peers that need the language for translation do not find it"
            ),
        ),
        "respondToolSchemaVersion": fixed(
            ChangeKind(
                "respond-tool-changed", "major", "peers that read traces by the tool's schema misread them"
            ),
            added=ChangeKind("respond-tool-changed", "minor", "the card now states the schema of traces"),
            removed=ChangeKind(
                "respond-tool-changed", "major", "peers that read traces do not find their schema"
            ),
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
_STATE_ADDED: Final = ChangeKind(
    "state-added", "minor", "a new state, which peers handle by the list (Beach card seed, Extensions)"
)
_STATE_REMOVED: Final = ChangeKind("state-removed", "major", "peers that wait for this state never see it")
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
        yield from between(old, new, _STATE_ADDED, _STATE_REMOVED)


def blocks(pair: Pair) -> Iterator[Change]:
    """Compare what the blocks of two Beach cards have beyond the parameters of the Beach extension."""
    for at, known in _BLOCKS.items():
        block = pair
        for name in at:
            block = block.field(name)
        for name, inner in block.fields():
            if name not in known:
                yield from param(inner)
