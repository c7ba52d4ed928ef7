"""server.json of the MCP registry: its rules and its validator.

Generated from schemas/mcp-registry/2025-12-11/dialect.json
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
    "mcp-registry/argument-value": Rule(
        id="mcp-registry/argument-value",
        severity="error",
        spec="MCP registry 2025-12-11, PositionalArgument",
        message="a positional argument needs a value or a valueHint",
    ),
    "mcp-registry/edition-version": Rule(
        id="mcp-registry/edition-version",
        severity="error",
        spec="MCP registry 2025-09-29, Package",
        message="a package has no version, which the schema that the document names requires until 2025-09-29. Add the version, or name the newest schema",
    ),
    "mcp-registry/file-digest": Rule(
        id="mcp-registry/file-digest",
        severity="error",
        spec="MCP registry 2025-12-11, Package",
        message="{value} is not a SHA-256 digest. Write 64 hexadecimal digits in lower case",
    ),
    "mcp-registry/icon-size": Rule(
        id="mcp-registry/icon-size",
        severity="error",
        spec="MCP registry 2025-12-11, Icon",
        message="{value} is not a size. Write width and height in pixels, such as 48x48, or any",
    ),
    "mcp-registry/icon-source": Rule(
        id="mcp-registry/icon-source",
        severity="error",
        spec="MCP registry 2025-12-11, Icon",
        message="the URL of an icon has at most 255 characters, and this one {length}",
    ),
    "mcp-registry/icon-type": Rule(
        id="mcp-registry/icon-type",
        severity="error",
        spec="MCP registry 2025-12-11, Icon",
        message="{value} is not the media type of an icon. Use image/png, image/jpeg, image/svg+xml or image/webp",
    ),
    "mcp-registry/mcpb-digest": Rule(
        id="mcp-registry/mcpb-digest",
        severity="error",
        spec="MCP registry 2025-12-11, Package",
        message="a package of type mcpb needs fileSha256, the SHA-256 digest of its file",
    ),
    "mcp-registry/oci-reference": Rule(
        id="mcp-registry/oci-reference",
        severity="warning",
        spec="MCP registry 2025-12-11, Package; validator of the MCP registry",
        message="a package of type oci has version or registryBaseUrl, which the registry refuses. Write host, repository and tag in identifier, such as ghcr.io/harbour/charts:1.4.0",
    ),
    "mcp-registry/older-schema": Rule(
        id="mcp-registry/older-schema",
        severity="warning",
        spec="MCP registry 2025-12-11",
        message="{value} is an older schema of server.json, by which the document is validated. The newest is https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ),
    "mcp-registry/package-range": Rule(
        id="mcp-registry/package-range",
        severity="error",
        spec="MCP registry 2025-12-11, Package",
        message="{value} is a range, which the registry refuses. Write one version of the package, such as 1.4.0",
    ),
    "mcp-registry/package-url": Rule(
        id="mcp-registry/package-url",
        severity="error",
        spec="MCP registry 2025-12-11, Package",
        message="{value} is not the URL of an endpoint. Begin with http:// or https://",
    ),
    "mcp-registry/package-version": Rule(
        id="mcp-registry/package-version",
        severity="error",
        spec="MCP registry 2025-12-11, Package",
        message="{value} is not the version of a package. Write one version, such as 1.4.0",
    ),
    "mcp-registry/remote-url": Rule(
        id="mcp-registry/remote-url",
        severity="error",
        spec="MCP registry 2025-12-11, RemoteTransport",
        message="{value} is not the URL of an endpoint. Begin with http:// or https://",
    ),
    "mcp-registry/spelling": Rule(
        id="mcp-registry/spelling",
        severity="warning",
        spec="MCP registry 2025-12-11; project decision",
        message="unknown field {value}; did you mean {meant}? server.json of 2025-07-09 had names in snake_case",
    ),
    "mcp-registry/unknown-field": Rule(
        id="mcp-registry/unknown-field",
        severity="warning",
        spec="MCP registry API: an unknown field is answered with status 422",
        message="unknown field {value}, for which the registry refuses the document. Remove it, or move it to `_meta` under `io.modelcontextprotocol.registry/publisher-provided`",
    ),
    "mcp-registry/unknown-schema": Rule(
        id="mcp-registry/unknown-schema",
        severity="warning",
        spec="MCP registry 2025-12-11; project decision",
        message="the schema {value} is not known here: the document is validated by that of 2025-12-11",
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
                    "icons",
                    "name",
                    "packages",
                    "remotes",
                    "repository",
                    "title",
                    "version",
                    "websiteUrl",
                ),
                ("status",),
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
            ): (
                "/packages/[*]/transport/headers/[*]/variables/*",
                "/packages/[*]/runtimeArguments/[*]/variables/*",
                "/packages/[*]/packageArguments/[*]/variables/*",
                "/packages/[*]/environmentVariables/[*]/variables/*",
                "/remotes/[*]/headers/[*]/variables/*",
                "/remotes/[*]/variables/*",
            ),
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
            ): (
                "/packages/[*]/transport/headers/[*]",
                "/packages/[*]/environmentVariables/[*]",
                "/remotes/[*]/headers/[*]",
            ),
            (("headers", "type", "url"), ()): ("/packages/[*]/transport",),
            (
                (
                    "choices",
                    "default",
                    "description",
                    "format",
                    "isRepeated",
                    "isRequired",
                    "isSecret",
                    "name",
                    "placeholder",
                    "type",
                    "value",
                    "valueHint",
                    "variables",
                ),
                (),
            ): ("/packages/[*]/runtimeArguments/[*]", "/packages/[*]/packageArguments/[*]"),
            (
                (
                    "environmentVariables",
                    "fileSha256",
                    "identifier",
                    "packageArguments",
                    "registryBaseUrl",
                    "registryType",
                    "runtimeArguments",
                    "runtimeHint",
                    "transport",
                    "version",
                ),
                (),
            ): ("/packages/[*]",),
            (("headers", "type", "url", "variables"), ()): ("/remotes/[*]",),
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
    spelling(
        violations,
        RULES["mcp-registry/spelling"],
        document,
        SPELLINGS["mcp-registry/spelling"],
        RULES["mcp-registry/unknown-field"],
    )


VALIDATOR: Final = DialectValidator(
    __package__ or "", RULES, structural, names, schema="cardwright_models.mcp_registry_v2025_12_11"
)
