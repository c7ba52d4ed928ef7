"""The signs that tell dialects apart, in the order in which they are looked for.

Generated from schemas/
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign found in a document: the dialect it speaks for, how sure, and in what words."""

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

SIGN_1: Final = Sign(
    dialect="a2a-hybrid",
    sure=True,
    evidence="supportedInterfaces stands beside members of an older version (url, preferredTransport, additionalInterfaces, supportsAuthenticatedExtendedCard or protocolVersion 0.x)",
)
SIGN_2: Final = Sign(
    dialect="a2a-hybrid",
    sure=True,
    evidence="protocolVersion claims 1.x or later on a body of 0.x (no supportedInterfaces)",
)
SIGN_3: Final = Sign(
    dialect="a2a-1.0",
    sure=True,
    evidence="supportedInterfaces, and no member that only older versions have",
)
SIGN_4: Final = Sign(
    dialect="beach-1.0",
    sure=True,
    evidence="capabilities is an array, with transports or schemaVersion",
)
SIGN_5: Final = Sign(
    dialect="beach-1.0",
    sure=True,
    evidence="schemaVersion and transports, which only Beach cards have together",
)
SIGN_6: Final = Sign(
    dialect="mcp-2024-11-05",
    sure=True,
    evidence="protocol is mcp",
)
SIGN_7: Final = Sign(
    dialect="mcp-2024-11-05",
    sure=True,
    evidence="protocolVersion is an MCP date and capabilities are MCP's",
)
SIGN_8: Final = Sign(
    dialect="a2a-0.3",
    sure=True,
    evidence="protocol is a2a: SuperX's form of a 0.3 card",
)
SIGN_9: Final = Sign(
    dialect="a2a-0.3",
    sure=True,
    evidence="protocolVersion 0.3",
)
SIGN_10: Final = Sign(
    dialect="a2a-0.2",
    sure=True,
    evidence="protocolVersion 0.2",
)
SIGN_11: Final = Sign(
    dialect="a2a-0.1",
    sure=True,
    evidence="protocolVersion 0.1",
)
SIGN_12: Final = Sign(
    dialect="a2a-0.3",
    sure=False,
    evidence="protocolVersion is an unknown 0.x: 0.3 is the closest",
)
SIGN_13: Final = Sign(
    dialect="a2a-0.3",
    sure=False,
    evidence="protocol_version 0.3, in snake_case",
)
SIGN_14: Final = Sign(
    dialect="a2a-0.3",
    sure=False,
    evidence="no version, but signatures, mutualTLS, oauth2MetadataUrl or security on a skill, which 0.3 brought",
)
SIGN_15: Final = Sign(
    dialect="a2a-0.2",
    sure=False,
    evidence="no version, but securitySchemes, security, preferredTransport, additionalInterfaces or supportsAuthenticatedExtendedCard, which 0.2 brought",
)
SIGN_16: Final = Sign(
    dialect="a2a-0.1",
    sure=False,
    evidence="no version, but authentication.schemes, which only 0.1 has",
)
SIGN_17: Final = Sign(
    dialect="a2a-0.1",
    sure=False,
    evidence="no version, and what only 0.1 allows: description or modes left out, or null",
)
SIGN_18: Final = Sign(
    dialect="a2a-0.2",
    sure=False,
    evidence="name and skills in the form of 0.1 and 0.2, and nothing that tells them apart: 0.2 is the closest",
)


