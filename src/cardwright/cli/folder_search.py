"""The files in a folder that may be agent cards: what git ignores, and what a project excludes, is left out."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pathspec import GitIgnoreSpec

from cardwright.regular_file import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Iterable

# Folders of tools and of installed packages (project decision).
_SKIPPED: Final = frozenset({
    ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pytest_cache", ".ruff_cache", ".svn", ".tox",
    ".venv", "__pycache__", "node_modules", "site-packages", "venv",
})  # fmt: skip
_IGNORE_FILE: Final = ".gitignore"
# A character that is escaped, or in brackets, or what follows a bracket that is not closed.
_LITERAL: Final = re.compile(r"\\.|\[[^\]]*+\]|(\[.*+)", re.DOTALL)
# How many * of a pattern, besides the first of each step, and ** there are at most (project decision).
_MAX_WILDCARDS: Final = 3
# No longer path exists on Linux (PATH_MAX); pathspec takes time with the square of a pattern's length.
_MAX_CHARACTERS: Final = 4_096


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns of gitignore relative to a folder.

    Attributes:
        folder: The absolute path of the folder.
        spec: The compiled patterns.
    """

    folder: str
    spec: GitIgnoreSpec

    @classmethod
    def of(cls, folder: str | os.PathLike[str], lines: Iterable[str]) -> Patterns:
        """Compile patterns.

        Raises:
            ValueError: If one is not a pattern of gitignore, is too long or has too many wildcards.
        """
        lines = tuple(lines)
        for line in lines:
            if not is_usable(line):
                raise ValueError(
                    f"a pattern is too long, has too many wildcards, or is not one of gitignore: {line[:80]}"
                )
        return cls(str(Path(folder).absolute()), GitIgnoreSpec.from_lines(lines))

    def matches(self, path: str, *, is_folder: bool = False) -> bool | None:
        """Return whether an absolute path matches; False if a pattern with ! does, None if none does."""
        if not path.startswith(self.folder.rstrip(os.sep) + os.sep):
            return None
        relative = os.path.relpath(path, self.folder).replace(os.sep, "/")
        return self.spec.check_file(f"{relative}/" if is_folder else relative).include


def is_usable(pattern: str) -> bool:
    """Return whether a line is a short pattern with few wildcards: the time to match a name grows with their number."""
    steps = _LITERAL.sub(r"\1", pattern.strip()).split("/")
    # Each one beyond the first of a step, and each **, can begin at any place: their powers multiply. For each bracket
    # that is not closed, the rest of the line is searched.
    free = sum((1 if step == "**" else max(0, step.count("*") - 1)) + step.count("[") for step in steps)
    if free <= _MAX_WILDCARDS and len(pattern) <= _MAX_CHARACTERS:
        with suppress(ValueError, re.error):
            return bool(GitIgnoreSpec.from_lines((pattern,)).patterns)
    return False


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        files: The paths as the folder was given, sorted.
        faults: The folders that cannot be listed, with the error.
        links: The links that lead out of the folder; they are not followed.
    """

    files: tuple[str, ...]
    faults: tuple[tuple[str, OSError], ...]
    links: tuple[str, ...]


def search(folder: str, suffixes: tuple[str, ...], excluded: Iterable[Patterns] = ()) -> Found:
    """Return the files with one of the suffixes in a folder and its subfolders.

    Args:
        folder: The folder as given.
        suffixes: The ends of the names, such as `.json`.
        excluded: Further patterns of what is left out.
    """
    root = os.path.realpath(folder)
    named = os.path.abspath(folder)  # noqa: PTH100 - links are not resolved
    # A folder that is named is searched.
    excluded = tuple(patterns for patterns in excluded if not patterns.matches(named, is_folder=True))
    files: list[str] = []
    faults: list[tuple[str, OSError]] = []
    links: list[str] = []
    pending = [(folder, _ignores_above(folder))]
    while pending:
        current, ignores = pending.pop()
        try:
            ignores = (*ignores, *_ignore_file(current))
            with os.scandir(current) as entries:
                listed = list(entries)
        except OSError as error:
            faults.append((current, error))
            continue
        for entry in listed:
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not entry.name.endswith(suffixes):
                continue
            path = os.path.abspath(entry.path)  # noqa: PTH100 - links are not resolved
            skipped = is_folder and entry.name in _SKIPPED
            if skipped or _is_ignored(path, ignores, excluded, is_folder=is_folder):
                continue
            if is_folder:
                pending.append((entry.path, ignores))
            elif entry.is_symlink() and not _is_below(os.path.realpath(entry.path), root):
                links.append(entry.path)
            else:
                files.append(entry.path)
    return Found(
        tuple(sorted(map(_as_given, files))),
        tuple((_as_given(path), error) for path, error in faults),
        tuple(sorted(map(_as_given, links))),
    )


def _as_given(path: str) -> str:
    """Return a path below the working folder as people write it."""
    return path.removeprefix(f".{os.sep}")


def _is_ignored(
    path: str, ignores: tuple[Patterns, ...], excluded: tuple[Patterns, ...], *, is_folder: bool
) -> bool:
    if any(patterns.matches(path, is_folder=is_folder) for patterns in excluded):
        return True
    # The patterns of the closest file count (gitignore, Pattern format).
    verdicts = (patterns.matches(path, is_folder=is_folder) for patterns in reversed(ignores))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _ignores_above(folder: str) -> tuple[Patterns, ...]:
    """Return the patterns of the repository around a folder, the outermost first; none if they ignore the folder."""
    path = Path(folder).absolute()
    parents = (path, *path.parents)
    root = next((index for index, one in enumerate(parents) if (one / ".git").exists()), None)
    if root is None:
        return ()
    patterns = list(_ignore_file(str(parents[root]), ".git/info/exclude"))
    # The folder's own file is read with its content.
    for parent in reversed(parents[1 : root + 1]):
        patterns += _ignore_file(str(parent))
    return () if _is_ignored(str(path), tuple(patterns), (), is_folder=True) else tuple(patterns)


def _ignore_file(folder: str, name: str = _IGNORE_FILE) -> tuple[Patterns, ...]:
    file = Path(folder) / name
    try:
        # git does not follow a link either.
        lines = () if file.is_symlink() else read_regular_file(file).decode(errors="replace").splitlines()
        return (Patterns.of(folder, filter(is_usable, lines)),)
    except OSError:
        return ()


def _is_below(path: str, root: str) -> bool:
    return path.startswith(root.rstrip(os.sep) + os.sep)
