"""Detection rules that distinguish dialects, in the order in which they are tried.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class DetectionRule:
    """A detection rule: the dialect that it indicates, whether it is certain, and its evidence as text."""

    dialect: str
    sure: bool
    evidence: str


PATTERNS: Final = {
    pattern: re.compile(pattern)
    for pattern in (
        "0\\.",
        "0\\.([04-9]|[1-9][0-9])",
        "0\\.1(\\.|$)",
        "0\\.2(\\.|$)",
        "0\\.3(\\.|$)",
        "0\\.[12]",
        "[0-9]+\\.[0-9]+(\\.[0-9]+)?$",
        "[0-9]{4}-[0-9]{2}-[0-9]{2}",
        "[1-9][0-9]{0,2}\\.|[1-9][0-9]{0,2}$",
    )
}

RULE_1: Final = DetectionRule(
    dialect="a2a-hybrid",
    sure=True,
    evidence="supportedInterfaces together with fields of an older version (url, preferredTransport, additionalInterfaces, supportsAuthenticatedExtendedCard or protocolVersion 0.x)",
)
RULE_2: Final = DetectionRule(
    dialect="a2a-hybrid",
    sure=True,
    evidence="protocolVersion is 1.x or later, but the card has the form of 0.x (no supportedInterfaces)",
)
RULE_3: Final = DetectionRule(
    dialect="a2a-1.0",
    sure=True,
    evidence="supportedInterfaces, and no field that only older versions have",
)
RULE_4: Final = DetectionRule(
    dialect="beach-1.0",
    sure=True,
    evidence="capabilities is an array, with transports or schemaVersion",
)
RULE_5: Final = DetectionRule(
    dialect="beach-1.0",
    sure=True,
    evidence="schemaVersion and transports, which only Beach cards have together",
)
RULE_6: Final = DetectionRule(
    dialect="mcp-2024-11-05",
    sure=True,
    evidence="protocol is mcp",
)
RULE_7: Final = DetectionRule(
    dialect="mcp-2024-11-05",
    sure=True,
    evidence="protocolVersion is an MCP date and capabilities are MCP's",
)
RULE_8: Final = DetectionRule(
    dialect="a2a-0.3",
    sure=True,
    evidence="protocol is a2a: SuperX's form of a 0.3 card",
)
RULE_9: Final = DetectionRule(
    dialect="a2a-0.3",
    sure=True,
    evidence="protocolVersion 0.3",
)
RULE_10: Final = DetectionRule(
    dialect="a2a-0.2",
    sure=True,
    evidence="protocolVersion 0.2",
)
RULE_11: Final = DetectionRule(
    dialect="a2a-0.1",
    sure=True,
    evidence="protocolVersion 0.1",
)
RULE_12: Final = DetectionRule(
    dialect="a2a-0.3",
    sure=False,
    evidence="protocolVersion is an unknown 0.x: 0.3 is the closest",
)
RULE_13: Final = DetectionRule(
    dialect="a2a-0.3",
    sure=False,
    evidence="protocol_version 0.3, in snake_case",
)
RULE_14: Final = DetectionRule(
    dialect="a2a-0.3",
    sure=False,
    evidence="no version, but signatures, mutualTLS, oauth2MetadataUrl or security on a skill, which 0.3 introduced",
)
RULE_15: Final = DetectionRule(
    dialect="a2a-0.2",
    sure=False,
    evidence="no version, but securitySchemes, security, preferredTransport, additionalInterfaces or supportsAuthenticatedExtendedCard, which 0.2 introduced",
)
RULE_16: Final = DetectionRule(
    dialect="a2a-0.1",
    sure=False,
    evidence="no version, but authentication.schemes, which only 0.1 has",
)
RULE_17: Final = DetectionRule(
    dialect="a2a-0.1",
    sure=False,
    evidence="no version, and a description or modes that are missing or null, which only 0.1 allows",
)
RULE_18: Final = DetectionRule(
    dialect="a2a-0.2",
    sure=False,
    evidence="name and skills in the form of 0.1 and 0.2, and no field that distinguishes them: 0.2 is the closest",
)


def first_match(document: dict[str, Any]) -> DetectionRule | None:
    """Return the first rule that a document matches, or None."""
    if "supportedInterfaces" in document and (
        "url" in document
        or "preferredTransport" in document
        or "additionalInterfaces" in document
        or "supportsAuthenticatedExtendedCard" in document
        or matches(PATTERNS["0\\."], document.get("protocolVersion"))
    ):
        return RULE_1
    if (
        not "supportedInterfaces" in document
        and (
            "name" in document
            and (
                "skills" in document
                or isinstance(document.get("capabilities"), dict)
                or ("url" in document and "preferredTransport" in document)
            )
        )
        and not (
            isinstance(document.get("capabilities"), list)
            and ("transports" in document or "schemaVersion" in document)
        )
        and matches(PATTERNS["[1-9][0-9]{0,2}\\.|[1-9][0-9]{0,2}$"], document.get("protocolVersion"))
    ):
        return RULE_2
    if "supportedInterfaces" in document:
        return RULE_3
    if isinstance(document.get("capabilities"), list) and (
        "transports" in document or "schemaVersion" in document
    ):
        return RULE_4
    if isinstance(document.get("schemaVersion"), str) and isinstance(document.get("transports"), list):
        return RULE_5
    if document.get("protocol") == "mcp" and not "serverInfo" in document:
        return RULE_6
    if (
        matches(PATTERNS["[0-9]{4}-[0-9]{2}-[0-9]{2}"], document.get("protocolVersion"))
        and not "serverInfo" in document
        and (
            has_field(document.get("capabilities"), "tools")
            or has_field(document.get("capabilities"), "resources")
            or has_field(document.get("capabilities"), "prompts")
        )
    ):
        return RULE_7
    if (
        document.get("protocol") == "a2a"
        and not matches(PATTERNS["0\\.[12]"], document.get("protocolVersion"))
        and "name" in document
        and ("skills" in document or isinstance(document.get("capabilities"), dict) or "url" in document)
    ):
        return RULE_8
    if matches(PATTERNS["0\\.3(\\.|$)"], document.get("protocolVersion")):
        return RULE_9
    if matches(PATTERNS["0\\.2(\\.|$)"], document.get("protocolVersion")):
        return RULE_10
    if matches(PATTERNS["0\\.1(\\.|$)"], document.get("protocolVersion")):
        return RULE_11
    if (
        "name" in document
        and (
            "skills" in document
            or isinstance(document.get("capabilities"), dict)
            or ("url" in document and "preferredTransport" in document)
        )
    ) and matches(PATTERNS["0\\.([04-9]|[1-9][0-9])"], document.get("protocolVersion")):
        return RULE_12
    if (
        "name" in document
        and (
            "skills" in document
            or isinstance(document.get("capabilities"), dict)
            or ("url" in document and "preferredTransport" in document)
        )
    ) and matches(PATTERNS["0\\.3(\\.|$)"], document.get("protocol_version")):
        return RULE_13
    if (
        (
            "name" in document
            and (
                "skills" in document
                or isinstance(document.get("capabilities"), dict)
                or ("url" in document and "preferredTransport" in document)
            )
        )
        and not matches(PATTERNS["[0-9]+\\.[0-9]+(\\.[0-9]+)?$"], document.get("protocolVersion"))
        and (
            "signatures" in document
            or some(document.get("skills"), "security")
            or some(document.get("securitySchemes"), "type", "mutualTLS")
            or some(document.get("securitySchemes"), "oauth2MetadataUrl")
        )
    ):
        return RULE_14
    if (
        (
            "name" in document
            and (
                "skills" in document
                or isinstance(document.get("capabilities"), dict)
                or ("url" in document and "preferredTransport" in document)
            )
        )
        and not matches(PATTERNS["[0-9]+\\.[0-9]+(\\.[0-9]+)?$"], document.get("protocolVersion"))
        and (
            "securitySchemes" in document
            or "security" in document
            or "preferredTransport" in document
            or "additionalInterfaces" in document
            or "supportsAuthenticatedExtendedCard" in document
        )
    ):
        return RULE_15
    if (
        (
            "name" in document
            and (
                "skills" in document
                or isinstance(document.get("capabilities"), dict)
                or ("url" in document and "preferredTransport" in document)
            )
        )
        and "url" in document
        and has_field(document.get("authentication"), "schemes")
    ):
        return RULE_16
    if (
        (
            "name" in document
            and (
                "skills" in document
                or isinstance(document.get("capabilities"), dict)
                or ("url" in document and "preferredTransport" in document)
            )
        )
        and "url" in document
        and (
            ("description" in document and document["description"] is None)
            or ("provider" in document and document["provider"] is None)
            or ("documentationUrl" in document and document["documentationUrl"] is None)
            or ("authentication" in document and document["authentication"] is None)
            or not "description" in document
            or not "defaultInputModes" in document
            or not "defaultOutputModes" in document
        )
    ):
        return RULE_17
    if (
        "name" in document
        and (
            "skills" in document
            or isinstance(document.get("capabilities"), dict)
            or ("url" in document and "preferredTransport" in document)
        )
    ) and ("url" in document or isinstance(document.get("capabilities"), dict)):
        return RULE_18
    return None


def all_matches(document: dict[str, Any]) -> tuple[DetectionRule, ...]:
    """Return every rule that a document matches, the strongest first."""
    results: tuple[tuple[DetectionRule, bool], ...] = (
        (
            RULE_1,
            bool(
                "supportedInterfaces" in document
                and (
                    "url" in document
                    or "preferredTransport" in document
                    or "additionalInterfaces" in document
                    or "supportsAuthenticatedExtendedCard" in document
                    or matches(PATTERNS["0\\."], document.get("protocolVersion"))
                )
            ),
        ),
        (
            RULE_2,
            bool(
                not "supportedInterfaces" in document
                and (
                    "name" in document
                    and (
                        "skills" in document
                        or isinstance(document.get("capabilities"), dict)
                        or ("url" in document and "preferredTransport" in document)
                    )
                )
                and not (
                    isinstance(document.get("capabilities"), list)
                    and ("transports" in document or "schemaVersion" in document)
                )
                and matches(PATTERNS["[1-9][0-9]{0,2}\\.|[1-9][0-9]{0,2}$"], document.get("protocolVersion"))
            ),
        ),
        (RULE_3, bool("supportedInterfaces" in document)),
        (
            RULE_4,
            bool(
                isinstance(document.get("capabilities"), list)
                and ("transports" in document or "schemaVersion" in document)
            ),
        ),
        (
            RULE_5,
            bool(
                isinstance(document.get("schemaVersion"), str)
                and isinstance(document.get("transports"), list)
            ),
        ),
        (RULE_6, bool(document.get("protocol") == "mcp" and not "serverInfo" in document)),
        (
            RULE_7,
            bool(
                matches(PATTERNS["[0-9]{4}-[0-9]{2}-[0-9]{2}"], document.get("protocolVersion"))
                and not "serverInfo" in document
                and (
                    has_field(document.get("capabilities"), "tools")
                    or has_field(document.get("capabilities"), "resources")
                    or has_field(document.get("capabilities"), "prompts")
                )
            ),
        ),
        (
            RULE_8,
            bool(
                document.get("protocol") == "a2a"
                and not matches(PATTERNS["0\\.[12]"], document.get("protocolVersion"))
                and "name" in document
                and (
                    "skills" in document
                    or isinstance(document.get("capabilities"), dict)
                    or "url" in document
                )
            ),
        ),
        (RULE_9, bool(matches(PATTERNS["0\\.3(\\.|$)"], document.get("protocolVersion")))),
        (RULE_10, bool(matches(PATTERNS["0\\.2(\\.|$)"], document.get("protocolVersion")))),
        (RULE_11, bool(matches(PATTERNS["0\\.1(\\.|$)"], document.get("protocolVersion")))),
        (
            RULE_12,
            bool(
                (
                    "name" in document
                    and (
                        "skills" in document
                        or isinstance(document.get("capabilities"), dict)
                        or ("url" in document and "preferredTransport" in document)
                    )
                )
                and matches(PATTERNS["0\\.([04-9]|[1-9][0-9])"], document.get("protocolVersion"))
            ),
        ),
        (
            RULE_13,
            bool(
                (
                    "name" in document
                    and (
                        "skills" in document
                        or isinstance(document.get("capabilities"), dict)
                        or ("url" in document and "preferredTransport" in document)
                    )
                )
                and matches(PATTERNS["0\\.3(\\.|$)"], document.get("protocol_version"))
            ),
        ),
        (
            RULE_14,
            bool(
                (
                    "name" in document
                    and (
                        "skills" in document
                        or isinstance(document.get("capabilities"), dict)
                        or ("url" in document and "preferredTransport" in document)
                    )
                )
                and not matches(PATTERNS["[0-9]+\\.[0-9]+(\\.[0-9]+)?$"], document.get("protocolVersion"))
                and (
                    "signatures" in document
                    or some(document.get("skills"), "security")
                    or some(document.get("securitySchemes"), "type", "mutualTLS")
                    or some(document.get("securitySchemes"), "oauth2MetadataUrl")
                )
            ),
        ),
        (
            RULE_15,
            bool(
                (
                    "name" in document
                    and (
                        "skills" in document
                        or isinstance(document.get("capabilities"), dict)
                        or ("url" in document and "preferredTransport" in document)
                    )
                )
                and not matches(PATTERNS["[0-9]+\\.[0-9]+(\\.[0-9]+)?$"], document.get("protocolVersion"))
                and (
                    "securitySchemes" in document
                    or "security" in document
                    or "preferredTransport" in document
                    or "additionalInterfaces" in document
                    or "supportsAuthenticatedExtendedCard" in document
                )
            ),
        ),
        (
            RULE_16,
            bool(
                (
                    "name" in document
                    and (
                        "skills" in document
                        or isinstance(document.get("capabilities"), dict)
                        or ("url" in document and "preferredTransport" in document)
                    )
                )
                and "url" in document
                and has_field(document.get("authentication"), "schemes")
            ),
        ),
        (
            RULE_17,
            bool(
                (
                    "name" in document
                    and (
                        "skills" in document
                        or isinstance(document.get("capabilities"), dict)
                        or ("url" in document and "preferredTransport" in document)
                    )
                )
                and "url" in document
                and (
                    ("description" in document and document["description"] is None)
                    or ("provider" in document and document["provider"] is None)
                    or ("documentationUrl" in document and document["documentationUrl"] is None)
                    or ("authentication" in document and document["authentication"] is None)
                    or not "description" in document
                    or not "defaultInputModes" in document
                    or not "defaultOutputModes" in document
                )
            ),
        ),
        (
            RULE_18,
            bool(
                (
                    "name" in document
                    and (
                        "skills" in document
                        or isinstance(document.get("capabilities"), dict)
                        or ("url" in document and "preferredTransport" in document)
                    )
                )
                and ("url" in document or isinstance(document.get("capabilities"), dict))
            ),
        ),
    )
    return tuple(rule for rule, is_match in results if is_match)


def matches(pattern: re.Pattern[str], value: Any) -> bool:
    """Return whether a value is a string that a pattern matches from its start."""
    return isinstance(value, str) and pattern.match(value) is not None


def has_field(outer: Any, name: str) -> bool:
    """Return whether a value is an object with a field of that name."""
    return isinstance(outer, dict) and name in outer


def field(outer: Any, name: str) -> Any:
    """Return a field of a value, or None if it does not exist."""
    return outer.get(name) if isinstance(outer, dict) else None


def some(holder: Any, name: str, value: str | None = None) -> bool:
    """Return whether some object in an array or map has a field of that name (and value)."""
    inner = holder.values() if isinstance(holder, dict) else holder
    if not isinstance(inner, (list, type({}.values()))):
        return False
    objects = [item for item in inner if isinstance(item, dict)]
    return any(name in item and value in (None, item[name]) for item in objects)
