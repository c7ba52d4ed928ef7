"""A2A cards of every version, hybrids too: one reader, since each member means one thing wherever it stands."""

from __future__ import annotations

import re
from typing import Any, Final

from cardwright.conversion.extensions import SCHEMAS_URI, params_of
from cardwright.outline.members import entries, items, listed, member, prose, text, words
from cardwright.outline.parts import Extension, Facts, Interface, Outline, Skill
from cardwright.outline.security import requirements_of, schemes_of

_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")

# A2A 0.3 §5.6.1: what `url` speaks where `preferredTransport` does not say.
_DEFAULT_TRANSPORT: Final = "JSONRPC"


def read_a2a(document: Any) -> Outline:
    """Return the outline of an A2A card."""
    return Outline(
        name=text(document, "name"),
        version=text(document, "version"),
        description=text(document, "description"),
        prose=prose(member(document, "description")),
        provider=provider_of(document, "organization"),
        provider_url=text(document, "provider", "url"),
        interfaces=_each_once([*_newer_interfaces(document), *_older_interfaces(document)]),
        capabilities=_capabilities(document),
        schemes=schemes_of(document),
        requirements=requirements_of(document),
        facts=_facts(document),
        skills=_skills(document),
        extensions=tuple(_extension(one) for one in items(document, "capabilities", "extensions")),
        signatures=len(items(document, "signatures")),
    )


def provider_of(document: Any, name: str) -> str:
    """Return who provides the agent; `name` is the member that says who."""
    named = text(document, "provider", name)
    return named if named or text(document, "provider", "url") else text(document, "provider")


def skill_of(skill: Any) -> Skill:
    """Return a skill in words; what is no object is told as what it is."""
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
    """Return the skills, each with the schemas that stand on it or that our extension keeps for it."""
    kept = params_of(document, SCHEMAS_URI) if isinstance(document, dict) else None
    by_id = entries(kept[1], "skills") if kept else {}
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
    told = {"takes": listed(skill, "inputModes"), "gives": listed(skill, "outputModes"), **hints}
    return tuple((label, value) for label, value in told.items() if value)


def _each_once(interfaces: list[Interface]) -> tuple[Interface, ...]:
    """Return the interfaces without those that both halves of a hybrid name; a patch number does not count."""
    seen: dict[tuple[str, ...], Interface] = {}
    for one in interfaces:
        version = one.version.rpartition(".")[0] if one.version.count(".") == 2 else one.version
        seen.setdefault((one.url, one.binding, version, one.note), one)
    return tuple(seen.values())


def _newer_interfaces(document: Any) -> list[Interface]:
    return [
        Interface(
            url=_address(one),
            binding=text(one, "protocolBinding"),
            version=text(one, "protocolVersion"),
            note=f"tenant {text(one, 'tenant')}" if text(one, "tenant") else "",
        )
        for one in items(document, "supportedInterfaces")
    ]


def _address(interface: Any) -> str:
    """Return an interface's URL; what is no object is told as what it is."""
    return text(interface, "url") if isinstance(interface, dict) else words(interface)


def _older_interfaces(document: Any) -> list[Interface]:
    version = text(document, "protocolVersion")
    rest = [
        Interface(_address(one), text(one, "transport"), version)
        for one in items(document, "additionalInterfaces")
    ]
    if member(document, "url") is None:
        return rest
    preferred = text(document, "preferredTransport") or _DEFAULT_TRANSPORT
    return [Interface(text(document, "url"), preferred, version), *rest]


def _capabilities(document: Any) -> Facts:
    told = {
        spaced(name): words(value)
        for name, value in entries(document, "capabilities").items()
        if name != "extensions"
    }
    if (
        extended := text(document, "supportsAuthenticatedExtendedCard")
    ) and "extended agent card" not in told:
        told["extended agent card"] = extended
    return tuple(told.items())


def _facts(document: Any) -> Facts:
    takes, gives = listed(document, "defaultInputModes"), listed(document, "defaultOutputModes")
    told = (
        ("takes", takes),
        ("gives", "the same" if gives and gives == takes else gives),
        ("documentation", text(document, "documentationUrl")),
        ("icon", text(document, "iconUrl")),
    )
    return tuple((label, value) for label, value in told if value)


def _extension(extension: Any) -> Extension:
    uri = text(extension, "uri") or words(extension)
    # What our own extension keeps of a skill stands with that skill.
    params = None if uri == SCHEMAS_URI else member(extension, "params")
    return Extension(uri, member(extension, "required") is True, text(extension, "description"), params)
