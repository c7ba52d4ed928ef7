"""Output folder with exactly the published files; a folder with foreign files is not emptied."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from codegen.artifacts.files import CATALOG, SUMS

if TYPE_CHECKING:
    from pathlib import Path


class ForeignFiles(Exception):
    """A folder has files that this command did not write and would delete."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} has files that this command did not write (no {SUMS} that lists {CATALOG}): "
            "give an empty or new folder with --out, or remove the folder first"
        )
        self.folder = folder


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder that is not new, not empty and not written by this command.

    Raises:
        ForeignFiles: If replacing its contents would delete other files.
    """
    if folder.is_dir():
        sums = folder / SUMS
        is_own = sums.is_file() and f"  {CATALOG}\n".encode() in sums.read_bytes()
        if is_own or not any(folder.iterdir()):
            return
    elif not folder.exists() and not folder.is_symlink():
        return
    raise ForeignFiles(folder)


def fill(folder: Path, files: dict[str, bytes]) -> None:
    """Replace the contents of a folder by these files.

    Raises:
        ForeignFiles: If the folder has other files.
    """
    refuse_foreign(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for child in folder.iterdir():
        # Keep SHA256SUMS: after an interrupted run, the next run may still replace the folder.
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
