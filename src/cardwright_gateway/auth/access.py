"""Access control: authentication and rate limits of requests to an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright.http.problem import BAD_HEADER, HttpError, refuse
from cardwright_gateway.a2a.problems import AGENT_PAUSED
from cardwright_gateway.auth.authenticator import PAUSE, check_key_runs
from cardwright_gateway.telemetry.request_record import record_of

if TYPE_CHECKING:
    from cardwright.http.request import Scope
    from cardwright_gateway.auth.authenticator import Authenticator
    from cardwright_gateway.auth.limiter import Limiter
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.auth.rate_limit import RateLimit
    from cardwright_gateway.database.agent_states import AgentStates
    from cardwright_gateway.settings.agents import AgentConfig

# BeeOS seed §2.1.
ATTRIBUTION: Final = b"x-a2a-agent-id"
_MAX_ATTRIBUTION: Final = 256


@dataclass(frozen=True, slots=True)
class AdmittedRequest:
    """A request that passed access control.

    Attributes:
        config: The settings of the agent that it is for.
        principal: The caller.
        sender: What the agent learns about the caller (BeeOS seed §2.1): the authenticated owner, or the name of a user
            who is no owner, and the id that the caller claims, which is not verified.
        scope: The request, without the credentials for the gateway.
        rate_limit: The rate limit of the caller after this request; None without a limit.
    """

    config: AgentConfig
    principal: Principal
    sender: dict[str, str]
    scope: Scope
    rate_limit: RateLimit | None = None


class AccessControl:
    """Access control for agents: authenticates callers, and applies rate limits.

    Args:
        authenticator: Authenticates callers by their credentials.
        limiter: Counts the requests of each caller.
        limits_anonymous: Whether anonymous callers are limited, by their IP addresses.
        states: The paused agents.
    """

    def __init__(
        self, authenticator: Authenticator, limiter: Limiter, *, limits_anonymous: bool, states: AgentStates
    ) -> None:
        self._states = states
        self._authenticator = authenticator
        self._limiter = limiter
        self._limits_anonymous = limits_anonymous

    async def admit(self, config: AgentConfig, scope: Scope) -> AdmittedRequest:
        """Admit a request to an agent.

        Raises:
            UnknownAgent: If the caller may not know of the agent.
            HttpError: If its credentials are missing or wrong, or it has sent too many requests.
        """
        principal = await self._authenticator.principal(config, scope)
        record = record_of(scope)
        record.key = principal.key_id
        sender = _sender(principal, scope)
        rate_limit = None
        if principal.name or self._limits_anonymous:
            try:
                rate_limit = await self._limiter.admit(config.id, principal, _address(scope))
            except HttpError:
                record.limited = True
                raise
        headers = self._authenticator.strip(scope["headers"], principal)
        return AdmittedRequest(config, principal, sender, {**scope, "headers": headers}, rate_limit)

    def check_runs(self, admitted: AdmittedRequest) -> None:
        """Check that neither the agent nor the caller's key is paused: the request would begin work.

        Raises:
            HttpError: With 503 and Retry-After if one is.
        """
        check_key_runs(admitted.principal)
        config = admitted.config
        if self._states.paused_at(config.id, config.owner) is not None:
            raise refuse(AGENT_PAUSED, "the agent is paused by its owner; try again later", headers=PAUSE)

    async def charge(self, admitted: AdmittedRequest, requests: int) -> RateLimit | None:
        """Count more requests for an admitted one that is large; it is not refused, but later ones may be.

        Returns:
            The rate limit after them; None without a limit.
        """
        principal = admitted.principal
        if not principal.name and not self._limits_anonymous:
            return None
        return await self._limiter.charge(admitted.config.id, principal, _address(admitted.scope), requests)

    async def is_owner(self, config: AgentConfig, scope: Scope) -> bool:
        """Return whether the caller proves to be the owner of an agent."""
        try:
            return self._authenticator.owns(config, await self._authenticator.user(scope))
        except (HttpError, CardError):
            return False


def _sender(principal: Principal, scope: Scope) -> dict[str, str]:
    values = [value for name, value in scope["headers"] if name == ATTRIBUTION]
    # The name of a user who is no owner is not the id of any owner: it has a colon.
    owner_id = principal.owner_id or (principal.name if principal.kind == "user" else "")
    sender = {"owner_id": owner_id} if owner_id else {}
    if not values:
        return sender
    text = values[0].decode("latin-1").strip()
    if len(values) > 1 or len(text) > _MAX_ATTRIBUTION or not text.isascii() or not text.isprintable():
        raise refuse(
            BAD_HEADER,
            f"X-A2A-Agent-ID must be sent once, with at most {_MAX_ATTRIBUTION} visible ASCII characters",
        )
    return {**sender, "caller_id": text} if text else sender


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def owner_of(agent_id: str, name: str) -> str:
    """Return the task owner for a caller of an agent: unique per agent; anonymous callers can list no tasks.

    >>> owner_of("travel", "key:k1"), owner_of("travel", "")
    ('travel:key:k1', 'travel:')
    """
    return f"{agent_id}:{name}"
