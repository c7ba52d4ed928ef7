"""A2A 1.0 agent card: when a field counts as set.

Generated from schemas/a2a/1.0/agent-card.schema.json (sha256 fee659b09559ddcbd18928f79efc0cd7aec3123bca88d42e38273dcce8532ad3)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_runtime.presence import Member, Presence, Shape

PRESENCE: Final = Presence(
    dialect="a2a-1.0",
    root=Shape("message", message="AgentCard"),
    messages={
        "APIKeySecurityScheme": {
            "description": Member("implicit", Shape("text")),
            "location": Member("required", Shape("text")),
            "name": Member("required", Shape("text")),
        },
        "AgentCapabilities": {
            "streaming": Member("optional", Shape("flag")),
            "pushNotifications": Member("optional", Shape("flag")),
            "extensions": Member("implicit", Shape("list", Shape("message", message="AgentExtension"))),
            "extendedAgentCard": Member("optional", Shape("flag")),
        },
        "AgentCard": {
            "name": Member("required", Shape("text")),
            "description": Member("required", Shape("text")),
            "supportedInterfaces": Member(
                "required", Shape("list", Shape("message", message="AgentInterface"))
            ),
            "provider": Member("optional", Shape("message", message="AgentProvider")),
            "version": Member("required", Shape("text")),
            "documentationUrl": Member("optional", Shape("text")),
            "capabilities": Member("required", Shape("message", message="AgentCapabilities")),
            "securitySchemes": Member(
                "implicit", Shape("map", Shape("message", message="SecurityScheme", alone=True))
            ),
            "securityRequirements": Member(
                "implicit", Shape("list", Shape("message", message="SecurityRequirement"))
            ),
            "defaultInputModes": Member("required", Shape("list", Shape("text"))),
            "defaultOutputModes": Member("required", Shape("list", Shape("text"))),
            "skills": Member("required", Shape("list", Shape("message", message="AgentSkill"))),
            "signatures": Member("implicit", Shape("list", Shape("message", message="AgentCardSignature"))),
            "iconUrl": Member("optional", Shape("text")),
        },
        "AgentCardSignature": {
            "protected": Member("required", Shape("text")),
            "signature": Member("required", Shape("text")),
            "header": Member("optional", Shape("opaque")),
        },
        "AgentExtension": {
            "uri": Member("implicit", Shape("text")),
            "description": Member("implicit", Shape("text")),
            "required": Member("implicit", Shape("flag")),
            "params": Member("optional", Shape("opaque")),
        },
        "AgentInterface": {
            "url": Member("required", Shape("text")),
            "protocolBinding": Member("required", Shape("text")),
            "tenant": Member("implicit", Shape("text")),
            "protocolVersion": Member("required", Shape("text")),
        },
        "AgentProvider": {
            "url": Member("required", Shape("text")),
            "organization": Member("required", Shape("text")),
        },
        "AgentSkill": {
            "id": Member("required", Shape("text")),
            "name": Member("required", Shape("text")),
            "description": Member("required", Shape("text")),
            "tags": Member("required", Shape("list", Shape("text"))),
            "examples": Member("implicit", Shape("list", Shape("text"))),
            "inputModes": Member("implicit", Shape("list", Shape("text"))),
            "outputModes": Member("implicit", Shape("list", Shape("text"))),
            "securityRequirements": Member(
                "implicit", Shape("list", Shape("message", message="SecurityRequirement"))
            ),
        },
        "AuthorizationCodeOAuthFlow": {
            "authorizationUrl": Member("required", Shape("text")),
            "tokenUrl": Member("required", Shape("text")),
            "refreshUrl": Member("implicit", Shape("text")),
            "scopes": Member("required", Shape("map", Shape("text"))),
            "pkceRequired": Member("implicit", Shape("flag")),
        },
        "ClientCredentialsOAuthFlow": {
            "tokenUrl": Member("required", Shape("text")),
            "refreshUrl": Member("implicit", Shape("text")),
            "scopes": Member("required", Shape("map", Shape("text"))),
        },
        "DeviceCodeOAuthFlow": {
            "deviceAuthorizationUrl": Member("required", Shape("text")),
            "tokenUrl": Member("required", Shape("text")),
            "refreshUrl": Member("implicit", Shape("text")),
            "scopes": Member("required", Shape("map", Shape("text"))),
        },
        "HTTPAuthSecurityScheme": {
            "description": Member("implicit", Shape("text")),
            "scheme": Member("required", Shape("text")),
            "bearerFormat": Member("implicit", Shape("text")),
        },
        "ImplicitOAuthFlow": {
            "authorizationUrl": Member("implicit", Shape("text")),
            "refreshUrl": Member("implicit", Shape("text")),
            "scopes": Member("implicit", Shape("map", Shape("text"))),
        },
        "MutualTlsSecurityScheme": {
            "description": Member("implicit", Shape("text")),
        },
        "OAuth2SecurityScheme": {
            "description": Member("implicit", Shape("text")),
            "flows": Member("required", Shape("message", message="OAuthFlows", alone=True)),
            "oauth2MetadataUrl": Member("implicit", Shape("text")),
        },
        "OAuthFlows": {
            "authorizationCode": Member("optional", Shape("message", message="AuthorizationCodeOAuthFlow")),
            "clientCredentials": Member("optional", Shape("message", message="ClientCredentialsOAuthFlow")),
            "implicit": Member("optional", Shape("message", message="ImplicitOAuthFlow")),
            "password": Member("optional", Shape("message", message="PasswordOAuthFlow")),
            "deviceCode": Member("optional", Shape("message", message="DeviceCodeOAuthFlow")),
        },
        "OpenIdConnectSecurityScheme": {
            "description": Member("implicit", Shape("text")),
            "openIdConnectUrl": Member("required", Shape("text")),
        },
        "PasswordOAuthFlow": {
            "tokenUrl": Member("implicit", Shape("text")),
            "refreshUrl": Member("implicit", Shape("text")),
            "scopes": Member("implicit", Shape("map", Shape("text"))),
        },
        "SecurityRequirement": {
            "schemes": Member("implicit", Shape("map", Shape("message", message="StringList"))),
        },
        "SecurityScheme": {
            "apiKeySecurityScheme": Member("optional", Shape("message", message="APIKeySecurityScheme")),
            "httpAuthSecurityScheme": Member("optional", Shape("message", message="HTTPAuthSecurityScheme")),
            "oauth2SecurityScheme": Member("optional", Shape("message", message="OAuth2SecurityScheme")),
            "openIdConnectSecurityScheme": Member(
                "optional", Shape("message", message="OpenIdConnectSecurityScheme")
            ),
            "mtlsSecurityScheme": Member("optional", Shape("message", message="MutualTlsSecurityScheme")),
        },
        "StringList": {
            "list": Member("implicit", Shape("list", Shape("text"))),
        },
    },
)
