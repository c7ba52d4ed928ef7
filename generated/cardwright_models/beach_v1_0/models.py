"""Beach 1.0 agent card: typed models.

Generated from schemas/beach/1.0/agent-card.schema.json (sha256 aa1f9195d736835de68b9723cc5d8af8f09fb7399c4e5a01d7a4b4ef80df7f0f)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field, RootModel

from cardwright_models.base import WireModel


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
    header: str | None = None
    """
    HTTP header that carries the key when the type is `api-key`.
    """
    token_endpoint: str | None = None
    """
    URL of the OAuth 2.0 token endpoint when the type is `oauth2`.
    """
    scope: str | None = None
    """
    OAuth 2.0 scopes to request from the token endpoint, separated by single spaces as RFC 6749 §3.3 writes them, when the type is `oauth2`.
    """
    fingerprints: list[str] | None = None
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
    version: str | None = None
    """
    Version of the Beach protocol that the agent supports, as `Major.Minor`.
    """
    respond_tool_schema_version: str | None = None
    """
    Version of the schema of the agent's internal `respond` tool, for peers that read its tool traces.
    """
    turn_states: list[str] | None = None
    """
    States a turn of this agent can end in or report; the name used in extension version 1.0.
    """
    conversation_states: list[str] | None = None
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
    email: str | None = None
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
    parts: list[str] | None = None
    """
    Part types the agent produces; an application's own types have the form `slug.type-name`.
    """
    consumes: list[str] | None = None
    """
    Part types the agent understands in an envelope from a peer; a type that needs a peer's consent is sent only when it is listed here.
    """
    a2ui_catalog: str | None = None
    """
    URL of the A2UI catalogue whose components the agent's surfaces use.
    """
    llm_context_language: str | None = None
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
    beach: BeachExtension | None = None
    """
    Features that only Beach peers use.
    """


class JsonSchema(RootModel[dict[str, Any] | bool]):
    root: dict[str, Any] | bool
    """
    Any JSON Schema, inline or as a single `$ref`.
    """


class Provider(WireModel):
    """
    Publisher of the agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str | None = None
    """
    Name of the publisher.
    """
    url: str | None = None
    """
    URL of the publisher's website.
    """


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
    version: str | None = None
    """
    Version of the protocol in that protocol's own notation; not the version of the agent.
    """
    endpoint: str
    """
    Address of the endpoint: an http or https URL, or for `mcp` a `stdio://` URI naming a local command.
    """
    auth: Auth | None = None
    """
    Authentication that the endpoint requires.
    """
    required_scopes: Annotated[list[str] | None, Field(json_schema_extra={"x-default": []})] = None
    """
    Scopes that a caller must have to use this transport.
    """
    transport: str | None = None
    """
    For `mcp`: the MCP transport, such as `http` or `stdio`.
    """
    tool: str | None = None
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
    envelope_consumes: list[str] | None = None
    """
    Part types the agent understands in an envelope from a peer; a Beach card's `envelope.consumes`.
    """
    envelope_parts: list[str] | None = None
    """
    Part types the agent produces; a Beach card's `envelope.parts`.
    """
    a2ui_catalog: str | None = None
    """
    URL of the A2UI catalogue whose components the agent's surfaces use.
    """
    llm_context_language: str | None = None
    """
    Language of the `llm-context` parts, as a BCP 47 tag.
    """
    version: str | None = None
    """
    Version of the Beach protocol that the agent supports, as `Major.Minor`; not the version of the agent.
    """
    respond_tool_schema_version: str | None = None
    """
    Version of the schema of the agent's internal `respond` tool.
    """
    turn_states: list[str] | None = None
    """
    States a turn of this agent can end in or report.
    """
    conversation_states: list[str] | None = None
    """
    Newer name of `turnStates`, read as a synonym.
    """
    schema_version: str | None = None
    """
    Version of the Beach card format the card was converted from.
    """
    id: str | None = None
    """
    Identifier of the agent, unique within its provider.
    """
    display_name: str | None = None
    """
    Display name.
    """
    contact: Contact | None = None
    """
    Contact for questions about the agent.
    """
    generated_at: str | None = None
    """
    RFC 3339 time at which the card was created.
    """
    transports: list[Transport] | None = None
    """
    Transports that no A2A interface can express, such as `mcp` or `smtp`, in their Beach form.
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
    examples: list[str] | None = None
    """
    Example requests that this capability can handle, in a caller's words.
    """
    required_scopes: Annotated[list[str] | None, Field(json_schema_extra={"x-default": []})] = None
    """
    Scopes a caller must hold to use this capability.
    """
    input_schema: JsonSchema | None = None
    """
    Schema of requests; its references are never fetched while a card is validated.
    """
    output_schema: JsonSchema | None = None
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
    field_schema: str | None = None
    """
    Schema URL given by the author. It is kept unchanged, never fetched, and not used to detect the dialect.
    """
    schema_version: str
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
    display_name: str | None = None
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
    provider: Provider | None = None
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
    envelope: EnvelopeBlock | None = None
    """
    Part types that the agent sends and understands.
    """
    extensions: Extensions | None = None
    """
    Extension blocks by name.
    """
    contact: Contact | None = None
    """
    Contact for questions about the agent.
    """
    generated_at: str | None = None
    """
    RFC 3339 time at which the card was created; a cached card with the same time is current.
    """
