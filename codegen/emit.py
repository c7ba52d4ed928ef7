"""Output of the generated files: write them, or return how they differ from the files on disk."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_IGNORED: Final = {"__pycache__"}


def differences(files: dict[str, str], target: Path) -> list[str]:
    """Return a unified diff of a folder against the generated files; empty if they are equal."""
    report: list[str] = []
    for path in sorted({*files, *_present(target)}):
        expected = files.get(path)
        if expected is None:
            report.append(f"unexpected file: {path}")
        else:
            report += difference(path, target / path, expected)
    return report


def difference(path: str, file: Path, expected: str) -> list[str]:
    """Return a unified diff of one file on disk against its expected text, under the name `path`."""
    if not file.is_file():
        return [f"missing: {path}"]
    # The exact text, including line endings; a byte that is not UTF-8 shows as a difference.
    old = file.read_bytes().decode("utf-8", "replace").splitlines(keepends=True)
    new = expected.splitlines(keepends=True)
    return [line.rstrip("\n") for line in difflib.unified_diff(old, new, f"is/{path}", f"should be/{path}")]


def write(files: dict[str, str], target: Path) -> list[str]:
    """Make a folder hold exactly these files; return a line for each file that changed."""
    report: list[str] = []
    for path in sorted(_present(target) - set(files)):
        report.append(f"{path}: removed")
        (target / path).unlink()
    for path, text in files.items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_bytes() != text.encode():
            report.append(_change(path, file, text))
            file.write_bytes(text.encode())
    for folder in sorted((f for f in target.rglob("*") if f.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()
    return report


def _change(path: str, file: Path, text: str) -> str:
    """Return how many lines of a file are added and removed."""
    if not file.is_file():
        return f"{path}: new"
    lines = [line for line in difference(path, file, text) if not line.startswith(("+++", "---"))]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    return f"{path}: +{added} -{removed} lines"


def _present(target: Path) -> set[str]:
    return {
        file.relative_to(target).as_posix()
        for file in target.rglob("*")
        if file.is_file() and not _IGNORED.intersection(file.relative_to(target).parts)
    }
