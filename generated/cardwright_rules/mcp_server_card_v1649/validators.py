"""MCP server card in the older form (SEP-1649): its rules and its validator.

Generated from schemas/mcp-server-card/1649/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_rules.synonyms import SYNONYMS
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.spelling import Spelling, spelling
from cardwright_runtime.violation import Rule, break_rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "mcp-server-card/endpoint": Rule(
        id="mcp-server-card/endpoint",
        severity="warning",
        spec="MCP SEP-1649",
        message="{value} is neither a URL nor a path",
    ),
    "mcp-server-card/spelling": Rule(
        id="mcp-server-card/spelling",
        severity="warning",
        spec="SEP-1649; project decision",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "mcp-server-card/superseded": Rule(
        id="mcp-server-card/superseded",
        severity="warning",
        spec="MCP SEP-2127, which replaces SEP-1649",
        message="this is the older form of a server card (SEP-1649), which newer clients do not read. Write a server card by SEP-2127 with remotes",
    ),
    "secrets/token": Rule(
        id="secrets/token",
        severity="error",
        spec="A2A 0.1 §5.4; A2A 1.0 §13.4",
        message="this text contains what looks like a secret (an API key, token or private key). Remove it and revoke it",
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
    "mcp-server-card/spelling": Spelling.of(
        {
            (
                (
                    "$schema",
                    "_meta",
                    "authentication",
                    "capabilities",
                    "description",
                    "documentationUrl",
                    "iconUrl",
                    "instructions",
                    "prompts",
                    "protocolVersion",
                    "resources",
                    "serverInfo",
                    "tools",
                    "transport",
                    "version",
                ),
                ("icons", "name", "remotes", "repository", "title", "websiteUrl"),
            ): ("",),
            (("required", "schemes"), ()): ("/authentication",),
            (("description", "name", "uri"), ()): ("/resources/[*]", "/prompts/[*]"),
            (("description", "name", "title", "version"), ()): ("/serverInfo",),
            (("annotations", "description", "inputSchema", "name", "title"), ()): ("/tools/[*]",),
            (("endpoint", "type"), ()): ("/transport",),
        },
        SYNONYMS,
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    del document, violations, vocabularies


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    spelling(violations, RULES["mcp-server-card/spelling"], document, SPELLINGS["mcp-server-card/spelling"])
    if "remotes" not in document:
        violations.append(break_rule(RULES["mcp-server-card/superseded"], "/remotes", None))


VALIDATOR: Final = DialectValidator(
    __package__ or "", RULES, structural, names, schema="cardwright_models.mcp_server_card_v1649"
)
