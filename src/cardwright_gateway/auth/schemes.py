"""What cards say of how the gateway is called (BeeOS seed §3, A2A 1.0 §4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright_gateway.settings.agents import AgentConfig

# BeeOS seed §2.
KEY_HEADER: Final = "X-Agent-API-Key"
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
    "httpAuthSecurityScheme": {
        "description": "A user's token.",
        "scheme": "Bearer",
        "bearerFormat": "JWT",
    }
}


def schemes_of(agent: AgentConfig, *, users: bool) -> dict[str, dict[str, Any]]:
    """Return the `securitySchemes` of an agent's card in A2A 1.0; none where anybody may call it.

    Args:
        agent: The agent.
        users: Whether tokens of users are taken.
    """
    if agent.access == "open":
        return {}
    schemes: dict[str, dict[str, Any]] = {AGENT_KEY: {name: dict(scheme) for name, scheme in _KEY.items()}}
    if users:
        schemes[USER_TOKEN] = {name: dict(scheme) for name, scheme in _TOKEN.items()}
    return schemes


def requirements_of(agent: AgentConfig, *, users: bool) -> list[dict[str, Any]]:
    """Return the `securityRequirements` that go with them: one of the schemes is enough."""
    return [{"schemes": {name: {"list": []}}} for name in schemes_of(agent, users=users)]


# RFC 9110 §11.6.1; the scheme of keys has no registered name, and a key may stand behind Bearer, too.
CHALLENGE: Final = f'ApiKey realm="agents", header="{KEY_HEADER}", Bearer realm="agents"'.encode()
USER_CHALLENGE: Final = b'Bearer realm="owners"'
