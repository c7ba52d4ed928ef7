"""A2A 0.3 to the hub and back.

Generated from schemas/mappings/a2a-0.3.mapping.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import Final

from cardwright_runtime.mapping import Mapping, Member, ObjectMap

MAPPING: Final = Mapping(
    dialect="a2a-0.3",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            members={
                "protocolVersion": Member(("supportedInterfaces",), "hand", "interfaces"),
                "name": Member(("name",)),
                "description": Member(("description",)),
                "url": Member(("supportedInterfaces",), "hand", "interfaces"),
                "preferredTransport": Member(("supportedInterfaces",), "hand", "interfaces"),
                "additionalInterfaces": Member(("supportedInterfaces",), "hand", "interfaces"),
                "provider": Member(("provider",), "object", "AgentProvider"),
                "iconUrl": Member(("iconUrl",)),
                "version": Member(("version",)),
                "documentationUrl": Member(("documentationUrl",)),
                "capabilities": Member(("capabilities",), "object", "AgentCapabilities"),
                "securitySchemes": Member(("securitySchemes",), "entries", "SecurityScheme"),
                "security": Member(("securityRequirements",), "hand", "requirements"),
                "defaultInputModes": Member(("defaultInputModes",)),
                "defaultOutputModes": Member(("defaultOutputModes",)),
                "skills": Member(("skills",), "items", "AgentSkill"),
                "supportsAuthenticatedExtendedCard": Member(("capabilities", "extendedAgentCard")),
                "signatures": Member(
                    ("signatures",),
                    "lost",
                    "a signature holds for the bytes it was made over, and a conversion changes them: sign the converted card",
                ),
            },
        ),
        "AgentProvider": ObjectMap(
            hub="AgentProvider",
            members={
                "organization": Member(("organization",)),
                "url": Member(("url",)),
            },
        ),
        "AgentCapabilities": ObjectMap(
            hub="AgentCapabilities",
            members={
                "streaming": Member(("streaming",)),
                "pushNotifications": Member(("pushNotifications",)),
                "stateTransitionHistory": Member(("stateTransitionHistory",)),
                "extensions": Member(("extensions",)),
            },
        ),
        "AgentSkill": ObjectMap(
            hub="AgentSkill",
            members={
                "id": Member(("id",)),
                "name": Member(("name",)),
                "description": Member(("description",)),
                "tags": Member(("tags",)),
                "examples": Member(("examples",)),
                "inputModes": Member(("inputModes",)),
                "outputModes": Member(("outputModes",)),
                "security": Member(("securityRequirements",), "hand", "requirements"),
            },
        ),
        "AgentInterface": ObjectMap(
            hub="AgentInterface",
            members={
                "url": Member(("url",)),
                "transport": Member(("protocolBinding",)),
            },
            beyond={
                "tenant": "A2A 0.3 has no tenants",
                "protocolVersion": "A2A 0.3 has one protocolVersion for the whole card",
            },
        ),
        "SecurityScheme": ObjectMap(
            hub="SecurityScheme",
            tag="type",
            arms={
                "apiKey": ("APIKeySecurityScheme", "apiKeySecurityScheme"),
                "http": ("HTTPAuthSecurityScheme", "httpAuthSecurityScheme"),
                "oauth2": ("OAuth2SecurityScheme", "oauth2SecurityScheme"),
                "openIdConnect": ("OpenIdConnectSecurityScheme", "openIdConnectSecurityScheme"),
                "mutualTLS": ("MutualTLSSecurityScheme", "mtlsSecurityScheme"),
            },
        ),
        "APIKeySecurityScheme": ObjectMap(
            hub="APIKeySecurityScheme",
            members={
                "in": Member(("location",)),
                "name": Member(("name",)),
                "description": Member(("description",)),
            },
        ),
        "HTTPAuthSecurityScheme": ObjectMap(
            hub="HTTPAuthSecurityScheme",
            members={
                "scheme": Member(("scheme",)),
                "bearerFormat": Member(("bearerFormat",)),
                "description": Member(("description",)),
            },
        ),
        "OAuth2SecurityScheme": ObjectMap(
            hub="OAuth2SecurityScheme",
            members={
                "flows": Member(("flows",), "object", "OAuthFlows"),
                "oauth2MetadataUrl": Member(("oauth2MetadataUrl",)),
                "description": Member(("description",)),
            },
        ),
        "OpenIdConnectSecurityScheme": ObjectMap(
            hub="OpenIdConnectSecurityScheme",
            members={
                "openIdConnectUrl": Member(("openIdConnectUrl",)),
                "description": Member(("description",)),
            },
        ),
        "MutualTLSSecurityScheme": ObjectMap(
            hub="MutualTlsSecurityScheme",
            members={
                "description": Member(("description",)),
            },
        ),
        "OAuthFlows": ObjectMap(
            hub="OAuthFlows",
            members={
                "authorizationCode": Member(("authorizationCode",), "object", "AuthorizationCodeOAuthFlow"),
                "clientCredentials": Member(("clientCredentials",), "object", "ClientCredentialsOAuthFlow"),
                "implicit": Member(("implicit",), "object", "ImplicitOAuthFlow"),
                "password": Member(("password",), "object", "PasswordOAuthFlow"),
            },
            beyond={
                "deviceCode": "there is no device code flow before A2A 1.0",
            },
        ),
        "AuthorizationCodeOAuthFlow": ObjectMap(
            hub="AuthorizationCodeOAuthFlow",
            members={
                "authorizationUrl": Member(("authorizationUrl",)),
                "tokenUrl": Member(("tokenUrl",)),
                "refreshUrl": Member(("refreshUrl",)),
                "scopes": Member(("scopes",)),
            },
            beyond={
                "pkceRequired": "no flow here says whether PKCE is required",
            },
        ),
        "ClientCredentialsOAuthFlow": ObjectMap(
            hub="ClientCredentialsOAuthFlow",
            members={
                "tokenUrl": Member(("tokenUrl",)),
                "refreshUrl": Member(("refreshUrl",)),
                "scopes": Member(("scopes",)),
            },
        ),
        "ImplicitOAuthFlow": ObjectMap(
            hub="ImplicitOAuthFlow",
            members={
                "authorizationUrl": Member(("authorizationUrl",)),
                "refreshUrl": Member(("refreshUrl",)),
                "scopes": Member(("scopes",)),
            },
        ),
        "PasswordOAuthFlow": ObjectMap(
            hub="PasswordOAuthFlow",
            members={
                "tokenUrl": Member(("tokenUrl",)),
                "refreshUrl": Member(("refreshUrl",)),
                "scopes": Member(("scopes",)),
            },
        ),
    },
)
