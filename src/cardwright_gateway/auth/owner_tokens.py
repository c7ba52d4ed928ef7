"""Tokens of owners: issued by the operator, shown once, stored as a digest (project decision)."""

from __future__ import annotations

import hmac
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, insert, or_, select, update

from cardwright.dates import rfc3339_at
from cardwright_gateway.auth.secret_values import (
    PREFIX_CHARACTERS,
    TOKEN_PREFIX,
    check_expiry,
    check_name,
    digest_of,
    new_secret,
)
from cardwright_gateway.database.audit import record
from cardwright_gateway.database.owners import check_not_removed
from cardwright_gateway.database.tables import OWNER_TOKENS
from cardwright_gateway.errors import SecretsFull, UnknownToken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy import Connection, Row

    from cardwright.store.database import Database

# Valid tokens of one owner, and how long lists show those that are no longer valid (project decisions).
MAX_TOKENS: Final = 100
KEPT_SECONDS: Final = 90 * 86_400
_T: Final = OWNER_TOKENS.c
_TIMES: Final = ("created_at", "expires_at", "revoked_at", "last_used_at")


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A stored token.

    Attributes:
        id: Its id.
        owner_id: The owner that it authenticates.
        name: The name that the operator gave it.
        prefix: Its first 8 characters.
        digest: Its SHA-256 in hexadecimal.
        created_at: When it was issued, in seconds since 1970.
        expires_at: When it expires.
        revoked_at: When it was revoked.
        last_used_at: When it was last used, at most a minute old.
    """

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
        """Return whether the token is valid at a time."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def accepts(self, digest: str, now: float) -> bool:
        """Return whether a secret with this digest is valid at a time."""
        return self.is_valid(now) and hmac.compare_digest(self.digest, digest)

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object, as the API does: without the token and its digest."""
        fields = {name: getattr(self, name) for name in ("id", "owner_id", "name", "prefix")}
        return fields | {name: rfc3339_at(getattr(self, name)) for name in _TIMES}


class OwnerTokens:
    """The table of tokens; every method raises `StoreError` if the database is unavailable.

    Attributes:
        generation: The number of changes through this object; what was read before the last change is outdated.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self.generation = 0

    def issue(
        self, owner_id: str, *, actor: str, name: str = "", expires_at: float | None = None
    ) -> tuple[TokenRecord, str]:
        """Issue a token, and return its record and its secret, which is not stored.

        The owner's tokens that expired or were revoked 90 days ago are deleted; the audit log keeps what was done.

        Args:
            owner_id: The owner; it must exist.
            actor: Who issues it, for the audit log.
            name: A name for lists.
            expires_at: When it expires, in seconds since 1970; None for never.

        Raises:
            BadArgument: If the name or the expiry is not valid.
            UnknownOwner: If the owner was removed.
            SecretsFull: If it has the maximum of valid tokens.
        """
        now = self._clock()
        check_name(name)
        check_expiry(expires_at, now)
        secret = new_secret(TOKEN_PREFIX)
        token = TokenRecord(
            f"tok_{secrets.token_hex(12)}", owner_id, name, secret[:PREFIX_CHARACTERS], digest_of(secret), now,
            expires_at,
        )  # fmt: skip
        with self._database.writing() as connection:
            check_not_removed(connection, owner_id)
            _make_room(connection, owner_id, now)
            connection.execute(
                insert(OWNER_TOKENS).values(
                    id=token.id,
                    owner_id=owner_id,
                    name=name,
                    prefix=token.prefix,
                    digest=token.digest,
                    created_at=now,
                    expires_at=expires_at,
                )
            )
            detail = {"owner_id": owner_id, "name": name, "expires_at": rfc3339_at(expires_at)}
            record(
                connection, at=now, actor=actor, action="token.issue", agent_id="", subject=token.id,
                detail=detail,
            )  # fmt: skip
        self.generation += 1
        return token, secret

    def revoke(self, token_id: str, *, owner_id: str, actor: str) -> TokenRecord:
        """Revoke a token; does nothing if it was revoked before.

        Raises:
            UnknownToken: If the owner has no such token.
        """
        now = self._clock()
        own = (_T.id == token_id, _T.owner_id == owner_id)
        with self._database.writing() as connection:
            revoking = update(OWNER_TOKENS).where(*own, _T.revoked_at.is_(None)).values(revoked_at=now)
            revoked = connection.execute(revoking).rowcount
            row = connection.execute(select(OWNER_TOKENS).where(*own)).first()
            if row is None:
                raise UnknownToken
            if revoked:
                record(
                    connection, at=now, actor=actor, action="token.revoke", agent_id="", subject=token_id,
                    detail={"owner_id": owner_id},
                )  # fmt: skip
        self.generation += 1
        return _record(row)

    def find_all(self, digests: Iterable[str]) -> dict[str, TokenRecord]:
        """Return the tokens with these digests, by digest, in one statement."""
        query = select(OWNER_TOKENS).where(_T.digest.in_(list(digests)))
        with self._database.reading() as connection:
            return {row.digest: _record(row) for row in connection.execute(query)}

    def list(self, owner_id: str) -> list[TokenRecord]:
        """Return the tokens of an owner, oldest first, including revoked ones."""
        query = select(OWNER_TOKENS).where(_T.owner_id == owner_id).order_by(_T.created_at, _T.id)
        with self._database.reading() as connection:
            return [_record(row) for row in connection.execute(query)]


def _make_room(connection: Connection, owner_id: str, now: float) -> None:
    """Delete the tokens that were not valid for long, and count the valid ones.

    Raises:
        SecretsFull: If there are too many.
    """
    own, before = _T.owner_id == owner_id, now - KEPT_SECONDS
    connection.execute(delete(OWNER_TOKENS).where(own, or_(_T.expires_at < before, _T.revoked_at < before)))
    valid = (own, _T.revoked_at.is_(None), or_(_T.expires_at.is_(None), _T.expires_at > now))
    if connection.execute(select(func.count()).where(*valid)).scalar_one() >= MAX_TOKENS:
        raise SecretsFull("owner", MAX_TOKENS)


def _record(row: Row[Any]) -> TokenRecord:
    return TokenRecord(
        row.id, row.owner_id, row.name, row.prefix, row.digest, row.created_at, row.expires_at, row.revoked_at,
        row.last_used_at,
    )  # fmt: skip
