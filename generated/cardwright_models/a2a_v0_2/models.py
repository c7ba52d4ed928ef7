"""A2A 0.2 agent card: typed models.

Generated from schemas/a2a/0.2/agent-card.schema.json (sha256 fbebe7af1298c5e8d940921b5918d7df4036237255b8f00f9b005c610b415d71)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, RootModel

from cardwright_models.base import WireModel


class APIKeySecurityScheme(WireModel):
    """
    A fixed key sent with every request.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["apiKey"] = "apiKey"
    """
    Says which kind of scheme this is: always `apiKey`.
    """
    in_: Literal["cookie", "header", "query"]
    """
    Where the key travels.
    """
    name: str
    """
    Name of the header, cookie or query parameter that carries the key.
    """
    description: str | None = None
    """
    Note for people who have to obtain the credential.
    """


class AgentExtension(WireModel):
    """
    One protocol extension and how the agent uses it. Since 0.2.2.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    uri: str
    """
    Identifies the extension and its version; compared as a string.
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
    One address of the agent together with the transport supported there. Since 0.2.4.
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


class HTTPAuthSecurityScheme(WireModel):
    """
    Credentials in the HTTP Authorization header.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["http"] = "http"
    """
    Says which kind of scheme this is: always `http`.
    """
    scheme: str
    """
    Authentication scheme as registered with IANA, such as Bearer or Basic; case does not matter.
    """
    bearer_format: str | None = None
    """
    Hint at what a bearer token looks like, such as JWT. It has no effect on the protocol.
    """
    description: str | None = None
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
    authorization_url: str
    """
    Where the user is sent to grant access.
    """
    refresh_url: str | None = None
    """
    Where refresh tokens are exchanged, if not at the token URL.
    """
    scopes: dict[str, str]
    """
    Every scope that can be asked for, with a short explanation. May be empty.
    """


class OpenIdConnectSecurityScheme(WireModel):
    """
    A token from an OpenID Connect provider.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["openIdConnect"] = "openIdConnect"
    """
    Says which kind of scheme this is: always `openIdConnect`.
    """
    open_id_connect_url: str
    """
    The provider's discovery document.
    """
    description: str | None = None
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


class AgentCapabilities(WireModel):
    """
    Optional protocol features; a switch that is absent is off.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    streaming: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if `message/stream` and `tasks/resubscribe` work and report over server-sent events.
    """
    push_notifications: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if a client may register a webhook with `tasks/pushNotificationConfig/set`.
    """
    state_transition_history: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    Reserved for agents that expose every status change of a task; no version defines a mechanism for it.
    """
    extensions: list[AgentExtension] | None = None
    """
    Protocol extensions that the agent knows. Since 0.2.2.
    """


class OAuthFlows(WireModel):
    """
    The OAuth 2.0 grants that the agent accepts; any number of them.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    authorization_code: AuthorizationCodeOAuthFlow | None = None
    """
    The authorization code grant.
    """
    client_credentials: ClientCredentialsOAuthFlow | None = None
    """
    The client credentials grant, for callers that act for themselves.
    """
    implicit: ImplicitOAuthFlow | None = None
    """
    The implicit grant, which current OAuth advice discourages.
    """
    password: PasswordOAuthFlow | None = None
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
    type: Literal["oauth2"] = "oauth2"
    """
    Says which kind of scheme this is: always `oauth2`.
    """
    flows: OAuthFlows
    """
    Endpoints and scopes, one entry for each grant that the agent accepts.
    """
    description: str | None = None
    """
    Note for people who have to obtain the credential.
    """


class SecurityScheme(
    RootModel[
        APIKeySecurityScheme | HTTPAuthSecurityScheme | OAuth2SecurityScheme | OpenIdConnectSecurityScheme
    ]
):
    root: Annotated[
        APIKeySecurityScheme | HTTPAuthSecurityScheme | OAuth2SecurityScheme | OpenIdConnectSecurityScheme,
        Field(discriminator="type"),
    ]
    """
    One way to authenticate, in the shape of an OpenAPI 3 security scheme; `type` tells which.
    """


class AgentCard(WireModel):
    """
    A2A 0.2 agent card, for all releases from 0.2.0 to 0.2.6. Fields that were added after 0.2.0 name their release; null is not allowed anywhere.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    protocol_version: str | None = None
    """
    Version of A2A that the agent speaks, for example 0.2.6. Required from 0.2.5 on and unknown before, so its absence means 0.2.0 to 0.2.4; the published default is 0.2.5.
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
    The agent's main endpoint. Absolute; https outside a developer's machine.
    """
    preferred_transport: Annotated[str | None, Field(json_schema_extra={"x-default": "JSONRPC"})] = None
    """
    Transport supported at `url`: JSONRPC, GRPC, HTTP+JSON or another name. Since 0.2.4.
    """
    additional_interfaces: list[AgentInterface] | None = None
    """
    Further addresses of the agent, each with its transport. Since 0.2.4.
    """
    provider: AgentProvider | None = None
    """
    Who runs the agent.
    """
    icon_url: str | None = None
    """
    Picture to show beside the agent's name. Since 0.2.2.
    """
    version: str
    """
    Release of the agent itself, in whatever format its provider uses; not a version of A2A.
    """
    documentation_url: str | None = None
    """
    Page for human readers that explains the agent.
    """
    capabilities: AgentCapabilities
    """
    The optional parts of the protocol that this agent implements.
    """
    security_schemes: dict[str, SecurityScheme] | None = None
    """
    The ways to authenticate that this card knows, each under a name that `security` refers to.
    """
    security: list[dict[str, list[str]]] | None = None
    """
    What a caller must present. Any one entry is enough; all schemes named inside that entry are needed together.
    """
    default_input_modes: list[str]
    """
    Media types that every skill reads unless it lists its own.
    """
    default_output_modes: list[str]
    """
    Media types that every skill produces unless it lists its own.
    """
    skills: list[AgentSkill]
    """
    What the agent can do. An agent that does any work lists at least one.
    """
    supports_authenticated_extended_card: Annotated[
        bool | None, Field(json_schema_extra={"x-default": False})
    ] = None
    """
    True if authenticated callers can fetch a fuller card. Since 0.2.1.
    """
