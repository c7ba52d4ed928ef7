"""When keys and tokens were last used: noted in memory, and written together, so that a call needs no write."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, or_, update

from cardwright_gateway.database.tables import KEYS, OWNER_TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Table

    from cardwright.store.database import Database

# The prefixes of ids, with the tables.
_TABLES: Final[dict[str, Table]] = {"key_": KEYS, "tok_": OWNER_TOKENS}


class LastUse:
    """The times of the last use since they were last written; one for each key and token.

    Args:
        database: The database.
        clock: Seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._noted: dict[str, float] = {}

    def note(self, secret_id: str) -> None:
        """Note that a key or a token is used now.

        Args:
            secret_id: Its id, which begins with `key_` or `tok_`.
        """
        self._noted[secret_id] = self._clock()

    def write(self) -> None:
        """Write what was noted; a later time that another process has written stays.

        Raises:
            StoreError: If the database cannot be used; what was noted is written later.
        """
        noted, self._noted = self._noted, {}
        if not noted:
            return
        try:
            with self._database.writing() as connection:
                for prefix, table in _TABLES.items():
                    # Sorted, so that two processes lock rows in the same order.
                    rows = [
                        {"secret": name, "at": at}
                        for name, at in sorted(noted.items())
                        if name.startswith(prefix)
                    ]
                    if rows:
                        connection.execute(_statement(table), rows)
        except BaseException:
            self._noted = noted | self._noted
            raise


def _statement(table: Table) -> Any:
    column = table.c.last_used_at
    later = or_(column.is_(None), column < bindparam("at"))
    own = table.c.id == bindparam("secret")
    return update(table).where(own, later).values(last_used_at=bindparam("at"))
