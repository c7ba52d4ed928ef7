"""Plain words: no text that a person reads has a word or phrase that the project's glossary replaces."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[1]

# Each is reviewed: it has no legitimate use in the text of a message, a page, a help text or a docstring.
# What to write instead: see the list of standard terms in CONTRIBUTING.md.
BANNED: Final = (
    r"\bwho(?:m)?ever\b",
    r"\bnobody\b",
    r"\b(?:is|are) (?-i:none)\b",
    r"\bfor want of\b",
    r"\bof itself\b",
    r"(?<!there )\bis no (?:agent|card|JSON|list|number|object|request|schema|text|URL|version)\b",
    r"\bours\b",
    r"\bjudge[sd]?\b",
    r"\bjudging\b",
    r"\bmend(?:s|ed|ing)?\b",
    r"\bdial(?:s|led|ling)?\b",
    r"\bspoken\b",
    r"\b(?:is|are|was|were) told\b",
    r"\b(?:is|are|was|were) asked for\b",
    r"\btold apart\b",
    r"\bat hand\b",
    r"\bstands? (?:at|for|here|in|there|twice)\b",
    r"\bsaid of\b",
    r"\bcan(?:not)? be had\b",
    r"\b(?:came|comes) about\b",
    r"\bbroke off\b",
    r"\bcome again\b",
    r"\bthe press\b",
    r"\bhouse rules?\b",
    r"\bagents? of A2A\b",
    r"\bservers? of MCP\b",
    r"\bmembers?\b",
)
# Where the words are data: patterns that find instructions in cards, and a protocol's own terms.
DATA: Final = ("schemas/rules/instructions.rules.json", "schemas/rules/text.rules.json")


# What a reader does not read as prose: code, identifiers with a slash, a hyphen or an underscore, doctests.
_CODE: Final = re.compile(r"`[^`]*`|>>> .*|[\w-]*(?:[/_-][\w-]+)+/?|\{\w+\}|\"[^\"\n]*\"")


@pytest.fixture(scope="module")
def prose() -> list[tuple[str, str]]:
    """Return (place, text) of everything that a person reads, without code spans, rule ids and options."""
    return [
        (place, _CODE.sub("", " ".join(text.split()))) for place, text in (*_python(), *_schemas(), *_pages())
    ]


def _python() -> Iterator[tuple[str, str]]:
    for folder in ("src", "codegen", "docs"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", node.value


def _schemas() -> Iterator[tuple[str, str]]:
    for file in sorted((ROOT / "schemas").rglob("*.json")):
        path = file.relative_to(ROOT).as_posix()
        if path not in DATA:
            for pointer, text in _strings(json.loads(file.read_bytes()), ""):
                if " " in text and not pointer.endswith("/pattern"):
                    yield f"{path}#{pointer}", text


def _strings(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, dict):
        for name, below in value.items():
            yield from _strings(below, f"{pointer}/{name}")
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from _strings(below, f"{pointer}/{index}")


def _pages() -> Iterator[tuple[str, str]]:
    files = [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "src").rglob("*.md"),
        *(ROOT / "src").rglob("*.jinja"),
        *(ROOT / "src").rglob("*.html"),
    ]
    for file in sorted(files):
        for number, paragraph in enumerate(file.read_text(encoding="utf-8").split("\n\n"), 1):
            yield f"{file.relative_to(ROOT)}, paragraph {number}", " ".join(paragraph.split())


@pytest.mark.parametrize("phrase", BANNED)
def test_no_text_has_a_word_that_the_glossary_replaces(phrase: str, prose: list[tuple[str, str]]) -> None:
    pattern = re.compile(phrase, re.IGNORECASE)

    assert [f"{place}: {match[0]}" for place, text in prose if (match := pattern.search(text))] == []
