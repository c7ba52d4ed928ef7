"""Paths of test data that is not part of the repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared(*parts: str) -> Path:
    """Return a path of the shared data, or skip the test that needs it."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"shared/{'/'.join(parts)} is not beside this checkout")
    return path


def corpus_index(name: str = "index.jsonl") -> list[dict[str, Any]]:
    """Return an index of the corpus, or an empty list where the corpus is missing."""
    index = SHARED / "corpus" / name
    if not index.is_file():
        return []
    return [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
