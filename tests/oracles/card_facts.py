"""Facts of an A2A card: read from JSON by hand, independently of the conversion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

KINDS = {
    "apiKey": "apiKeySecurityScheme",
    "http": "httpAuthSecurityScheme",
    "oauth2": "oauth2SecurityScheme",
    "openIdConnect": "openIdConnectSecurityScheme",
    "mutualTLS": "mtlsSecurityScheme",
}
KEYS = {
    "apiKeySecurityScheme": ("location", "name"),
    "httpAuthSecurityScheme": ("scheme", "bearerFormat"),
    "oauth2SecurityScheme": ("oauth2MetadataUrl",),
    "openIdConnectSecurityScheme": ("openIdConnectUrl",),
    "mtlsSecurityScheme": (),
}
# What A2A 0.3 has, and what came with 1.0.
FLOWS = ("authorizationCode", "clientCredentials", "implicit", "password")
FLOW_KEYS = ("authorizationUrl", "tokenUrl", "refreshUrl", "scopes")
NEW_FLOWS = ("deviceCode",)
NEW_FLOW_KEYS = ("deviceAuthorizationUrl", "pkceRequired")


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What is seen of a card.

    Attributes:
        interfaces: URL, binding, version and tenant of each, in order of preference.
        skills: Id, name, tags, input and output modes, and what each asks for.
        schemes: Kind, key fields and flows of each, by name.
        requirements: Scopes by the name of a scheme, one object an alternative.
        extended: Whether there is more for those who authenticate.
    """

    interfaces: list[tuple[str, ...]]
    skills: list[tuple[Any, ...]]
    schemes: dict[str, tuple[str, dict[str, Any], dict[str, dict[str, Any]]]]
    requirements: list[dict[str, list[str]]]
    extended: bool


def newer(card: dict[str, Any]) -> CardFacts:
    """Read a card as A2A 1.0, where a field that says nothing (ProtoJSON) is as good as none."""
    schemes: dict[str, Any] = {}
    for name, scheme in card.get("securitySchemes", {}).items():
        for kind, keys in KEYS.items():
            if kind in scheme:
                inner = scheme[kind]
                flows = _flows(inner, FLOWS + NEW_FLOWS, FLOW_KEYS + NEW_FLOW_KEYS)
                schemes[name] = (kind, _given(inner, keys), flows)
    return CardFacts(
        [
            tuple(item.get(name, "") for name in ("url", "protocolBinding", "protocolVersion", "tenant"))
            for item in card.get("supportedInterfaces", [])
        ],
        [
            (*_skill(skill), [_requirement(entry) for entry in skill.get("securityRequirements", [])])
            for skill in card.get("skills", [])
        ],
        schemes,
        # A2A 1.0 §8.5 still writes `security`, in the shape of A2A 0.3.
        [_requirement(entry) for entry in card["securityRequirements"]]
        if "securityRequirements" in card
        else card.get("security", []),
        card.get("capabilities", {}).get("extendedAgentCard", False),
    )


def older(card: dict[str, Any]) -> CardFacts:
    """Read a card as A2A 0.3; its own URL comes first, and nothing has a tenant."""
    schemes: dict[str, Any] = {}
    for name, scheme in card.get("securitySchemes", {}).items():
        inner = {**scheme, "location": scheme["in"]} if "in" in scheme else scheme
        kind = KINDS[scheme["type"]]
        schemes[name] = (kind, _given(inner, KEYS[kind]), _flows(inner, FLOWS, FLOW_KEYS))
    version = card.get("protocolVersion", "0.3.0")
    own = (card["url"], card.get("preferredTransport", "JSONRPC"), version, "")
    others = [(item["url"], item["transport"], version, "") for item in card.get("additionalInterfaces", [])]
    return CardFacts(
        [own, *(item for item in others if item != own)],
        [(*_skill(skill), skill.get("security", [])) for skill in card["skills"]],
        schemes,
        card.get("security", []),
        card.get("supportsAuthenticatedExtendedCard", False),
    )


def sayable(facts: CardFacts) -> CardFacts:
    """Return the facts that A2A 0.3 can express, without interfaces: no device code, no PKCE."""
    schemes = {
        name: (
            kind,
            keys,
            {flow: _given(settings, FLOW_KEYS) for flow, settings in flows.items() if flow not in NEW_FLOWS},
        )
        for name, (kind, keys, flows) in facts.schemes.items()
    }
    return replace(facts, interfaces=[], schemes=schemes)


def _skill(skill: dict[str, Any]) -> tuple[Any, ...]:
    lists = (skill.get(name, []) for name in ("tags", "inputModes", "outputModes"))
    return (skill.get("id", ""), skill.get("name", ""), *lists)


def _requirement(entry: dict[str, Any]) -> dict[str, list[str]]:
    return {name: scopes.get("list", []) for name, scopes in entry.get("schemes", {}).items()}


def _given(holder: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: holder[name] for name in names if holder.get(name)}


def _flows(scheme: dict[str, Any], names: tuple[str, ...], keys: tuple[str, ...]) -> dict[str, Any]:
    flows = scheme.get("flows", {})
    return {name: _given(flows[name], keys) for name in names if name in flows}
