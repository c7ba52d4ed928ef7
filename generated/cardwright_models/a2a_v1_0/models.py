"""A2A 1.0 agent card: typed models.

Generated from schemas/a2a/1.0/agent-card.schema.json (sha256 c6b9cd72041a52945332d1588be79a70d87f48c154747748efb94bed7ae0b576)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from cardwright_models.base import OneOf, WireModel


class APIKeySecurityScheme(WireModel):
    """
    A fixed key sent with every request.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    description: str | None = None
    """
    Note for people who have to obtain the credential.
    """
    location: Literal["cookie", "header", "query"]
    """
    Where the key travels. Earlier versions call this field `in`.
    """
    name: str
    """
    Name of the header, cookie or query parameter that carries the key.
    """


class AgentCardSignature(WireModel):
    """
    One JSON Web Signature (RFC 7515) in its flattened JSON form, without the payload: that is the canonical card.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    protected: str
    """
    Protected header: a JSON object with at least `alg` and `kid`, base64url-encoded without padding.
    """
    signature: str
    """
    Signature value, base64url-encoded without padding.
    """
    header: dict[str, Any] | None = None
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
    uri: str | None = None
    """
    Identifies the extension and its version; compared as a string. Not marked required, yet useless without.
    """
    description: str | None = None
    """
    What the agent does with the extension.
    """
    required: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if the agent serves only clients that follow the extension.
    """
    params: dict[str, Any] | None = None
    """
    Settings whose meaning the extension defines.
    """


class AgentInterface(WireModel):
    """
    One address of the agent with the binding and the protocol version supported there.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    url: str
    """
    Address of the interface. Absolute; https in production.
    """
    protocol_binding: str
    """
    Binding supported at this address: JSONRPC, GRPC, HTTP+JSON, or the URI of a custom binding (§5.8).
    """
    tenant: str | None = None
    """
    Opaque routing value; where it is set, clients copy it into the `tenant` of every request sent here.
    """
    protocol_version: str
    """
    Version of A2A supported at this address as Major.Minor, for example 1.0 or 0.3; without a patch number.
    """


class AgentProvider(WireModel):
    """
    The person or organisation behind an agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    url: str
    """
    The provider's website or documentation.
    """
    organization: str
    """
    Name of the provider.
    """


class AuthorizationCodeOAuthFlow(WireModel):
    """
    Endpoints and scopes of the authorization code grant.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    authorization_url: str
    """
    Where the user is sent to grant access.
    """
    token_url: str
    """
    Where access tokens are issued.
    """
    refresh_url: str | None = None
    """
    Where refresh tokens are exchanged, if not at the token URL.
    """
    scopes: dict[str, str]
    """
    Every scope that can be asked for, with a short explanation. May be empty.
    """
    pkce_required: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if the server refuses requests without PKCE (RFC 7636).
    """


class ClientCredentialsOAuthFlow(WireModel):
    """
    Endpoints and scopes of the client credentials grant.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    token_url: str
    """
    Where access tokens are issued.
    """
    refresh_url: str | None = None
    """
    Where refresh tokens are exchanged, if not at the token URL.
    """
    scopes: dict[str, str]
    """
    Every scope that can be asked for, with a short explanation. May be empty.
    """


class DeviceCodeOAuthFlow(WireModel):
    """
    Endpoints and scopes of the device code grant.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    device_authorization_url: str
    """
    Where a device asks for the code that its user will confirm elsewhere.
    """
    token_url: str
    """
    Where access tokens are issued.
    """
    refresh_url: str | None = None
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
    description: str | None = None
    """
    Note for people who have to obtain the credential.
    """
    scheme: str
    """
    Authentication scheme as registered with IANA, such as Bearer or Basic; case does not matter.
    """
    bearer_format: str | None = None
    """
    Hint at what a bearer token looks like, such as JWT. It has no effect on the protocol.
    """


class ImplicitOAuthFlow(WireModel):
    """
    Endpoints and scopes of the deprecated implicit grant; no field is required.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    authorization_url: str | None = None
    """
    Where the user is sent to grant access.
    """
    refresh_url: str | None = None
    """
    Where refresh tokens are exchanged, if not at the token URL.
    """
    scopes: dict[str, str] | None = None
    """
    Every scope that can be asked for, with a short explanation. May be empty.
    """


class MutualTlsSecurityScheme(WireModel):
    """
    A client certificate, checked in the TLS handshake.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    description: str | None = None
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
    description: str | None = None
    """
    Note for people who have to obtain the credential.
    """
    open_id_connect_url: str
    """
    The provider's discovery document.
    """


class PasswordOAuthFlow(WireModel):
    """
    Endpoints and scopes of the deprecated password grant; no field is required.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    token_url: str | None = None
    """
    Where access tokens are issued.
    """
    refresh_url: str | None = None
    """
    Where refresh tokens are exchanged, if not at the token URL.
    """
    scopes: dict[str, str] | None = None
    """
    Every scope that can be asked for, with a short explanation. May be empty.
    """


class StringList(WireModel):
    """
    A list of strings in an object of its own, because Protocol Buffers maps cannot hold lists.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    list_: Annotated[list[str] | None, Field(alias="list")] = None
    """
    The strings; empty or absent where the scheme has no scopes.
    """


class AgentCapabilities(WireModel):
    """
    Optional protocol features; a switch that is absent is off.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    streaming: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if `SendStreamingMessage` and `SubscribeToTask` work.
    """
    push_notifications: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if a client may register a webhook for the updates of a task.
    """
    extensions: list[AgentExtension] | None = None
    """
    Protocol extensions that the agent knows.
    """
    extended_agent_card: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if authenticated callers can fetch a fuller card with `GetExtendedAgentCard`.
    """


