"""Beach 1.0 agent card: typed models.

Generated from schemas/beach/1.0/agent-card.schema.json (sha256 840135e44e1370b6903ca0845c32962cfdfcf50aca9b96c52c3cb63818afb7e6)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import MISSING, ConfigDict, Field, RootModel

from cardwright_runtime.wire import WireModel


class Auth(WireModel):
    """
    Authentication of callers on one transport. The type determines which other properties apply.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: str
    """
    Name of the authentication kind, looked up in the auth type registry.
    """
    header: str | MISSING = MISSING
    """
    HTTP header that carries the key when the type is `api-key`.
    """
    token_endpoint: Annotated[str | MISSING, Field(serialization_alias="tokenEndpoint")] = MISSING
    """
    URL of the OAuth 2.0 token endpoint when the type is `oauth2`.
    """
    scope: str | MISSING = MISSING
    """
    OAuth 2.0 scopes to request from the token endpoint, separated by single spaces as RFC 6749 §3.3 writes them, when the type is `oauth2`.
    """
    fingerprints: list[str] | MISSING = MISSING
    """
    Fingerprints of the certificates accepted in the TLS handshake when the type is `mtls`; each names its hash, then a colon, then the digest.
    """


class BeachExtension(WireModel):
    """
    The `extensions.beach` block of a card: features that only Beach peers use.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    version: str | MISSING = MISSING
    """
    Version of the Beach protocol that the agent supports, as `Major.Minor`.
    """
    respond_tool_schema_version: Annotated[
        str | MISSING, Field(serialization_alias="respondToolSchemaVersion")
    ] = MISSING
    """
    Version of the schema of the agent's internal `respond` tool, for peers that read its tool traces.
    """
    turn_states: Annotated[list[str] | MISSING, Field(serialization_alias="turnStates")] = MISSING
    """
    States a turn of this agent can end in or report; the name used in extension version 1.0.
    """
    conversation_states: Annotated[list[str] | MISSING, Field(serialization_alias="conversationStates")] = (
        MISSING
    )
    """
    Newer name of `turnStates`, read as a synonym.
    """


class Contact(WireModel):
    """
    Contact for questions about the agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    email: str | MISSING = MISSING
    """
    Email address for questions.
    """


class EnvelopeBlock(WireModel):
    """
    Part types that the agent sends and understands.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    parts: list[str] | MISSING = MISSING
    """
    Part types the agent produces; an application's own types have the form `slug.type-name`.
    """
    consumes: list[str] | MISSING = MISSING
    """
    Part types the agent understands in an envelope from a peer; a type that needs a peer's consent is sent only when it is listed here.
    """
    a2ui_catalog: Annotated[str | MISSING, Field(serialization_alias="a2uiCatalog")] = MISSING
    """
    URL of the A2UI catalogue whose components the agent's surfaces use.
    """
    llm_context_language: Annotated[str | MISSING, Field(serialization_alias="llmContextLanguage")] = MISSING
    """
    Language of the `llm-context` parts, as a BCP 47 tag.
    """


class Extensions(WireModel):
    """
    Extension blocks by name. Only `beach` is defined here; other blocks are kept unchanged.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    beach: BeachExtension | MISSING = MISSING
    """
    Features that only Beach peers use.
    """


class Provider(WireModel):
    """
    Publisher of the agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str | MISSING = MISSING
    """
    Name of the publisher.
    """
    url: str | MISSING = MISSING
    """
    URL of the publisher's website.
    """


class SchemaBoolean(RootModel[bool]):
    root: bool
    """
    A JSON Schema that allows everything (true) or nothing (false).
    """


class SchemaObject(WireModel):
    """
    A JSON Schema object; its content is not validated here.
    """

    model_config = ConfigDict(
        extra="allow",
        use_attribute_docstrings=True,
    )


class Transport(WireModel):
    """
    Endpoint of the agent: its protocol, its address and the required authentication.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    protocol: str
    """
    Name of the protocol, looked up in the transport registry.
    """
    version: str | MISSING = MISSING
    """
    Version of the protocol in that protocol's own notation; not the version of the agent.
    """
    endpoint: str
    """
    Address of the endpoint: an http or https URL, or for `mcp` a `stdio://` URI naming a local command.
    """
    auth: Auth | MISSING = MISSING
    """
    Authentication that the endpoint requires.
    """
    required_scopes: Annotated[list[str], Field(serialization_alias="requiredScopes")] = []
    """
    Scopes that a caller must have to use this transport.
    """
    transport: str | MISSING = MISSING
    """
    For `mcp`: the MCP transport, such as `http` or `stdio`.
    """
    tool: str | MISSING = MISSING
    """
    For `mcp`: name of the MCP tool that a peer calls to send messages to the agent.
    """


