"""Files that only their owner reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def make_private(path: Path) -> None:
    """Make a file that is not there yet one that only its owner reads; one that is there stays as it is."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError:
        # What is wrong with the place is told when it is opened.
        return
