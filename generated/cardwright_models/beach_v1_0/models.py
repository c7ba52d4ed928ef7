"""Beach 1.0 agent card: typed models.

Generated from schemas/beach/1.0/agent-card.schema.json (sha256 7a2671fed54a88f8d5e56d5afb43cf31497d6341dfcf0423c478259b7f5ac644)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import MISSING, ConfigDict, Field, RootModel

from cardwright_runtime.wire import WireModel


class Auth(WireModel):
    """
    How a caller proves who it is on one transport. Which further members apply depends on the type.
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
    OAuth 2.0 scopes to ask the token endpoint for, separated by single spaces as RFC 6749 §3.3 writes them, when the type is `oauth2`.
    """
    fingerprints: list[str] | MISSING = MISSING
    """
    Fingerprints of the certificates accepted in the TLS handshake when the type is `mtls`; each names its hash, then a colon, then the digest.
    """


class BeachExtension(WireModel):
    """
    The card's `extensions.beach` block: features only a Beach peer makes use of.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    version: str | MISSING = MISSING
    """
    Version of the Beach protocol the agent speaks, as `Major.Minor`.
    """
    respond_tool_schema_version: Annotated[
        str | MISSING, Field(serialization_alias="respondToolSchemaVersion")
    ] = MISSING
    """
    Version of the schema of the agent's internal `respond` tool, for peers that read its tool traces.
    """
    turn_states: Annotated[list[str] | MISSING, Field(serialization_alias="turnStates")] = MISSING
    """
    States a turn of this agent can end in or report; the spelling written for extension version 1.0.
    """
    conversation_states: Annotated[list[str] | MISSING, Field(serialization_alias="conversationStates")] = (
        MISSING
    )
    """
    The same list under the later name, read as a synonym of `turnStates`.
    """


class Contact(WireModel):
    """
    Where people ask about the agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    email: str | MISSING = MISSING
    """
    Address of a mailbox that somebody reads.
    """


class EnvelopeBlock(WireModel):
    """
    Which envelope parts the agent sends and which it understands.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    parts: list[str] | MISSING = MISSING
    """
    Part types the agent produces; types of an application's own are written `slug.type-name`.
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
    Extension blocks by name. Only `beach` has a meaning here; any other block is kept untouched.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    beach: BeachExtension | MISSING = MISSING
    """
    Features only a Beach peer makes use of.
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
    Address of the publisher's site.
    """


class SchemaBoolean(RootModel[bool]):
    root: bool
    """
    A JSON Schema that takes everything (true) or nothing (false).
    """


class SchemaObject(WireModel):
    """
    A JSON Schema written as an object; its members are its own business.
    """

    model_config = ConfigDict(
        extra="allow",
        use_attribute_docstrings=True,
    )


class Transport(WireModel):
    """
    One way of reaching the agent: the protocol spoken, the address it is spoken at, and what a caller must present.
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
    Address a peer talks to: an http or https URL, or for `mcp` a `stdio://` URI naming a local command.
    """
    auth: Auth | MISSING = MISSING
    """
    What the endpoint asks of a caller before it answers.
    """
    required_scopes: Annotated[list[str] | MISSING, Field(serialization_alias="requiredScopes")] = MISSING
    """
    Scopes a caller must hold to use this transport at all.
    """
    transport: str | MISSING = MISSING
    """
    For `mcp`: how MCP messages travel to the endpoint, such as `http` or `stdio`.
    """
    tool: str | MISSING = MISSING
    """
    For `mcp`: name of the MCP tool a peer calls to talk with the agent.
    """


class BeachExtensionParams(WireModel):
    """
    The `params` of the extension `https://beach.cool-ai.io/extensions/v1` on an A2A card: what a Beach card says and an A2A card has no member for.
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
    Version of the Beach protocol the agent speaks, as `Major.Minor`; not the version of the agent.
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
    The same list under the later name, read as a synonym of `turnStates`.
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
    Name to show to people.
    """
    contact: Contact | MISSING = MISSING
    """
    Where people ask about the agent.
    """
    generated_at: Annotated[str | MISSING, Field(serialization_alias="generatedAt")] = MISSING
    """
    When the card was made, as an RFC 3339 time.
    """
    transports: list[Transport] | MISSING = MISSING
    """
    Transports that no A2A interface can express, such as `mcp` or `smtp`, in their Beach form.
    """


class JsonSchema(RootModel[SchemaObject | SchemaBoolean]):
    root: SchemaObject | SchemaBoolean
    """
    Any JSON Schema, written out or as a lone `$ref`.
    """


class Capability(WireModel):
    """
    One thing the agent can do for a caller, with the contract of its requests and answers where there is one.
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
    Requests, as a caller would phrase them, that this capability answers.
    """
    required_scopes: Annotated[list[str] | MISSING, Field(serialization_alias="requiredScopes")] = MISSING
    """
    Scopes a caller must hold to use this capability.
    """
    input_schema: Annotated[JsonSchema | MISSING, Field(serialization_alias="inputSchema")] = MISSING
    """
    Contract a request can be checked against; a reference in it is never fetched while a card is judged.
    """
    output_schema: Annotated[JsonSchema | MISSING, Field(serialization_alias="outputSchema")] = MISSING
    """
    Contract an answer can be checked against; a reference in it is never fetched while a card is judged.
    """


class AgentCard(WireModel):
    """
    A Beach agent's description of itself: what it does, how to reach it, and which envelope parts it exchanges.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    field_schema: Annotated[str | MISSING, Field(serialization_alias="$schema")] = MISSING
    """
    Any schema address the author wrote. It is kept as it is, never fetched, and says nothing about the document's dialect.
    """
    schema_version: Annotated[str, Field(serialization_alias="schemaVersion")]
    """
    Version of the card format, as `Major.Minor`; a reader that does not know the major version judges nothing else.
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
    Name to show to people, with product branding if there is any.
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
    Who publishes the agent.
    """
    capabilities: list[Capability]
    """
    What the agent can do, one entry a capability.
    """
    transports: list[Transport]
    """
    How to reach the agent, one entry an endpoint.
    """
    envelope: EnvelopeBlock | MISSING = MISSING
    """
    Which envelope parts the agent sends and which it understands.
    """
    extensions: Extensions | MISSING = MISSING
    """
    Blocks that extend the card, each under a name of its own.
    """
    contact: Contact | MISSING = MISSING
    """
    Where people ask about the agent.
    """
    generated_at: Annotated[str | MISSING, Field(serialization_alias="generatedAt")] = MISSING
    """
    When the card was made, as an RFC 3339 time; a cache whose copy bears the same time need not read the card again.
    """
