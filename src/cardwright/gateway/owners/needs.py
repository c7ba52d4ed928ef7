"""What of a gateway the owners' API needs, as far as others make it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.gateway.agent import Agent
    from cardwright.gateway.config import GatewayConfig
    from cardwright.gateway.entries import AgentConfig
    from cardwright.gateway.identity.principal import Principal
    from cardwright.serve.requests import Scope
    from cardwright.store.files import FileStore
    from cardwright.store.keys import Quota


class Identity(Protocol):
    """Finds out who asks."""

    async def user(self, scope: Scope) -> Principal:
        """Return the user whose token a request brings.

        Raises:
            Refused: If it brings none that holds, or the user owns nothing here.
        """
        ...

    async def principal(self, agent: AgentConfig, scope: Scope) -> Principal:
        """Return who asks an agent.

        Raises:
            Refused: If the credentials do not hold.
            UnknownAgent: If the agent is private, and not for whoever asks.
        """
        ...


class Keys(Protocol):
    """Keeps the keys of agents; the methods block."""

    def issue(
        self,
        agent_id: str,
        owner_id: str,
        *,
        actor: str,
        name: str = "",
        quota: Quota | None = None,
        expires_at: float | None = None,
    ) -> tuple[Any, str]:
        """Make a key, and return it with its secret."""
        ...

    def list(self, agent_id: str) -> Sequence[Any]:
        """Return the keys of an agent, revoked ones too."""
        ...

    def rotate(self, key_id: str, *, agent_id: str, actor: str) -> tuple[Any, str]:
        """Give a key another secret, and return it with that."""
        ...

    def revoke(self, key_id: str, *, agent_id: str, actor: str) -> Any:
        """Let a key count no longer."""
        ...


class Webhooks(Protocol):
    """Delivers push notifications."""

    async def deliveries(
        self, agent_id: str, task_id: str, config_id: str, *, limit: int = 200, before: str | None = None
    ) -> Sequence[Any]:
        """Return the attempts, the newest first; those before one, which is named by its id."""
        ...

    async def known(self, agent_id: str, task_id: str, config_id: str) -> bool:
        """Whether an agent has such a configuration."""
        ...

    async def redeliver(
        self,
        agent_id: str,
        task_id: str,
        config_id: str,
        delivery_id: str,
        *,
        actor: str,
        owner_id: str = "",
        idempotency_key: str | None = None,
    ) -> str:
        """Deliver again what an attempt failed to, and return the id of the new attempt.

        Raises:
            Refused: If it did not fail, or there is none.
        """
        ...


class Limiter(Protocol):
    """Counts who comes how often."""

    async def admit(self, agent_id: str, principal: Principal, address: str) -> None:
        """Let a request pass, and count it.

        Raises:
            Refused: If its caller has sent as many as it may.
        """
        ...


class Audit(Protocol):
    """Keeps who changed what; the method blocks."""

    def list(
        self, agent_id: str | None = None, *, limit: int = 100, before: int | None = None
    ) -> Sequence[Any]:
        """Return changes, the newest first."""
        ...


class Owning(Protocol):
    """A gateway whose agents have owners."""

    @property
    def config(self) -> GatewayConfig:
        """What the operator says."""
        ...

    @property
    def agents(self) -> Mapping[str, Agent]:
        """The agents by their ids."""
        ...

    @property
    def base(self) -> str:
        """The public URL."""
        ...

    @property
    def identity(self) -> Identity:
        """Finds out who asks."""
        ...

    @property
    def limiter(self) -> Limiter:
        """Counts who comes how often."""
        ...

    @property
    def keys(self) -> Keys:
        """The keys of agents."""
        ...

    @property
    def webhooks(self) -> Webhooks | None:
        """Delivers push notifications; None where they are off."""
        ...

    @property
    def audit(self) -> Audit:
        """Who changed what."""
        ...

    @property
    def files(self) -> FileStore:
        """The files that were uploaded."""
        ...

    def public(self, agent_id: str, base: str | None = None) -> str:
        """Return the URL at which everyone reaches an agent."""
        ...

    async def add(
        self,
        agent_id: str,
        said: Mapping[str, Any] | AgentConfig,
        *,
        trusted: bool = True,
        check: Callable[[Agent | None], None] | None = None,
        actor: str = ...,
    ) -> Agent:
        """Add an agent, or change what is said of one."""
        ...

    async def remove(
        self,
        agent_id: str,
        *,
        trusted: bool = True,
        check: Callable[[Agent | None], None] | None = None,
        actor: str = ...,
    ) -> None:
        """Remove an agent."""
        ...
