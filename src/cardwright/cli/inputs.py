"""Inputs of commands: files, folders, glob patterns, standard input and URLs, each read up to a limit."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from glob import glob
from typing import TYPE_CHECKING, Final

from cardwright.cli.fetch_options import body_of, is_url
from cardwright.cli.terminal import reason_of
from cardwright.errors import MalformedDocument
from cardwright.regular_file import NotAFile, read_regular_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.canonical import Limits
    from cardwright.cli.fetch_options import Reach

STDIN: Final = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """One input.

    Attributes:
        name: The path as given; for a file in a folder, the folder as given joined with the relative path.
        fault: Why it cannot be read, if that is already known.
        reach: How to fetch it, if the name is a URL; None if the command reads only files.
    """

    name: str
    fault: MalformedDocument | None = None
    reach: Reach | None = None


def sources(paths: Iterable[str], reach: Reach | None = None) -> list[Source]:
    """Return the inputs that arguments name, in order; folders are listed and sorted, patterns expanded."""
    return [
        source for path in paths for source in ([Source(path, reach=reach)] if is_url(path) else _local(path))
    ]


def read(source: Source, limits: Limits) -> bytes:
    """Return the bytes of a source; never read more than one byte past the limit.

    Raises:
        MalformedDocument: `decode/missing`, `decode/unreadable`, `decode/no-documents` or
            `decode/too-large`; for a URL `fetch/…`.
        ConnectionDenied: If the guard refuses a URL.
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
        reason = f"the document is larger than {limits.max_bytes:,} bytes; raise the limit with --max-bytes"
        raise MalformedDocument("decode/too-large", reason)
    return body


def _local(path: str) -> list[Source]:
    if path != STDIN and os.path.isdir(path):  # noqa: PTH112 - a path as given, never normalised
        return _folder(path)
    if any(wildcard in path for wildcard in "*?[") and not os.path.lexists(path):
        return _pattern(path)
    return [Source(path)]


def _folder(folder: str) -> list[Source]:
    """List every `*.json` in a folder and its subfolders; a folder that cannot be listed is a source with a fault."""
    files: list[Source] = []
    pending = [folder]
    while pending:
        current = pending.pop()
        try:
            with os.scandir(current) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    elif entry.name.endswith(".json"):
                        files.append(Source(entry.path))
        except OSError as error:
            files.append(Source(current, _fault(error)))
    empty = MalformedDocument("decode/no-documents", "this folder and its subfolders contain no *.json file")
    return sorted(files, key=lambda source: source.name) or [Source(folder, empty)]


def _pattern(pattern: str) -> list[Source]:
    try:
        matches = sorted(glob(pattern, recursive=True))  # noqa: PTH207 - a path as given, never normalised
    except RecursionError:
        reason = "the folders that this pattern matches are nested too deeply to be searched"
        return [Source(pattern, MalformedDocument("decode/unreadable", reason))]
    empty = MalformedDocument("decode/no-documents", "no file matches this pattern")
    return [source for match in matches for source in _local(match)] or [Source(pattern, empty)]


def _standard_input(limits: Limits) -> bytes:
    # None if the parent process closed it; the type stubs do not know that.
    if sys.stdin is None:
        raise MalformedDocument("decode/unreadable", "standard input is closed")
    return sys.stdin.buffer.read(limits.max_bytes + 1)


def _file(name: str, limits: Limits) -> bytes:
    try:
        return read_regular_file(name, limits.max_bytes + 1)
    except NotAFile as error:
        hint = ": pipe it into `cardwright … -` instead" if str(error.strerror).endswith("a pipe") else ""
        raise MalformedDocument("decode/unreadable", f"{error.strerror}{hint}") from None


def _fault(error: OSError | ValueError) -> MalformedDocument:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return MalformedDocument("decode/missing", "no such file")
    return MalformedDocument("decode/unreadable", f"cannot be read: {reason_of(error)}")
