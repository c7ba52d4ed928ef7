"""Outline of A2A cards of every version, including hybrids, because no field has two meanings; and of an MCP session's."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

from cardwright.conversion.extensions import SCHEMAS_URI, params_of
from cardwright.outline.fields import listed, prose, text, words
from cardwright.outline.parts import Extension, Facts, Interface, Outline, Skill, stated
from cardwright.outline.security import requirements_of, schemes_of
from cardwright.view.fields import entries, field_at, items
from cardwright_models.a2a_facts import DEFAULT_TRANSPORT

_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def read_a2a(document: Any) -> Outline:
    """Return the outline of an A2A card."""
    return replace(
        common(document),
        interfaces=_interfaces(document),
        capabilities=_capabilities(document),
        schemes=schemes_of(document),
        requirements=requirements_of(document),
        facts=_facts(document),
        skills=_skills(document),
        extensions=tuple(_extension(item) for item in items(document, "capabilities", "extensions")),
        signatures=len(items(document, "signatures")),
    )


def read_mcp(document: Any) -> Outline:
    """Return the outline of a card generated from an MCP server: its tools are skills."""
    url = text(document, "url")
    return replace(
        common(document),
        interfaces=(Interface(url, "MCP", text(document, "protocolVersion")),) if url else (),
        capabilities=_server_capabilities(document),
        schemes=schemes_of(document),
        requirements=requirements_of(document),
        facts=stated(*((name, _names(document, name)) for name in ("resources", "prompts"))),
        skills=tuple(skill_of(skill) for skill in items(document, "skills")),
    )


def common(document: Any, provider: str = "organization") -> Outline:
    """Return what cards of every dialect have; `provider` is the field that has the name of the provider."""
    name, url = text(document, "provider", provider), text(document, "provider", "url")
    return Outline(
        name=text(document, "name"),
        version=text(document, "version"),
        description=text(document, "description"),
        prose=prose(field_at(document, "description")),
        provider=name if name or url else text(document, "provider"),
        provider_url=url,
    )


def skill_of(skill: Any) -> Skill:
    """Return the outline of a skill; a value that is not an object becomes its id."""
    if not isinstance(skill, dict):
        return Skill(words(skill))
    return Skill(
        id=text(skill, "id"),
        name=text(skill, "name"),
        description=text(skill, "description"),
        prose=prose(skill.get("description")),
        tags=tuple(words(tag) for tag in items(skill, "tags")),
        examples=tuple(words(example) for example in items(skill, "examples")),
        needs=" or ".join(requirements_of(skill)),
        facts=_skill_facts(skill),
        input_schema=skill.get("inputSchema"),
        output_schema=skill.get("outputSchema"),
    )


def spaced(name: str) -> str:
    """Return a camelCase name as words.

    >>> spaced("pushNotifications")
    'push notifications'
    """
    return words(_HUMP.sub(" ", name).lower())


def _skills(document: Any) -> tuple[Skill, ...]:
    """Return the skills, each with its schemas from the skill itself or from cardwright's extension."""
    extension_params = params_of(document, SCHEMAS_URI) if isinstance(document, dict) else None
    by_id = entries(extension_params[1], "skills") if extension_params else {}
    skills = items(document, "skills")
    return tuple(
        skill_of({**entries(by_id, skill["id"]), **skill})
        if by_id and isinstance(skill, dict) and isinstance(skill.get("id"), str)
        else skill_of(skill)
        for skill in skills
    )


def _skill_facts(skill: Any) -> Facts:
    hints = {
        spaced(name): words(value) for name, value in entries(skill, "annotations").items() if name != "title"
    }
    facts = {"accepts": listed(skill, "inputModes"), "returns": listed(skill, "outputModes"), **hints}
    return stated(*facts.items())


def _interfaces(document: Any) -> tuple[Interface, ...]:
    """Return the interfaces without duplicates of a hybrid's halves; patch numbers are ignored."""
    older = text(document, "protocolVersion")
    found = [
        Interface(
            url=_address(item),
            binding=text(item, "protocolBinding"),
            version=text(item, "protocolVersion"),
            note=f"tenant {text(item, 'tenant')}" if text(item, "tenant") else "",
        )
        for item in items(document, "supportedInterfaces")
    ]
    if field_at(document, "url") is not None:
        preferred = text(document, "preferredTransport") or DEFAULT_TRANSPORT
        found.append(Interface(text(document, "url"), preferred, older))
    found += [
        Interface(_address(item), text(item, "transport"), older)
        for item in items(document, "additionalInterfaces")
    ]
    seen: dict[tuple[str, ...], Interface] = {}
    for one in found:
        version = one.version.rpartition(".")[0] if one.version.count(".") == 2 else one.version
        seen.setdefault((one.url, one.binding, version, one.note), one)
    return tuple(seen.values())


def _address(interface: Any) -> str:
    """Return the URL of an interface; a value that is not an object as text."""
    return text(interface, "url") if isinstance(interface, dict) else words(interface)


def _capabilities(document: Any) -> Facts:
    facts = {
        spaced(name): words(value)
        for name, value in entries(document, "capabilities").items()
        if name != "extensions"
    }
    if extended := text(document, "supportsAuthenticatedExtendedCard"):
        facts.setdefault("extended agent card", extended)
    return tuple(facts.items())


def _facts(document: Any) -> Facts:
    inputs, outputs = listed(document, "defaultInputModes"), listed(document, "defaultOutputModes")
    return stated(
        ("accepts", inputs),
        ("returns", "the same" if outputs and outputs == inputs else outputs),
        ("documentation", text(document, "documentationUrl")),
        ("icon", text(document, "iconUrl")),
    )


def _extension(extension: Any) -> Extension:
    uri = text(extension, "uri") or words(extension)
    # The outline of each skill has its part of cardwright's own extension.
    params = None if uri == SCHEMAS_URI else field_at(extension, "params")
    return Extension(uri, field_at(extension, "required") is True, text(extension, "description"), params)


def _server_capabilities(document: Any) -> Facts:
    """Return the capabilities of the server; null means no, an object lists its optional features."""
    return tuple((words(name), _offered(value)) for name, value in entries(document, "capabilities").items())


def _offered(value: Any) -> str:
    if not isinstance(value, dict):
        return words(value) if value is not None else "no"
    supported = ", ".join(spaced(name) for name, enabled in value.items() if enabled is True)
    return f"yes ({supported})" if supported else "yes"


def _names(document: Any, field: str) -> str:
    names = (text(item, "name") or text(item, "uri") or words(item) for item in items(document, field))
    return ", ".join(names)
