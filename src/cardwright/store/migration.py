"""Bringing a database to the tables that this version of the package knows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import inspect, select, text
from sqlalchemy.exc import OperationalError, ProgrammingError

from cardwright.errors import StoreError
from cardwright.store.tables import HEAD, VERSION

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection

# Any number, so that of several processes one migrates: "card" in ASCII.
_LOCK: Final = 0x63617264


def current(connection: Connection) -> str | None:
    """Return the newest migration that a database has had, or None before the first."""
    if connection.dialect.name == "postgresql" and not inspect(connection).has_table(VERSION.name):
        return None
    try:
        return connection.execute(select(VERSION.c.version_num)).scalar()
    except (OperationalError, ProgrammingError) as error:
        if "no such table" in str(error.orig):
            return None
        raise


def migrate(connection: Connection) -> None:
    """Apply what is missing; the caller's transaction takes all of it or nothing.

    Raises:
        StoreError: If the database is of a newer version of the package.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    found = current(connection)
    if found == HEAD:
        return
    from alembic.runtime.environment import EnvironmentContext

    config, script = _scripts()
    if found is not None and found not in {one.revision for one in script.walk_revisions()}:
        raise StoreError(
            "newer",
            f"the database has the tables of a newer cardwright (migration {found}, known up to {HEAD}):"
            " upgrade cardwright, or name another database",
        )

    def missing(revision: Any, _: Any) -> Any:
        return script._upgrade_revs("head", revision)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - as alembic's own `upgrade` command does

    with EnvironmentContext(config, script, fn=missing, destination_rev="head") as context:
        context.configure(connection=connection, version_table=VERSION.name)
        context.run_migrations()


def scripts_head() -> str | None:
    """Return the newest migration among the scripts."""
    return _scripts()[1].get_current_head()


def _scripts() -> tuple[Any, ScriptDirectory]:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    # A colon or a percent sign in the path means something to alembic's reader of settings.
    place = str(Path(__file__).with_name("migrations")).replace("%", "%%")
    config.set_main_option("script_location", place)
    config.set_main_option("path_separator", "newline")
    return config, ScriptDirectory.from_config(config)
