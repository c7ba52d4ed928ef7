"""Atomic writing of files: a reader sees the complete old contents or the complete new ones."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from cardwright.cli.terminal import fail, legible, reason_of, report, report_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Identifies a temporary file that an interrupted write left behind.
_PREFIX: Final = ".cardwright-"


class Changed(OSError):
    """The file has changed since it was read."""


def replace_file(name: str, read: bytes, body: bytes) -> None:
    """Replace the contents of a file atomically and keep its mode.

    If the path is a symbolic link, the file that it points to is replaced.

    Args:
        name: The path of the file.
        read: The contents that were read from it.
        body: The new contents.

    Raises:
        OSError: If the file cannot be replaced, or has changed since it was read; it is then unchanged.
    """
    target = os.path.realpath(name)
    with open(target, "rb") as file:  # noqa: PTH123 - a path as given, never normalised
        status = os.fstat(file.fileno())
        if file.read(len(read) + 1) != read:
            raise Changed(None, "the file has changed since it was read; run the command again")
    # Keep the owner, if the system permits it.
    owner = status.st_uid, status.st_gid
    _replace(target, _temporary(target), body, mode=stat.S_IMODE(status.st_mode), owner=owner)


def write_file(name: str, body: bytes) -> None:
    """Create or replace a file atomically.

    A device, and a file in a folder where no other file can be created, is written in place.

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
            _replace(target, _temporary(target), body, mode=None if mode is None else stat.S_IMODE(mode))
            return
    with open(name, "wb") as file:  # noqa: PTH123 - a path as given, never normalised
        file.write(body)


def write_output(name: str, body: bytes, what: str) -> None:
    """Write a file as `write_file` does; end the command if that fails. `what` names the contents."""
    try:
        write_file(name, body)
    except (OSError, ValueError) as error:
        fail(f"{legible(name)}: {what} cannot be written: {reason_of(error)}")


def write_report(
    output: str | None, form: str, renderers: Mapping[str, str | Callable[..., Any]], *results: Any
) -> None:
    """Print the results of a command as `report` does, or write them to a file."""
    if output is None:
        report(form, renderers, *results)
    else:
        write_output(output, report_bytes(form, renderers, *results), "the report")


def _temporary(target: str) -> str:
    return os.path.join(os.path.dirname(target), f"{_PREFIX}{secrets.token_hex(8)}")  # noqa: PTH118, PTH120


def _replace(
    target: str, temporary: str, body: bytes, *, mode: int | None, owner: tuple[int, int] | None = None
) -> None:
    """Write a temporary file in the target's folder and rename it to the target; without `mode` the umask applies."""
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
