"""A2A 1.0 agent card: when a field counts as set.

Generated from schemas/a2a/1.0/agent-card.schema.json (sha256 c6b9cd72041a52945332d1588be79a70d87f48c154747748efb94bed7ae0b576)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.presence_tables import FieldPresence, Presence, Shape

PRESENCE: Final = Presence(
    dialect="a2a-1.0",
    root=Shape("message", message="AgentCard"),
    messages={
        "APIKeySecurityScheme": {
            "description": FieldPresence("implicit", Shape("text")),
            "location": FieldPresence("required", Shape("text")),
            "name": FieldPresence("required", Shape("text")),
        },
        "AgentCapabilities": {
            "streaming": FieldPresence("optional", Shape("flag")),
            "pushNotifications": FieldPresence("optional", Shape("flag")),
            "extensions": FieldPresence(
                "implicit", Shape("list", Shape("message", message="AgentExtension"))
            ),
            "extendedAgentCard": FieldPresence("optional", Shape("flag")),
        },
        "AgentCard": {
            "name": FieldPresence("required", Shape("text")),
            "description": FieldPresence("required", Shape("text")),
            "supportedInterfaces": FieldPresence(
                "required", Shape("list", Shape("message", message="AgentInterface"))
            ),
            "provider": FieldPresence("optional", Shape("message", message="AgentProvider")),
            "version": FieldPresence("required", Shape("text")),
            "documentationUrl": FieldPresence("optional", Shape("text")),
            "capabilities": FieldPresence("required", Shape("message", message="AgentCapabilities")),
            "securitySchemes": FieldPresence(
                "implicit", Shape("map", Shape("message", message="SecurityScheme", alone=True))
            ),
            "securityRequirements": FieldPresence(
                "implicit", Shape("list", Shape("message", message="SecurityRequirement"))
            ),
            "defaultInputModes": FieldPresence("required", Shape("list", Shape("text"))),
            "defaultOutputModes": FieldPresence("required", Shape("list", Shape("text"))),
            "skills": FieldPresence("required", Shape("list", Shape("message", message="AgentSkill"))),
            "signatures": FieldPresence(
                "implicit", Shape("list", Shape("message", message="AgentCardSignature"))
            ),
            "iconUrl": FieldPresence("optional", Shape("text")),
        },
        "AgentCardSignature": {
            "protected": FieldPresence("required", Shape("text")),
            "signature": FieldPresence("required", Shape("text")),
            "header": FieldPresence("optional", Shape("opaque")),
        },
        "AgentExtension": {
            "uri": FieldPresence("implicit", Shape("text")),
            "description": FieldPresence("implicit", Shape("text")),
            "required": FieldPresence("implicit", Shape("flag")),
            "params": FieldPresence("optional", Shape("opaque")),
        },
        "AgentInterface": {
            "url": FieldPresence("required", Shape("text")),
            "protocolBinding": FieldPresence("required", Shape("text")),
            "tenant": FieldPresence("implicit", Shape("text")),
            "protocolVersion": FieldPresence("required", Shape("text")),
        },
        "AgentProvider": {
            "url": FieldPresence("required", Shape("text")),
            "organization": FieldPresence("required", Shape("text")),
        },
        "AgentSkill": {
            "id": FieldPresence("required", Shape("text")),
            "name": FieldPresence("required", Shape("text")),
            "description": FieldPresence("required", Shape("text")),
            "tags": FieldPresence("required", Shape("list", Shape("text"))),
            "examples": FieldPresence("implicit", Shape("list", Shape("text"))),
            "inputModes": FieldPresence("implicit", Shape("list", Shape("text"))),
            "outputModes": FieldPresence("implicit", Shape("list", Shape("text"))),
            "securityRequirements": FieldPresence(
                "implicit", Shape("list", Shape("message", message="SecurityRequirement"))
            ),
        },
        "AuthorizationCodeOAuthFlow": {
            "authorizationUrl": FieldPresence("required", Shape("text")),
            "tokenUrl": FieldPresence("required", Shape("text")),
            "refreshUrl": FieldPresence("implicit", Shape("text")),
            "scopes": FieldPresence("required", Shape("map", Shape("text"))),
            "pkceRequired": FieldPresence("implicit", Shape("flag")),
        },
        "ClientCredentialsOAuthFlow": {
            "tokenUrl": FieldPresence("required", Shape("text")),
            "refreshUrl": FieldPresence("implicit", Shape("text")),
            "scopes": FieldPresence("required", Shape("map", Shape("text"))),
        },
        "DeviceCodeOAuthFlow": {
            "deviceAuthorizationUrl": FieldPresence("required", Shape("text")),
            "tokenUrl": FieldPresence("required", Shape("text")),
            "refreshUrl": FieldPresence("implicit", Shape("text")),
            "scopes": FieldPresence("required", Shape("map", Shape("text"))),
        },
        "HTTPAuthSecurityScheme": {
            "description": FieldPresence("implicit", Shape("text")),
            "scheme": FieldPresence("required", Shape("text")),
            "bearerFormat": FieldPresence("implicit", Shape("text")),
        },
        "ImplicitOAuthFlow": {
            "authorizationUrl": FieldPresence("implicit", Shape("text")),
            "refreshUrl": FieldPresence("implicit", Shape("text")),
            "scopes": FieldPresence("implicit", Shape("map", Shape("text"))),
        },
        "MutualTlsSecurityScheme": {
            "description": FieldPresence("implicit", Shape("text")),
        },
        "OAuth2SecurityScheme": {
            "description": FieldPresence("implicit", Shape("text")),
            "flows": FieldPresence("required", Shape("message", message="OAuthFlows", alone=True)),
            "oauth2MetadataUrl": FieldPresence("implicit", Shape("text")),
        },
        "OAuthFlows": {
            "authorizationCode": FieldPresence(
                "optional", Shape("message", message="AuthorizationCodeOAuthFlow")
            ),
            "clientCredentials": FieldPresence(
                "optional", Shape("message", message="ClientCredentialsOAuthFlow")
            ),
            "implicit": FieldPresence("optional", Shape("message", message="ImplicitOAuthFlow")),
            "password": FieldPresence("optional", Shape("message", message="PasswordOAuthFlow")),
            "deviceCode": FieldPresence("optional", Shape("message", message="DeviceCodeOAuthFlow")),
        },
        "OpenIdConnectSecurityScheme": {
            "description": FieldPresence("implicit", Shape("text")),
            "openIdConnectUrl": FieldPresence("required", Shape("text")),
        },
        "PasswordOAuthFlow": {
            "tokenUrl": FieldPresence("implicit", Shape("text")),
            "refreshUrl": FieldPresence("implicit", Shape("text")),
            "scopes": FieldPresence("implicit", Shape("map", Shape("text"))),
        },
        "SecurityRequirement": {
            "schemes": FieldPresence("implicit", Shape("map", Shape("message", message="StringList"))),
        },
        "SecurityScheme": {
            "apiKeySecurityScheme": FieldPresence(
                "optional", Shape("message", message="APIKeySecurityScheme")
            ),
            "httpAuthSecurityScheme": FieldPresence(
                "optional", Shape("message", message="HTTPAuthSecurityScheme")
            ),
            "oauth2SecurityScheme": FieldPresence(
                "optional", Shape("message", message="OAuth2SecurityScheme")
            ),
            "openIdConnectSecurityScheme": FieldPresence(
                "optional", Shape("message", message="OpenIdConnectSecurityScheme")
            ),
            "mtlsSecurityScheme": FieldPresence(
                "optional", Shape("message", message="MutualTlsSecurityScheme")
            ),
        },
        "StringList": {
            "list": FieldPresence("implicit", Shape("list", Shape("text"))),
        },
    },
)