def first_sign(document: dict[str, Any]) -> Sign | None:
    """Return the first sign that a document shows, or None where it shows none."""
    if "supportedInterfaces" in document and (
        "url" in document
        or "preferredTransport" in document
        or "additionalInterfaces" in document
        or "supportsAuthenticatedExtendedCard" in document
        or matches(PATTERNS["0\\."], document.get("protocolVersion"))
    ):
        return SIGN_1
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
        return SIGN_2
    if "supportedInterfaces" in document:
        return SIGN_3
    if isinstance(document.get("capabilities"), list) and (
        "transports" in document or "schemaVersion" in document
    ):
        return SIGN_4
    if isinstance(document.get("schemaVersion"), str) and isinstance(document.get("transports"), list):
        return SIGN_5
    if document.get("protocol") == "mcp" and not "serverInfo" in document:
        return SIGN_6
    if (
        matches(PATTERNS["[0-9]{4}-[0-9]{2}-[0-9]{2}"], document.get("protocolVersion"))
        and not "serverInfo" in document
        and (
            holds(document.get("capabilities"), "tools")
            or holds(document.get("capabilities"), "resources")
            or holds(document.get("capabilities"), "prompts")
        )
    ):
        return SIGN_7
    if (
        document.get("protocol") == "a2a"
        and not matches(PATTERNS["0\\.[12]"], document.get("protocolVersion"))
        and "name" in document
        and ("skills" in document or isinstance(document.get("capabilities"), dict) or "url" in document)
    ):
        return SIGN_8
    if matches(PATTERNS["0\\.3(\\.|$)"], document.get("protocolVersion")):
        return SIGN_9
    if matches(PATTERNS["0\\.2(\\.|$)"], document.get("protocolVersion")):
        return SIGN_10
    if matches(PATTERNS["0\\.1(\\.|$)"], document.get("protocolVersion")):
        return SIGN_11
    if (
        "name" in document
        and (
            "skills" in document
            or isinstance(document.get("capabilities"), dict)
            or ("url" in document and "preferredTransport" in document)
        )
    ) and matches(PATTERNS["0\\.([04-9]|[1-9][0-9])"], document.get("protocolVersion")):
        return SIGN_12
    if (
        "name" in document
        and (
            "skills" in document
            or isinstance(document.get("capabilities"), dict)
            or ("url" in document and "preferredTransport" in document)
        )
    ) and matches(PATTERNS["0\\.3(\\.|$)"], document.get("protocol_version")):
        return SIGN_13
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
        return SIGN_14
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
        return SIGN_15
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
        and holds(document.get("authentication"), "schemes")
    ):
        return SIGN_16
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
        return SIGN_17
    if (
        "name" in document
        and (
            "skills" in document
            or isinstance(document.get("capabilities"), dict)
            or ("url" in document and "preferredTransport" in document)
        )
    ) and ("url" in document or isinstance(document.get("capabilities"), dict)):
        return SIGN_18
    return None


def all_signs(document: dict[str, Any]) -> tuple[Sign, ...]:
    """Return every sign that a document shows, the strongest first."""
    shown: tuple[tuple[Sign, bool], ...] = (
        (
            SIGN_1,
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
            SIGN_2,
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
        (SIGN_3, bool("supportedInterfaces" in document)),
        (
            SIGN_4,
            bool(
                isinstance(document.get("capabilities"), list)
                and ("transports" in document or "schemaVersion" in document)
            ),
        ),
        (
            SIGN_5,
            bool(
                isinstance(document.get("schemaVersion"), str)
                and isinstance(document.get("transports"), list)
            ),
        ),
        (SIGN_6, bool(document.get("protocol") == "mcp" and not "serverInfo" in document)),
        (
            SIGN_7,
            bool(
                matches(PATTERNS["[0-9]{4}-[0-9]{2}-[0-9]{2}"], document.get("protocolVersion"))
                and not "serverInfo" in document
                and (
                    holds(document.get("capabilities"), "tools")
                    or holds(document.get("capabilities"), "resources")
                    or holds(document.get("capabilities"), "prompts")
                )
            ),
        ),
        (
            SIGN_8,
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
        (SIGN_9, bool(matches(PATTERNS["0\\.3(\\.|$)"], document.get("protocolVersion")))),
        (SIGN_10, bool(matches(PATTERNS["0\\.2(\\.|$)"], document.get("protocolVersion")))),
        (SIGN_11, bool(matches(PATTERNS["0\\.1(\\.|$)"], document.get("protocolVersion")))),
        (
            SIGN_12,
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
            SIGN_13,
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
            SIGN_14,
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
            SIGN_15,
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
            SIGN_16,
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
                and holds(document.get("authentication"), "schemes")
            ),
        ),
        (
            SIGN_17,
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
            SIGN_18,
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
    return tuple(sign for sign, there in shown if there)


def matches(pattern: re.Pattern[str], value: Any) -> bool:
    """Whether a value is a string that a pattern matches from its start."""
    return isinstance(value, str) and pattern.match(value) is not None


def holds(outer: Any, name: str) -> bool:
    """Whether a value is an object with a member of that name."""
    return isinstance(outer, dict) and name in outer


def member(outer: Any, name: str) -> Any:
    """Return a member of a value, or None where there is none."""
    return outer.get(name) if isinstance(outer, dict) else None


def some(holder: Any, name: str, value: str | None = None) -> bool:
    """Whether some object in an array or map has a member of that name (and value)."""
    inner = holder.values() if isinstance(holder, dict) else holder
    if not isinstance(inner, (list, type({}.values()))):
        return False
    objects = [item for item in inner if isinstance(item, dict)]
    return any(name in item and value in (None, item[name]) for item in objects)
