"""Execution of a statement with many parameter rows, at the speed of the driver."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Executable


def execute_many(connection: Connection, statement: Executable, rows: Sequence[dict[str, Any]]) -> None:
    """Execute a statement for each row of parameters; all rows must have the same names.

    SQLAlchemy processes each parameter of each row, which takes longer than SQLite needs to store it. The
    statement must only have literal constants, and values of types that the drivers accept unchanged.
    """
    if not rows:
        return
    compiled: Any = statement.compile(dialect=connection.dialect, column_keys=list(rows[0]))  # type: ignore[attr-defined] # every statement has it
    if not compiled.positional:
        connection.exec_driver_sql(compiled.string, list(rows))
        return
    names = compiled.positiontup
    values_of = itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)
    connection.exec_driver_sql(compiled.string, [values_of(row) for row in rows])
