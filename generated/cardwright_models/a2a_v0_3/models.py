"""A2A 0.3 agent card: typed models.

Generated from schemas/a2a/0.3/agent-card.schema.json (sha256 5b0304c56dc20328b9007d47f36e8d6231abab83190d285ff6535bccc605f7c5)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import MISSING, ConfigDict, Field, RootModel

from cardwright_runtime.wire import WireModel


class APIKeySecurityScheme(WireModel):
    """
    A fixed key sent with every request.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["apiKey"]
    """
    Says which kind of scheme this is: always `apiKey`.
    """
    in_: Annotated[Literal["cookie", "header", "query"], Field(serialization_alias="in")]
    """
    Where the key travels.
    """
    name: str
    """
    Name of the header, cookie or query parameter that carries the key.
    """
    description: str | MISSING = MISSING
    """
    Note for people who have to obtain the credential.
    """


class AgentCardSignature(WireModel):
    """
    One JSON Web Signature (RFC 7515) in its flattened JSON form, without the payload: that is the card itself.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    protected: str
    """
    Protected header: a JSON object, base64url-encoded without padding.
    """
    signature: str
    """
    Signature value, base64url-encoded without padding.
    """
    header: dict[str, Any] | MISSING = MISSING
    """
    Unprotected header. The signature does not cover it.
    """


class AgentExtension(WireModel):
    """
    One protocol extension and how the agent uses it.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    uri: str
    """
    Identifies the extension and its version; compared as a string.
    """
    description: str | MISSING = MISSING
    """
    What the agent does with the extension.
    """
    required: bool = False
    """
    True if the agent serves only clients that follow the extension.
    """
    params: dict[str, Any] | MISSING = MISSING
    """
    Settings whose meaning the extension defines.
    """


class AgentInterface(WireModel):
    """
    One address of the agent together with the transport supported there.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    url: str
    """
    Address of the interface. Absolute; https outside a developer's machine.
    """
    transport: str
    """
    Transport supported at this address: JSONRPC, GRPC, HTTP+JSON or another name.
    """


class AgentProvider(WireModel):
    """
    The person or organisation behind an agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    organization: str
    """
    Name of the provider.
    """
    url: str
    """
    The provider's website or contact page.
    """


class AuthorizationCodeOAuthFlow(WireModel):
    """
    Endpoints and scopes of the authorization code grant.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    authorization_url: Annotated[str, Field(serialization_alias="authorizationUrl")]
    """
    Where the user is sent to grant access.
    """
    token_url: Annotated[str, Field(serialization_alias="tokenUrl")]
    """
    Where access tokens are issued.
    """
    refresh_url: Annotated[str | MISSING, Field(serialization_alias="refreshUrl")] = MISSING
    """
    Where refresh tokens are exchanged, if not at the token URL.
    """
    scopes: dict[str, str]
    """
    Every scope that can be asked for, with a short explanation. May be empty.
    """


class ClientCredentialsOAuthFlow(WireModel):
    """
    Endpoints and scopes of the client credentials grant.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    token_url: Annotated[str, Field(serialization_alias="tokenUrl")]
    """
    Where access tokens are issued.
    """
    refresh_url: Annotated[str | MISSING, Field(serialization_alias="refreshUrl")] = MISSING
    """
    Where refresh tokens are exchanged, if not at the token URL.
    """
    scopes: dict[str, str]
    """
    Every scope that can be asked for, with a short explanation. May be empty.
    """


class HTTPAuthSecurityScheme(WireModel):
    """
    Credentials in the HTTP Authorization header.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["http"]
    """
    Says which kind of scheme this is: always `http`.
    """
    scheme: str
    """
    Authentication scheme as registered with IANA, such as Bearer or Basic; case does not matter.
    """
    bearer_format: Annotated[str | MISSING, Field(serialization_alias="bearerFormat")] = MISSING
    """
    Hint at what a bearer token looks like, such as JWT. It has no effect on the protocol.
    """
    description: str | MISSING = MISSING
    """
    Note for people who have to obtain the credential.
    """


class ImplicitOAuthFlow(WireModel):
    """
    Endpoints and scopes of the implicit grant.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    authorization_url: Annotated[str, Field(serialization_alias="authorizationUrl")]
    """
    Where the user is sent to grant access.
    """
    refresh_url: Annotated[str | MISSING, Field(serialization_alias="refreshUrl")] = MISSING
    """
    Where refresh tokens are exchanged, if not at the token URL.
    """
    scopes: dict[str, str]
    """
    Every scope that can be asked for, with a short explanation. May be empty.
    """


