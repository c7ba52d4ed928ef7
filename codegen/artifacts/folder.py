"""A folder on disk that holds exactly the published files, and is emptied of others only if it is ours."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from codegen.artifacts.files import CATALOG, SUMS

if TYPE_CHECKING:
    from pathlib import Path


class NotOurs(Exception):
    """A folder holds something that this command did not write, and would lose it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} holds files that are not ours (no {SUMS} that lists {CATALOG}): "
            "name an empty or a new folder with --out, or remove it first"
        )
        self.folder = folder


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder that is neither ours, nor empty, nor new.

    Raises:
        NotOurs: If replacing its contents would lose somebody's files.
    """
    if folder.is_dir():
        sums = folder / SUMS
        ours = sums.is_file() and f"  {CATALOG}\n".encode() in sums.read_bytes()
        if ours or not any(folder.iterdir()):
            return
    elif not folder.exists() and not folder.is_symlink():
        return
    raise NotOurs(folder)


def fill(folder: Path, files: dict[str, bytes]) -> None:
    """Make a folder hold exactly these files.

    Raises:
        NotOurs: If it holds something else.
    """
    refuse_foreign(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for child in folder.iterdir():
        # The mark stays: a run that is cut short leaves a folder that the next one may replace.
        if child.name == SUMS:
            continue
        if child.is_dir() and not child.is_symlink():
            shutil.rmtree(child)
        else:
            child.unlink()
    for path in (SUMS, *files):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(files[path])
