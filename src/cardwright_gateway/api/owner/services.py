"""The services that the endpoints of the owners' API use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright_gateway.auth import Authenticator, Limiter
    from cardwright_gateway.auth.agent_keys import AgentKeys
    from cardwright_gateway.catalog.agent import Urls
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.cluster.accounts import Accounts
    from cardwright_gateway.database.audit import Audit
    from cardwright_gateway.database.files import FileStore
    from cardwright_gateway.tasks.caller_tasks import CallerTasks
    from cardwright_gateway.webhooks import Webhooks


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerServices:
    """The services that the endpoints of the owners' API use.

    Attributes:
        agents: The agents.
        urls: The public URLs.
        authenticator: Authenticates users.
        limiter: The rate limiter.
        keys: The keys of agents.
        accounts: Owners, their tokens, and the paused agents.
        admin_token: The operator's token; None if the operator makes no changes over the network.
        webhooks: Delivers push notifications; None if webhooks are off.
        audit: The audit log.
        files: The uploaded files.
        tasks: The stored tasks of callers.
        compat: Whether the routes of `compat: beeos` are served.
    """

    agents: AgentDirectory
    urls: Urls
    authenticator: Authenticator
    limiter: Limiter
    keys: AgentKeys
    accounts: Accounts
    admin_token: str | None
    webhooks: Webhooks | None
    audit: Audit
    files: FileStore
    tasks: CallerTasks
    compat: bool
