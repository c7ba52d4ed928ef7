"""File permissions of databases: only the owner can read them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cardwright.store.database import database_url, in_memory

if TYPE_CHECKING:
    from os import PathLike


def make_private(place: str | PathLike[str]) -> None:
    """Create a database file that only its owner can read; existing files and other databases are not changed.

    Raises:
        BadArgument: If the place is neither a path nor a URL of a supported database.
    """
    url = database_url(place)
    if url.get_backend_name() != "sqlite" or in_memory(url):
        return
    try:
        os.close(os.open(str(url.database), os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError:
        # Opening the database reports the error.
        return
