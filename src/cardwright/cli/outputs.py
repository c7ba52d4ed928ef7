"""From bytes to a file that was there before: all of it or nothing, and no other file's contents."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from typing import Final

from cardwright.cli.terminal import fail, legible, reason_of

# So that what is left of a write that was cut off is known for what it is.
_PREFIX: Final = ".cardwright-"


class Changed(OSError):
    """The file is no longer what was read from it."""


def replace_file(name: str, read: bytes, body: bytes) -> None:
    """Put bytes in the place of those that were read from a file; its mode is kept, links are followed.

    Whoever opens the file sees the old contents or the new. Where the path is a symbolic link, the
    file that it leads to is replaced, and the link stays.

    Raises:
        OSError: If the file cannot be replaced, or has changed since it was read; it is as it was.
    """
    target = os.path.realpath(name)
    with open(target, "rb") as file:  # noqa: PTH123 - a path as given, never normalised
        kept = os.fstat(file.fileno())
        if file.read(len(read) + 1) != read:
            raise Changed(None, "it has changed since it was read")
    # Whoever fixes a file of another's leaves it theirs, where the system lets them.
    owner = kept.st_uid, kept.st_gid
    _replaced(target, _temporary(target), body, mode=stat.S_IMODE(kept.st_mode), owner=owner)


def write_file(name: str, body: bytes) -> None:
    """Write a file, whether it is there or not: whoever opens it sees all of the old contents or of the new.

    What is no regular file, such as a device, is written to; so is a file in a folder that takes no other.

    Raises:
        OSError: If the file cannot be written.
    """
    target = os.path.realpath(name) if name else name
    try:
        mode = os.stat(target).st_mode  # noqa: PTH116 - a path as given, never normalised
    except FileNotFoundError:
        mode = None
    if mode is None or (stat.S_ISREG(mode) and os.access(target, os.W_OK)):
        with suppress(PermissionError):
            _replaced(target, _temporary(target), body, mode=None if mode is None else stat.S_IMODE(mode))
            return
    with open(name, "wb") as file:  # noqa: PTH123 - a path as given, never normalised
        file.write(body)


def write_output(name: str, body: bytes, what: str) -> None:
    """Write a file as `write_file` does; if it cannot be written, end the command."""
    try:
        write_file(name, body)
    except (OSError, ValueError) as error:
        fail(f"{legible(name)}: {what} cannot be written: {reason_of(error)}")


def _temporary(target: str) -> str:
    return os.path.join(os.path.dirname(target), f"{_PREFIX}{secrets.token_hex(8)}")  # noqa: PTH118, PTH120


def _replaced(
    target: str, temporary: str, body: bytes, *, mode: int | None, owner: tuple[int, int] | None = None
) -> None:
    """Write a file beside the target, and put it in its place: a new file has the mode that the system gives it."""
    created = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
    try:
        with open(created, "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        if owner is not None:
            with suppress(OSError, AttributeError):
                os.chown(temporary, *owner)
        if mode is not None:
            os.chmod(temporary, mode)  # noqa: PTH101 - a path as given, never normalised
        os.replace(temporary, target)  # noqa: PTH105 - a path as given, never normalised
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108 - likewise
        raise
