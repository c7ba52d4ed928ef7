"""From a card as it came to the one that the gateway serves: judged, mended, rewritten, and said where it is from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import convert
from cardwright.conversion.extensions import declared
from cardwright.discovery.interfaces import interfaces
from cardwright.errors import CardError
from cardwright.repair import fix
from cardwright.signing import unsigned
from cardwright_gateway.a2a.problems import SourceFailed
from cardwright_gateway.catalog.presentation import presented, redacted
from cardwright_gateway.catalog.rewriting import CARRIED, Note, Upstream, rewritten
from cardwright_gateway.errors import UpstreamInvalid
from cardwright_gateway.settings.agents import Http
from cardwright_gateway.settings.config import GatewayConfig

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cardwright.card import Card
    from cardwright.repair import Repair
    from cardwright_gateway.catalog.sources import UpstreamCard
    from cardwright_gateway.settings.agents import AgentConfig

PROVENANCE_URI: Final = "https://cardwright.dev/extensions/provenance/v1"
_TOLD: Final = "The card that this one was made of was signed; its signature does not cover this one."
# What the gateway answers for an agent that speaks no A2A itself, in the order of preference.
ANSWERED: Final = (("JSONRPC", "1.0"), ("HTTP+JSON", "1.0"), ("JSONRPC", "0.3"), ("HTTP+JSON", "0.3"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedCard:
    """A card as the gateway serves it.

    Attributes:
        card: The card as its owner sees it; it may have errors where those are passed on.
        shown: The card as everybody sees it.
        routes: Where calls go, by binding and version; empty where the gateway answers itself, or nobody does.
        answered: Whether the gateway answers itself.
        notes: What was moved and left out, in words.
        fixes: What was mended.
        source: What it was made of.
        public: Where the agent is for everyone.
        streams: Whether the agent behind says that it streams.
    """

    card: Card
    shown: Card
    source: UpstreamCard
    public: str
    streams: bool = False
    routes: Mapping[tuple[str, str], Upstream] = field(default_factory=dict[tuple[str, str], Upstream])
    answered: bool = False
    notes: tuple[Note, ...] = ()
    fixes: tuple[Repair, ...] = ()

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of A2A that calls may have, newest first."""
        found = {version for _, version in (ANSWERED if self.answered else self.routes)}
        return tuple(sorted(found, reverse=True))


def placed(
    config: AgentConfig, sourced: UpstreamCard, public: str, settings: GatewayConfig | None = None
) -> ServedCard:
    """Return the card of an agent as it is served below a public URL.

    Args:
        config: The agent.
        sourced: Its card, as it came.
        public: Where the agent is for everyone, such as `https://gateway.example/agents/travel`.
        settings: The gateway's settings.

    Raises:
        UpstreamInvalid: If the card names no interface that can be used, or a server has no tools.
        SourceFailed: If it has errors, and those are refused.
    """
    made = _placed(config, sourced, public)
    base = public.removesuffix(f"/agents/{config.id}")
    card = presented(made.card, config, settings or GatewayConfig(agents={}), public, base)
    return replace(made, card=card, shown=card if config.visibility == "public" else redacted(card))


def _placed(config: AgentConfig, sourced: UpstreamCard, public: str) -> ServedCard:
    if config.protocol == "mcp":
        # mcp weighs 30 MiB: only those who have servers of it carry that.
        from cardwright_gateway.catalog.mcp_card import a2a_card

        made = a2a_card(config.id, sourced.inventory, public)
        return ServedCard(card=made, shown=made, source=sourced, public=public, answered=True)
    if config.invalid_cards == "refuse" and not sourced.card.valid:
        raise SourceFailed("card/invalid")
    bare = unsigned(sourced.card)
    card, fixes = _mended(bare) if config.invalid_cards == "fix" and not bare.valid else (bare, ())
    if config.connection is None:
        # Nothing answers here, so nothing here is named: the card goes out as its owner wrote it.
        kept = card if fixes else sourced.card
        return ServedCard(card=kept, shown=kept, source=sourced, public=public, fixes=fixes)
    if not isinstance(config.connection, Http):
        made, notes = _answered(card, public)
        return ServedCard(
            card=made, shown=made, source=sourced, public=public, answered=True, notes=notes, fixes=fixes
        )
    base = public.removesuffix(f"/agents/{config.id}")
    moved = rewritten(card, public, config.connection.url, base=base)
    if not moved.usable:
        raise UpstreamInvalid("it names no interface that the gateway can use")
    routes: dict[tuple[str, str], Upstream] = {(one.binding, one.version): one for one in moved.routes}
    # Where a card names the gateway already, or is kept here, the configured URL is where the agent is.
    routes = routes | _called(card, config.connection.url, () if config.protocol == "managed" else routes)
    shown = _provenance(moved.card, sourced)
    notes = moved.notes
    own = config.tasks == "own"
    if own:
        shown, more = _answered(shown, public)
        notes = (*notes, *more)
    return ServedCard(
        card=shown,
        shown=shown,
        source=sourced,
        public=public,
        routes=routes,
        answered=own,
        notes=notes,
        fixes=fixes,
        streams=_streams(card),
    )


