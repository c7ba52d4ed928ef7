"""Outline of cards generated from an MCP session (SuperX seed, MCP form)."""

from __future__ import annotations

from typing import Any

from cardwright.outline.a2a import provider_of, skill_of, spaced
from cardwright.outline.fields import prose, text, words
from cardwright.outline.parts import Facts, Interface, Outline
from cardwright.outline.security import requirements_of, schemes_of
from cardwright.view.fields import entries, field_at, items


def read_mcp(document: Any) -> Outline:
    """Return the outline of a card generated from an MCP server: its tools are skills."""
    url = text(document, "url")
    facts = (("resources", _names(document, "resources")), ("prompts", _names(document, "prompts")))
    return Outline(
        name=text(document, "name"),
        version=text(document, "version"),
        description=text(document, "description"),
        prose=prose(field_at(document, "description")),
        provider=provider_of(document, "organization"),
        provider_url=text(document, "provider", "url"),
        interfaces=(Interface(url, "MCP", text(document, "protocolVersion")),) if url else (),
        capabilities=_capabilities(document),
        schemes=schemes_of(document),
        requirements=requirements_of(document),
        facts=tuple((label, value) for label, value in facts if value),
        skills=tuple(skill_of(skill) for skill in items(document, "skills")),
    )


def _capabilities(document: Any) -> Facts:
    """Return the capabilities of the server; null means no, an object lists its optional features."""
    return tuple((words(name), _offered(value)) for name, value in entries(document, "capabilities").items())


def _offered(value: Any) -> str:
    if value is None:
        return "no"
    supported = (
        [spaced(name) for name, enabled in value.items() if enabled is True]
        if isinstance(value, dict)
        else []
    )
    return (
        f"yes ({', '.join(supported)})" if supported else "yes" if isinstance(value, dict) else words(value)
    )


def _names(document: Any, field: str) -> str:
    names = (text(item, "name") or text(item, "uri") or words(item) for item in items(document, field))
    return ", ".join(names)
