"""Keys that owners of agents give to those who call them: told once, kept as a digest (BeeOS seed §2).

A key is `bak_` and 43 characters of base64url, which are 32 random bytes: nobody guesses one, so a digest without
salt tells nothing of it.
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
# `bak_` and four more: 24 bits of 256, enough to tell one's keys apart.
SHOWN_CHARACTERS: Final = 8
_RANDOM_BYTES: Final = 32
_MAX_NAME: Final = 128
# A moving window keeps a time for each request in it (ours).
MAX_QUOTA_REQUESTS: Final = 100_000
MAX_QUOTA_SECONDS: Final = 86_400
# The last second that RFC 3339 can say.
LAST_EXPIRY: Final = 253_402_300_799.0
_K = KEYS.c


@dataclass(frozen=True, slots=True)
class Quota:
    """How many requests within how many seconds, instead of what the gateway's own limit is; 0 for any number."""

    requests: int
    seconds: int


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A key as it is kept.

    Attributes:
        id: What it is named by; the same after a rotation.
        agent_id: The one agent that it is for.
        owner_id: Who issued it.
        name: What its owner calls it.
        prefix: Its first 8 characters.
        digest: The SHA-256 of it in hexadecimal.
        quota: Its own limit, if it has one.
        created_at: When it was issued, in seconds since 1970.
        rotated_at: When it last got another secret.
        expires_at: From when on it does not count.
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

    def holds(self, now: float) -> bool:
        """Whether it counts at a time."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def to_json(self) -> dict[str, Any]:
        """Return it for owners; neither the key nor its digest stands there."""
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
    """Return what a key is kept and found by."""
    return sha256(secret.encode()).hexdigest()


class AgentKeys:
    """The table of keys; every method raises `StoreError` where the database cannot be used.

    Attributes:
        generation: How many changes were made through this object: what was read before the last is not held true.
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
        """Make a key, and return it with its secret, which is told this once.

        Raises:
            BadArgument: If the name, the quota or the time is none.
        """
        now = self._clock()
        _check(name, quota, expires_at, now)
        secret = _new_secret()
        made = KeyRecord(
            f"key_{secrets.token_hex(12)}", agent_id, owner_id, name, secret[:SHOWN_CHARACTERS],
            digest_of(secret), quota, now, expires_at=expires_at,
        )  # fmt: skip
        with self._database.writing() as connection:
            connection.execute(
                insert(KEYS).values(
                    id=made.id,
                    agent_id=agent_id,
                    owner_id=owner_id,
                    name=name,
                    prefix=made.prefix,
                    digest=made.digest,
                    quota_requests=None if quota is None else quota.requests,
                    quota_seconds=None if quota is None else quota.seconds,
                    created_at=now,
                    expires_at=expires_at,
                )
            )
            _audit(connection, "key.issue", made, actor, now)
        self.generation += 1
        return made, secret

    def rotate(self, key_id: str, *, agent_id: str, actor: str) -> tuple[KeyRecord, str]:
        """Give a key another secret, and return it with that; the old one no longer counts.

        Its id stays, and with it whose tasks are whose.

        Raises:
            UnknownKey: If the agent has no such key, or it was revoked or has expired.
        """
        now = self._clock()
        secret = _new_secret()
        with self._database.writing() as connection:
            changed = (
                update(KEYS)
                .where(_K.id == key_id, _K.agent_id == agent_id, _K.revoked_at.is_(None))
                .where(or_(_K.expires_at.is_(None), _K.expires_at > now))
                .values(prefix=secret[:SHOWN_CHARACTERS], digest=digest_of(secret), rotated_at=now)
            )
            if not connection.execute(changed).rowcount:
                raise UnknownKey
            made = _one(connection, key_id, agent_id)
            _audit(connection, "key.rotate", made, actor, now)
        self.generation += 1
        return made, secret

    def revoke(self, key_id: str, *, agent_id: str, actor: str) -> KeyRecord:
        """Let a key count no longer; one that was revoked stays as it is.

        Raises:
            UnknownKey: If the agent has no such key.
        """
        now = self._clock()
        with self._database.writing() as connection:
            changed = (
                update(KEYS)
                .where(_K.id == key_id, _K.agent_id == agent_id, _K.revoked_at.is_(None))
                .values(revoked_at=now)
            )
            revoked = connection.execute(changed).rowcount
            made = _one(connection, key_id, agent_id)
            if revoked:
                _audit(connection, "key.revoke", made, actor, now)
        self.generation += 1
        return made

    def counted(self) -> dict[str, int]:
        """Return how many keys count for each agent that has some."""
        asked = (
            select(_K.agent_id, func.count())
            .where(_K.revoked_at.is_(None), or_(_K.expires_at.is_(None), _K.expires_at > self._clock()))
            .group_by(_K.agent_id)
        )
        with self._database.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(asked)}

    def find_all(self, digests: Iterable[str]) -> dict[str, KeyRecord]:
        """Return those of several digests that are keys, in one statement."""
        asked = select(KEYS).where(_K.digest.in_(list(digests)))
        with self._database.reading() as connection:
            return {row.digest: _record(row) for row in connection.execute(asked)}

    def list(self, agent_id: str) -> list[KeyRecord]:
        """Return the keys of an agent in the order of their making, revoked ones too."""
        asked = select(KEYS).where(_K.agent_id == agent_id).order_by(_K.created_at, _K.id)
        with self._database.reading() as connection:
            return [_record(row) for row in connection.execute(asked)]


def _new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)


def _check(name: str, quota: Quota | None, expires_at: float | None, now: float) -> None:
    if len(name) > _MAX_NAME or not (name == "" or name.isprintable()):
        raise BadArgument("name", f"has at most {_MAX_NAME} printable characters")
    if PREFIX in name and FORM.search(name):
        raise BadArgument("name", "is no key: names are shown in lists")
    if quota is not None and not (
        0 <= quota.requests <= MAX_QUOTA_REQUESTS and 1 <= quota.seconds <= MAX_QUOTA_SECONDS
    ):
        raise BadArgument(
            "quota",
            f"is 0 to {MAX_QUOTA_REQUESTS:,} requests, 0 for any number, within 1 to {MAX_QUOTA_SECONDS:,} seconds",
        )
    if expires_at is not None and not now < expires_at <= LAST_EXPIRY:
        raise BadArgument("expires_at", "is a time to come before the year 10000, in seconds since 1970")


def _one(connection: Connection, key_id: str, agent_id: str) -> KeyRecord:
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
    told = key.to_json()
    detail = {name: told[name] for name in ("owner_id", "name", "prefix", "quota", "expires_at")}
    record(
        connection, at=now, actor=actor, action=action, agent_id=key.agent_id, subject=key.id, detail=detail
    )
