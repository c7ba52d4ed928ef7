"""Owners: those of the configuration file, and those that the operator added to the running gateway."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from cardwright.errors import BadArgument
from cardwright_gateway.database.audit import record
from cardwright_gateway.database.tables import AGENTS, OWNER_TOKENS, OWNERS
from cardwright_gateway.errors import OwnerConflict, UnknownOwner
from cardwright_gateway_models.settings.gateway import Owner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

    from cardwright.store.database import Database

# As the schema of the settings has it.
OWNER_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,127}")
_MAX_NAME: Final = 256
_MAX_URL: Final = 2048
# As in the configuration file: all of them are in memory.
MAX_OWNERS: Final = 100_000
_O: Final = OWNERS.c


class OwnerDirectory(Mapping[str, Owner]):
    """All owners by id: a live mapping, which `refresh` brings up to date with the database.

    An owner of the file hides an added owner with its id.

    Args:
        of_file: The owners of the configuration file.
        database: The database.
        clock: Seconds since 1970.
    """

    def __init__(
        self, of_file: Mapping[str, Owner], database: Database, clock: Callable[[], float] = time.time
    ) -> None:
        self._of_file = of_file
        self._database = database
        self._clock = clock
        self._added: dict[str, Owner] = {}
        self._created_at: dict[str, float] = {}
        # Changes with every added and removed owner.
        self._mark: tuple[Any, ...] = ()
        self.refresh()

    def __getitem__(self, owner_id: str) -> Owner:
        """Return an owner."""
        return self._of_file[owner_id] if owner_id in self._of_file else self._added[owner_id]

    def __iter__(self) -> Iterator[str]:
        """Return the ids: first those of the file, then the others, sorted."""
        yield from self._of_file
        yield from sorted(set(self._added).difference(self._of_file))

    def __len__(self) -> int:
        """Return the number of owners."""
        return len(self._of_file.keys() | self._added.keys())

    def created_at(self, owner_id: str) -> float | None:
        """Return when an owner was added, in seconds since 1970; None for an owner of the file."""
        return None if owner_id in self._of_file else self._created_at.get(owner_id)

    def refresh(self) -> None:
        """Read the added owners, if any was added or removed by another process.

        Raises:
            StoreError: If the database cannot be used.
        """
        with self._database.reading() as connection:
            query = select(
                func.count(), func.max(_O.created_at), func.sum(_O.created_at), func.sum(_O.removed_at)
            )
            mark = tuple(connection.execute(query).one())
            if mark == self._mark:
                return
            rows = connection.execute(select(OWNERS).where(_O.removed_at.is_(None))).all()
        self._created_at = {row.id: row.created_at for row in rows}
        self._added = {row.id: _owner(row.name, row.url) for row in rows}
        self._mark = mark

    def add(self, owner_id: str, name: str, url: str | None = None, *, actor: str) -> Owner:
        """Add an owner.

        Args:
            owner_id: Its id; agents refer to it.
            name: Its name in cards.
            url: Its website in cards. Default: the gateway's URL.
            actor: Who adds it, for the audit log.

        Raises:
            BadArgument: If a value is not valid.
            OwnerConflict: If an owner has this id, or there are too many.
            StoreError: If the database cannot be used.
        """
        _check(owner_id, name, url)
        if owner_id in self:
            raise OwnerConflict(f"an owner with the id {owner_id!r} exists; choose another id")
        now = self._clock()
        values = {"id": owner_id, "name": name, "url": url, "created_at": now}
        with self._database.writing() as connection:
            count = connection.execute(select(func.count()).select_from(OWNERS)).scalar_one()
            if count >= MAX_OWNERS:
                raise OwnerConflict(f"there are {MAX_OWNERS:,} owners, the maximum; remove one first")
            dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
            statement = dialect.insert(OWNERS).values(**values).on_conflict_do_nothing()
            if connection.execute(statement.returning(_O.id)).first() is None:
                raise OwnerConflict(
                    f"an owner has, or had, the id {owner_id!r}, to which tasks, files and tokens belong; choose another id"
                )
            detail = {"owner_id": owner_id, "name": name}
            record(
                connection,
                at=now,
                actor=actor,
                action="owner.add",
                agent_id="",
                subject=owner_id,
                detail=detail,
            )
        self.refresh()
        return self[owner_id]

    def remove(self, owner_id: str, *, actor: str) -> None:
        """Remove an added owner without agents; its tokens are revoked, and its id is not used again.

        Raises:
            UnknownOwner: If there is no such owner.
            OwnerConflict: If the owner is in the configuration file, or has agents.
            StoreError: If the database cannot be used.
        """
        if owner_id in self._of_file:
            raise OwnerConflict("this owner is in the gateway's configuration file; remove it there")
        now = self._clock()
        with self._database.writing() as connection:
            owned = [
                row.id
                for row in connection.execute(select(AGENTS.c.id, AGENTS.c.settings))
                if orjson.loads(row.settings).get("owner") == owner_id
            ]
            if owned:
                raise OwnerConflict(
                    f"the owner has {len(owned)} agents, such as {min(owned)!r}; remove them first: DELETE /api/v1/agents/ID"
                )
            gone = update(OWNERS).where(_O.id == owner_id, _O.removed_at.is_(None)).values(removed_at=now)
            if not connection.execute(gone).rowcount:
                raise UnknownOwner(owner_id)
            tokens = OWNER_TOKENS.c
            own = update(OWNER_TOKENS).where(tokens.owner_id == owner_id, tokens.revoked_at.is_(None))
            connection.execute(own.values(revoked_at=now))
            record(
                connection, at=now, actor=actor, action="owner.remove", agent_id="", subject=owner_id,
                detail={"owner_id": owner_id},
            )  # fmt: skip
        self.refresh()


def check_not_removed(connection: Connection, owner_id: str) -> None:
    """Check in a transaction that an owner was not removed meanwhile; one of the file has no row.

    Raises:
        UnknownOwner: If it was.
    """
    query = select(_O.id).where(_O.id == owner_id, _O.removed_at.is_not(None))
    if connection.execute(query).first() is not None:
        raise UnknownOwner(owner_id)


def _owner(name: str, url: str | None) -> Owner:
    return Owner.from_wire({"name": name} if url is None else {"name": name, "url": url})


def _check(owner_id: str, name: str, url: str | None) -> None:
    """Check the values of a new owner.

    Raises:
        BadArgument: If one is not valid.
    """
    if not OWNER_ID.fullmatch(owner_id):
        raise BadArgument(
            "id",
            "must have 1 to 128 letters, digits, dots, hyphens, underscores and @, and begin with a letter or digit",
        )
    if not 1 <= len(name) <= _MAX_NAME or not name.isprintable():
        raise BadArgument("name", f"must have 1 to {_MAX_NAME} printable characters")
    if url is not None and not (url.startswith(("https://", "http://")) and len(url) <= _MAX_URL):
        raise BadArgument("url", f"must be an http or https URL of at most {_MAX_URL:,} characters")