class BeachExtensionParams(WireModel):
    """
    The `params` of the extension `https://beach.cool-ai.io/extensions/v1` on an A2A card: fields of a Beach card that an A2A card does not have.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    envelope_consumes: Annotated[list[str] | MISSING, Field(serialization_alias="envelopeConsumes")] = MISSING
    """
    Part types the agent understands in an envelope from a peer; a Beach card's `envelope.consumes`.
    """
    envelope_parts: Annotated[list[str] | MISSING, Field(serialization_alias="envelopeParts")] = MISSING
    """
    Part types the agent produces; a Beach card's `envelope.parts`.
    """
    a2ui_catalog: Annotated[str | MISSING, Field(serialization_alias="a2uiCatalog")] = MISSING
    """
    URL of the A2UI catalogue whose components the agent's surfaces use.
    """
    llm_context_language: Annotated[str | MISSING, Field(serialization_alias="llmContextLanguage")] = MISSING
    """
    Language of the `llm-context` parts, as a BCP 47 tag.
    """
    version: str | MISSING = MISSING
    """
    Version of the Beach protocol that the agent supports, as `Major.Minor`; not the version of the agent.
    """
    respond_tool_schema_version: Annotated[
        str | MISSING, Field(serialization_alias="respondToolSchemaVersion")
    ] = MISSING
    """
    Version of the schema of the agent's internal `respond` tool.
    """
    turn_states: Annotated[list[str] | MISSING, Field(serialization_alias="turnStates")] = MISSING
    """
    States a turn of this agent can end in or report.
    """
    conversation_states: Annotated[list[str] | MISSING, Field(serialization_alias="conversationStates")] = (
        MISSING
    )
    """
    Newer name of `turnStates`, read as a synonym.
    """
    schema_version: Annotated[str | MISSING, Field(serialization_alias="schemaVersion")] = MISSING
    """
    Version of the Beach card format the card was converted from.
    """
    id: str | MISSING = MISSING
    """
    Identifier of the agent, unique within its provider.
    """
    display_name: Annotated[str | MISSING, Field(serialization_alias="displayName")] = MISSING
    """
    Display name.
    """
    contact: Contact | MISSING = MISSING
    """
    Contact for questions about the agent.
    """
    generated_at: Annotated[str | MISSING, Field(serialization_alias="generatedAt")] = MISSING
    """
    RFC 3339 time at which the card was created.
    """
    transports: list[Transport] | MISSING = MISSING
    """
    Transports that no A2A interface can express, such as `mcp` or `smtp`, in their Beach form.
    """


class JsonSchema(RootModel[SchemaObject | SchemaBoolean]):
    root: SchemaObject | SchemaBoolean
    """
    Any JSON Schema, inline or as a single `$ref`.
    """


class Capability(WireModel):
    """
    Capability of the agent, with optional schemas of its requests and responses.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Name of the capability, unique within the card and stable between versions.
    """
    description: str
    """
    What the capability does, for people and for agents choosing a peer.
    """
    examples: list[str] | MISSING = MISSING
    """
    Example requests that this capability can handle, in a caller's words.
    """
    required_scopes: Annotated[list[str], Field(serialization_alias="requiredScopes")] = []
    """
    Scopes a caller must hold to use this capability.
    """
    input_schema: Annotated[JsonSchema | MISSING, Field(serialization_alias="inputSchema")] = MISSING
    """
    Schema of requests; its references are never fetched while a card is validated.
    """
    output_schema: Annotated[JsonSchema | MISSING, Field(serialization_alias="outputSchema")] = MISSING
    """
    Schema of responses; its references are never fetched while a card is validated.
    """


class AgentCard(WireModel):
    """
    The description of a Beach agent: what it does, how to reach it, and which envelope parts it exchanges.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    field_schema: Annotated[str | MISSING, Field(serialization_alias="$schema")] = MISSING
    """
    Schema URL given by the author. It is kept unchanged, never fetched, and not used to detect the dialect.
    """
    schema_version: Annotated[str, Field(serialization_alias="schemaVersion")]
    """
    Version of the card format, as `Major.Minor`; a reader that does not support the major version validates nothing else.
    """
    id: str
    """
    Identifier of the agent, unique within its provider and stable over its life.
    """
    name: str
    """
    Short name of the agent.
    """
    display_name: Annotated[str | MISSING, Field(serialization_alias="displayName")] = MISSING
    """
    Display name, with product branding if there is any.
    """
    description: str
    """
    What the agent does, in one sentence.
    """
    version: str
    """
    Version of this agent, as a semantic version; not the version of a protocol or of the card format.
    """
    provider: Provider | MISSING = MISSING
    """
    Publisher of the agent.
    """
    capabilities: list[Capability]
    """
    Capabilities of the agent.
    """
    transports: list[Transport]
    """
    Endpoints of the agent.
    """
    envelope: EnvelopeBlock | MISSING = MISSING
    """
    Part types that the agent sends and understands.
    """
    extensions: Extensions | MISSING = MISSING
    """
    Extension blocks by name.
    """
    contact: Contact | MISSING = MISSING
    """
    Contact for questions about the agent.
    """
    generated_at: Annotated[str | MISSING, Field(serialization_alias="generatedAt")] = MISSING
    """
    RFC 3339 time at which the card was created; a cached card with the same time is current.
    """
