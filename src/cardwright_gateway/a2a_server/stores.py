"""Where the tasks of an agent are kept, and what is told of them to others than their callers."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakValueDictionary

from a2a.server.tasks import PushNotificationConfigStore
from a2a.utils.errors import InvalidParamsError
from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import BadArgument, StoreError
from cardwright.store.faults import store_error
from cardwright_gateway.a2a.problems import turn_problem
from cardwright_gateway.webhooks.signatures import MOST_SECRETS

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from a2a.server.cluster import TaskEventStream, VersionedTaskStore
    from a2a.server.context import ServerCallContext
    from a2a.server.tasks import PushNotificationSender, TaskStore
    from a2a.types.a2a_pb2 import TaskPushNotificationConfig


class Secrets(Protocol):
    """Keeps what receivers verify deliveries with."""

    def check(self, secrets: Sequence[str]) -> None:
        """Return if these may be a receiver's secrets.

        Raises:
            BadArgument: If one is no secret; the message says which ones are.
        """

    async def keep(
        self, task_id: str, config_id: str, *, agent_id: str, owner: str, secrets: Sequence[str]
    ) -> None:
        """Keep the secrets of a configuration, instead of those that it had.

        Raises:
            BadArgument: If one is no secret; the message says which ones are.
        """


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


class SecretConfigs(PushNotificationConfigStore):
    """Configurations of webhooks of one agent, with the secrets that callers send beside them (BeeOS seed §4).

    A2A's own form has no place for them: they are read from the call itself.
    """

    def __init__(self, agent_id: str, configs: PushNotificationConfigStore, secrets: Secrets) -> None:
        self._agent_id = agent_id
        self._configs = configs
        self._secrets = secrets
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def set_info(
        self, task_id: str, notification_config: TaskPushNotificationConfig, context: ServerCallContext
    ) -> TaskPushNotificationConfig:
        """Keep a configuration, and the secrets that came with it.

        Raises:
            InvalidParamsError: If they are none.
        """
        call = context.state.get("call")
        secrets = secrets_of(getattr(call, "value", None))
        try:
            # Before anything is written: what was there before works on.
            self._secrets.check(secrets)
        except BadArgument as error:
            raise InvalidParamsError(str(error)) from None
        # One after another, so that nobody's secrets stand beside another's configuration.
        with noting_faults(context):
            async with self._turns.setdefault(task_id, asyncio.Lock()):
                stored = await self._configs.set_info(task_id, notification_config, context)
                config_id = stored.id if stored is not None else notification_config.id
                await self._secrets.keep(
                    task_id, config_id, agent_id=self._agent_id, owner=context.user.user_name, secrets=secrets
                )
        return stored if stored is not None else notification_config

    async def get_info(self, task_id: str, context: ServerCallContext) -> list[TaskPushNotificationConfig]:
        """Return the configurations of a task."""
        with noting_faults(context):
            return await self._configs.get_info(task_id, context)

    async def get_info_for_dispatch(self, task_id: str) -> list[TaskPushNotificationConfig]:
        """Return the configurations of a task, whoever made them."""
        return await self._configs.get_info_for_dispatch(task_id)

    async def delete_info(
        self, task_id: str, context: ServerCallContext, config_id: str | None = None
    ) -> None:
        """Forget a configuration, or all of a task."""
        with noting_faults(context):
            await self._configs.delete_info(task_id, context, config_id)


@contextmanager
def noting_faults(context: ServerCallContext) -> Generator[None]:
    """Raise a `StoreError` if the database fails, and note it in the call: the SDK passes on no cause."""
    try:
        yield
    except (SQLAlchemyError, StoreError) as cause:
        error = cause if isinstance(cause, StoreError) else store_error("the gateway's database", cause)
        call = context.state.get("call")
        if call is not None:
            call.refused = turn_problem(error)
        raise error from cause


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
