"""server.json of the MCP registry as of 2025-07-09: its rules and its validator.

Generated from schemas/mcp-registry/2025-07-09/dialect.json
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
    "mcp-registry/older-schema": Rule(
        id="mcp-registry/older-schema",
        severity="warning",
        spec="MCP registry 2025-07-09",
        message="{value} is an older schema of server.json, by which the document is validated. The newest is https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ),
    "mcp-registry/spelling": Rule(
        id="mcp-registry/spelling",
        severity="warning",
        spec="MCP registry 2025-07-09; project decision",
        message="unknown field {value}; did you mean {meant}? In server.json of 2025-07-09 names are in snake_case",
    ),
    "mcp-server/absolute-url": Rule(
        id="mcp-server/absolute-url",
        severity="warning",
        spec="MCP registry 2025-12-11, Repository",
        message="{value} is no absolute URL. Write scheme, host and path, such as https://example.com/charts",
    ),
    "mcp-server/description-length": Rule(
        id="mcp-server/description-length",
        severity="error",
        spec="MCP registry 2025-12-11, ServerDetail",
        message="a description has 1 to 100 characters, and this one {length}. Write one short sentence",
    ),
    "mcp-server/name": Rule(
        id="mcp-server/name",
        severity="error",
        spec="MCP registry 2025-12-11, ServerDetail",
        message="{value} is not the name of an MCP server. Write your domain in reverse order, a slash and a name, such as com.example/tides",
    ),
    "mcp-server/title-length": Rule(
        id="mcp-server/title-length",
        severity="error",
        spec="MCP registry 2025-12-11, ServerDetail",
        message="a title has 1 to 100 characters, and this one {length}",
    ),
    "mcp-server/version-length": Rule(
        id="mcp-server/version-length",
        severity="error",
        spec="MCP registry 2025-12-11, ServerDetail",
        message="a version has at most 255 characters, and this one {length}",
    ),
    "mcp-server/version-range": Rule(
        id="mcp-server/version-range",
        severity="warning",
        spec="MCP registry 2025-12-11, ServerDetail",
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
    "mcp-registry/spelling": Spelling.of(
        {
            (
                (
                    "$schema",
                    "_meta",
                    "description",
                    "name",
                    "packages",
                    "remotes",
                    "repository",
                    "status",
                    "version",
                    "website_url",
                ),
                ("icons", "title"),
            ): ("",),
            (
                ("choices", "default", "description", "format", "is_required", "is_secret", "value"),
                ("placeholder",),
            ): ("/packages/[*]/transport/headers/[*]/variables/*", "/remotes/[*]/headers/[*]/variables/*"),
            (("choices", "default", "description", "format", "is_required", "is_secret", "value"), ()): (
                "/packages/[*]/runtime_arguments/[*]/variables/*",
                "/packages/[*]/package_arguments/[*]/variables/*",
                "/packages/[*]/environment_variables/[*]/variables/*",
            ),
            (
                (
                    "choices",
                    "default",
                    "description",
                    "format",
                    "is_required",
                    "is_secret",
                    "name",
                    "value",
                    "variables",
                ),
                ("placeholder",),
            ): ("/packages/[*]/transport/headers/[*]", "/remotes/[*]/headers/[*]"),
            (
                (
                    "choices",
                    "default",
                    "description",
                    "format",
                    "is_required",
                    "is_secret",
                    "name",
                    "value",
                    "variables",
                ),
                (),
            ): ("/packages/[*]/environment_variables/[*]",),
            (("headers", "type", "url"), ()): ("/packages/[*]/transport",),
            (
                (
                    "choices",
                    "default",
                    "description",
                    "format",
                    "is_repeated",
                    "is_required",
                    "is_secret",
                    "name",
                    "type",
                    "value",
                    "value_hint",
                    "variables",
                ),
                (),
            ): ("/packages/[*]/runtime_arguments/[*]", "/packages/[*]/package_arguments/[*]"),
            (
                (
                    "environment_variables",
                    "file_sha256",
                    "identifier",
                    "package_arguments",
                    "registry_base_url",
                    "registry_type",
                    "runtime_arguments",
                    "runtime_hint",
                    "transport",
                    "version",
                ),
                (),
            ): ("/packages/[*]",),
            (("headers", "type", "url"), ("variables",)): ("/remotes/[*]",),
            (("id", "source", "subfolder", "url"), ()): ("/repository",),
            (("io.modelcontextprotocol.registry/publisher-provided",), ()): ("/_meta",),
        },
        SYNONYMS,
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    del document, violations, vocabularies


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    spelling(violations, RULES["mcp-registry/spelling"], document, SPELLINGS["mcp-registry/spelling"])


VALIDATOR: Final = DialectValidator(__package__ or "", RULES, structural, names, schema=__package__ or "")
