"""From bytes to a file that was there before: all of it or nothing, and no other file's contents."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from typing import Final

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
    descriptor, temporary = tempfile.mkstemp(prefix=_PREFIX, dir=os.path.dirname(target))  # noqa: PTH120
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        # Whoever mends a file of another's leaves it theirs, where the system lets them.
        with suppress(OSError, AttributeError):
            os.chown(temporary, kept.st_uid, kept.st_gid)
        os.chmod(temporary, stat.S_IMODE(kept.st_mode))  # noqa: PTH101 - a path as given, never normalised
        os.replace(temporary, target)  # noqa: PTH105 - a path as given, never normalised
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108 - likewise
        raise
