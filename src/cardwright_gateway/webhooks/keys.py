"""The key that secrets are encrypted with: the operator's, or one that lies beside the SQLite file."""

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
from cardwright.store.database import database_url

if TYPE_CHECKING:
    from os import PathLike

_BYTES: Final = 32
_PRIVATE: Final = 0o600
_WHERE: Final = "/webhooks/encryption_key"


def encryption_key(configured: str | None, place: str | PathLike[str]) -> bytes:
    """Return the key, as Fernet takes it.

    Args:
        configured: The operator's key: 32 bytes in base64url, or None.
        place: Where the database is: beside a file of SQLite a key is made that is used from then on.

    Raises:
        BadConfiguration: If there is none, and none can be made.
    """
    if configured is not None:
        return configured.encode()
    url = database_url(place)
    if url.get_backend_name() != "sqlite":
        raise BadConfiguration(
            "",
            f"{_WHERE}: give one: every process that shares this database needs the same, and"
            " `openssl rand -base64 32` makes it",
        )
    if url.database in (None, "", ":memory:"):
        return Fernet.generate_key()
    file = Path(f"{url.database}.key")
    try:
        if not file.exists():
            _make(file)
        return _read(file)
    except OSError as error:
        raise BadConfiguration(
            str(file),
            f"the key of webhooks' secrets cannot be read or made here: let this user, or say {_WHERE}",
        ) from error


def _make(file: Path) -> None:
    # Whole before it bears its name: another process that starts now reads all of it or makes it itself.
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(Fernet.generate_key() + b"\n")
            opened.flush()
            os.fsync(opened.fileno())
        with suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink()
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(file: Path) -> bytes:
    if file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadConfiguration(
            str(file), "others may read the key of webhooks' secrets: chmod 600, and exchange the secrets"
        )
    key = file.read_bytes().strip()
    try:
        good = len(base64.urlsafe_b64decode(key)) == _BYTES
    except (binascii.Error, ValueError):
        good = False
    if not good:
        raise BadConfiguration(
            str(file),
            "this is no key of webhooks' secrets: put a copy of it back; where there is none, remove it, and all rows"
            " of a2a_push_configs and webhooks: their callers configure them anew",
        )
    return key
