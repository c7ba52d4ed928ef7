"""The stores that a managed agent uses, and the secrets of webhooks that a call brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from a2a.utils.errors import InvalidParamsError

from cardwright_gateway.webhooks.signatures import MOST_SECRETS

if TYPE_CHECKING:
    from a2a.server.cluster import TaskEventStream, VersionedTaskStore
    from a2a.server.tasks import PushNotificationConfigStore, PushNotificationSender, TaskStore


@dataclass(frozen=True, slots=True)
class TaskStores:
    """What an agent's tasks are kept in.

    Attributes:
        tasks: The store.
        stream: Events of tasks that other processes run; None where there are none.
        configs: The configurations of webhooks; None where the agent takes none.
        sender: What is told of events for them.
    """

    tasks: TaskStore | VersionedTaskStore
    stream: TaskEventStream | None = None
    configs: PushNotificationConfigStore | None = None
    sender: PushNotificationSender | None = None


def secrets_of(value: Any) -> list[str]:
    """Return the secrets in a call that configures a webhook, or sends a message with one.

    Raises:
        InvalidParamsError: If `secret` is neither a text nor a list of some.

    >>> secrets_of({"params": {"taskId": "t", "url": "https://a.example", "secret": "s3cret-s3cret"}})
    ['s3cret-s3cret']
    """
    params = value.get("params", value) if isinstance(value, dict) else {}
    holders: list[Any] = [params, _within(params, "pushNotificationConfig")]
    configuration = _within(params, "configuration")
    names = ("taskPushNotificationConfig", "pushNotificationConfig")
    holders.extend(_within(configuration, name) for name in names)
    for holder in holders:
        if isinstance(holder, dict) and "secret" in holder and holder["secret"] is not None:
            secret = holder["secret"]
            secrets = secret if isinstance(secret, list) else [secret]
            if not 1 <= len(secrets) <= MOST_SECRETS or not all(
                isinstance(one, str) and one for one in secrets
            ):
                raise InvalidParamsError(f"secret is a text, or a list of up to {MOST_SECRETS} of them")
            return secrets
    return []


def _within(holder: Any, name: str) -> Any:
    return holder.get(name) if isinstance(holder, dict) else None
