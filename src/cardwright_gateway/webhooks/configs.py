"""Push configurations of callers, and the signing secrets of their receivers; stored encrypted."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

import orjson
from a2a.compat.v0_3.conversions import to_compat_push_notification_config
from a2a.server.models import create_push_notification_config_model
from a2a.server.owner_resolver import resolve_user_scope
from a2a.server.tasks import DatabasePushNotificationConfigStore
from a2a.server.tasks.push_notification_config_store import normalize_push_notification_config
from a2a.types.a2a_pb2 import TaskPushNotificationConfig
from a2a.utils.errors import InvalidParamsError
from cryptography.fernet import Fernet, InvalidToken
from google.protobuf.json_format import ParseError  # type: ignore[import-untyped] # it has no stubs
from sqlalchemy import select, update
from sqlalchemy.orm import DeclarativeBase

from cardwright.errors import BadConfiguration, ConnectionDenied
from cardwright.guard import target_of
from cardwright.hosts import internal
from cardwright.store.database import advisory_lock
from cardwright.store.faults import converted_errors
from cardwright_gateway.database.tables import PUSH_CONFIGS
from cardwright_gateway.webhooks.events import OLD, endpoint_id
from cardwright_gateway.webhooks.signatures import Secret, secret_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from a2a.server.context import ServerCallContext
    from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

    from cardwright.guard import Guard
    from cardwright_gateway.webhooks.outbox import Outbox

# Project decisions: a task has a handful of receivers, and ids are about as long as UUIDs.
MAX_CONFIGS: Final = 16
_LOOPBACK: Final = IPv4Address("127.0.0.1")
_MAX_ID: Final = 128
_MAX_FIELD: Final = 4096
# How many configurations are tried to validate the key: after a key rotation, some of them are newer
# (project decision).
_MAX_TRIED: Final = 1_000
_C: Final = PUSH_CONFIGS.c
# RFC 9110 §5.6.2 and §5.5: an authentication scheme, and the value of a request header.
_SCHEME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")
_FIELD: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")
# Messages for callers; those of the guard are for the operator.
_GUARD_MESSAGES: Final = {
    "guard/address": "its address is not public; use a public one, or ask the gateway's operator to allow it"
    " (webhooks.allow)",
    "guard/port": "its port is not allowed; use 443, or ask the gateway's operator to add it"
    " (webhooks.ports)",
}


@dataclass(frozen=True, slots=True)
class Receiver:
    """The receiver of one push configuration.

    Attributes:
        url: Its URL.
        endpoint: The id of the receiver.
        fields: The headers that A2A defines: the token, and the authorization.
        secrets: The secrets that deliveries are signed with.
        version: The A2A version that its caller uses.
        owner: The caller that owns the configuration.
        readable: Whether the current key decrypts it; if not, its URL, headers and secrets are unknown.
    """

    config_id: str
    url: str = field(repr=False)
    endpoint: str
    fields: dict[str, str] = field(repr=False)
    secrets: tuple[Secret, ...]
    version: str
    owner: str
    readable: bool = True


def version_of(context: ServerCallContext) -> str:
    """Return the A2A version of a call, as the gateway determined it."""
    version = str(getattr(context.state.get("call"), "version", "1.0"))
    return OLD if version.startswith("0.") else "1.0"


class Configs(DatabasePushNotificationConfigStore):
    """a2a-sdk's store of push configurations, with limits, a connection guard and secrets.

    Args:
        engine: The engine of a database that has the tables.
        outbox: The store of the secrets.
        key: The encryption key.
        guard: Decides which addresses are allowed.
        owner_of: Returns the owner of a call.
        version_of: Returns the A2A version of a call.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        outbox: Outbox,
        key: bytes,
        guard: Guard,
        *,
        owner_of: Callable[[ServerCallContext], str] = resolve_user_scope,
        version_of: Callable[[ServerCallContext], str] = version_of,
    ) -> None:
        super().__init__(engine, create_table=False, encryption_key=key, owner_resolver=owner_of)
        self.config_model = _model()
        self._key = Fernet(key)
        self._outbox = outbox
        self._guard = guard
        self._version_of = version_of
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def check_key(self) -> None:
        """Check that the key decrypts at least one stored configuration, if there are any.

        Raises:
            BadConfiguration: If it does not.
            StoreError: If the database is unavailable.
        """
        with converted_errors("the database of tasks"):
            async with self.async_session_maker() as session:
                stored = (await session.execute(select(_C.config_data).limit(_MAX_TRIED))).scalars().all()
        if stored and not any(map(self._decrypts, stored)):
            raise BadConfiguration(
                "",
                "/webhooks/encryption_key: the key cannot decrypt the stored webhooks; set the key that"
                " encrypted them. If it is lost, delete all rows of a2a_push_configs and webhooks",
            )

    async def set_info(
        self, task_id: str, notification_config: TaskPushNotificationConfig, context: ServerCallContext
    ) -> TaskPushNotificationConfig:
        """Store a configuration, replacing one with the same id; return it without secrets.

        Raises:
            InvalidParamsError: If it is not valid; the message says what to correct.
        """
        owner = self.owner_resolver(context)
        config = normalize_push_notification_config(task_id, notification_config)
        self._check(config)
        row = self._to_orm(task_id, config, owner)
        if self._version_of(context) == OLD:
            old = to_compat_push_notification_config(config)
            row.config_data = self._key.encrypt(old.model_dump_json().encode())
            row.protocol_version = OLD
        lock = self._locks.setdefault(task_id, asyncio.Lock())
        async with lock, self.async_session_maker.begin() as session:
            await _lock_task(session, task_id)
            rows = (await session.execute(select(_C.config_id, _C.owner).where(_C.task_id == task_id))).all()
            owners = {stored.config_id: stored.owner for stored in rows}
            if owners.get(config.id, owner) != owner:
                raise InvalidParamsError(
                    "id: another configuration of the task has this id; choose another one"
                )
            if config.id not in owners and len(owners) >= MAX_CONFIGS:
                raise InvalidParamsError(
                    f"a task can have at most {MAX_CONFIGS} push configurations; delete one first"
                )
            await session.merge(row)
        return _without_secrets(config)

    async def get_info(self, task_id: str, context: ServerCallContext) -> list[TaskPushNotificationConfig]:
        """Return the caller's configurations of a task, without secrets."""
        return [_without_secrets(config) for config in await super().get_info(task_id, context)]

    async def delete_info(
        self, task_id: str, context: ServerCallContext, config_id: str | None = None
    ) -> None:
        """Delete a configuration, or all of the caller's for a task, with their secrets."""
        owner = self.owner_resolver(context)
        await super().delete_info(task_id, context, config_id)
        await self._outbox.forget_secrets(task_id, owner, config_id)

    async def receivers(self, task_id: str, config_id: str | None = None) -> list[Receiver]:
        """Return the receivers of a task; those that cannot be decrypted have `readable=False`.

        Raises:
            StoreError: If the database is unavailable.
        """
        query = select(self.config_model).where(self.config_model.task_id == task_id)
        if config_id is not None:
            query = query.where(self.config_model.config_id == config_id)
        with converted_errors("the database of tasks"):
            async with self.async_session_maker() as session:
                rows = (await session.execute(query)).scalars().all()
        secrets = await self._outbox.secrets(task_id) if rows else {}
        return [self.receiver(row, secrets.get(row.config_id)) for row in rows]

    def encrypted(self, secrets: Sequence[str]) -> bytes:
        """Return secrets encrypted for storage."""
        return self._key.encrypt(orjson.dumps(list(secrets)))

    def _from_orm(self, model_instance: Any) -> TaskPushNotificationConfig:
        # a2a-sdk's own method treats undecryptable data as plain text, and logs both failures.
        try:
            text = self._key.decrypt(model_instance.config_data).decode()
        except InvalidToken:
            raise ValueError("encrypted with another key") from None
        return self._parse_config(text, model_instance.task_id, model_instance.protocol_version)

    def _decrypts(self, encrypted: bytes) -> bool:
        try:
            self._key.decrypt(encrypted)
        except InvalidToken:
            return False
        return True

    def receiver(self, row: Any, encrypted: bytes | None) -> Receiver:
        """Return the receiver of a row of `a2a_push_configs` and its encrypted secrets."""
        version, owner = row.protocol_version or "1.0", row.owner or ""
        try:
            config = self._from_orm(row)
            texts = orjson.loads(self._key.decrypt(encrypted)) if encrypted else []
            target = target_of(config.url)
        except (ValueError, ParseError, InvalidToken, ConnectionDenied):
            # Its URL is unknown without the right key, so it is identified by its configuration.
            endpoint = endpoint_id(owner, f"{row.task_id}\n{row.config_id}")
            return Receiver(row.config_id, "", endpoint, {}, (), version, owner, readable=False)
        secrets = [secret_of(text) for text in texts]
        return Receiver(
            row.config_id,
            config.url,
            endpoint_id(owner, f"{target.origin}{target.path}"),
            _fields(config),
            tuple(secret for secret in secrets if secret is not None),
            version,
            owner,
        )

    def _check(self, config: TaskPushNotificationConfig) -> None:
        if len(config.task_id) > _MAX_ID or "\x00" in config.task_id:
            raise InvalidParamsError(f"taskId: must have at most {_MAX_ID} characters and no NUL")
        if not _is_path_segment(config.id):
            raise InvalidParamsError(
                f"id: must be usable in a URL path: at most {_MAX_ID} printable characters, none of / \\ % ? #, and not"
                " . or .."
            )
        try:
            target = target_of(config.url)
            self._guard.check(target)
            if f".{target.host.rstrip('.')}".endswith(".localhost"):
                # RFC 6761 §6.3: it is always this machine, so that the delivery would be refused.
                self._guard.check_address(_LOOPBACK, target.port, target.safe_url, literal=True)
        except ConnectionDenied as error:
            raise InvalidParamsError(f"url: {_GUARD_MESSAGES.get(error.rule, error.reason)}") from None
        if not self._guard.allow and internal(target.host) is not None:
            raise InvalidParamsError(f"url: {_GUARD_MESSAGES['guard/address']}")
        auth = config.authentication
        if config.token and not _is_field(config.token):
            raise InvalidParamsError(_header_message("token"))
        if auth.credentials and not _is_field(auth.credentials):
            raise InvalidParamsError(_header_message("authentication.credentials"))
        if auth.scheme and not _SCHEME.fullmatch(auth.scheme):
            raise InvalidParamsError(
                "authentication.scheme: must be the name of an HTTP authentication scheme, such as Bearer"
            )


