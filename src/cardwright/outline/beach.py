"""Outline of Beach cards (Beach card seed)."""

from __future__ import annotations

from typing import Any

from cardwright.outline.a2a import provider_of
from cardwright.outline.fields import listed, prose, text, words
from cardwright.outline.parts import Extension, Facts, Interface, Outline, Skill
from cardwright.view.fields import entries, field_at, items


def read_beach(document: Any) -> Outline:
    """Return the outline of a Beach card: its capabilities are skills, its transports interfaces."""
    transports = items(document, "transports")
    return Outline(
        name=text(document, "displayName") or text(document, "name"),
        version=text(document, "version"),
        description=text(document, "description"),
        prose=prose(field_at(document, "description")),
        provider=provider_of(document, "name"),
        provider_url=text(document, "provider", "url"),
        interfaces=tuple(_interface(transport) for transport in transports),
        requirements=("see each interface",) if any(text(t, "auth", "type") for t in transports) else (),
        facts=_facts(document),
        skills=tuple(_skill(capability) for capability in items(document, "capabilities")),
        extensions=tuple(_extension(name, body) for name, body in entries(document, "extensions").items()),
    )


def _interface(transport: Any) -> Interface:
    auth = text(transport, "auth", "type")
    details = (
        listed(transport, "auth", "scope")
        or text(transport, "auth", "header")
        or text(transport, "auth", "scope")
    )
    scopes = listed(transport, "requiredScopes")
    tool = text(transport, "tool")
    notes = (
        f"{auth} ({details})" if auth and details else auth,
        f"needs {scopes}" if scopes else "",
        f"tool {tool}" if tool else "",
    )
    return Interface(
        url=text(transport, "endpoint"),
        binding=text(transport, "protocol") or words(transport),
        version=text(transport, "version"),
        note="; ".join(filter(None, notes)),
    )


def _skill(capability: Any) -> Skill:
    if not isinstance(capability, dict):
        return Skill(words(capability))
    return Skill(
        id=text(capability, "id"),
        name=text(capability, "name"),
        description=text(capability, "description"),
        prose=prose(capability.get("description")),
        examples=tuple(words(example) for example in items(capability, "examples")),
        needs=listed(capability, "requiredScopes"),
        input_schema=capability.get("inputSchema"),
        output_schema=capability.get("outputSchema"),
    )


def _facts(document: Any) -> Facts:
    facts = (
        ("id", text(document, "id")),
        ("produces", listed(document, "envelope", "parts")),
        ("consumes", listed(document, "envelope", "consumes")),
        ("surfaces", text(document, "envelope", "a2uiCatalog")),
        ("model context", text(document, "envelope", "llmContextLanguage")),
        ("contact", text(document, "contact", "email")),
        ("generated at", text(document, "generatedAt")),
    )
    return tuple((label, value) for label, value in facts if value)


def _extension(name: str, body: Any) -> Extension:
    version = text(body, "version")
    # turnStates is the name in extension version 1.0, conversationStates the later one.
    states = listed(body, "turnStates") or listed(body, "conversationStates")
    facts = (f"version {version}" if version else "", f"states {states}" if states else "")
    return Extension(words(name), required=False, description="; ".join(filter(None, facts)), params=body)
