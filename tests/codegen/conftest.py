"""Trees of schemas to build, to copy and to break."""

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import pin
from codegen.lint import problems_of
from codegen.sources import Problem, read_available

REPOSITORY = Path(__file__).resolve().parents[2]
TOY = Path(__file__).parent / "samples" / "toy"

Json = Any


@cache
def _known() -> frozenset[Problem]:
    """Return the problems of the schemas here: a new field has no line in the mappings until it is generated."""
    return frozenset(problems_of(read_available(REPOSITORY / "schemas")))


@pytest.fixture
def schemas(tmp_path: Path) -> Path:
    """Copy the project's schemas."""
    return Path(shutil.copytree(REPOSITORY / "schemas", tmp_path / "project" / "schemas"))


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Build a small tree that holds the toy dialect alone."""
    root = Path(shutil.copytree(TOY, tmp_path / "toy" / "schemas"))
    pin(root)
    return root


@pytest.fixture
def edit() -> Callable[[Path, str, Callable[[Json], object]], None]:
    """Return a function that changes one JSON file of a tree in place."""

    def edit(root: Path, path: str, change: Callable[[Json], object]) -> None:
        file = root / path
        document = json.loads(file.read_text(encoding="utf-8"))
        change(document)
        file.write_text(json.dumps(document), encoding="utf-8")

    return edit


@pytest.fixture
def found() -> Callable[[Path], dict[tuple[str, str], str]]:
    """Return a function that gives a tree's problems as messages by (file, pointer), but those of the schemas here."""

    def found(root: Path) -> dict[tuple[str, str], str]:
        problems: dict[tuple[str, str], str] = {}
        for problem in (one for one in problems_of(read_available(root)) if one not in _known()):
            place = (problem.file, problem.pointer)
            problems[place] = (
                f"{problems[place]}; {problem.message}" if place in problems else problem.message
            )
        return problems

    return found
