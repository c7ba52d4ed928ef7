"""A2A 0.3 agent card: when a field counts as set.

Generated from schemas/a2a/0.3/agent-card.schema.json (sha256 181399ef0b058ddb1425073eebd0e8980ee700ea5e0732fd534cf673ed8a91c6)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_runtime.presence import Member, Presence, Shape

PRESENCE: Final = Presence(
    dialect="a2a-0.3",
    root=Shape("message", message="AgentCard"),
    messages={
        "AgentCapabilities": {
            "streaming": Member("optional", Shape("flag")),
            "pushNotifications": Member("optional", Shape("flag")),
            "stateTransitionHistory": Member("optional", Shape("flag")),
            "extensions": Member("implicit", Shape("list", Shape("message", message="AgentExtension"))),
        },
        "AgentCard": {
            "protocolVersion": Member("required", Shape("text")),
            "name": Member("required", Shape("text")),
            "description": Member("required", Shape("text")),
            "url": Member("required", Shape("text")),
            "preferredTransport": Member("optional", Shape("text")),
            "additionalInterfaces": Member(
                "implicit", Shape("list", Shape("message", message="AgentInterface"))
            ),
            "provider": Member("optional", Shape("message", message="AgentProvider")),
            "iconUrl": Member("optional", Shape("text")),
            "version": Member("required", Shape("text")),
            "documentationUrl": Member("optional", Shape("text")),
            "capabilities": Member("required", Shape("message", message="AgentCapabilities")),
            "securitySchemes": Member("implicit", Shape("map", Shape("message", message="SecurityScheme"))),
            "security": Member("implicit", Shape("list", Shape("map", Shape("list", Shape("text"))))),
            "defaultInputModes": Member("required", Shape("list", Shape("text"))),
            "defaultOutputModes": Member("required", Shape("list", Shape("text"))),
            "skills": Member("required", Shape("list", Shape("message", message="AgentSkill"))),
            "supportsAuthenticatedExtendedCard": Member("optional", Shape("flag")),
            "signatures": Member("implicit", Shape("list", Shape("message", message="AgentCardSignature"))),
        },
        "AgentCardSignature": {
            "protected": Member("required", Shape("text")),
            "signature": Member("required", Shape("text")),
            "header": Member("optional", Shape("opaque")),
        },
        "AgentExtension": {
            "uri": Member("required", Shape("text")),
            "description": Member("implicit", Shape("text")),
            "required": Member("implicit", Shape("flag")),
            "params": Member("optional", Shape("opaque")),
        },
        "AgentInterface": {
            "url": Member("required", Shape("text")),
            "transport": Member("required", Shape("text")),
        },
        "AgentProvider": {
            "organization": Member("required", Shape("text")),
            "url": Member("required", Shape("text")),
        },
        "AgentSkill": {
            "id": Member("required", Shape("text")),
            "name": Member("required", Shape("text")),
            "description": Member("required", Shape("text")),
            "tags": Member("required", Shape("list", Shape("text"))),
            "examples": Member("implicit", Shape("list", Shape("text"))),
            "inputModes": Member("implicit", Shape("list", Shape("text"))),
            "outputModes": Member("implicit", Shape("list", Shape("text"))),
            "security": Member("implicit", Shape("list", Shape("map", Shape("list", Shape("text"))))),
        },
        "AuthorizationCodeOAuthFlow": {
            "authorizationUrl": Member("required", Shape("text")),
            "tokenUrl": Member("required", Shape("text")),
            "refreshUrl": Member("implicit", Shape("text")),
            "scopes": Member("required", Shape("map", Shape("text"))),
        },
        "ClientCredentialsOAuthFlow": {
            "tokenUrl": Member("required", Shape("text")),
            "refreshUrl": Member("implicit", Shape("text")),
            "scopes": Member("required", Shape("map", Shape("text"))),
        },
        "ImplicitOAuthFlow": {
            "authorizationUrl": Member("required", Shape("text")),
            "refreshUrl": Member("implicit", Shape("text")),
            "scopes": Member("required", Shape("map", Shape("text"))),
        },
        "OAuthFlows": {
            "authorizationCode": Member("optional", Shape("message", message="AuthorizationCodeOAuthFlow")),
            "clientCredentials": Member("optional", Shape("message", message="ClientCredentialsOAuthFlow")),
            "implicit": Member("optional", Shape("message", message="ImplicitOAuthFlow")),
            "password": Member("optional", Shape("message", message="PasswordOAuthFlow")),
        },
        "PasswordOAuthFlow": {
            "tokenUrl": Member("required", Shape("text")),
            "refreshUrl": Member("implicit", Shape("text")),
            "scopes": Member("required", Shape("map", Shape("text"))),
        },
        "SecurityScheme": {
            "type": Member("required", Shape("text")),
            "in": Member("required", Shape("text")),
            "name": Member("required", Shape("text")),
            "description": Member("implicit", Shape("text")),
            "scheme": Member("required", Shape("text")),
            "bearerFormat": Member("implicit", Shape("text")),
            "flows": Member("required", Shape("message", message="OAuthFlows")),
            "oauth2MetadataUrl": Member("implicit", Shape("text")),
            "openIdConnectUrl": Member("required", Shape("text")),
        },
    },
)
