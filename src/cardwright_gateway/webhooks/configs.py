"""Where callers want to be told, and the secrets that it is signed with: kept encrypted."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from functools import cache
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
from cardwright.store.database import advisory_lock
from cardwright.store.faults import translated
from cardwright_gateway.database.tables import PUSH_CONFIGS
from cardwright_gateway.webhooks.events import OLD, endpoint_id
from cardwright_gateway.webhooks.signatures import Secret, secret_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from a2a.server.context import ServerCallContext
    from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

    from cardwright.guard import Guard
    from cardwright_gateway.webhooks.outbox import Outbox

# Ours: a caller has a handful of receivers, and ids are as short as UUIDs.
MOST_CONFIGS: Final = 16
_MOST_ID: Final = 128
_MOST_FIELD: Final = 4096
# How much is tried when the key is judged (ours): who exchanges keys has newer ones among so many.
_MOST_TRIED: Final = 1_000
_C: Final = PUSH_CONFIGS.c
# RFC 9110 §5.6.2 and §5.5, as far as a field of a request may have them.
_SCHEME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")
_FIELD: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")
# The guard's own words are for its operator.
_MENDING: Final = {
    "guard/address": "its address is not public: name one that is, or have the gateway's operator allow it"
    " (webhooks.allow)",
    "guard/port": "its port is none that is dialled from here: use 443, or have the gateway's operator add it"
    " (webhooks.ports)",
}


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where one configuration sends, and what it says beside the body.

    Attributes:
        url: Where to.
        endpoint: Its id among the receivers.
        fields: What A2A has it send: the token, and who is asking.
        secrets: What it is signed with.
        version: The version of A2A that its caller speaks.
        owner: Whose configuration it is.
        readable: Whether the present key opens it; where not, its URL, its fields and its secrets are not known.
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
    """Return the version of A2A that a call came in, as the gateway's bridge has judged it."""
    told = str(getattr(context.state.get("call"), "version", "1.0"))
    return OLD if told.startswith("0.") else "1.0"


