"""From an upstream card to the served card: fixed, rewritten, presented, and validated once at the end."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.convert import convert_document
from cardwright.conversion.extensions import declared
from cardwright.errors import ConnectionDenied
from cardwright.extras import is_installed
from cardwright.guard.grpc_target import grpc_target
from cardwright.repair import fix
from cardwright.signing import unsigned
from cardwright.view import flag, output_modes
from cardwright.view.interfaces import interfaces
from cardwright_gateway.a2a.operations import ANSWERED, answered_interfaces
from cardwright_gateway.a2a.problems import SourceFailed
from cardwright_gateway.catalog.agent_path import agent_path
from cardwright_gateway.catalog.presentation import extends, presented, redacted, with_grpc, without_security
from cardwright_gateway.catalog.rewriting import CARRIED, TRANSLATED, Note, Upstream, edited, rewritten
from cardwright_gateway.errors import UpstreamInvalid
from cardwright_gateway.settings.agents import Http
from cardwright_gateway.settings.config import GatewayConfig

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cardwright.card import Card
    from cardwright.repair import AppliedFix
    from cardwright_gateway.catalog.sources import UpstreamCard
    from cardwright_gateway.settings.agents import AgentConfig

PROVENANCE_URI: Final = "https://cardwright.dev/extensions/provenance/v1"
_DESCRIPTION: Final = "The upstream card was signed; its signature does not cover this card."


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedCard:
    """A card as the gateway serves it.

    Attributes:
        card: The card as its owner sees it; it may have errors if the settings allow them.
        public_card: The public card.
        routes: The upstream endpoints by binding and version; empty if calls are not forwarded.
        answered: Whether the gateway itself answers A2A calls.
        notes: The changes by rewriting, in words.
        fixes: The applied fixes.
        source: The upstream card.
        public: The public URL of the agent.
        streams: Whether the upstream card declares streaming.
        output_modes: The media types that the upstream agent may send.
    """

    card: Card
    public_card: Card
    source: UpstreamCard
    public: str
    streams: bool = False
    output_modes: tuple[str, ...] = ()
    routes: Mapping[tuple[str, str], Upstream] = field(default_factory=dict[tuple[str, str], Upstream])
    answered: bool = False
    notes: tuple[Note, ...] = ()
    fixes: tuple[AppliedFix, ...] = ()

    @property
    def versions(self) -> tuple[str, ...]:
        """The supported versions of A2A, newest first."""
        versions = {version for _, version in (ANSWERED if self.answered else self.routes)}
        return tuple(sorted(versions, reverse=True))


def served_card(
    config: AgentConfig, upstream: UpstreamCard, public: str, settings: GatewayConfig | None = None
) -> ServedCard:
    """Return the served card of an agent for a public URL.

    Args:
        config: The settings of the agent.
        upstream: Its upstream card.
        public: The public URL of the agent, such as `https://gateway.example/agents/travel`.
        settings: The gateway's settings.

    Raises:
        UpstreamInvalid: If the card has no usable interface, or no card of an MCP server can be created.
        SourceFailed: If it has no name, or errors, and the settings refuse cards with errors.
    """
    settings = settings or GatewayConfig(agents={})
    base = public.removesuffix(agent_path(config.id, short=settings.short_urls))
    made = _served_card(config, upstream, public, base)
    card = presented(made.card, config, settings, public, base)
    if made.answered:
        card = with_grpc(card, config, settings, base)
    validated = made.card if config.protocol == "mcp" else upstream.card
    if card.document is not validated.document:
        # The only validation: the edits before do not validate.
        card = card.of_parts(card.document, str(card.dialect))
    return replace(made, card=card, public_card=card if config.visibility == "public" else redacted(card))


def _served_card(config: AgentConfig, upstream: UpstreamCard, public: str, base: str) -> ServedCard:
    """Return the card before the gateway's additions; it is not validated yet."""
    if config.protocol == "mcp":
        # mcp needs 30 MiB of memory: only gateways with MCP servers import it.
        from cardwright_gateway.catalog.mcp_card import a2a_card

        made = a2a_card(config.id, upstream.inventory, public)
        return ServedCard(card=made, public_card=made, source=upstream, public=public, answered=True)
    if upstream.card.dialect.family == "a2a" and not upstream.card.view.name:
        # SuperX: an invalid card format is 502; clients and lists have nothing else to call an agent by.
        raise SourceFailed("card/no-name")
    valid = config.invalid_cards == "pass" or upstream.card.valid
    if config.invalid_cards == "refuse" and not valid:
        raise SourceFailed("card/invalid")
    bare, fixes = (_unsigned(upstream.card), ()) if valid else _fixed(unsigned(upstream.card))
    if config.connection is None:
        # Without a backend, the card is served as its owner wrote it, without the gateway's interfaces.
        card = bare if fixes else upstream.card
        return ServedCard(card=card, public_card=card, source=upstream, public=public, fixes=fixes)
    if not isinstance(config.connection, Http):
        card, notes = _answered_by_gateway(bare, public)
        return ServedCard(
            card=card,
            public_card=card,
            source=upstream,
            public=public,
            answered=True,
            notes=notes,
            fixes=fixes,
        )
    return _rewritten(config, config.connection, upstream, bare, fixes, public, base)


