"""A2A 0.2 to the hub and back.

Generated from schemas/mappings/a2a-0.2.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="a2a-0.2",
    root="AgentCard",
    objects={
        "AgentCard": ObjectMap(
            hub="AgentCard",
            fields={
                "protocolVersion": FieldMap(("supportedInterfaces",), "hand", "interfaces"),
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "url": FieldMap(("supportedInterfaces",), "hand", "interfaces"),
                "preferredTransport": FieldMap(("supportedInterfaces",), "hand", "interfaces"),
                "additionalInterfaces": FieldMap(("supportedInterfaces",), "hand", "interfaces"),
                "provider": FieldMap(("provider",), "object", "AgentProvider"),
                "iconUrl": FieldMap(("iconUrl",)),
                "version": FieldMap(("version",)),
                "documentationUrl": FieldMap(("documentationUrl",)),
                "capabilities": FieldMap(("capabilities",), "object", "AgentCapabilities"),
                "securitySchemes": FieldMap(("securitySchemes",), "entries", "SecurityScheme"),
                "security": FieldMap(("securityRequirements",), "hand", "requirements"),
                "defaultInputModes": FieldMap(("defaultInputModes",)),
                "defaultOutputModes": FieldMap(("defaultOutputModes",)),
                "skills": FieldMap(("skills",), "items", "AgentSkill"),
                "supportsAuthenticatedExtendedCard": FieldMap(("capabilities", "extendedAgentCard")),
            },
            beyond={
                "signatures": "A2A 0.2 cards are not signed",
            },
        ),
        "AgentProvider": ObjectMap(
            hub="AgentProvider",
            fields={
                "organization": FieldMap(("organization",)),
                "url": FieldMap(("url",)),
            },
        ),
        "AgentCapabilities": ObjectMap(
            hub="AgentCapabilities",
            fields={
                "streaming": FieldMap(("streaming",)),
                "pushNotifications": FieldMap(("pushNotifications",)),
                "stateTransitionHistory": FieldMap(("stateTransitionHistory",)),
                "extensions": FieldMap(("extensions",)),
            },
        ),
        "AgentSkill": ObjectMap(
            hub="AgentSkill",
            fields={
                "id": FieldMap(("id",)),
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "tags": FieldMap(("tags",)),
                "examples": FieldMap(("examples",)),
                "inputModes": FieldMap(("inputModes",)),
                "outputModes": FieldMap(("outputModes",)),
            },
            beyond={
                "securityRequirements": "A2A 0.2 has no security on a skill",
            },
        ),
        "AgentInterface": ObjectMap(
            hub="AgentInterface",
            fields={
                "url": FieldMap(("url",)),
                "transport": FieldMap(("protocolBinding",)),
            },
            beyond={
                "tenant": "A2A 0.2 has no tenants",
                "protocolVersion": "A2A 0.2 has one protocolVersion for the whole card",
            },
        ),
        "SecurityScheme": ObjectMap(
            hub="SecurityScheme",
            beyond={
                "mtlsSecurityScheme": "A2A 0.2 has no mutual TLS scheme",
            },
            tag="type",
            arms={
                "apiKey": ("APIKeySecurityScheme", "apiKeySecurityScheme"),
                "http": ("HTTPAuthSecurityScheme", "httpAuthSecurityScheme"),
                "oauth2": ("OAuth2SecurityScheme", "oauth2SecurityScheme"),
                "openIdConnect": ("OpenIdConnectSecurityScheme", "openIdConnectSecurityScheme"),
            },
        ),
        "APIKeySecurityScheme": ObjectMap(
            hub="APIKeySecurityScheme",
            fields={
                "in": FieldMap(("location",)),
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
            },
        ),
        "HTTPAuthSecurityScheme": ObjectMap(
            hub="HTTPAuthSecurityScheme",
            fields={
                "scheme": FieldMap(("scheme",)),
                "bearerFormat": FieldMap(("bearerFormat",)),
                "description": FieldMap(("description",)),
            },
        ),
        "OAuth2SecurityScheme": ObjectMap(
            hub="OAuth2SecurityScheme",
            fields={
                "flows": FieldMap(("flows",), "object", "OAuthFlows"),
                "description": FieldMap(("description",)),
            },
            beyond={
                "oauth2MetadataUrl": "A2A 0.2 has no oauth2MetadataUrl",
            },
        ),
        "OpenIdConnectSecurityScheme": ObjectMap(
            hub="OpenIdConnectSecurityScheme",
            fields={
                "openIdConnectUrl": FieldMap(("openIdConnectUrl",)),
                "description": FieldMap(("description",)),
            },
        ),
        "OAuthFlows": ObjectMap(
            hub="OAuthFlows",
            fields={
                "authorizationCode": FieldMap(("authorizationCode",), "object", "AuthorizationCodeOAuthFlow"),
                "clientCredentials": FieldMap(("clientCredentials",), "object", "ClientCredentialsOAuthFlow"),
                "implicit": FieldMap(("implicit",), "object", "ImplicitOAuthFlow"),
                "password": FieldMap(("password",), "object", "PasswordOAuthFlow"),
            },
            beyond={
                "deviceCode": "there is no device code flow before A2A 1.0",
            },
        ),
        "AuthorizationCodeOAuthFlow": ObjectMap(
            hub="AuthorizationCodeOAuthFlow",
            fields={
                "authorizationUrl": FieldMap(("authorizationUrl",)),
                "tokenUrl": FieldMap(("tokenUrl",)),
                "refreshUrl": FieldMap(("refreshUrl",)),
                "scopes": FieldMap(("scopes",)),
            },
            beyond={
                "pkceRequired": "flows have no pkceRequired before A2A 1.0",
            },
        ),
        "ClientCredentialsOAuthFlow": ObjectMap(
            hub="ClientCredentialsOAuthFlow",
            fields={
                "tokenUrl": FieldMap(("tokenUrl",)),
                "refreshUrl": FieldMap(("refreshUrl",)),
                "scopes": FieldMap(("scopes",)),
            },
        ),
        "ImplicitOAuthFlow": ObjectMap(
            hub="ImplicitOAuthFlow",
            fields={
                "authorizationUrl": FieldMap(("authorizationUrl",)),
                "refreshUrl": FieldMap(("refreshUrl",)),
                "scopes": FieldMap(("scopes",)),
            },
        ),
        "PasswordOAuthFlow": ObjectMap(
            hub="PasswordOAuthFlow",
            fields={
                "tokenUrl": FieldMap(("tokenUrl",)),
                "refreshUrl": FieldMap(("refreshUrl",)),
                "scopes": FieldMap(("scopes",)),
            },
        ),
    },
)
