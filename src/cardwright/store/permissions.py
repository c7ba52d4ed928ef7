"""Files that only their owner reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cardwright.store.database import database_url, in_memory

if TYPE_CHECKING:
    from os import PathLike


def make_private(place: str | PathLike[str]) -> None:
    """Make a database that is a file and not there yet one that only its owner reads; others stay as they are.

    Raises:
        BadArgument: If the place is no path and no URL of a known database.
    """
    url = database_url(place)
    if url.get_backend_name() != "sqlite" or in_memory(url):
        return
    try:
        os.close(os.open(str(url.database), os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError:
        # What is wrong with the place is told when it is opened.
        return
