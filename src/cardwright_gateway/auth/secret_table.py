"""Tables of the secrets that the gateway issues: shown once, stored as a digest, revoked for good."""

from __future__ import annotations

import hmac
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from sqlalchemy import func, insert, or_, select, update

from cardwright.dates import rfc3339_at
from cardwright_gateway.auth.secret_values import check_expiry, check_name, new_secret
from cardwright_gateway.database.audit import record as write_audit
from cardwright_gateway.errors import SecretsFull

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sqlalchemy import ColumnElement, Connection, Table

    from cardwright.store.database import Database
    from cardwright_gateway.errors import UnknownKey, UnknownToken


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretRecord:
    """A stored secret.

    Attributes:
        id: Its id; stays the same after a rotation.
        owner_id: The owner that issued it, or that it authenticates.
        name: A name for lists.
        prefix: Its first 8 characters.
        digest: Its SHA-256 in hexadecimal.
        created_at: When it was issued, in seconds since 1970.
        expires_at: When it expires.
        revoked_at: When it was revoked.
        last_used_at: When it was last used, at most a minute old.
    """

    # What its JSON object has.
    shown: ClassVar[tuple[str, ...]] = (
        "id", "owner_id", "name", "prefix", "created_at", "expires_at", "revoked_at", "last_used_at",
    )  # fmt: skip

    id: str
    owner_id: str
    name: str
    prefix: str
    digest: str = field(repr=False)
    created_at: float
    expires_at: float | None = None
    revoked_at: float | None = None
    last_used_at: float | None = None

    def is_valid(self, now: float) -> bool:
        """Return whether it is valid at a time."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def state(self, now: float) -> str:
        """Return the state that lists show at a time."""
        return "valid" if self.is_valid(now) else "expired" if self.revoked_at is None else "revoked"

    def accepts(self, digest: str, now: float) -> bool:
        """Return whether a secret with this digest is valid at a time, in seconds since 1970."""
        return self.is_valid(now) and hmac.compare_digest(self.digest, digest)

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object, as the API does: without the secret and its digest."""
        fields = {name: getattr(self, name) for name in self.shown}
        times = {name: rfc3339_at(fields[name]) for name in fields if name.endswith(("_at", "_until"))}
        return fields | times


_Record = TypeVar("_Record", bound=SecretRecord)


