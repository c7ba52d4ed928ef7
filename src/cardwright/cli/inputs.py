"""From arguments to bytes: files, folders, patterns and standard input, each read up to a limit."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from glob import glob
from typing import TYPE_CHECKING, Final

from cardwright.cli.fetch_options import body_of, is_url
from cardwright.cli.terminal import reason_of
from cardwright.errors import MalformedDocument

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.canonical import Limits
    from cardwright.cli.fetch_options import Reach

STDIN: Final = "-"

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe: pipe it into `cardwright … -` instead"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@dataclass(frozen=True, slots=True)
class Source:
    """One input.

    Attributes:
        name: The path as given; below a folder, the folder as given joined with the way from there.
        fault: Why there is nothing to read, where that is known already.
        reach: What may be fetched, if the name is a URL; None where the command reads files alone.
    """

    name: str
    fault: MalformedDocument | None = None
    reach: Reach | None = None


def sources(paths: Iterable[str], reach: Reach | None = None) -> list[Source]:
    """Return what arguments name, in their order: a folder's documents sorted, patterns expanded."""
    return [
        source for path in paths for source in ([Source(path, reach=reach)] if is_url(path) else _named(path))
    ]


def read(source: Source, limits: Limits) -> bytes:
    """Return the bytes of a source, holding at most one more than the limit.

    Raises:
        MalformedDocument: `decode/missing`, `decode/unreadable`, `decode/no-documents` or
            `decode/too-large`; `fetch/…` of a URL.
        HttpError: If the guard refuses a URL.
    """
    if source.fault:
        raise source.fault
    if is_url(source.name):
        return body_of(source.name, source.reach, limits)
    try:
        body = _standard_input(limits) if source.name == STDIN else _file(source.name, limits)
    except (OSError, ValueError) as error:
        raise _fault(error) from None
    if len(body) > limits.max_bytes:
        reason = f"the document has more than {limits.max_bytes:,} bytes: give --max-bytes to read more"
        raise MalformedDocument("decode/too-large", reason)
    return body


def _named(path: str) -> list[Source]:
    if path != STDIN and os.path.isdir(path):  # noqa: PTH112 - a path as given, never normalised
        return _folder(path)
    if any(sign in path for sign in "*?[") and not os.path.lexists(path):
        return _pattern(path)
    return [Source(path)]


def _folder(folder: str) -> list[Source]:
    """List every `*.json` below a folder; what cannot be listed is a source with a fault."""
    found: list[Source] = []
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif entry.name.endswith(".json"):
                        found.append(Source(entry.path))
        except OSError as error:
            found.append(Source(here, _fault(error)))
    none = MalformedDocument("decode/no-documents", "no *.json is in this folder or below it")
    return sorted(found, key=lambda source: source.name) or [Source(folder, none)]


def _pattern(pattern: str) -> list[Source]:
    try:
        matches = sorted(glob(pattern, recursive=True))  # noqa: PTH207 - a path as given, never normalised
    except RecursionError:
        reason = "the folders below this pattern nest too deeply to be searched"
        return [Source(pattern, MalformedDocument("decode/unreadable", reason))]
    none = MalformedDocument("decode/no-documents", "nothing matches this pattern")
    return [source for match in matches for source in _named(match)] or [Source(pattern, none)]


def _standard_input(limits: Limits) -> bytes:
    # None where the caller closed it, whatever the stubs say.
    if sys.stdin is None:
        raise MalformedDocument("decode/unreadable", "standard input is closed")
    return sys.stdin.buffer.read(limits.max_bytes + 1)


def _file(name: str, limits: Limits) -> bytes:
    # Looked at before it is opened: opening a pipe waits for its writer, and some devices act on it.
    mode = os.stat(name).st_mode  # noqa: PTH116 - a path as given, never normalised
    if not stat.S_ISREG(mode):
        kind = next((words for is_kind, words in _KINDS if is_kind(mode)), "no file")
        raise MalformedDocument("decode/unreadable", f"this is {kind}")
    with open(name, "rb") as file:  # noqa: PTH123 - a path as given, never normalised
        return file.read(limits.max_bytes + 1)


def _fault(error: OSError | ValueError) -> MalformedDocument:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return MalformedDocument("decode/missing", "there is no such file")
    return MalformedDocument("decode/unreadable", f"it cannot be read: {reason_of(error)}")
