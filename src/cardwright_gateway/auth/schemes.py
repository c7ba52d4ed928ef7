"""Security schemes in the cards that the gateway serves (BeeOS seed §3, A2A 1.0 §4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright_gateway.settings.agents import AgentConfig

# BeeOS seed §2.
KEY_HEADER: Final = "X-Agent-API-Key"
# The header fields with credentials, for the gateway or for agents.
CREDENTIALS: Final = (b"authorization", b"x-api-key", KEY_HEADER.lower().encode())
AGENT_KEY: Final = "agentApiKey"
USER_TOKEN: Final = "userJwt"  # noqa: S105 - the name of a scheme
_KEY: Final = {
    "apiKeySecurityScheme": {
        "description": "A key that the agent's owner issued.",
        "location": "header",
        "name": KEY_HEADER,
    }
}
_TOKEN: Final = {
    "httpAuthSecurityScheme": {"description": "A user's token.", "scheme": "Bearer", "bearerFormat": "JWT"}
}


def schemes_of(agent: AgentConfig, *, users: bool) -> dict[str, dict[str, Any]]:
    """Return the `securitySchemes` of an agent's A2A 1.0 card; empty if anyone may call the agent.

    Args:
        agent: The agent.
        users: Whether user tokens are accepted.
    """
    if agent.access == "open":
        return {}
    schemes: dict[str, dict[str, Any]] = {AGENT_KEY: {name: dict(scheme) for name, scheme in _KEY.items()}}
    if users:
        schemes[USER_TOKEN] = {name: dict(scheme) for name, scheme in _TOKEN.items()}
    return schemes


def requirements_of(agent: AgentConfig, *, users: bool) -> list[dict[str, Any]]:
    """Return the matching `securityRequirements`: one of the schemes is enough."""
    return [{"schemes": {name: {"list": []}}} for name in schemes_of(agent, users=users)]


# RFC 9110 §11.6.1; the scheme for keys has no registered name, and a key may also be sent as a Bearer token.
CHALLENGE: Final = f'ApiKey realm="agents", header="{KEY_HEADER}", Bearer realm="agents"'.encode()
USER_CHALLENGE: Final = b'Bearer realm="owners"'
