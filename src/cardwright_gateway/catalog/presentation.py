"""The parts of a served card that describe the gateway: owner, authentication and invocations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cardwright.conversion.convert import convert_document
from cardwright_gateway.auth.schemes import requirements_of, schemes_of
from cardwright_gateway.catalog.rewriting import edited

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cardwright.card import Card
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig

# The binding of the seed's REST invoke (A2A 1.0 §5.8: the name of a custom binding is a URI).
INVOKE_BINDING: Final = "https://cardwright.dev/bindings/invoke/v1"
_REDACTED: Final = "Only the owner of this agent sees its description and skills."
_OPEN: Final = frozenset({"name", "version", "supportedInterfaces", "securitySchemes", "securityRequirements",
                          "defaultInputModes", "defaultOutputModes", "provider"})  # fmt: skip

# The fields with security requirements, in every version of A2A.
_SECURITY: Final = frozenset({"authentication", "securitySchemes", "security", "securityRequirements"})


def plain(config: AgentConfig) -> bool:
    """Whether the gateway adds nothing to the upstream card."""
    return not (config.owner or config.invoke or config.tasks == "own") and config.visibility == "public"


def extends(config: AgentConfig) -> bool:
    """Whether an extended card is that of the upstream agent: not if only some callers may see the agent."""
    return config.visibility == "public" and config.access != "keys"


def presented(card: Card, config: AgentConfig, settings: GatewayConfig, public: str, base: str) -> Card:
    """Return a card as A2A 1.0 with what the gateway adds and enforces; it is not validated yet.

    Args:
        card: The card, with the gateway's interfaces.
        config: The settings of the agent.
        settings: The gateway's settings: owners, issuers of users' tokens, and webhooks.
        public: The public URL of the agent.
        base: The public URL of the gateway.
    """
    if plain(config):
        return card
    document = dict(convert_document(card, to="a2a-1.0")[0])
    interfaces: Any = document.get("supportedInterfaces", [])
    sorted_interfaces = sorted(
        interfaces, key=lambda interface: interface.get("protocolBinding") != "JSONRPC"
    )
    if config.invoke:
        invoke = {"url": f"{public}/v1/invoke", "protocolBinding": INVOKE_BINDING, "protocolVersion": "1.0"}
        sorted_interfaces = [
            interface for interface in sorted_interfaces if interface.get("protocolBinding") != INVOKE_BINDING
        ] + [invoke]
    document["supportedInterfaces"] = sorted_interfaces
    owner = settings.owners.get(config.owner)
    if owner is not None:
        document["provider"] = {"organization": owner.name, "url": owner.url or base}
    capabilities: Any = document.get("capabilities")
    merged: dict[str, Any] = dict(capabilities) if type(capabilities) is dict else {}
    if config.tasks == "own":
        merged |= {"streaming": True, "pushNotifications": settings.webhooks.enabled}
    merged["extendedAgentCard"] = config.access == "keys" or (
        merged.get("extendedAgentCard") is True and extends(config)
    )
    document["capabilities"] = merged
    if config.access == "keys" and config.connection is not None:
        users = bool(settings.jwt)
        document = without_security(document)
        document["securitySchemes"] = schemes_of(config, users=users)
        document["securityRequirements"] = requirements_of(config, users=users)
    return edited(card, document, "a2a-1.0")


def with_grpc(card: Card, config: AgentConfig, settings: GatewayConfig, base: str) -> Card:
    """Return the card of an agent that the gateway answers for, with the gateway's gRPC interfaces, if it has any.

    An address of gRPC has no path, so calls name their agent by the tenant, which an interface of A2A 1.0 states
    (A2A 1.0 §8.3.2). A2A 0.3 has no tenant: only the card of the agent at the root can list it (project decision).

    Args:
        card: The card, as A2A 1.0.
        config: The settings of the agent.
        settings: The gateway's settings.
        base: The public URL of the gateway.
    """
    if settings.grpc is None or not config.grpc.listed:
        return card
    host = urlsplit(base).hostname or ""
    name = f"[{host}]" if ":" in host else host
    interface = {"url": settings.grpc.address or f"{name}:{settings.grpc.port}", "protocolBinding": "GRPC"}
    added = [{**interface, "protocolVersion": "1.0", "tenant": config.id}]
    if settings.root == config.id:
        added.append({**interface, "protocolVersion": "0.3"})
    document = {
        **card.document,
        "supportedInterfaces": [*card.document.get("supportedInterfaces", ()), *added],
    }
    return edited(card, document, "a2a-1.0")


def redacted(card: Card) -> Card:
    """Return the card for callers other than the owner of an agent that is not public: its name and how to call it."""
    document = {name: value for name, value in card.document.items() if name in _OPEN}
    capabilities: Any = card.document.get("capabilities")
    abilities: dict[str, Any] = capabilities if type(capabilities) is dict else {}
    document["capabilities"] = {name: value for name, value in abilities.items() if type(value) is bool}
    document["description"] = _REDACTED
    document["skills"] = [
        {"id": "not-shown", "name": "Not shown", "description": _REDACTED, "tags": ["not-shown"]}
    ]
    return card.of_parts(document, "a2a-1.0")


def without_security(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a card's document without the upstream agent's security: callers authenticate to the gateway."""
    rest = _fields_without(document, _SECURITY)
    skills: Any = document.get("skills")
    if type(skills) is list:
        rest["skills"] = [
            _fields_without(skill, _SECURITY) if type(skill) is dict else skill for skill in skills
        ]
    return rest


def _fields_without(holder: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in holder.items() if name not in names}
