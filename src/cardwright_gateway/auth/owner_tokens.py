"""Tokens of owners: issued by the operator, shown once, stored as a digest (project decision)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, or_

from cardwright_gateway.auth.secret_table import SecretRecord, SecretTable
from cardwright_gateway.auth.secret_values import TOKEN_PREFIX
from cardwright_gateway.database.owners import check_not_removed
from cardwright_gateway.database.tables import OWNER_TOKENS
from cardwright_gateway.errors import UnknownToken

if TYPE_CHECKING:
    from sqlalchemy import Connection

# Valid tokens of one owner, and how long lists show those that are no longer valid (project decisions).
MAX_TOKENS: Final = 100
KEPT_SECONDS: Final = 90 * 86_400
_T: Final = OWNER_TOKENS.c


class OwnerTokens(SecretTable[SecretRecord]):
    """The table of tokens."""

    table = OWNER_TOKENS
    record = SecretRecord
    kind = "token"
    prefix = TOKEN_PREFIX
    id_prefix = "tok_"
    holders = ("owner_id",)
    maximum = MAX_TOKENS
    unknown = UnknownToken

    def issue(
        self, owner_id: str, *, actor: str, name: str = "", expires_at: float | None = None
    ) -> tuple[SecretRecord, str]:
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
        return self._issue(owner_id=owner_id, actor=actor, name=name, expires_at=expires_at)

    def _make_room(self, connection: Connection, record: SecretRecord, now: float) -> None:
        check_not_removed(connection, record.owner_id)
        old = or_(_T.expires_at < now - KEPT_SECONDS, _T.revoked_at < now - KEPT_SECONDS)
        connection.execute(delete(OWNER_TOKENS).where(_T.owner_id == record.owner_id, old))
        super()._make_room(connection, record, now)
