"""The settings of a project: `cardwright.toml`, or the table `[tool.cardwright]` of `pyproject.toml`.

The schema is `schemas/settings/project.schema.json`. As with other tools, the nearest file counts, in the folder of a
card or above it, and a `pyproject.toml` without the table is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits
from cardwright.errors import BadConfiguration
from cardwright.regular_file import read_regular_file
from cardwright.settings_file import faults, read_settings
from cardwright_runtime.checks import dig
from cardwright_runtime.engine import compile_schema, load
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from jsonschema_rs import Validator

OWN_FILE: Final = "cardwright.toml"
PROJECT_FILE: Final = "pyproject.toml"
TABLE: Final = "tool.cardwright"
_LIMITS: Final = Limits(max_bytes=1024 * 1024, max_depth=16)
_STEPS: Final = tuple(TABLE.split("."))


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A valid settings file of a project.

    Attributes:
        source: Its path, for messages.
        value: The settings; of a `pyproject.toml`, those of its table.
        pointer: The JSON Pointer of the settings in the file; "" for the whole file.
    """

    source: str
    value: Mapping[str, Any] = field(default_factory=dict[str, Any])
    pointer: str = ""

    @property
    def folder(self) -> Path:
        """The folder of the file; patterns are relative to it."""
        return Path(self.source).absolute().parent


def read_project(path: str | os.PathLike[str]) -> ProjectFile:
    """Return a settings file.

    Args:
        path: A TOML, JSON or YAML file (`.toml`, `.json`, any other suffix); of a `pyproject.toml`, its table
            `[tool.cardwright]`.

    Raises:
        BadConfiguration: If it cannot be read, or has faults; each is named with its JSON Pointer and, in TOML, its line.
    """
    file = Path(path)
    found = _project(file)
    if found is None:
        raise BadConfiguration(str(file), f"it has no table [{TABLE}]")
    return found


def find_project(folder: str | os.PathLike[str]) -> ProjectFile | None:
    """Return the nearest settings file, in a folder or above it; None without one.

    Raises:
        BadConfiguration: If one is not valid.
    """
    start = Path(folder).absolute()
    for one in (start, *start.parents):
        for name in (OWN_FILE, PROJECT_FILE):
            if (one / name).is_file() and (found := _project(one / name)):
                return found
    return None


def _project(file: Path) -> ProjectFile | None:
    """Return the settings of a file; None for a `pyproject.toml` without the table."""
    steps = _STEPS if file.name == PROJECT_FILE else ()
    value = dig(read_settings(file, _LIMITS), steps)
    if steps and value is None:
        return None
    pointer = pointer_of(steps)
    if found := faults(value, _validator(), _schema()):
        lines = _Lines(file, len(steps)) if file.suffix == ".toml" else None
        raise BadConfiguration(str(file), *(_placed(_below(pointer, fault), lines) for fault in found))
    return ProjectFile(str(file), value, pointer)


class _Lines:
    """The lines of the keys of a TOML file; tomllib does not tell them."""

    def __init__(self, file: Path, top: int) -> None:
        """Read the file; `top` is the number of keys above the settings."""
        self._top = top
        try:
            self._lines = read_regular_file(file).decode().splitlines()
        except (OSError, UnicodeDecodeError):
            self._lines = []

    def of(self, steps: tuple[str, ...]) -> int | None:
        """Return the line of the key, or of the table, with this path: the last one that can be told; None for none."""
        found: int | None = None
        table: tuple[str, ...] = ()
        for number, line in enumerate(self._lines, 1):
            if header := _HEADER.match(line):
                table = _keys(header[1])
            path = table if header else (*table, *_keys(key[1])) if (key := _KEY.match(line)) else None
            if path and path[: len(steps)] == steps:
                return number
            if path and len(path) > self._top and path == steps[: len(path)]:
                found = number
        return found


_BARE: Final = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_DOTTED: Final = rf"{_BARE}(?:\s*\.\s*{_BARE})*"
_HEADER: Final = re.compile(rf"\s*\[\s*({_DOTTED})\s*\]")
_KEY: Final = re.compile(rf"\s*({_DOTTED})\s*=")
_UNKNOWN: Final = re.compile(r'unknown fields? "([^"]*)"')


def _keys(dotted: str) -> tuple[str, ...]:
    return tuple(key.strip().strip("\"'") for key in re.findall(_BARE, dotted))


def _placed(fault: str, lines: _Lines | None) -> str:
    """Return a fault with the line of what it names."""
    if lines is None:
        return fault
    pointer, _, message = fault.partition(": ")
    steps = tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:] if step)
    unknown = _UNKNOWN.match(message)
    line = lines.of((*steps, unknown[1]) if unknown else steps)
    return fault if line is None else f"line {line}: {fault}"


def _below(pointer: str, fault: str) -> str:
    """Return a fault with its JSON Pointer below another one."""
    return f"{pointer}{fault.removeprefix('/')}" if pointer and fault[:2] == "/:" else pointer + fault


def _schema() -> Any:
    return load("cardwright_rules.settings", "project.json")


@cache
def _validator() -> Validator:
    return compile_schema(_schema())
