"""Reading of regular files only: opening a pipe waits for its writer, and opening a device may have effects.

And stamps, which say whether a file has changed.
"""

from __future__ import annotations

import os
import stat
from typing import Final, TypeAlias

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
# Windows has neither pipes nor devices among its files.
_WITHOUT_WAITING: Final = (
    getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)


# Settings, keys and certificates have at most this size (project decision).
_MAX_BYTES: Final = 1024 * 1024
# When a file was written, its size, which file it is, and when its inode changed.
Stamp: TypeAlias = tuple[int, int, int, int]


class NotAFile(OSError):
    """The path names something other than a regular file; `strerror` says what."""


def read_regular_file(path: str | os.PathLike[str], max_bytes: int = _MAX_BYTES) -> bytes:
    """Return the bytes of a regular file, at most `max_bytes`; a symbolic link is followed.

    Raises:
        NotAFile: If it is a folder, a pipe, a socket or a device; it is not opened.
        OSError: If it cannot be read.
    """
    _check(os.stat(path))  # noqa: PTH116 - a path as given, never normalised
    # What was looked at may have been replaced by a pipe since.
    descriptor = os.open(path, os.O_RDONLY | _WITHOUT_WAITING)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor
        _check(os.fstat(descriptor))
        return file.read(max_bytes)


def stamp_of(path: str | os.PathLike[str]) -> Stamp | None:
    """Return what changes with a file; None if there is no file, or it cannot be looked at."""
    try:
        status = os.stat(path)  # noqa: PTH116 - a path as given, never normalised
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns


def _check(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = next((noun for is_kind, noun in _KINDS if is_kind(status.st_mode)), "no regular file")
        raise NotAFile(None, f"expected a file, found {kind}")