@cache
def _model() -> Any:
    # With its own base: a2a-sdk's shared metadata can hold a table only once.
    base = type("Base", (DeclarativeBase,), {})
    return create_push_notification_config_model(PUSH_CONFIGS.name, base)


def _fields(config: TaskPushNotificationConfig) -> dict[str, str]:
    """Return the same headers as a2a-sdk's own sender."""
    fields = {"X-A2A-Notification-Token": config.token} if config.token else {}
    auth = config.authentication
    if auth.scheme and auth.credentials:
        fields["Authorization"] = f"{auth.scheme} {auth.credentials}"
    return fields


def _without_secrets(config: TaskPushNotificationConfig) -> TaskPushNotificationConfig:
    """Return a copy of a configuration without its secrets: they are never shown again."""
    visible = TaskPushNotificationConfig()
    visible.CopyFrom(config)
    visible.ClearField("token")
    if visible.HasField("authentication"):
        visible.authentication.ClearField("credentials")
    return visible


async def _lock_task(session: AsyncSession, task_id: str) -> None:
    """Lock the configurations of a task against other processes."""
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(advisory_lock(f"push:{task_id}"))
    else:
        # SQLite has one writer: this update of no row takes its lock.
        await session.execute(update(PUSH_CONFIGS).where(_C.task_id.is_(None)).values(config_id=_C.config_id))


def _is_path_segment(config_id: str) -> bool:
    """Return whether an id can be a path segment of the owners' API, which applies the same rules."""
    return (
        len(config_id) <= _MAX_ID
        and config_id.isprintable()
        and config_id.partition(";")[0] not in {"", ".", ".."}
        and not any(character in "/\\%?#" for character in config_id)
    )


def _is_field(text: str) -> bool:
    return len(text) <= _MAX_FIELD and _FIELD.fullmatch(text) is not None


def _header_message(name: str) -> str:
    return f"{name}: must fit into an HTTP header: at most {_MAX_FIELD} visible ASCII characters"