class Configs(DatabasePushNotificationConfigStore):
    """a2a-sdk's store of push configurations, with bounds, a guard, and secrets beside them.

    Args:
        engine: The database that has the tables.
        outbox: Where the secrets are kept.
        key: What everything is encrypted with.
        guard: What may be dialled.
        owner_of: Whose a call is.
        version_of: Which version of A2A it speaks.
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
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def check_key(self) -> None:
        """Return if the key opens something of what is kept, or nothing is.

        Raises:
            BadConfiguration: If it does not.
            StoreError: If the database cannot be used.
        """
        with translated("the database of tasks"):
            async with self.async_session_maker() as session:
                kept = (await session.execute(select(_C.config_data).limit(_MOST_TRIED))).scalars().all()
        if kept and not any(map(self._opens, kept)):
            raise BadConfiguration(
                "",
                "/webhooks/encryption_key: it opens none of the webhooks that are kept: give the key that they were"
                " configured with; where it is lost, delete all rows of a2a_push_configs and webhooks",
            )

    async def set_info(
        self, task_id: str, notification_config: TaskPushNotificationConfig, context: ServerCallContext
    ) -> TaskPushNotificationConfig:
        """Keep a configuration, in the place of one that had its id; return it without what is secret.

        Raises:
            InvalidParamsError: If it cannot be used; the message says what to mend.
        """
        owner = self.owner_resolver(context)
        config = normalize_push_notification_config(task_id, notification_config)
        self._check(config)
        row = self._to_orm(task_id, config, owner)
        if self._version_of(context) == OLD:
            old = to_compat_push_notification_config(config)
            row.config_data = self._key.encrypt(old.model_dump_json().encode())
            row.protocol_version = OLD
        turn = self._turns.setdefault(task_id, asyncio.Lock())
        async with turn, self.async_session_maker.begin() as session:
            await _one_at_a_time(session, task_id)
            found = (await session.execute(select(_C.config_id, _C.owner).where(_C.task_id == task_id))).all()
            owners = {one.config_id: one.owner for one in found}
            if owners.get(config.id, owner) != owner:
                raise InvalidParamsError("id: another configuration of the task has it: choose another")
            if config.id not in owners and len(owners) >= MOST_CONFIGS:
                raise InvalidParamsError(
                    f"a task has at most {MOST_CONFIGS} push configurations: delete one first"
                )
            await session.merge(row)
        return _shown(config)

    async def get_info(self, task_id: str, context: ServerCallContext) -> list[TaskPushNotificationConfig]:
        """Return the caller's configurations of a task, without what is secret."""
        return [_shown(config) for config in await super().get_info(task_id, context)]

    async def delete_info(
        self, task_id: str, context: ServerCallContext, config_id: str | None = None
    ) -> None:
        """Forget a configuration, or all of the caller's for a task, and their secrets."""
        owner = self.owner_resolver(context)
        await super().delete_info(task_id, context, config_id)
        await self._outbox.forget_secrets(task_id, owner, config_id)

    async def receivers(self, task_id: str, config_id: str | None = None) -> list[Receiver]:
        """Return where a task is told; of one that cannot be decrypted no more than that it is there.

        Raises:
            StoreError: If the database cannot be used.
        """
        asked = select(self.config_model).where(self.config_model.task_id == task_id)
        if config_id is not None:
            asked = asked.where(self.config_model.config_id == config_id)
        with translated("the database of tasks"):
            async with self.async_session_maker() as session:
                rows = (await session.execute(asked)).scalars().all()
        kept = await self._outbox.secrets(task_id) if rows else {}
        return [self.receiver(row, kept.get(row.config_id)) for row in rows]

    def sealed(self, secrets: Sequence[str]) -> bytes:
        """Return secrets as they are kept."""
        return self._key.encrypt(orjson.dumps(list(secrets)))

    def _from_orm(self, model_instance: Any) -> TaskPushNotificationConfig:
        # a2a-sdk's own takes what it cannot decrypt for plain text, and logs both failures.
        try:
            text = self._key.decrypt(model_instance.config_data).decode()
        except InvalidToken:
            raise ValueError("it is encrypted with another key") from None
        return self._parse_config(text, model_instance.task_id, model_instance.protocol_version)

    def _opens(self, sealed: bytes) -> bool:
        try:
            self._key.decrypt(sealed)
        except InvalidToken:
            return False
        return True

    def receiver(self, row: Any, sealed: bytes | None) -> Receiver:
        """Return where a row of `a2a_push_configs` sends, and its secrets, which are given as they are kept."""
        version, owner = row.protocol_version or "1.0", row.owner or ""
        try:
            config = self._from_orm(row)
            texts = orjson.loads(self._key.decrypt(sealed)) if sealed else []
            target = target_of(config.url)
        except (ValueError, ParseError, InvalidToken, ConnectionDenied):
            # It is known which one it is, and not where: another key says that.
            endpoint = endpoint_id(owner, f"{row.task_id}\n{row.config_id}")
            return Receiver(row.config_id, "", endpoint, {}, (), version, owner, readable=False)
        known = [secret_of(text) for text in texts]
        return Receiver(
            row.config_id,
            config.url,
            endpoint_id(owner, f"{target.origin}{target.path}"),
            _fields(config),
            tuple(one for one in known if one is not None),
            version,
            owner,
        )

    def _check(self, config: TaskPushNotificationConfig) -> None:
        if len(config.task_id) > _MOST_ID or "\x00" in config.task_id:
            raise InvalidParamsError(f"taskId: it has at most {_MOST_ID} characters, and no NUL")
        if not _is_step(config.id):
            raise InvalidParamsError(
                f"id: it is a step of a path: at most {_MOST_ID} printable characters, none of / \\ % ? #, and not"
                " . or .."
            )
        try:
            self._guard.check(target_of(config.url))
        except ConnectionDenied as error:
            raise InvalidParamsError(f"url: {_MENDING.get(error.rule, error.reason)}") from None
        auth = config.authentication
        if config.token and not _is_field(config.token):
            raise InvalidParamsError(_told("token"))
        if auth.credentials and not _is_field(auth.credentials):
            raise InvalidParamsError(_told("authentication.credentials"))
        if auth.scheme and not _SCHEME.fullmatch(auth.scheme):
            raise InvalidParamsError("authentication.scheme: it is the name of a scheme, such as Bearer")


@cache
def _model() -> Any:
    # Of a base of its own: a table stands once in the metadata that a2a-sdk shares.
    base = type("Base", (DeclarativeBase,), {})
    return create_push_notification_config_model(PUSH_CONFIGS.name, base)


def _fields(config: TaskPushNotificationConfig) -> dict[str, str]:
    """Return what a2a-sdk's own sender says, too."""
    fields = {"X-A2A-Notification-Token": config.token} if config.token else {}
    auth = config.authentication
    if auth.scheme and auth.credentials:
        fields["Authorization"] = f"{auth.scheme} {auth.credentials}"
    return fields


def _shown(config: TaskPushNotificationConfig) -> TaskPushNotificationConfig:
    """Return a configuration as it is told: what is secret stays here (reliability.md 2f)."""
    shown = TaskPushNotificationConfig()
    shown.CopyFrom(config)
    shown.ClearField("token")
    if shown.HasField("authentication"):
        shown.authentication.ClearField("credentials")
    return shown


async def _one_at_a_time(session: AsyncSession, task_id: str) -> None:
    """Wait for others that configure the same task, at whatever process."""
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(advisory_lock(f"push:{task_id}"))
    else:
        # SQLite has one writer: whoever changes something is it, be it nothing that is changed.
        await session.execute(update(PUSH_CONFIGS).where(_C.task_id.is_(None)).values(config_id=_C.config_id))


def _is_step(told: str) -> bool:
    """Whether the owners' API can name it in a path: what that refuses is refused here, too."""
    return (
        len(told) <= _MOST_ID
        and told.isprintable()
        and told.partition(";")[0] not in {"", ".", ".."}
        and not any(character in "/\\%?#" for character in told)
    )


def _is_field(text: str) -> bool:
    return len(text) <= _MOST_FIELD and _FIELD.fullmatch(text) is not None


def _told(name: str) -> str:
    return f"{name}: it goes into a header field: at most {_MOST_FIELD} visible ASCII characters"
