"""Card generated from an MCP session: its rules and its validator.

Generated from schemas/mcp/2024-11-05/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_rules.synonyms import SYNONYMS
from cardwright_runtime.checks import unique
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.spelling import Spelling, spelling
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "mcp/tool-schema": Rule(
        id="mcp/tool-schema",
        severity="error",
        spec="MCP tools; JSON Schema 2020-12",
        message="not a JSON Schema: {fault}",
    ),
    "members/spelling": Rule(
        id="members/spelling",
        severity="warning",
        spec="SuperX Agent Cards, Data Sources; project decision",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "secrets/token": Rule(
        id="secrets/token",
        severity="error",
        spec="A2A 0.1 §5.4; A2A 1.0 §13.4",
        message="this text contains what looks like a secret (an API key, token or private key). Remove it and revoke it",
    ),
    "skills/unique-id": Rule(
        id="skills/unique-id",
        severity="error",
        spec="MCP tools; SuperX Agent Cards, Data Sources",
        message="duplicate tool name {value}: {first} has the same. Tool names must be unique",
    ),
    "text/bidirectional": Rule(
        id="text/bidirectional",
        severity="warning",
        spec="project decision; Unicode TR 9 §2; CVE-2021-42574",
        message="this text contains bidirectional control characters, so it is displayed in another order than it is read. Remove them",
    ),
    "text/control-characters": Rule(
        id="text/control-characters",
        severity="warning",
        spec="project decision; ECMA-48",
        message="this text contains control characters, which a terminal may execute. Remove them",
    ),
    "text/hidden-characters": Rule(
        id="text/hidden-characters",
        severity="warning",
        spec="project decision; Unicode TR 36 §2",
        message="this text contains invisible characters (zero-width, tag or variation selector): a model reads them, a person does not see them. Remove them",
    ),
    "text/instruction": Rule(
        id="text/instruction",
        severity="warning",
        spec="project decision; OWASP LLM01 2025",
        message="this text may give orders to the model that reads the card: {found}. Describe what the agent does, and do not pass the card to a model if you do not trust its author",
    ),
}

SPELLINGS: Final = {
    "members/spelling": Spelling.of(
        {
            (
                (
                    "capabilities",
                    "description",
                    "extensions",
                    "name",
                    "prompts",
                    "protocol",
                    "protocolVersion",
                    "resources",
                    "skills",
                    "url",
                    "version",
                ),
                (),
            ): ("",),
            (("description", "params", "required", "uri"), ()): ("/extensions/[*]",),
            (("annotations", "description", "id", "inputSchema", "name", "outputSchema"), ()): (
                "/skills/[*]",
            ),
            (("arguments", "description", "name"), ()): ("/prompts/[*]",),
            (("description", "name", "required"), ()): ("/prompts/[*]/arguments/[*]",),
            (("listChanged",), ()): ("/capabilities/prompts", "/capabilities/tools"),
            (("description", "mimeType", "name", "uri"), ()): ("/resources/[*]",),
            (("listChanged", "subscribe"), ()): ("/capabilities/resources",),
            (("prompts", "resources", "sampling", "tools"), ()): ("/capabilities",),
        },
        SYNONYMS,
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    unique(violations, RULES["skills/unique-id"], document.get("skills"), "/skills", ("id",))
    del vocabularies


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    spelling(violations, RULES["members/spelling"], document, SPELLINGS["members/spelling"])


VALIDATOR: Final = DialectValidator(
    __package__ or "", RULES, structural, names, schema="cardwright_models.mcp_v2024_11_05"
)