class MutualTLSSecurityScheme(WireModel):
    """
    A client certificate, checked in the TLS handshake.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["mutualTLS"]
    """
    Says which kind of scheme this is: always `mutualTLS`.
    """
    description: str | MISSING = MISSING
    """
    Note for people who have to obtain the credential.
    """


class OpenIdConnectSecurityScheme(WireModel):
    """
    A token from an OpenID Connect provider.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["openIdConnect"]
    """
    Says which kind of scheme this is: always `openIdConnect`.
    """
    open_id_connect_url: Annotated[str, Field(serialization_alias="openIdConnectUrl")]
    """
    The provider's discovery document.
    """
    description: str | MISSING = MISSING
    """
    Note for people who have to obtain the credential.
    """


class PasswordOAuthFlow(WireModel):
    """
    Endpoints and scopes of the password grant.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    token_url: Annotated[str, Field(serialization_alias="tokenUrl")]
    """
    Where access tokens are issued.
    """
    refresh_url: Annotated[str | MISSING, Field(serialization_alias="refreshUrl")] = MISSING
    """
    Where refresh tokens are exchanged, if not at the token URL.
    """
    scopes: dict[str, str]
    """
    Every scope that can be asked for, with a short explanation. May be empty.
    """


class SecurityRequirement(RootModel[dict[str, list[str]]]):
    """
    Schemes that must be satisfied together: each key names an entry of `securitySchemes`, each value lists the scopes needed (empty where the scheme has none).
    """

    root: dict[str, list[str]]


class AgentCapabilities(WireModel):
    """
    Optional protocol features; a switch that is absent is off.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    streaming: bool = False
    """
    True if `message/stream` and `tasks/resubscribe` work and report over server-sent events.
    """
    push_notifications: Annotated[bool, Field(serialization_alias="pushNotifications")] = False
    """
    True if a client may register a webhook with `tasks/pushNotificationConfig/set`.
    """
    state_transition_history: Annotated[bool, Field(serialization_alias="stateTransitionHistory")] = False
    """
    Reserved for agents that expose every status change of a task; no version defines a mechanism for it.
    """
    extensions: list[AgentExtension] | MISSING = MISSING
    """
    Protocol extensions that the agent knows.
    """


class AgentSkill(WireModel):
    """
    One thing that the agent can do.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier of the skill, unique within this card.
    """
    name: str
    """
    What people call the skill.
    """
    description: str
    """
    What the skill does and what to mind when using it, in plain text or CommonMark.
    """
    tags: list[str]
    """
    Keywords by which a catalogue can find the skill. The list must be there; it may be empty.
    """
    examples: list[str] | MISSING = MISSING
    """
    Sample inputs that show how to ask for the skill.
    """
    input_modes: Annotated[list[str] | MISSING, Field(serialization_alias="inputModes")] = MISSING
    """
    Media types that this skill reads, instead of `defaultInputModes`.
    """
    output_modes: Annotated[list[str] | MISSING, Field(serialization_alias="outputModes")] = MISSING
    """
    Media types that this skill produces, instead of `defaultOutputModes`.
    """
    security: list[SecurityRequirement] | MISSING = MISSING
    """
    What a caller of this skill must present; read like the card's own `security`.
    """


