"""One switch: write the printed files, or say how they differ from what lies there."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_IGNORED: Final = {"__pycache__"}


def differences(files: dict[str, str], target: Path) -> list[str]:
    """Return a unified diff of what lies in a folder against what should; empty where they agree."""
    report: list[str] = []
    for path in sorted({*files, *_present(target)}):
        wanted = files.get(path)
        if wanted is None:
            report.append(f"one file too many: {path}")
        else:
            report += difference(path, target / path, wanted)
    return report


def difference(path: str, there: Path, wanted: str) -> list[str]:
    """Return a unified diff of one file as it lies there against what it should be, under the name `path`."""
    if not there.is_file():
        return [f"missing: {path}"]
    # As it lies there, line endings and all; a byte that is no UTF-8 shows as a difference.
    old = there.read_bytes().decode("utf-8", "replace").splitlines(keepends=True)
    new = wanted.splitlines(keepends=True)
    return [line.rstrip("\n") for line in difflib.unified_diff(old, new, f"is/{path}", f"should be/{path}")]


def write(files: dict[str, str], target: Path) -> None:
    """Make a folder hold exactly these files."""
    for path in _present(target) - set(files):
        (target / path).unlink()
    for path, text in files.items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_bytes() != text.encode():
            file.write_bytes(text.encode())
    for folder in sorted((f for f in target.rglob("*") if f.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def _present(target: Path) -> set[str]:
    return {
        file.relative_to(target).as_posix()
        for file in target.rglob("*")
        if file.is_file() and not _IGNORED.intersection(file.relative_to(target).parts)
    }
