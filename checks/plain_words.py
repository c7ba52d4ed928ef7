"""Words and phrases that the project's glossary replaces (the list of terms in CONTRIBUTING.md).

`python3 -m checks.plain_words` prints where they are used in code, comments, schemas and pages; `make lint` runs it.
`python3 -m checks.plain_words FILE` checks the subject of the commit message in FILE; the hook of `make setup` runs it.
It needs nothing but the standard library.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

# Each is reviewed: it has no legitimate use in a message, a page, a help text, a docstring, a comment or a subject.
PHRASES: Final = (
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
    # Documents that no reader of the repository has: write the reason of the rule.
    r"\b(?:reliability|interop|house|words)\.md\b",
    r"\breliability(?: \d[a-f]?\b|:)",
)
# Words that no identifier has as a part.
PARTS: Final = frozenset(
    [
        "asked",
        "dial",
        "dialled",
        "dials",
        "house",
        "judge",
        "judged",
        "judging",
        "mend",
        "mended",
        "mending",
        "nobody",
        "ours",
        "said",
        "spoken",
        "tell",
        "telling",
        "tells",
        "theirs",
        "told",
        "whoever",
    ]
)
# What a commit's subject has besides: a verb that says that something is said.
SUBJECT_PHRASES: Final = (r"\bsay (?:once|what|why|how|who)\b", r"\btells?\b", r"\btold\b")
SUBJECT: Final = re.compile(r"(?P<component>[\w./ ,-]{2,40}): (?P<text>[a-z0-9`'\"].*[^.])")
MAX_SUBJECT: Final = 100

ROOT: Final = Path(__file__).resolve().parent.parent
CODE: Final = ("src", "codegen", "docs", "checks", "tests", "benchmarks", "conformance", "examples")
PAGES: Final = ("docs", "src", "checks", "tests", "changes", "codegen", "schemas", "deploy", "requirements")
# Files that list the words, and schemas whose words are data: patterns that find instructions in cards.
LISTS: Final = ("checks/plain_words.py", "tests/test_words.py", "tests/test_explanations_data.py")
DATA: Final = ("schemas/rules/instructions.rules.json", "schemas/rules/text.rules.json")

_PHRASE: Final = re.compile("|".join(PHRASES), re.IGNORECASE)
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# What is not read as prose: code spans, identifiers with a slash, a hyphen or an underscore, doctests.
_CODE: Final = re.compile(r"`[^`]*`|>>> .*|[\w-]*(?:[/_-][\w-]+)+/?|\{\w+\}|\"[^\"\n]*\"")


def phrase_in(text: str) -> str | None:
    """Return the first phrase of a text that the glossary replaces; None if it has none."""
    match = _PHRASE.search(_CODE.sub("", " ".join(text.split())))
    return match[0] if match else None


def faults_in_python(place: str, source: str) -> Iterator[str]:
    """Yield a line for each text, comment, identifier and column of Python code with a word that the glossary replaces."""
    columns: set[int] = set()
    # A call comes before its arguments.
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Column" and node.args:
            columns.add(id(node.args[0]))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if " " in node.value and (phrase := phrase_in(node.value)):
                yield f"{place}:{node.lineno}: {phrase}"
            elif id(node) in columns and (part := _part_of(node.value)):
                yield f"{place}:{node.lineno}: column {part}"
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME and (part := _part_of(token.string)):
            yield f"{place}:{token.start[0]}: identifier {token.string}"
        elif token.type == tokenize.COMMENT and (phrase := phrase_in(token.string)):
            yield f"{place}:{token.start[0]}: comment, {phrase}"


@cache
def _part_of(name: str) -> str | None:
    return next((part for part in _PART.findall(name) if part.lower() in PARTS), None)


def faults_in_repository() -> Iterator[str]:
    """Yield a line for each place with a word that the glossary replaces."""
    for folder in CODE:
        for file in sorted((ROOT / folder).rglob("*.py")):
            if "node_modules" not in file.parts and (path := file.relative_to(ROOT).as_posix()) not in LISTS:
                yield from faults_in_python(path, file.read_text(encoding="utf-8"))
    for place, text in (*_schemas(), *_pages()):
        if phrase := phrase_in(text):
            yield f"{place}: {phrase}"


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
    """Yield the paragraphs of every page and template; the reference pages have the texts of the schemas and docstrings."""
    files = [
        *ROOT.glob("*.md"),
        *(file for folder in PAGES for file in (ROOT / folder).rglob("*.md")),
        *(file for ending in ("jinja", "html") for file in (ROOT / "src").rglob(f"*.{ending}")),
    ]
    for file in sorted(files):
        if "reference" not in file.parts and "node_modules" not in file.parts:
            for number, paragraph in enumerate(file.read_text(encoding="utf-8").split("\n\n"), 1):
                yield f"{file.relative_to(ROOT)}, paragraph {number}", paragraph


def subject_faults(subject: str) -> list[str]:
    """Return what is wrong with the subject of a commit; nothing for a merge, a revert or a fixup."""
    if subject.startswith(("Merge ", "Revert ", "fixup! ", "squash! ")):
        return []
    faults: list[str] = []
    if SUBJECT.fullmatch(subject) is None:
        faults.append(
            'it is not of the form "component: imperative", such as "webhooks: stop the heartbeat first"'
        )
    if len(subject) > MAX_SUBJECT:
        faults.append(f"it has {len(subject)} characters, at most {MAX_SUBJECT} are allowed")
    matches = (re.search(phrase, subject, re.IGNORECASE) for phrase in (*PHRASES, *SUBJECT_PHRASES))
    return faults + [
        f'"{match[0]}": use the term of the glossary in CONTRIBUTING.md' for match in matches if match
    ]


def main(arguments: list[str]) -> int:
    """Check the subject of a commit message in a file, or the repository; return 1 if there is a fault."""
    if not arguments:
        found = list(faults_in_repository())
        sys.stdout.write("".join(f"{fault}\n" for fault in found))
        return bool(found)
    subject = Path(arguments[0]).read_text(encoding="utf-8").partition("\n")[0]
    faults = subject_faults(subject)
    for fault in faults:
        sys.stderr.write(f"the subject of the commit: {fault}\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
