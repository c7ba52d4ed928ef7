"""Key files: private keys are read and written only if no other user can read them."""

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

# The environment variable of a private key, a JSON Web Key or PEM.
VARIABLE: Final = "CARDWRIGHT_KEY"
_MAX_BYTES: Final = 256 * 1024
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def key_of(path: str | None) -> Key:
    """Return the key of a file or, without a path, of the environment; end the command if it is missing."""
    from cardwright.signing import Key

    if path is not None:
        return any_key(path)
    text = os.environ.get(VARIABLE)
    if not text:
        fail(
            f"no key: give --key FILE, or set the environment variable {VARIABLE} to the key itself (not its path)"
        )
    # Environment files without multi-line values contain PEM with \\n as line end.
    if text.startswith("-----BEGIN ") and "\n" not in text.strip():
        text = text.replace("\\n", "\n")
    try:
        return Key.read(os.fsencode(text))
    except BadKey as error:
        fail(f"{VARIABLE}: {error}")


def any_key(path: str) -> Key:
    """Return the only key of a file, private or public; end the command if the file is wrong."""
    keys = keys_of(path)
    if len(keys) != 1:
        fail(f"{legible(path)}: expected one key, found {len(keys)}; give a file with the key to use")
    return keys[0]


def keys_of(path: str) -> list[Key]:
    """Return the keys of a file, private or public; end the command if the file is wrong."""
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
    """Return the keys of a file for verification; end the command if the file is wrong."""
    from cardwright.signing import KeySet

    body, _ = _contents(path)
    try:
        return KeySet.from_bytes(body)
    except BadKey as error:
        fail(f"{legible(path)}: {error}")


def trusted(paths: Iterable[str] | None) -> KeySet:
    """Return the keys of several files for verification; end the command if a file is wrong."""
    from cardwright.signing import KeySet

    return KeySet().merged([key_set(path) for path in paths or ()])


def check_private(path: str) -> None:
    """End the command if users other than its owner can read a file of secrets."""
    _, mode = _contents(path)
    _check_mode(legible(path), mode, "these API keys")


def write_key(path: str, body: bytes) -> None:
    """Create a file that only its owner can read; end the command if the file exists."""
    name = legible(path)
    if path in ("", STDIN):
        fail("--out: expected the name of a new file")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        fail(f"{name} already exists, and a key file is never overwritten: give another file")
    except (OSError, ValueError) as error:
        fail(f"{name} cannot be written: {reason_of(error)}")
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        os.unlink(path)  # noqa: PTH108 - a path as given, never normalised
        fail(f"{name} cannot be written: {reason_of(error)}")


def _contents(path: str) -> tuple[bytes, int]:
    """Return the bytes of a file or a pipe, and the mode of what was read."""
    name = legible(path)
    if path == STDIN:
        fail("keys cannot be read from standard input: give a file")
    try:
        # Opening a device may have effects.
        mode = os.stat(path).st_mode  # noqa: PTH116 - a path as given, never normalised
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            fail(f"{name}: expected a file")
        with open(path, "rb") as file:  # noqa: PTH123 - likewise
            mode = os.fstat(file.fileno()).st_mode
            body = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        fail(f"{name}: no such file")
    except (OSError, ValueError) as error:
        fail(f"{name} cannot be read: {reason_of(error)}")
    if len(body) > _MAX_BYTES:
        fail(f"{name}: larger than {_MAX_BYTES:,} bytes, the maximum for a key file")
    return body, mode


def _check_mode(name: str, mode: int, what: str = "this private key") -> None:
    # A pipe has one reader; Windows does not express permissions in the mode.
    if stat.S_ISREG(mode) and os.name != "nt" and mode & _OTHERS:
        fail(f"{name}: other users can read {what}; run: chmod 600 {shlex.quote(name)}")
