"""A2A 0.3 agent card: when a field counts as set.

Generated from schemas/a2a/0.3/agent-card.schema.json (sha256 1c43b120c4f8fcc9f7b31b97accc4a9cf9a8b4845807cb27df466a8a221dc25e)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.presence_tables import FieldPresence, Presence, Shape

PRESENCE: Final = Presence(
    dialect="a2a-0.3",
    root=Shape("message", message="AgentCard"),
    messages={
        "AgentCapabilities": {
            "streaming": FieldPresence("optional", Shape("flag")),
            "pushNotifications": FieldPresence("optional", Shape("flag")),
            "stateTransitionHistory": FieldPresence("optional", Shape("flag")),
            "extensions": FieldPresence(
                "implicit", Shape("list", Shape("message", message="AgentExtension"))
            ),
        },
        "AgentCard": {
            "protocolVersion": FieldPresence("required", Shape("text")),
            "name": FieldPresence("required", Shape("text")),
            "description": FieldPresence("required", Shape("text")),
            "url": FieldPresence("required", Shape("text")),
            "preferredTransport": FieldPresence("optional", Shape("text")),
            "additionalInterfaces": FieldPresence(
                "implicit", Shape("list", Shape("message", message="AgentInterface"))
            ),
            "provider": FieldPresence("optional", Shape("message", message="AgentProvider")),
            "iconUrl": FieldPresence("optional", Shape("text")),
            "version": FieldPresence("required", Shape("text")),
            "documentationUrl": FieldPresence("optional", Shape("text")),
            "capabilities": FieldPresence("required", Shape("message", message="AgentCapabilities")),
            "securitySchemes": FieldPresence(
                "implicit", Shape("map", Shape("message", message="SecurityScheme"))
            ),
            "security": FieldPresence("implicit", Shape("list", Shape("map", Shape("list", Shape("text"))))),
            "defaultInputModes": FieldPresence("required", Shape("list", Shape("text"))),
            "defaultOutputModes": FieldPresence("required", Shape("list", Shape("text"))),
            "skills": FieldPresence("required", Shape("list", Shape("message", message="AgentSkill"))),
            "supportsAuthenticatedExtendedCard": FieldPresence("optional", Shape("flag")),
            "signatures": FieldPresence(
                "implicit", Shape("list", Shape("message", message="AgentCardSignature"))
            ),
        },
        "AgentCardSignature": {
            "protected": FieldPresence("required", Shape("text")),
            "signature": FieldPresence("required", Shape("text")),
            "header": FieldPresence("optional", Shape("opaque")),
        },
        "AgentExtension": {
            "uri": FieldPresence("required", Shape("text")),
            "description": FieldPresence("implicit", Shape("text")),
            "required": FieldPresence("implicit", Shape("flag")),
            "params": FieldPresence("optional", Shape("opaque")),
        },
        "AgentInterface": {
            "url": FieldPresence("required", Shape("text")),
            "transport": FieldPresence("required", Shape("text")),
        },
        "AgentProvider": {
            "organization": FieldPresence("required", Shape("text")),
            "url": FieldPresence("required", Shape("text")),
        },
        "AgentSkill": {
            "id": FieldPresence("required", Shape("text")),
            "name": FieldPresence("required", Shape("text")),
            "description": FieldPresence("required", Shape("text")),
            "tags": FieldPresence("required", Shape("list", Shape("text"))),
            "examples": FieldPresence("implicit", Shape("list", Shape("text"))),
            "inputModes": FieldPresence("implicit", Shape("list", Shape("text"))),
            "outputModes": FieldPresence("implicit", Shape("list", Shape("text"))),
            "security": FieldPresence("implicit", Shape("list", Shape("map", Shape("list", Shape("text"))))),
        },
        "AuthorizationCodeOAuthFlow": {
            "authorizationUrl": FieldPresence("required", Shape("text")),
            "tokenUrl": FieldPresence("required", Shape("text")),
            "refreshUrl": FieldPresence("implicit", Shape("text")),
            "scopes": FieldPresence("required", Shape("map", Shape("text"))),
        },
        "ClientCredentialsOAuthFlow": {
            "tokenUrl": FieldPresence("required", Shape("text")),
            "refreshUrl": FieldPresence("implicit", Shape("text")),
            "scopes": FieldPresence("required", Shape("map", Shape("text"))),
        },
        "ImplicitOAuthFlow": {
            "authorizationUrl": FieldPresence("required", Shape("text")),
            "refreshUrl": FieldPresence("implicit", Shape("text")),
            "scopes": FieldPresence("required", Shape("map", Shape("text"))),
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
        },
        "PasswordOAuthFlow": {
            "tokenUrl": FieldPresence("required", Shape("text")),
            "refreshUrl": FieldPresence("implicit", Shape("text")),
            "scopes": FieldPresence("required", Shape("map", Shape("text"))),
        },
        "SecurityScheme": {
            "type": FieldPresence("required", Shape("text")),
            "in": FieldPresence("required", Shape("text")),
            "name": FieldPresence("required", Shape("text")),
            "description": FieldPresence("implicit", Shape("text")),
            "scheme": FieldPresence("required", Shape("text")),
            "bearerFormat": FieldPresence("implicit", Shape("text")),
            "flows": FieldPresence("required", Shape("message", message="OAuthFlows")),
            "oauth2MetadataUrl": FieldPresence("implicit", Shape("text")),
            "openIdConnectUrl": FieldPresence("required", Shape("text")),
        },
    },
)
