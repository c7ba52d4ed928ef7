"""Agent keys: issued by owners to callers, shown once, stored as a digest (BeeOS seed §2).

A key is `bak_` followed by 43 characters of base64url, which are 32 random bytes. It cannot be guessed, so its
digest needs no salt.
"""

from __future__ import annotations

import re
import secrets
import time
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, insert, or_, select, update

from cardwright.errors import BadArgument
from cardwright_gateway.database.audit import record
from cardwright_gateway.database.tables import KEYS
from cardwright_gateway.errors import UnknownKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy import Connection, Row

    from cardwright.store.database import Database

PREFIX: Final = "bak_"
FORM: Final = re.compile(r"bak_[A-Za-z0-9_-]{43}")
# `bak_` and four more: 24 bits of 256, enough to tell keys apart.
PREFIX_CHARACTERS: Final = 8
_RANDOM_BYTES: Final = 32
_MAX_NAME: Final = 128
# A moving window stores a time for each of its requests (project decision).
MAX_QUOTA_REQUESTS: Final = 100_000
MAX_QUOTA_SECONDS: Final = 86_400
# The last second that RFC 3339 can express.
LAST_EXPIRY: Final = 253_402_300_799.0
_K = KEYS.c


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

    def is_valid(self, now: float) -> bool:
        """Return whether the key is valid at a time."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object for owners, without the key and its digest."""
        quota = None if self.quota is None else asdict(self.quota)
        return {
            "id": self.id,
            "agent_id": self.agent_id,
            "owner_id": self.owner_id,
            "name": self.name,
            "prefix": self.prefix,
            "quota": quota,
            "created_at": self.created_at,
            "rotated_at": self.rotated_at,
            "expires_at": self.expires_at,
            "revoked_at": self.revoked_at,
        }


def digest_of(secret: str) -> str:
    """Return the digest by which a key is stored and found."""
    return sha256(secret.encode()).hexdigest()


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
        """
        now = self._clock()
        _check(name, quota, expires_at, now)
        secret = _new_secret()
        key = KeyRecord(
            f"key_{secrets.token_hex(12)}", agent_id, owner_id, name, secret[:PREFIX_CHARACTERS],
            digest_of(secret), quota, now, expires_at=expires_at,
        )  # fmt: skip
        with self._database.writing() as connection:
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

    def rotate(self, key_id: str, *, agent_id: str, actor: str) -> tuple[KeyRecord, str]:
        """Replace the secret of a key, and return its record and the new secret; the old one is invalid at once.

        Its id stays the same, and so do the tasks of its caller.

        Raises:
            UnknownKey: If the agent has no such key, or it was revoked or has expired.
        """
        now = self._clock()
        secret = _new_secret()
        with self._database.writing() as connection:
            statement = (
                update(KEYS)
                .where(_K.id == key_id, _K.agent_id == agent_id, _K.revoked_at.is_(None))
                .where(or_(_K.expires_at.is_(None), _K.expires_at > now))
                .values(prefix=secret[:PREFIX_CHARACTERS], digest=digest_of(secret), rotated_at=now)
            )
            if not connection.execute(statement).rowcount:
                raise UnknownKey
            key = _get(connection, key_id, agent_id)
            _audit(connection, "key.rotate", key, actor, now)
        self.generation += 1
        return key, secret

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
        query = select(KEYS).where(_K.digest.in_(list(digests)))
        with self._database.reading() as connection:
            return {row.digest: _record(row) for row in connection.execute(query)}

    def list(self, agent_id: str) -> list[KeyRecord]:
        """Return the keys of an agent, oldest first, including revoked ones."""
        query = select(KEYS).where(_K.agent_id == agent_id).order_by(_K.created_at, _K.id)
        with self._database.reading() as connection:
            return [_record(row) for row in connection.execute(query)]


def _new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)


def _check(name: str, quota: Quota | None, expires_at: float | None, now: float) -> None:
    if len(name) > _MAX_NAME or not (name == "" or name.isprintable()):
        raise BadArgument("name", f"must have at most {_MAX_NAME} printable characters")
    if PREFIX in name and FORM.search(name):
        raise BadArgument("name", "must not contain a key, because names are shown in lists")
    if quota is not None and not (
        0 <= quota.requests <= MAX_QUOTA_REQUESTS and 1 <= quota.seconds <= MAX_QUOTA_SECONDS
    ):
        raise BadArgument(
            "quota",
            f"must be 0 to {MAX_QUOTA_REQUESTS:,} requests (0: no limit) in 1 to {MAX_QUOTA_SECONDS:,} seconds",
        )
    if expires_at is not None and not now < expires_at <= LAST_EXPIRY:
        raise BadArgument(
            "expires_at", "must be in the future and before the year 10000, in seconds since 1970"
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
    )  # fmt: skip


def _audit(connection: Connection, action: str, key: KeyRecord, actor: str, now: float) -> None:
    fields = key.to_json()
    detail = {name: fields[name] for name in ("owner_id", "name", "prefix", "quota", "expires_at")}
    record(
        connection, at=now, actor=actor, action=action, agent_id=key.agent_id, subject=key.id, detail=detail
    )
