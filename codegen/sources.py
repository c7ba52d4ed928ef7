"""The tree of canonical files, read once into frozen values."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final, TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ID_BASE: Final = "https://cardwright.dev/schemas/"
SCHEMA_SUFFIX: Final = ".schema.json"

Json = Any


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in the tree: which file, where in it, and what."""

    file: str
    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}#{self.pointer}: {self.message}"


class BrokenTree(Exception):
    """The tree of schemas breaks house rules; carries every problem found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """One JSON Schema; `path` is relative to the tree's root, with forward slashes."""

    path: str
    document: Json
    sha256: str


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One file of rules; `phase` says when they are asked.

    `escapes` and `beyond` are patterns that every text which breaks one of them shows, as JSON
    escapes it or among its characters past ASCII.
    """

    path: str
    phase: str
    escapes: str | None
    beyond: str | None
    rules: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One manifest: what a folder of data says about a dialect."""

    path: str
    name: str
    family: str
    version: str
    title: str
    package: str
    schema: str | None
    rules: tuple[str, ...]
    signs: tuple[Json, ...]
    halves: tuple[str, ...]
    also: tuple[str, ...]
    silences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """Everything under `schemas/` that the press reads."""

    root: Path
    schemas: dict[str, SchemaFile]
    dialects: tuple[Dialect, ...]
    rule_sets: dict[str, RuleSet]
    vocabularies: dict[str, Json]
    pinned: Json


def read_tree(root: Path) -> Tree:
    """Read a tree of canonical files.

    Raises:
        BrokenTree: With every file that is not JSON, or a manifest that lacks what it needs.
    """
    problems: list[Problem] = []
    documents: dict[str, Json] = {}
    hashes: dict[str, str] = {}
    for file in sorted(root.rglob("*.json")):
        path = file.relative_to(root).as_posix()
        body = file.read_bytes()
        hashes[path] = hashlib.sha256(body).hexdigest()
        try:
            documents[path] = json.loads(body, object_pairs_hook=_refuse_repeats)
        except ValueError as error:
            problems.append(Problem(path, "", f"not JSON: {error}"))
    schemas = {
        path: SchemaFile(path, document, hashes[path])
        for path, document in documents.items()
        if path.endswith(SCHEMA_SUFFIX)
    }
    dialects: list[Dialect] = []
    for path, document in documents.items():
        if path.rsplit("/", 1)[-1] == "dialect.json":
            missing = [m for m in ("name", "family", "version", "title", "package") if m not in document]
            if missing:
                problems.append(Problem(path, "", f"the manifest lacks {', '.join(missing)}"))
            else:
                dialects.append(_dialect(path, document))
    rule_sets = {
        path: RuleSet(
            path,
            document.get("phase", "always"),
            document.get("escapes"),
            document.get("beyond"),
            tuple(document["rules"]),
        )
        for path, document in documents.items()
        if path.endswith(".rules.json")
    }
    vocabularies = {
        document["name"]: document
        for path, document in documents.items()
        if path.startswith("vocabulary/") and path not in schemas
    }
    if problems:
        raise BrokenTree(problems)
    pinned = documents.get("PINNED.json", {"files": {}})
    return Tree(root, schemas, tuple(sorted(dialects, key=lambda d: d.name)), rule_sets, vocabularies, pinned)


def join(folder_of: str, relative: str) -> str:
    """Return the tree path of a reference written relative to a file."""
    parts = folder_of.split("/")[:-1]
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts = [*parts, part]
    return "/".join(parts)


def _dialect(path: str, document: Json) -> Dialect:
    schema = document.get("schema")
    return Dialect(
        path=path,
        name=document["name"],
        family=document["family"],
        version=document["version"],
        title=document["title"],
        package=document["package"],
        schema=join(path, schema) if schema else None,
        rules=tuple(join(path, rule) for rule in document.get("rules", ())),
        signs=tuple(document.get("signs", ())),
        halves=tuple(document.get("halves", ())),
        also=tuple(join(path, other) for other in document.get("also", ())),
        silences=tuple(document.get("silences", ())),
    )


def _refuse_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        msg = f"member {repeated!r} stands twice"
        raise ValueError(msg)
    return value