class SecretTable(Generic[_Record]):
    """A table of secrets; every method raises `StoreError` if the database is unavailable.

    Args:
        database: The database.
        clock: Seconds since 1970.

    Attributes:
        generation: The number of changes through this object; what was read before the last change is outdated.
    """

    # Set by each kind of secret: its table, the type of its records, and how they are named in the audit log.
    table: ClassVar[Table]
    record: type[_Record]
    kind: ClassVar[Literal["key", "token"]]
    # Valid ones of one holder.
    maximum: ClassVar[int]
    # How its secrets and ids begin.
    prefix: ClassVar[str]
    id_prefix: ClassVar[str]
    # The columns of its digests, and those of its holder: the first finds it, and all together count for the maximum.
    digests: ClassVar[tuple[str, ...]] = ("digest",)
    holders: ClassVar[tuple[str, ...]]
    unknown: ClassVar[type[UnknownKey | UnknownToken]]

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self.generation = 0

    def revoke(self, secret_id: str, *, holder: str, actor: str) -> _Record:
        """Revoke a secret; does nothing if it was revoked before.

        Args:
            secret_id: Its id.
            holder: The agent of a key, the owner of a token.
            actor: Who revokes it, for the audit log.

        Raises:
            UnknownKey: If the agent has no such key.
            UnknownToken: If the owner has no such token.
        """
        return self._change(secret_id, holder, {"revoked_at": self._clock()}, "revoke", actor, expired=True)

    def find_all(self, digests: Iterable[str]) -> dict[str, _Record]:
        """Return the secrets with these digests, by digest, in one statement."""
        wanted = set(digests)
        columns = [self.table.c[name] for name in self.digests]
        query = select(self.table).where(or_(*(column.in_(wanted) for column in columns)))
        with self._database.reading() as connection:
            records = [self.record(**row) for row in connection.execute(query).mappings()]
        # The digest of a current secret comes last: it counts.
        found = [(getattr(record, name), record) for name in reversed(self.digests) for record in records]
        return {digest: record for digest, record in found if digest in wanted}

    def list(self, holder: str) -> list[_Record]:
        """Return the secrets of an agent or an owner, oldest first, including revoked ones."""
        columns = self.table.c
        own = select(self.table).where(columns[self.holders[0]] == holder)
        with self._database.reading() as connection:
            rows = connection.execute(own.order_by(columns.created_at, columns.id)).mappings()
            return [self.record(**row) for row in rows]

    def _issue(
        self, *, actor: str, name: str, expires_at: float | None, **fields: Any
    ) -> tuple[_Record, str]:
        """Issue a secret, and return its record and the secret itself, which is not stored.

        Raises:
            BadArgument: If the name or the expiry is not valid.
            SecretsFull: If its holder has the maximum of valid secrets.
        """
        now = self._clock()
        check_name(name)
        check_expiry(expires_at, now)
        secret, values = new_secret(self.prefix)
        new_id = self.id_prefix + secrets.token_hex(12)
        record = self.record(id=new_id, name=name, created_at=now, expires_at=expires_at, **values, **fields)
        with self._database.writing() as connection:
            self._make_room(connection, record, now)
            row = {column.name: getattr(record, column.name) for column in self.table.c}
            connection.execute(insert(self.table).values(row))
            self._audit(connection, "issue", record, actor, now)
        self.generation += 1
        return record, secret

    def _make_room(self, connection: Connection, record: _Record, now: float) -> None:
        """Check before a secret is added that its holder has fewer than the maximum of valid ones.

        Raises:
            SecretsFull: If not.
        """
        own = [self.table.c[name] == getattr(record, name) for name in self.holders]
        count = select(func.count()).where(*own, *self._valid(now))
        if connection.execute(count).scalar_one() >= self.maximum:
            raise SecretsFull(self.kind, self.maximum)

    def _change(
        self,
        secret_id: str,
        holder: str,
        values: Mapping[str, Any],
        action: str,
        actor: str,
        *,
        expired: bool = False,
    ) -> _Record:
        """Change a row of a valid secret, and write the audit log.

        Args:
            secret_id: Its id.
            holder: Its agent or owner.
            values: The new values.
            action: What is done.
            actor: Who does it.
            expired: Whether one that has expired is changed too, and one that was revoked is returned as it is.

        Raises:
            UnknownKey: If the agent has no such key.
            UnknownToken: If the owner has no such token.
            BadArgument: If the name or the expiry is not valid.
        """
        now, columns = self._clock(), self.table.c
        check_name(values.get("name", ""))
        check_expiry(values.get("expires_at"), now)
        own = (columns.id == secret_id, columns[self.holders[0]] == holder)
        valid = self._valid(now)[: 1 if expired else None]
        with self._database.writing() as connection:
            # A change of nothing still says whether the secret is valid.
            changing = update(self.table).where(*own, *valid).values(**(values or {"name": columns.name}))
            changed = connection.execute(changing).rowcount
            row = connection.execute(select(self.table).where(*own)).mappings().first()
            if row is None or not (changed or expired):
                raise self.unknown
            record = self.record(**row)
            if changed:
                self._audit(connection, action, record, actor, now)
        self.generation += 1
        return record

    def _valid(self, now: float) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        """Return the conditions for a valid secret: it was not revoked, and has not expired."""
        columns = self.table.c
        return columns.revoked_at.is_(None), or_(columns.expires_at.is_(None), columns.expires_at > now)

    def _audit(self, connection: Connection, action: str, record: _Record, actor: str, now: float) -> None:
        fields = record.to_json()
        shown = ("owner_id", "name", "prefix", "quota", "expires_at")
        write_audit(
            connection,
            at=now,
            actor=actor,
            action=f"{self.kind}.{action}",
            agent_id=fields.get("agent_id", ""),
            subject=record.id,
            detail={name: fields[name] for name in shown if name in fields},
        )
