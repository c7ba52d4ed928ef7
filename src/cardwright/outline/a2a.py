"""A2A cards of every version, hybrids too: one reader, since each member means one thing wherever it stands."""

from __future__ import annotations

import re
from typing import Any, Final

from cardwright.outline.members import entries, items, listed, member, text, words
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
        provider=provider_of(document, "organization"),
        interfaces=tuple(dict.fromkeys((*_newer_interfaces(document), *_older_interfaces(document)))),
        capabilities=_capabilities(document),
        schemes=schemes_of(document),
        requirements=requirements_of(document),
        facts=_facts(document),
        skills=tuple(skill_of(skill) for skill in items(document, "skills")),
        extensions=tuple(_extension(one) for one in items(document, "capabilities", "extensions")),
    )


def provider_of(document: Any, name: str) -> str:
    """Return who provides the agent, with a link; `name` is the member that says who."""
    told = (text(document, "provider", name), text(document, "provider", "url"))
    return ", ".join(filter(None, told)) or text(document, "provider")


def skill_of(skill: Any) -> Skill:
    """Return a skill in words; what is no object is told as what it is."""
    if not isinstance(skill, dict):
        return Skill(words(skill), "", "", "", ())
    needs = " or ".join(requirements_of(skill))
    takes = ", ".join(words(name) for name in entries(skill, "inputSchema", "properties"))
    notes = (f"needs {needs}" if needs else "", f"takes {takes}" if takes else "")
    return Skill(
        id=text(skill, "id"),
        name=text(skill, "name"),
        description=text(skill, "description"),
        tags=listed(skill, "tags"),
        examples=tuple(words(example) for example in items(skill, "examples")),
        note="; ".join(filter(None, notes)),
    )


def spaced(name: str) -> str:
    """Return a camelCase name as words.

    >>> spaced("pushNotifications")
    'push notifications'
    """
    return words(_HUMP.sub(" ", name).lower())


def _newer_interfaces(document: Any) -> list[Interface]:
    return [
        Interface(
            url=text(one, "url"),
            binding=text(one, "protocolBinding"),
            version=text(one, "protocolVersion"),
            note=f"tenant {text(one, 'tenant')}" if text(one, "tenant") else "",
        )
        for one in items(document, "supportedInterfaces")
    ]


def _older_interfaces(document: Any) -> list[Interface]:
    version = text(document, "protocolVersion")
    rest = [
        Interface(text(one, "url"), text(one, "transport"), version)
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
    signatures = len(items(document, "signatures"))
    told = (
        ("takes", takes),
        ("gives", "the same" if gives and gives == takes else gives),
        ("documentation", text(document, "documentationUrl")),
        ("icon", text(document, "iconUrl")),
        ("signatures", f"{signatures}, not verified here" if signatures else ""),
    )
    return tuple((label, value) for label, value in told if value)


def _extension(extension: Any) -> Extension:
    uri = text(extension, "uri") or words(extension)
    return Extension(uri, member(extension, "required") is True, text(extension, "description"))
