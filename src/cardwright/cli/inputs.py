"""Inputs of commands: files, folders, glob patterns, standard input and URLs, each read up to a limit."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.cli.fetch_options import body_of, is_url
from cardwright.cli.terminal import emit_stderr, fail, legible, reason_of
from cardwright.errors import MalformedDocument
from cardwright.regular_file import NotAFile, read_regular_file
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.canonical import Limits
    from cardwright.cli.fetch_options import Reach
    from cardwright.cli.folder_search import Patterns

STDIN: Final = "-"
YAML: Final = (".yaml", ".yml")
# The well-known paths of A2A, and the names that editors validate by the schema of cards.
_CARD_NAME: Final = re.compile(
    r"(?:^|[/.-])agent-card\.(?:json|ya?ml)$|\.card\.(?:json|ya?ml)$|(?:^|/)ai-catalog\.json$"
    r"|(?:^|/)\.well-known/(?:agent|ard|mcp|mcp/server-card)\.json$"
)
_MAX_LINKS: Final = 3


@dataclass(frozen=True, slots=True)
class Source:
    """One input.

    Attributes:
        name: The path as given; for a file in a folder, the folder as given joined with the relative path.
        fault: Why it cannot be read, if that is already known.
        reach: How to fetch it, if the name is a URL; None if the command reads only files.
        found: Whether it was found in a folder; any other was named.
    """

    name: str
    fault: MalformedDocument | None = None
    reach: Reach | None = None
    found: bool = False

    @property
    def is_yaml(self) -> bool:
        """Whether its name says that it is YAML."""
        return self.name.endswith(YAML) and not is_url(self.name)

    @property
    def has_card_name(self) -> bool:
        """Whether its name says that it is an agent card."""
        return _CARD_NAME.search(self.name.replace(os.sep, "/")) is not None


def sources(
    paths: Iterable[str],
    reach: Reach | None = None,
    *,
    yaml: bool = False,
    excluded: Callable[[str], Sequence[Patterns]] = lambda _: (),
) -> list[Source]:
    """Return the inputs that arguments name, in order; folders are searched, patterns expanded.

    Args:
        paths: The arguments.
        reach: How to fetch URLs; None if the command reads only files.
        yaml: Whether YAML files with the name of a card are found in folders.
        excluded: Returns what is left out in a folder.
    """
    suffixes = (".json", *YAML) if yaml else (".json",)
    return [
        source
        for path in paths
        for source in ([Source(path, reach=reach)] if is_url(path) else _local(path, suffixes, excluded))
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


def yaml_as_json(body: bytes, limits: Limits) -> bytes:
    """Return a YAML document as JSON, as which cards are published.

    Raises:
        MalformedDocument: If it is not valid; the message has the position.
    """
    import json

    from cardwright.settings_file import yaml_value

    return json.dumps(yaml_value(body, limits), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _local(
    path: str, suffixes: tuple[str, ...], excluded: Callable[[str], Sequence[Patterns]]
) -> list[Source]:
    if path != STDIN and os.path.isdir(path):  # noqa: PTH112 - a path as given, never normalised
        return _folder(path, suffixes, excluded(path))
    if any(wildcard in path for wildcard in "*?[") and not os.path.lexists(path):
        return _matches(path, suffixes, excluded)
    return [Source(path)]


def _folder(folder: str, suffixes: tuple[str, ...], excluded: Sequence[Patterns]) -> list[Source]:
    """Return the files in a folder and its subfolders; a folder that cannot be listed is a source with a fault."""
    # A single file needs no search.
    from cardwright.cli.folder_search import search

    found = search(folder, suffixes, excluded)
    files = [Source(name, found=True) for name in found.files]
    files = [source for source in files if source.has_card_name or not source.is_yaml]
    files += [Source(name, _fault(error)) for name, error in found.faults]
    for link in found.links[:_MAX_LINKS]:
        emit_stderr(
            f"{escaped(legible(link))} is a link out of the folder and is skipped; name it to include it\n"
        )
    if len(found.links) > _MAX_LINKS:
        emit_stderr(f"{len(found.links) - _MAX_LINKS} more links out of the folder are skipped\n")
    empty = MalformedDocument("decode/no-documents", "this folder and its subfolders contain no *.json file")
    return sorted(files, key=lambda source: source.name) or [Source(folder, empty)]


def _matches(
    pattern: str, suffixes: tuple[str, ...], excluded: Callable[[str], Sequence[Patterns]]
) -> list[Source]:
    """Return the files that a pattern matches, by the rules of folders: hidden ones too, ignored ones not."""
    from cardwright.cli.folder_search import Patterns, search

    steps = pattern.split("/")
    first = next(index for index, step in enumerate(steps) if any(wildcard in step for wildcard in "*?["))
    folder = "/".join(steps[:first]) or ("/" if pattern.startswith("/") else ".")
    # A pattern that names no suffix means cards.
    named = suffixes if steps[-1].endswith("*") else ("",)
    try:
        matched = Patterns.of(folder, [f"/{'/'.join(steps[first:])}"])
    except ValueError as error:
        fail(str(error))
    found = search(folder, named, excluded(folder)).files if os.path.isdir(folder) else ()  # noqa: PTH112
    empty = MalformedDocument("decode/no-documents", "no file matches this pattern")
    files = [Source(file) for file in found if matched.matches(os.path.abspath(file))]  # noqa: PTH100
    return files or [Source(pattern, empty)]


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
