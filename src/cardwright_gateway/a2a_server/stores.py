"""The task stores of a managed agent, and the webhook secrets in a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from a2a.utils.errors import InvalidParamsError

from cardwright_gateway.a2a.push_configs import push_configs
from cardwright_gateway.webhooks.signatures import MAX_SECRETS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from a2a.server.cluster import TaskEventStream, VersionedTaskStore
    from a2a.server.tasks import PushNotificationConfigStore, PushNotificationSender, TaskStore
    from a2a.types.a2a_pb2 import Message


@dataclass(frozen=True, slots=True)
class TaskStores:
    """The stores of an agent's tasks.

    Attributes:
        tasks: The task store.
        stream: The events of tasks that other processes run; None with one process.
        configs: The store of push configurations; None if the agent does not support them.
        sender: Sends push notifications of events.
        check_size: Refuses a message of a caller that is too large to be stored; raises a `CardError`.
        blocking_seconds: How long a call waits for its task to end, before it gets the task as it is.
    """

    tasks: TaskStore | VersionedTaskStore
    stream: TaskEventStream | None = None
    configs: PushNotificationConfigStore | None = None
    sender: PushNotificationSender | None = None
    check_size: Callable[[str, Message], Awaitable[None]] | None = None
    blocking_seconds: float = 60.0


def secrets_of(value: Any) -> list[str]:
    """Return the secrets in a call that configures a webhook, or sends a message with a configuration.

    Raises:
        InvalidParamsError: If `secret` is neither a string nor a list of strings.

    >>> secrets_of({"params": {"taskId": "t", "url": "https://a.example", "secret": "s3cret-s3cret"}})
    ['s3cret-s3cret']
    """
    params = value.get("params", value) if isinstance(value, dict) else {}
    for holder in push_configs(params):
        if holder.get("secret") is not None:
            secret = holder["secret"]
            secrets = secret if isinstance(secret, list) else [secret]
            if not 1 <= len(secrets) <= MAX_SECRETS or not all(
                isinstance(text, str) and text for text in secrets
            ):
                raise InvalidParamsError(
                    f"secret must be a non-empty string, or a list of 1 to {MAX_SECRETS} such strings"
                )
            return secrets
    return []
