"""Encryption key of the webhook secrets: configured, or in a file next to the SQLite database."""

from __future__ import annotations

import base64
import binascii
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cryptography.fernet import Fernet

from cardwright.errors import BadConfiguration
from cardwright.regular_file import read_regular_file
from cardwright.store.database import database_url

if TYPE_CHECKING:
    from os import PathLike

_BYTES: Final = 32
_PRIVATE: Final = 0o600
_SETTING: Final = "/webhooks/encryption_key"


def encryption_key(configured: str | None, place: str | PathLike[str]) -> bytes:
    """Return the key in Fernet's format.

    Args:
        configured: The configured key: 32 bytes in base64url, or None.
        place: The database's path or URL; next to a SQLite file, a key file is created on first use.

    Raises:
        BadConfiguration: If there is no key and none can be created, or the key file cannot be used.
    """
    if configured is not None:
        return configured.encode()
    url = database_url(place)
    if url.get_backend_name() != "sqlite":
        raise BadConfiguration(
            "",
            f"{_SETTING} is missing: every process that shares this database needs the same key. Create one with"
            " `openssl rand -base64 32`",
        )
    if url.database in (None, "", ":memory:"):
        return Fernet.generate_key()
    file = Path(f"{url.database}.key")
    try:
        if not file.exists():
            _create(file)
        return _read(file)
    except OSError as error:
        raise BadConfiguration(
            str(file),
            f"cannot read or create the key of the webhook secrets: give this user access, or set {_SETTING}",
        ) from error


def _create(file: Path) -> None:
    # Written under a temporary name first: a process that starts now finds a complete key or none.
    temporary = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(Fernet.generate_key() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileExistsError):
            os.link(temporary, file)
    finally:
        temporary.unlink()
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(file: Path) -> bytes:
    if file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadConfiguration(
            str(file),
            "other users can read the key of the webhook secrets: run chmod 600, and replace the secrets",
        )
    key = read_regular_file(file).strip()
    try:
        valid = len(base64.urlsafe_b64decode(key)) == _BYTES
    except (binascii.Error, ValueError):
        valid = False
    if not valid:
        raise BadConfiguration(
            str(file),
            "not a valid key of the webhook secrets: restore it from a backup. Without a backup, delete the file and"
            " all rows of a2a_push_configs and webhooks; callers must then configure their webhooks again",
        )
    return key