def _rewritten(
    config: AgentConfig,
    connection: Http,
    upstream: UpstreamCard,
    bare: Card,
    fixes: tuple[AppliedFix, ...],
    public: str,
    base: str,
) -> ServedCard:
    """Return the card of an agent that is called over HTTP, with the gateway's interfaces."""
    carries = _carried(bare)
    rewriting = rewritten(bare, public, connection.url, base=base, carries=carries)
    own = config.tasks == "own"
    over_grpc = _routes_over_grpc(bare)
    if not rewriting.usable and not (own and over_grpc and is_installed("grpc")):
        raise UpstreamInvalid(_why_unusable(own=own, over_grpc=bool(over_grpc)))
    routes: dict[tuple[str, str], Upstream] = {(one.binding, one.version): one for one in rewriting.routes}
    # If a card already has the gateway's URL, or is stored at the gateway, calls go to the configured URL.
    known = () if config.protocol == "managed" else routes
    routes = routes | _configured_routes(bare, connection.url, known, carries)
    card, notes = _provenance(rewriting.card, upstream), rewriting.notes
    streams = flag(bare.document, "streaming")
    answered = own or carries is TRANSLATED
    if answered:
        extended = (
            own and extends(config) and _declares_extended(bare) and any(key in routes for key in ANSWERED)
        )
        if own and is_installed("grpc"):
            routes |= over_grpc
        card, more = _answered_by_gateway(card, public, streams=own or streams, extended=extended)
        notes = (*notes, *more)
    return ServedCard(
        card=card,
        public_card=card,
        source=upstream,
        public=public,
        routes=routes,
        answered=answered,
        notes=notes,
        fixes=fixes,
        streams=streams,
        output_modes=output_modes(bare),
    )


def _carried(card: Card) -> frozenset[tuple[str, str]]:
    """Return the bindings and versions to use: `TRANSLATED` if the card has no other one."""
    offered = {(interface.binding, interface.version) for interface in interfaces(card)}
    return TRANSLATED if offered & TRANSLATED and not offered & CARRIED else CARRIED


def _unsigned(card: Card) -> Card:
    if "signatures" not in card.document:
        return card
    return edited(card, {name: value for name, value in card.document.items() if name != "signatures"})


def _fixed(card: Card) -> tuple[Card, tuple[AppliedFix, ...]]:
    """Return a card with all safe fixes applied, and the fixes."""
    return (card, ()) if card.valid else fix(card, safe_only=True)


def _declares_extended(card: Card) -> bool:
    return (
        flag(card.document, "extendedAgentCard")
        or card.document.get("supportsAuthenticatedExtendedCard") is True
    )


