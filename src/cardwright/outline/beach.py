"""Outline of Beach cards (Beach card seed)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cardwright.outline.a2a import common, skill_of
from cardwright.outline.fields import listed, noted, text, words
from cardwright.outline.parts import Extension, Facts, Interface, stated
from cardwright.view.fields import entries, items

if TYPE_CHECKING:
    from cardwright.outline.parts import Outline, Skill


def read_beach(document: Any) -> Outline:
    """Return the outline of a Beach card: its capabilities are skills, its transports interfaces."""
    transports = items(document, "transports")
    shared = common(document, provider="name")
    return replace(
        shared,
        name=text(document, "displayName") or shared.name,
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
    return Interface(
        url=text(transport, "endpoint"),
        binding=text(transport, "protocol") or words(transport),
        version=text(transport, "version"),
        note=noted(
            f"{auth} ({details})" if auth and details else auth,
            f"needs {scopes}" if scopes else "",
            f"tool {tool}" if tool else "",
        ),
    )


def _skill(capability: Any) -> Skill:
    # A capability has no tags and no facts.
    return replace(skill_of(capability), tags=(), facts=(), needs=listed(capability, "requiredScopes"))


def _facts(document: Any) -> Facts:
    return stated(
        ("id", text(document, "id")),
        ("produces", listed(document, "envelope", "parts")),
        ("consumes", listed(document, "envelope", "consumes")),
        ("surfaces", text(document, "envelope", "a2uiCatalog")),
        ("model context", text(document, "envelope", "llmContextLanguage")),
        ("contact", text(document, "contact", "email")),
        ("generated at", text(document, "generatedAt")),
    )


def _extension(name: str, body: Any) -> Extension:
    version = text(body, "version")
    # turnStates is the name in extension version 1.0, conversationStates the later one.
    states = listed(body, "turnStates") or listed(body, "conversationStates")
    facts = noted(f"version {version}" if version else "", f"states {states}" if states else "")
    return Extension(words(name), required=False, description=facts, params=body)
