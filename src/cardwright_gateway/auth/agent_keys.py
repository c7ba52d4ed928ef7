"""Agent keys: issued by owners to callers, shown once, stored as a digest (BeeOS seed §2)."""

from __future__ import annotations

import hmac
import secrets
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, insert, or_, select, update

from cardwright.dates import rfc3339_at
from cardwright.errors import BadArgument
from cardwright_gateway.auth.secret_values import (
    KEY_PREFIX,
    PREFIX_CHARACTERS,
    check_expiry,
    check_name,
    digest_of,
    new_secret,
)
from cardwright_gateway.database.audit import record
from cardwright_gateway.database.tables import KEYS
from cardwright_gateway.errors import SecretsFull, UnknownKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy import Connection, Row

    from cardwright.store.database import Database

# A moving window stores a time for each of its requests (project decision).
MAX_QUOTA_REQUESTS: Final = 100_000
MAX_QUOTA_SECONDS: Final = 86_400
# How long the secret before a rotation may stay valid (project decision).
MAX_OVERLAP_SECONDS: Final = 604_800
# Valid keys of one agent (project decision).
MAX_KEYS: Final = 1_000
_K = KEYS.c
_TIMES: Final = (
    "created_at", "rotated_at", "expires_at", "revoked_at", "previous_until", "paused_at", "last_used_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quota:
    """A rate limit of a key, which replaces the gateway's own: requests per seconds; 0 requests for no limit."""

    requests: int
    seconds: int


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A stored key.

    Attributes:
        id: Its id; stays the same after a rotation.
        agent_id: The agent that it is for.
        owner_id: The owner that issued it.
        name: The name that its owner gave it.
        prefix: Its first 8 characters.
        digest: Its SHA-256 in hexadecimal.
        quota: Its own rate limit, or None.
        created_at: When it was issued, in seconds since 1970.
        rotated_at: When its secret was last replaced.
        expires_at: When it expires.
        revoked_at: When it was revoked.
        previous_digest: The digest of the secret before the last rotation, if that may still be valid.
        previous_until: Until when the secret before the last rotation is valid.
        paused_at: Since when it is paused.
        last_used_at: When it was last used, at most a minute old.
    """

    id: str
    agent_id: str
    owner_id: str
    name: str
    prefix: str
    digest: str = field(repr=False)
    quota: Quota | None
    created_at: float
    rotated_at: float | None = None
    expires_at: float | None = None
    revoked_at: float | None = None
    previous_digest: str | None = field(default=None, repr=False)
    previous_until: float | None = None
    paused_at: float | None = None
    last_used_at: float | None = None

    def is_valid(self, now: float) -> bool:
        """Return whether the key is valid at a time."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def accepts(self, digest: str, now: float) -> bool:
        """Return whether a secret with this digest is valid at a time: this one, or the one before a rotation."""
        previous = self.previous_until is not None and now < self.previous_until
        return self.is_valid(now) and (
            hmac.compare_digest(self.digest, digest)
            or (previous and hmac.compare_digest(self.previous_digest or "", digest))
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object for owners, as the API does: without the key and its digest."""
        record = {
            "id": self.id,
            "agent_id": self.agent_id,
            "owner_id": self.owner_id,
            "name": self.name,
            "prefix": self.prefix,
            "quota": None if self.quota is None else asdict(self.quota),
        }
        return record | {name: rfc3339_at(getattr(self, name)) for name in _TIMES}


class AgentKeys:
    """The table of keys; every method raises `StoreError` if the database is unavailable.

    Attributes:
        generation: The number of changes through this object; what was read before the last change is outdated.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self.generation = 0

    def issue(
        self,
        agent_id: str,
        owner_id: str,
        *,
        actor: str,
        name: str = "",
        quota: Quota | None = None,
        expires_at: float | None = None,
    ) -> tuple[KeyRecord, str]:
        """Issue a key, and return its record and its secret, which is not stored.

        Raises:
            BadArgument: If the name, the quota or the expiry is not valid.
            SecretsFull: If the agent has the maximum of valid keys.
        """
        now = self._clock()
        _check(name, quota, expires_at, now)
        secret = new_secret(KEY_PREFIX)
        key = KeyRecord(
            f"key_{secrets.token_hex(12)}", agent_id, owner_id, name, secret[:PREFIX_CHARACTERS],
            digest_of(secret), quota, now, expires_at=expires_at,
        )  # fmt: skip
        valid = (_K.revoked_at.is_(None), or_(_K.expires_at.is_(None), _K.expires_at > now))
        own = select(func.count()).where(_K.agent_id == agent_id, _K.owner_id == owner_id, *valid)
        with self._database.writing() as connection:
            if connection.execute(own).scalar_one() >= MAX_KEYS:
                raise SecretsFull("agent", MAX_KEYS)
            connection.execute(
                insert(KEYS).values(
                    id=key.id,
                    agent_id=agent_id,
                    owner_id=owner_id,
                    name=name,
                    prefix=key.prefix,
                    digest=key.digest,
                    quota_requests=None if quota is None else quota.requests,
                    quota_seconds=None if quota is None else quota.seconds,
                    created_at=now,
                    expires_at=expires_at,
                )
            )
            _audit(connection, "key.issue", key, actor, now)
        self.generation += 1
        return key, secret

    def rotate(
        self, key_id: str, *, agent_id: str, actor: str, overlap_seconds: float = 0
    ) -> tuple[KeyRecord, str]:
        """Replace the secret of a key, and return its record and the new secret.

        Its id stays the same, and so do the tasks of its caller.

        Args:
            key_id: The key.
            agent_id: Its agent.
            actor: Who rotates it, for the audit log.
            overlap_seconds: How long the old secret stays valid; 0 to make it invalid at once.

        Raises:
            UnknownKey: If the agent has no such key, or it was revoked or has expired.
            BadArgument: If the overlap is negative or too long.
        """
        if not 0 <= overlap_seconds <= MAX_OVERLAP_SECONDS:
            raise BadArgument("overlap_seconds", f"must be 0 to {MAX_OVERLAP_SECONDS:,} seconds (7 days)")
        now = self._clock()
        secret = new_secret(KEY_PREFIX)
        values = {
            "prefix": secret[:PREFIX_CHARACTERS],
            "digest": digest_of(secret),
            "rotated_at": now,
            "previous_digest": _K.digest if overlap_seconds else None,
            "previous_until": now + overlap_seconds if overlap_seconds else None,
        }
        return self._change(key_id, agent_id, values, "key.rotate", actor), secret

    def change(self, key_id: str, *, agent_id: str, actor: str, **changes: Any) -> KeyRecord:
        """Change a valid key, and return its record.

        Args:
            key_id: The key.
            agent_id: Its agent.
            actor: Who changes it, for the audit log.
            changes: Any of `name`, `quota` (None for the gateway's limit), `expires_at` (None for never) and
                `paused`.

        Raises:
            UnknownKey: If the agent has no such key, or it was revoked or has expired.
            BadArgument: If a value is not valid.
        """
        now = self._clock()
        quota: Quota | None = changes.get("quota")
        _check(changes.get("name", ""), quota, changes.get("expires_at"), now)
        values: dict[str, Any] = {name: changes[name] for name in ("name", "expires_at") if name in changes}
        if "quota" in changes:
            values["quota_requests"] = None if quota is None else quota.requests
            values["quota_seconds"] = None if quota is None else quota.seconds
        if "paused" in changes:
            # A key that is paused already keeps its time.
            values["paused_at"] = func.coalesce(_K.paused_at, now) if changes["paused"] else None
        action = {True: "key.pause", False: "key.resume", None: "key.update"}
        only_paused = changes.get("paused") if set(changes) == {"paused"} else None
        return self._change(key_id, agent_id, values, action[only_paused], actor)

    def _change(
        self, key_id: str, agent_id: str, values: dict[str, Any], action: str, actor: str
    ) -> KeyRecord:
        """Change a row of a valid key, and write the audit log.

        Raises:
            UnknownKey: If the agent has no such key, or it was revoked or has expired.
        """
        now = self._clock()
        valid = or_(_K.expires_at.is_(None), _K.expires_at > now)
        with self._database.writing() as connection:
            statement = update(KEYS).where(_K.id == key_id, _K.agent_id == agent_id, _K.revoked_at.is_(None))
            # A change of nothing still says whether the key is valid.
            changed = connection.execute(statement.where(valid).values(**(values or {"name": _K.name})))
            if not changed.rowcount:
                raise UnknownKey
            key = _get(connection, key_id, agent_id)
            _audit(connection, action, key, actor, now)
        self.generation += 1
        return key

    def revoke(self, key_id: str, *, agent_id: str, actor: str) -> KeyRecord:
        """Revoke a key; does nothing if it was revoked before.

        Raises:
            UnknownKey: If the agent has no such key.
        """
        now = self._clock()
        with self._database.writing() as connection:
            statement = (
                update(KEYS)
                .where(_K.id == key_id, _K.agent_id == agent_id, _K.revoked_at.is_(None))
                .values(revoked_at=now)
            )
            revoked = connection.execute(statement).rowcount
            key = _get(connection, key_id, agent_id)
            if revoked:
                _audit(connection, "key.revoke", key, actor, now)
        self.generation += 1
        return key

    def counted(self) -> dict[str, int]:
        """Return the number of valid keys by agent, for agents that have any."""
        query = (
            select(_K.agent_id, func.count())
            .where(_K.revoked_at.is_(None), or_(_K.expires_at.is_(None), _K.expires_at > self._clock()))
            .group_by(_K.agent_id)
        )
        with self._database.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def find_all(self, digests: Iterable[str]) -> dict[str, KeyRecord]:
        """Return the keys with these digests, by digest, in one statement."""
        wanted = set(digests)
        query = select(KEYS).where(or_(_K.digest.in_(wanted), _K.previous_digest.in_(wanted)))
        with self._database.reading() as connection:
            records = [_record(row) for row in connection.execute(query)]
        found = {record.previous_digest: record for record in records if record.previous_digest in wanted}
        return found | {record.digest: record for record in records if record.digest in wanted}

    def list(self, agent_id: str) -> list[KeyRecord]:
        """Return the keys of an agent, oldest first, including revoked ones."""
        query = select(KEYS).where(_K.agent_id == agent_id).order_by(_K.created_at, _K.id)
        with self._database.reading() as connection:
            return [_record(row) for row in connection.execute(query)]


def _check(name: str, quota: Quota | None, expires_at: float | None, now: float) -> None:
    check_name(name)
    check_expiry(expires_at, now)
    if quota is not None and not (
        0 <= quota.requests <= MAX_QUOTA_REQUESTS and 1 <= quota.seconds <= MAX_QUOTA_SECONDS
    ):
        raise BadArgument(
            "quota",
            f"must be 0 to {MAX_QUOTA_REQUESTS:,} requests (0: no limit) in 1 to {MAX_QUOTA_SECONDS:,} seconds",
        )


def _get(connection: Connection, key_id: str, agent_id: str) -> KeyRecord:
    row = connection.execute(select(KEYS).where(_K.id == key_id, _K.agent_id == agent_id)).first()
    if row is None:
        raise UnknownKey
    return _record(row)


def _record(row: Row[Any]) -> KeyRecord:
    quota = None if row.quota_requests is None else Quota(row.quota_requests, row.quota_seconds)
    return KeyRecord(
        row.id, row.agent_id, row.owner_id, row.name, row.prefix, row.digest, quota,
        row.created_at, row.rotated_at, row.expires_at, row.revoked_at,
        row.previous_digest, row.previous_until, row.paused_at, row.last_used_at,
    )  # fmt: skip


def _audit(connection: Connection, action: str, key: KeyRecord, actor: str, now: float) -> None:
    fields = key.to_json()
    detail = {name: fields[name] for name in ("owner_id", "name", "prefix", "quota", "expires_at")}
    record(
        connection, at=now, actor=actor, action=action, agent_id=key.agent_id, subject=key.id, detail=detail
    )