def _answered_by_gateway(
    card: Card, public: str, *, streams: bool = True, extended: bool = False
) -> tuple[Card, tuple[Note, ...]]:
    """Return the card of an agent that the gateway answers for: A2A 1.0, with the interfaces of the gateway.

    Args:
        card: The card.
        public: The public URL of the agent.
        streams: Whether it declares streaming; if not, the gateway refuses it.
        extended: Whether it declares an extended card, which is the upstream agent's.
    """
    converted, _ = convert_document(card, to="a2a-1.0")
    # The gateway sends no credentials of a caller to a function, a worker or an agent whose tasks it stores.
    document = {**without_security(converted), "supportedInterfaces": answered_interfaces(public)}
    if extended and "securitySchemes" in converted:
        # Callers authenticate to the agent for its extended card (A2A 1.0 §13.3), and do not authenticate for calls.
        document["securitySchemes"] = converted["securitySchemes"]
    capabilities: Any = document.get("capabilities")
    abilities: dict[str, Any] = capabilities if type(capabilities) is dict else {}
    # The capabilities of the gateway itself. `presented` sets pushNotifications.
    document["capabilities"] = {
        **abilities,
        "streaming": streams,
        "pushNotifications": False,
        "extendedAgentCard": extended,
    }
    urls = {interface.url for interface in interfaces(card)}
    notes = (
        (
            Note(
                "/supportedInterfaces",
                "replaced by the gateway's interfaces: the gateway executes this agent",
            ),
        )
        if urls
        else ()
    )
    return edited(card, document, "a2a-1.0"), notes


def _configured_routes(
    card: Card, url: str, known: Collection[tuple[str, str]], carries: Collection[tuple[str, str]]
) -> dict[tuple[str, str], Upstream]:
    """Return the upstream endpoints at the configured URL, for the card's bindings and versions that are not known."""
    supported = [interface for interface in reversed(interfaces(card)) if interface.protocol == "a2a"]
    routes: dict[tuple[str, str], Upstream] = {}
    for interface in supported:
        key = interface.binding, interface.version
        if key in carries and key not in known:
            routes[key] = Upstream(*key, url, interface.tenant)  # type: ignore[arg-type] # as CARRIED has them
    return routes


def _routes_over_grpc(card: Card) -> dict[tuple[str, str], Upstream]:
    """Return the upstream endpoints over gRPC, the first of each version; only the gateway's own turns use them."""
    routes: dict[tuple[str, str], Upstream] = {}
    for interface in interfaces(card):
        if (
            interface.protocol == "a2a"
            and interface.binding == "GRPC"
            and interface.version in ("1.0", "0.3")
        ):
            with suppress(ConnectionDenied):
                grpc_target(interface.url)
                upstream = Upstream("GRPC", interface.version, interface.url, interface.tenant)
                routes.setdefault(("GRPC", interface.version), upstream)
    return routes


def _why_unusable(*, own: bool, over_grpc: bool) -> str:
    """Return why a card without a usable interface cannot be served, and what the operator can do."""
    if not over_grpc:
        return "it has no interface that the gateway supports"
    if not own:
        return "it has interfaces over gRPC only, which are not forwarded; set `tasks: own` for the agent"
    return (
        'it has interfaces over gRPC only; install gRPC at the gateway with: pip install "cardwright[grpc]"'
    )


def _provenance(card: Card, upstream: UpstreamCard) -> Card:
    """Return the card with the verification result of its upstream signature, in an extension."""
    capabilities: Any = card.document.get("capabilities")
    if type(capabilities) is not dict or card.dialect.family != "a2a":
        return card
    extensions = declared(card.document)
    # An extension with this URI from upstream would look like the gateway's own.
    others = [one for one in extensions if not (type(one) is dict and one.get("uri") == PROVENANCE_URI)]
    signed = upstream.signature not in ("", "unsigned") and card.dialect.version not in ("0.1", "0.2")
    if not signed and len(others) == len(extensions):
        return card
    rest: dict[str, Any] = {name: value for name, value in capabilities.items() if name != "extensions"}
    listed = [*others, _entry(upstream)] if signed else others
    document = {**card.document, "capabilities": {**rest, **({"extensions": listed} if listed else {})}}
    return edited(card, document)


def _entry(upstream: UpstreamCard) -> dict[str, Any]:
    params = {"signature": upstream.signature, "digest": upstream.card.digest}
    if upstream.signature == "verified" and upstream.signed_by:
        params["signedBy"] = upstream.signed_by
    return {"uri": PROVENANCE_URI, "description": _DESCRIPTION, "required": False, "params": params}