class OAuthFlows(OneOf):
    """
    Endpoints and scopes of one OAuth 2.0 grant: an object in which exactly one of five fields is set.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
        json_schema_extra={
            "oneOf": [
                {"required": ["authorizationCode"]},
                {"required": ["clientCredentials"]},
                {"required": ["implicit"]},
                {"required": ["password"]},
                {"required": ["deviceCode"]},
            ]
        },
    )
    authorization_code: AuthorizationCodeOAuthFlow | None = None
    """
    The authorization code grant.
    """
    client_credentials: ClientCredentialsOAuthFlow | None = None
    """
    The client credentials grant, for callers that act for themselves.
    """
    implicit: Annotated[ImplicitOAuthFlow | None, Field(deprecated=True)] = None
    """
    The implicit grant. Deprecated: use the authorization code grant with PKCE.
    """
    password: Annotated[PasswordOAuthFlow | None, Field(deprecated=True)] = None
    """
    The password grant. Deprecated: use the authorization code grant with PKCE, or the device code grant.
    """
    device_code: DeviceCodeOAuthFlow | None = None
    """
    The device code grant (RFC 8628), for devices without a browser.
    """


class SecurityRequirement(WireModel):
    """
    Schemes that must be satisfied together.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    schemes: dict[str, StringList] | None = None
    """
    Each key names an entry of `securitySchemes`; its value lists the scopes needed.
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
    What the skill does and what to mind when using it.
    """
    tags: Annotated[list[str], Field(min_length=1)]
    """
    Keywords by which a catalogue can find the skill. At least one, as for every required array (§5.7).
    """
    examples: list[str] | None = None
    """
    Sample inputs that show how to ask for the skill.
    """
    input_modes: list[str] | None = None
    """
    Media types that this skill reads, instead of `defaultInputModes`.
    """
    output_modes: list[str] | None = None
    """
    Media types that this skill produces, instead of `defaultOutputModes`.
    """
    security_requirements: list[SecurityRequirement] | None = None
    """
    What a caller of this skill must present; read like the card's own `securityRequirements`.
    """


class OAuth2SecurityScheme(WireModel):
    """
    An OAuth 2.0 access token.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    description: str | None = None
    """
    Note for people who have to obtain the credential.
    """
    flows: OAuthFlows
    """
    The one grant of this scheme; two grants need two schemes.
    """
    oauth2_metadata_url: str | None = None
    """
    Metadata document of the authorization server (RFC 8414), served over TLS.
    """


class SecurityScheme(OneOf):
    """
    One way to authenticate: an object in which exactly one of five fields is set. Unknown fields beside it are ignored.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
        json_schema_extra={
            "oneOf": [
                {"required": ["apiKeySecurityScheme"]},
                {"required": ["httpAuthSecurityScheme"]},
                {"required": ["oauth2SecurityScheme"]},
                {"required": ["openIdConnectSecurityScheme"]},
                {"required": ["mtlsSecurityScheme"]},
            ]
        },
    )
    api_key_security_scheme: APIKeySecurityScheme | None = None
    """
    The caller sends an API key in a header, a query parameter or a cookie.
    """
    http_auth_security_scheme: HTTPAuthSecurityScheme | None = None
    """
    The caller sends the header Authorization with a scheme such as Bearer or Basic.
    """
    oauth2_security_scheme: OAuth2SecurityScheme | None = None
    """
    The caller gets a token by a flow of OAuth 2.0.
    """
    open_id_connect_security_scheme: OpenIdConnectSecurityScheme | None = None
    """
    The caller gets a token from a provider of OpenID Connect, found at its discovery URL.
    """
    mtls_security_scheme: MutualTlsSecurityScheme | None = None
    """
    Settings of mutual TLS; often an empty object, which still counts as set.
    """


class AgentCard(WireModel):
    """
    A2A 1.0 agent card, derived from the Protocol Buffers definition and the text of the specification, since no JSON Schema is published for 1.0. Names are in camelCase, as §5.5 asks.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str
    """
    What people call this agent.
    """
    description: str
    """
    What the agent is for, so that people and agents can decide whether to call it.
    """
    supported_interfaces: Annotated[list[AgentInterface], Field(min_length=1)]
    """
    Every address of the agent with its binding and protocol version, most preferred first. At least one.
    """
    provider: AgentProvider | None = None
    """
    Who runs the agent.
    """
    version: str
    """
    Release of the agent itself; the A2A versions are in `supportedInterfaces`.
    """
    documentation_url: str | None = None
    """
    Page that explains the agent further.
    """
    capabilities: AgentCapabilities
    """
    The optional parts of the protocol that this agent implements.
    """
    security_schemes: dict[str, SecurityScheme] | None = None
    """
    The ways to authenticate that this card knows, each under a name that `securityRequirements` refers to.
    """
    security_requirements: list[SecurityRequirement] | None = None
    """
    What a caller must present. Any one entry is enough; all schemes named inside that entry are needed together.
    """
    default_input_modes: Annotated[list[str], Field(min_length=1)]
    """
    Media types that every skill reads unless it lists its own. At least one.
    """
    default_output_modes: Annotated[list[str], Field(min_length=1)]
    """
    Media types that every skill produces unless it lists its own. At least one.
    """
    skills: Annotated[list[AgentSkill], Field(min_length=1)]
    """
    What the agent can do. At least one, as for every required array (§5.7).
    """
    signatures: list[AgentCardSignature] | None = None
    """
    JSON Web Signatures over this card. One that verifies is enough; several allow a change of keys.
    """
    icon_url: str | None = None
    """
    Picture to show beside the agent's name.
    """