class OAuthFlows(WireModel):
    """
    The OAuth 2.0 grants that the agent accepts; any number of them.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    authorization_code: Annotated[
        AuthorizationCodeOAuthFlow | MISSING, Field(serialization_alias="authorizationCode")
    ] = MISSING
    """
    The authorization code grant.
    """
    client_credentials: Annotated[
        ClientCredentialsOAuthFlow | MISSING, Field(serialization_alias="clientCredentials")
    ] = MISSING
    """
    The client credentials grant, for callers that act for themselves.
    """
    implicit: ImplicitOAuthFlow | MISSING = MISSING
    """
    The implicit grant, which current OAuth advice discourages.
    """
    password: PasswordOAuthFlow | MISSING = MISSING
    """
    The resource owner password grant, which current OAuth advice discourages.
    """


class OAuth2SecurityScheme(WireModel):
    """
    An OAuth 2.0 access token.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["oauth2"]
    """
    Says which kind of scheme this is: always `oauth2`.
    """
    flows: OAuthFlows
    """
    Endpoints and scopes, one entry for each grant that the agent accepts.
    """
    oauth2_metadata_url: Annotated[str | MISSING, Field(serialization_alias="oauth2MetadataUrl")] = MISSING
    """
    Metadata document of the authorization server (RFC 8414), served over TLS.
    """
    description: str | MISSING = MISSING
    """
    Note for people who have to obtain the credential.
    """


class SecurityScheme(
    RootModel[
        APIKeySecurityScheme
        | HTTPAuthSecurityScheme
        | OAuth2SecurityScheme
        | OpenIdConnectSecurityScheme
        | MutualTLSSecurityScheme
    ]
):
    root: (
        APIKeySecurityScheme
        | HTTPAuthSecurityScheme
        | OAuth2SecurityScheme
        | OpenIdConnectSecurityScheme
        | MutualTLSSecurityScheme
    )
    """
    One way to authenticate, in the shape of an OpenAPI 3 security scheme; `type` tells which.
    """


class AgentCard(WireModel):
    """
    A2A 0.3 agent card: the first version with signatures, mutual TLS and security per skill.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    protocol_version: Annotated[str, Field(serialization_alias="protocolVersion")]
    """
    Version of A2A supported at `url`, for example 0.3.0.
    """
    name: str
    """
    What people call this agent.
    """
    description: str
    """
    What the agent is for, in plain text or CommonMark, so that people and agents can decide whether to call it.
    """
    url: str
    """
    The agent's main endpoint, which must speak `preferredTransport`. Absolute; https outside a developer's machine.
    """
    preferred_transport: Annotated[str, Field(serialization_alias="preferredTransport")] = "JSONRPC"
    """
    Transport supported at `url`: JSONRPC, GRPC, HTTP+JSON or an extension's own name. The prose asks every card to state it; the published schema does not.
    """
    additional_interfaces: Annotated[
        list[AgentInterface] | MISSING, Field(serialization_alias="additionalInterfaces")
    ] = MISSING
    """
    Every other address of the agent with its transport; a complete list repeats the main one.
    """
    provider: AgentProvider | MISSING = MISSING
    """
    Who runs the agent.
    """
    icon_url: Annotated[str | MISSING, Field(serialization_alias="iconUrl")] = MISSING
    """
    Picture to show beside the agent's name.
    """
    version: str
    """
    Release of the agent itself, in whatever format its provider uses; not a version of A2A.
    """
    documentation_url: Annotated[str | MISSING, Field(serialization_alias="documentationUrl")] = MISSING
    """
    Page for human readers that explains the agent.
    """
    capabilities: AgentCapabilities
    """
    The optional parts of the protocol that this agent implements.
    """
    security_schemes: Annotated[
        dict[str, SecurityScheme] | MISSING, Field(serialization_alias="securitySchemes")
    ] = MISSING
    """
    The ways to authenticate that this card knows, each under a name that `security` refers to.
    """
    security: list[SecurityRequirement] | MISSING = MISSING
    """
    What a caller must present. Any one entry is enough; all schemes named inside that entry are needed together.
    """
    default_input_modes: Annotated[list[str], Field(serialization_alias="defaultInputModes")]
    """
    Media types that every skill reads unless it lists its own.
    """
    default_output_modes: Annotated[list[str], Field(serialization_alias="defaultOutputModes")]
    """
    Media types that every skill produces unless it lists its own.
    """
    skills: list[AgentSkill]
    """
    What the agent can do. An agent that does any work lists at least one.
    """
    supports_authenticated_extended_card: Annotated[
        bool, Field(serialization_alias="supportsAuthenticatedExtendedCard")
    ] = False
    """
    True if authenticated callers can fetch a fuller card with `agent/getAuthenticatedExtendedCard`.
    """
    signatures: list[AgentCardSignature] | MISSING = MISSING
    """
    JSON Web Signatures over this card. One that verifies is enough; several allow a change of keys.
    """
