"""Files of keys: read with an eye on who else can read them, written for their owner alone."""

from __future__ import annotations

import os
import shlex
import stat
from typing import TYPE_CHECKING, Final

from cardwright.cli.inputs import STDIN
from cardwright.cli.terminal import fail, legible, reason_of
from cardwright.errors import BadKey

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.signing import Key, KeySet

# Where a private key may stand instead of a file: JSON Web Key or PEM.
VARIABLE: Final = "CARDWRIGHT_KEY"
_MAX_BYTES: Final = 256 * 1024
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def key_of(path: str | None) -> Key:
    """Return the key of a file, or where none is named that of the environment, or end the command."""
    from cardwright.signing import Key

    if path is not None:
        return any_key(path)
    told = os.environ.get(VARIABLE)
    if not told:
        fail(f"give --key FILE, or the key itself, not its path, in the environment as {VARIABLE}")
    # Whoever keeps PEM where no line can end writes \\n for it.
    if told.startswith("-----BEGIN ") and "\n" not in told.strip():
        told = told.replace("\\n", "\n")
    try:
        return Key.read(os.fsencode(told))
    except BadKey as error:
        fail(f"{VARIABLE}: {error}")


def any_key(path: str) -> Key:
    """Return the one key of a file, private or public; what is wrong with it ends the command."""
    keys = keys_of(path)
    if len(keys) != 1:
        fail(f"{legible(path)}: this is a set of keys; give a file with the one to use")
    return keys[0]


def keys_of(path: str) -> list[Key]:
    """Return the keys of a file, private or public; what is wrong with one ends the command."""
    from cardwright.signing import Key

    body, mode = _contents(path)
    try:
        keys = Key.read_all(body)
    except BadKey as error:
        fail(f"{legible(path)}: {error}")
    if any(key.private for key in keys):
        _check_mode(legible(path), mode)
    return keys


def key_set(path: str) -> KeySet:
    """Return the keys of a file to verify with; what is wrong with it ends the command."""
    from cardwright.signing import KeySet

    body, _ = _contents(path)
    try:
        return KeySet.from_bytes(body)
    except BadKey as error:
        fail(f"{legible(path)}: {error}")


def trusted(paths: Iterable[str] | None) -> KeySet:
    """Return the keys of several files to verify with; what is wrong with one ends the command."""
    from cardwright.signing import KeySet

    return KeySet().merged([key_set(path) for path in paths or ()])


def check_private(path: str) -> None:
    """End the command where others than its owner can read a file of secrets."""
    _, mode = _contents(path)
    _check_mode(legible(path), mode, "these API keys")


def write_key(path: str, body: bytes) -> None:
    """Write a new file that its owner alone can read; a file that is there already is left as it is."""
    name = legible(path)
    if path in ("", STDIN):
        fail("a private key is written to a file of its own: name one")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        fail(f"{name}: this is there already, and no key is ever overwritten: name another file")
    except (OSError, ValueError) as error:
        fail(f"{name}: it cannot be written: {reason_of(error)}")
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        os.unlink(path)  # noqa: PTH108 - a path as given, never normalised
        fail(f"{name}: it cannot be written: {reason_of(error)}")


def _contents(path: str) -> tuple[bytes, int]:
    """Return the bytes of a file or a pipe, and the mode of what was read."""
    name = legible(path)
    if path == STDIN:
        fail("standard input is for the card: name a file of keys")
    try:
        # Opening a device may act on it, and nobody keeps a key there.
        kind = os.stat(path).st_mode  # noqa: PTH116 - a path as given, never normalised
        if not (stat.S_ISREG(kind) or stat.S_ISFIFO(kind)):
            fail(f"{name}: this is no file")
        with open(path, "rb") as file:  # noqa: PTH123 - likewise
            mode = os.fstat(file.fileno()).st_mode
            body = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        fail(f"{name}: there is no such file")
    except (OSError, ValueError) as error:
        fail(f"{name}: it cannot be read: {reason_of(error)}")
    if len(body) > _MAX_BYTES:
        fail(f"{name}: this has more than {_MAX_BYTES:,} bytes, so it is no file of keys")
    return body, mode


def _check_mode(name: str, mode: int, what: str = "this private key") -> None:
    # A pipe has no one else at its end; Windows keeps its rights elsewhere.
    if stat.S_ISREG(mode) and os.name != "nt" and mode & _OTHERS:
        fail(f"{name}: others than its owner can get at {what}: chmod 600 {shlex.quote(name)}")
