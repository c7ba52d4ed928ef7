"""MCP server card (SEP-2127): its rules and its validator.

Generated from schemas/mcp-server-card/1/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_rules.synonyms import SYNONYMS
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.spelling import Spelling, spelling
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "mcp-server-card/icon-size": Rule(
        id="mcp-server-card/icon-size",
        severity="warning",
        spec="MCP Server Card v1, Icon",
        message="{value} is not a size. Write width and height in pixels, such as 48x48, or any",
    ),
    "mcp-server-card/primitives": Rule(
        id="mcp-server-card/primitives",
        severity="warning",
        spec="MCP SEP-2127, Server Card",
        message="a server card lists no tools, resources and prompts: clients ask the server for them. Remove the field",
    ),
    "mcp-server-card/remote-url": Rule(
        id="mcp-server-card/remote-url",
        severity="error",
        spec="MCP Server Card v1, Remote",
        message="{value} is not the URL of an endpoint. Write http:// or https://, or begin with a variable in braces",
    ),
    "mcp-server-card/schema-url": Rule(
        id="mcp-server-card/schema-url",
        severity="error",
        spec="MCP Server Card v1, $schema",
        message="{value} is not the schema of server cards. Write https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ),
    "mcp-server-card/spelling": Rule(
        id="mcp-server-card/spelling",
        severity="warning",
        spec="MCP Server Card v1; project decision",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "mcp-server/absolute-url": Rule(
        id="mcp-server/absolute-url",
        severity="warning",
        spec="MCP Server Card v1, websiteUrl and Repository",
        message="{value} is no absolute URL. Write scheme, host and path, such as https://example.com/charts",
    ),
    "mcp-server/description-length": Rule(
        id="mcp-server/description-length",
        severity="error",
        spec="MCP Server Card v1, description",
        message="a description has 1 to 100 characters, and this one {length}. Write one short sentence",
    ),
    "mcp-server/name": Rule(
        id="mcp-server/name",
        severity="error",
        spec="MCP Server Card v1, name",
        message="{value} is not the name of an MCP server. Write your domain in reverse order, a slash and a name, such as com.example/tides",
    ),
    "mcp-server/title-length": Rule(
        id="mcp-server/title-length",
        severity="error",
        spec="MCP Server Card v1, title",
        message="a title has 1 to 100 characters, and this one {length}",
    ),
    "mcp-server/version-length": Rule(
        id="mcp-server/version-length",
        severity="error",
        spec="MCP Server Card v1, version",
        message="a version has at most 255 characters, and this one {length}",
    ),
    "mcp-server/version-range": Rule(
        id="mcp-server/version-range",
        severity="warning",
        spec="MCP Server Card v1, version",
        message="{value} is not one version. Registries refuse ranges and latest; write the version of this server, such as 1.4.0",
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
                    "description",
                    "icons",
                    "name",
                    "remotes",
                    "repository",
                    "title",
                    "version",
                    "websiteUrl",
                ),
                (
                    "authentication",
                    "capabilities",
                    "documentationUrl",
                    "iconUrl",
                    "instructions",
                    "prompts",
                    "protocolVersion",
                    "resources",
                    "serverInfo",
                    "tools",
                    "transport",
                ),
            ): ("",),
            (("mimeType", "sizes", "src", "theme"), ()): ("/icons/[*]",),
            (
                (
                    "choices",
                    "default",
                    "description",
                    "format",
                    "isRequired",
                    "isSecret",
                    "placeholder",
                    "value",
                ),
                (),
            ): ("/remotes/[*]/headers/[*]/variables/*", "/remotes/[*]/variables/*"),
            (
                (
                    "choices",
                    "default",
                    "description",
                    "format",
                    "isRequired",
                    "isSecret",
                    "name",
                    "placeholder",
                    "value",
                    "variables",
                ),
                (),
            ): ("/remotes/[*]/headers/[*]",),
            (("headers", "supportedProtocolVersions", "type", "url", "variables"), ()): ("/remotes/[*]",),
            (("id", "source", "subfolder", "url"), ()): ("/repository",),
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


VALIDATOR: Final = DialectValidator(
    __package__ or "", RULES, structural, names, schema="cardwright_models.mcp_server_card_v1"
)
