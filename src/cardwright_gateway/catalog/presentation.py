"""What a card says of the gateway before an agent: whose it is, how callers prove who they are, and what it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.convert import convert_document
from cardwright_gateway.auth.schemes import requirements_of, schemes_of
from cardwright_gateway.catalog.rewriting import edited

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig

# The binding of the seed's REST invoke (A2A 1.0 §5.8: a binding of one's own is named by a URI).
INVOKE_BINDING: Final = "https://cardwright.dev/bindings/invoke/v1"
_REDACTED: Final = "What this agent does is shown to its owner."
_OPEN: Final = frozenset({"name", "version", "supportedInterfaces", "securitySchemes", "securityRequirements",
                          "defaultInputModes", "defaultOutputModes", "provider"})  # fmt: skip


def plain(config: AgentConfig) -> bool:
    """Whether the gateway adds nothing to what the agent's own card says."""
    return not (config.owner or config.invoke or config.tasks == "own") and config.visibility == "public"


def extends(config: AgentConfig) -> bool:
    """Whether the agent behind answers with its extended card itself: not where that is shown to some alone."""
    return config.tasks == "pass" and config.visibility == "public" and config.access != "keys"


def presented(card: Card, config: AgentConfig, settings: GatewayConfig, public: str, base: str) -> Card:
    """Return a card as A2A 1.0 with what the gateway adds and enforces; it is not validated yet.

    Args:
        card: The card, with the gateway's interfaces.
        config: The agent.
        settings: The gateway's settings: owners, issuers of users' tokens, and webhooks.
        public: Where the agent is for everyone.
        base: The public URL of the gateway.
    """
    if plain(config):
        return card
    document = dict(convert_document(card, to="a2a-1.0")[0])
    listed: Any = document.get("supportedInterfaces", [])
    ordered = sorted(listed, key=lambda one: one.get("protocolBinding") != "JSONRPC")
    if config.invoke:
        invoke = {"url": f"{public}/v1/invoke", "protocolBinding": INVOKE_BINDING, "protocolVersion": "1.0"}
        ordered = [one for one in ordered if one.get("protocolBinding") != INVOKE_BINDING] + [invoke]
    document["supportedInterfaces"] = ordered
    owner = settings.owners.get(config.owner)
    if owner is not None:
        document["provider"] = {"organization": owner.name, "url": owner.url or base}
    capabilities: Any = document.get("capabilities")
    abilities: dict[str, Any] = dict(capabilities) if type(capabilities) is dict else {}
    if config.tasks == "own":
        abilities |= {"streaming": True, "pushNotifications": settings.webhooks.enabled}
    abilities["extendedAgentCard"] = config.access == "keys" or (
        abilities.get("extendedAgentCard") is True and extends(config)
    )
    document["capabilities"] = abilities
    if config.access == "keys" and config.connection is not None:
        users = bool(settings.jwt)
        document["securitySchemes"] = schemes_of(config, users=users)
        document["securityRequirements"] = requirements_of(config, users=users)
        document["skills"] = [_without_security(skill) for skill in document.get("skills", [])]
    return edited(card, document, "a2a-1.0")


def redacted(card: Card) -> Card:
    """Return what others than the owner see of an agent that is not public: that it is there, and how to get in."""
    document = {name: value for name, value in card.document.items() if name in _OPEN}
    capabilities: Any = card.document.get("capabilities")
    abilities: dict[str, Any] = capabilities if type(capabilities) is dict else {}
    document["capabilities"] = {name: value for name, value in abilities.items() if type(value) is bool}
    document["description"] = _REDACTED
    document["skills"] = [
        {"id": "not-shown", "name": "Not shown", "description": _REDACTED, "tags": ["not-shown"]}
    ]
    return card.of_parts(document, "a2a-1.0")


def _without_security(skill: Any) -> Any:
    """Return a skill that asks for nothing of its own: what it named is of the agent behind."""
    if type(skill) is not dict:
        return skill
    return {name: value for name, value in skill.items() if name not in ("security", "securityRequirements")}