def _streams(card: Card) -> bool:
    capabilities: Any = card.document.get("capabilities")
    return type(capabilities) is dict and capabilities.get("streaming") is True


def _mended(card: Card) -> tuple[Card, tuple[Repair, ...]]:
    """Return a card with all that is safe to mend mended."""
    try:
        document, fixes = fix(card.document, dialect=card.dialect, safe_only=True)
    except CardError:
        # What cannot be mended is passed on.
        return card, ()
    return (card.of_parts(document, str(card.dialect)), fixes) if fixes else (card, ())


def _answered(card: Card, public: str) -> tuple[Card, tuple[Note, ...]]:
    """Return the card of an agent that the gateway answers for: A2A 1.0, with the interfaces of the gateway."""
    made, _ = convert(card, to="a2a-1.0")
    listed = [
        {"url": public, "protocolBinding": binding, "protocolVersion": version}
        for binding, version in ANSWERED
    ]
    document = {**made.document, "supportedInterfaces": listed}
    capabilities: Any = document.get("capabilities")
    told: dict[str, Any] = capabilities if type(capabilities) is dict else {}
    # What the gateway itself can: it streams. Whether it sends notifications is said where it is known.
    document["capabilities"] = {
        **told,
        "streaming": True,
        "pushNotifications": False,
        "extendedAgentCard": False,
    }
    there = {one.url for one in interfaces(card)}
    notes = (
        (Note("/supportedInterfaces", "the gateway answers itself: its own stand there"),) if there else ()
    )
    return made.of_parts(document, "a2a-1.0"), notes


def _called(card: Card, url: str, known: Collection[tuple[str, str]]) -> dict[tuple[str, str], Upstream]:
    """Return how an agent is called at its configured URL: as its card says it speaks, but for what is known."""
    spoken = [one for one in reversed(interfaces(card)) if one.protocol == "a2a"]
    return {
        (one.binding, one.version): Upstream(one.binding, one.version, url, one.tenant)  # type: ignore[arg-type] # as CARRIED has them
        for one in spoken
        if (one.binding, one.version) in CARRIED and (one.binding, one.version) not in known
    }


def _provenance(card: Card, sourced: UpstreamCard) -> Card:
    """Return the card with what is known of the signature that it had, in an extension."""
    capabilities: Any = card.document.get("capabilities")
    if type(capabilities) is not dict or card.dialect.family != "a2a":
        return card
    said = declared(card.document)
    # What an agent itself says under our name would pass for the gateway's word.
    kept = [one for one in said if not (type(one) is dict and one.get("uri") == PROVENANCE_URI)]
    signed = sourced.signature not in ("", "unsigned") and card.dialect.version not in ("0.1", "0.2")
    if not signed and len(kept) == len(said):
        return card
    told: dict[str, Any] = {name: value for name, value in capabilities.items() if name != "extensions"}
    listed = [*kept, _entry(sourced)] if signed else kept
    document = {**card.document, "capabilities": {**told, **({"extensions": listed} if listed else {})}}
    return card.of_parts(document, str(card.dialect))


def _entry(sourced: UpstreamCard) -> dict[str, Any]:
    params = {"signature": sourced.signature, "digest": sourced.card.digest}
    if sourced.signature == "verified" and sourced.signed_by:
        params["signedBy"] = sourced.signed_by
    return {"uri": PROVENANCE_URI, "description": _TOLD, "required": False, "params": params}
