"""What a Beach card says beyond A2A: parts, states, identity, the transports of no A2A interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.difference.comparators import (
    Verdict,
    between,
    by,
    fixed,
    keyed,
    listed,
    members,
    names,
    nothing,
    param,
    text,
)
from cardwright.difference.pair import Pair, holds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.difference.change import Change

_transport: Final = members(
    {
        "requiredScopes": names(
            Verdict("scope-added", "major", "tokens without this scope were enough and are not now"),
            Verdict("scope-removed", "minor", "tokens need this scope no longer"),
        ),
        "description": text,
    },
    fixed(
        Verdict("transport-changed", "major", "callers go by what it said before"),
        added=Verdict("transport-changed", "major", "callers have to go by this now"),
        removed=Verdict("transport-changed", "major", "callers that go by this find it no more"),
    ),
)
_BEACH: Final = members(
    {
        "envelopeConsumes": names(
            Verdict("part-added", "minor", "one more part type is understood; none must be sent"),
            Verdict("part-removed", "major", "peers that send this part are not understood any more"),
        ),
        "envelopeParts": names(
            Verdict("part-added", "minor", "one more part type is produced, for those who understand it"),
            Verdict("part-removed", "major", "peers that wait for this part get it no more"),
        ),
        "transports": keyed(
            _transport,
            by("protocol", "endpoint", "tool"),
            by("protocol", "endpoint"),
            added=Verdict("transport-added", "minor", "one more way to reach the agent"),
            removed=Verdict("transport-removed", "major", "peers that come this way reach nobody"),
        ),
        "displayName": text,
        "contact": text,
        # The registry of peers knows an agent by it (Beach card seed, Discovering a peer).
        "id": fixed(
            Verdict("identity-changed", "major", "peers that know the agent by its id find it no more"),
            added=Verdict("identity-added", "minor", "the agent can be known by its id"),
            removed=Verdict(
                "identity-removed", "major", "peers that know the agent by its id find it no more"
            ),
        ),
        "a2uiCatalog": fixed(
            Verdict("catalog-changed", "major", "surfaces use components that peers may not have"),
            added=Verdict("catalog-changed", "minor", "peers are told which components surfaces use"),
            removed=Verdict(
                "catalog-changed", "major", "peers that check surfaces by the catalogue find none"
            ),
        ),
        "llmContextLanguage": fixed(
            Verdict("language-changed", "major", "peers that read the context in its language do not get it"),
            added=Verdict("language-changed", "minor", "peers are told the language of the context"),
            removed=Verdict("language-changed", "major", "peers that translate by the language find none"),
        ),
        "respondToolSchemaVersion": fixed(
            Verdict(
                "respond-tool-changed", "major", "peers that read traces by the tool's schema misread them"
            ),
            added=Verdict("respond-tool-changed", "minor", "peers are told by which schema to read traces"),
            removed=Verdict(
                "respond-tool-changed", "major", "peers that read traces find no schema to go by"
            ),
        ),
        # Declared versions are judged apart, and a time is for caches.
        "version": nothing,
        "schemaVersion": nothing,
        "generatedAt": nothing,
        # One list under two names: see below.
        "turnStates": nothing,
        "conversationStates": nothing,
    },
    param,
)
_STATE_ADDED: Final = Verdict(
    "state-added", "minor", "one more state, which peers handle by the list (Beach card seed, Extensions)"
)
_STATE_REMOVED: Final = Verdict("state-removed", "major", "peers that wait for this state never see it")
_STATES: Final = ("turnStates", "conversationStates")


def params(pair: Pair) -> Iterator[Change]:
    """Compare the parameters of the Beach extension."""
    yield from _BEACH(pair)
    states = [pair.member(name).given() for name in _STATES]
    odd = [one for one in states if not holds(list, one.old, one.new)]
    yield from (one.unreadable() for one in odd if not one.alike)
    if not odd:
        first, second = states
        old = listed(second.old, second.old_at) | listed(first.old, first.old_at)
        new = listed(second.new, second.new_at) | listed(first.new, first.new_at)
        yield from between(old, new, _STATE_ADDED, _STATE_REMOVED)
