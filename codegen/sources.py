"""The tree of canonical files, read once into frozen values."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from codegen.message_documents import document_schema, references_of
from codegen.shape import shape_faults

if TYPE_CHECKING:
    from pathlib import Path

ID_BASE: Final = "https://cardwright.dev/schemas/"
SCHEMA_SUFFIX: Final = ".schema.json"
RULES_SUFFIX: Final = ".rules.json"
# The folder of the schemas of settings files, which are not a wire format.
SETTINGS: Final = "settings/"
# OpenAPI descriptions of HTTP APIs.
OPENAPI_SUFFIX: Final = ".openapi.json"
MAPPING_SUFFIX: Final = ".mapping.json"
# What `spec-drift` writes as the description of a field without a comment; it must be replaced.
PLACEHOLDER: Final = "New upstream; describe it here."
# The kinds of file that have a shape in `codegen/shapes`; JSON Schemas have their meta-schema.
_SHAPES: Final = (
    "dialect", "messages", "rules", "pinned", "vocabulary", "mapping", "operations", "explanations",
    "neighbours", "profile", "places", "changes", "synonyms",
)  # fmt: skip
# What each rule is about, for people; one file for each area, the part of a rule's id before the slash.
EXPLANATIONS: Final = "explanations/"
# The valid cards that the examples of the explanations change.
EXAMPLE_CARDS: Final = "explanations/bases.json"
# What a document is that no dialect detects.
NEIGHBOURS: Final = "neighbours.json"
# What platforms take of a card, one file for each.
PROFILES: Final = "profiles/"
# Where platforms keep cards.
PLACES: Final = "places.json"
# Each kind of change between two documents.
CHANGES: Final = "changes.json"
# Other names of fields.
SYNONYMS: Final = "synonyms.json"

Json = Any


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in the tree: the file, the place in it, and a message."""

    file: str
    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}#{self.pointer}: {self.message}"


class BrokenTree(Exception):
    """The tree of schemas violates lint rules; `problems` has every problem."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """One JSON Schema; `path` is relative to the tree's root, with forward slashes.

    `sha256` is that of its bytes. A `derived` schema follows from other files and has none of its own.
    """

    path: str
    document: Json
    sha256: str
    derived: bool = False

    @property
    def body(self) -> bytes:
        """The bytes of a derived schema, as they are published."""
        return json_bytes(self.document)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rules file; `phase` says when its rules run.

    `escapes` and `beyond` are patterns that match every text which breaks one of the rules: `escapes` its
    JSON form, `beyond` its non-ASCII characters.
    """

    path: str
    phase: str
    escapes: str | None
    beyond: str | None
    rules: tuple[Json, ...]
    fixes: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialect:
    """The manifest of a dialect.

    A dialect of messages has `operations`, from which its schema is derived, and `documents`: by which fields each type
    is known.
    """

    path: str
    name: str
    family: str
    version: str
    title: str
    package: str
    kind: str
    schema: str | None
    rules: tuple[str, ...]
    detection_rules: tuple[Json, ...]
    halves: tuple[str, ...]
    also: tuple[str, ...]
    silences: tuple[str, ...]
    file_match: tuple[str, ...]
    well_known: tuple[str, ...]
    operations: str = ""
    typed: bool = True
    documents: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Messages:
    """The manifest of messages between agents: types and a schema, but no dialect of a card.

    `module` is that of the types in the package, which may be that of a dialect. `roots` are definitions of the schema
    that its root does not refer to.
    """

    path: str
    title: str
    package: str
    schema: str
    also: tuple[str, ...]
    module: str
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """Everything under `schemas/` that the generator reads; `problems` lists what it could not read."""

    root: Path
    schemas: dict[str, SchemaFile]
    dialects: tuple[Dialect, ...]
    messages: tuple[Messages, ...]
    rule_sets: dict[str, RuleSet]
    vocabularies: dict[str, Json]
    mappings: dict[str, Json]
    apis: dict[str, Json]
    operations: dict[str, Json]
    explanations: dict[str, Json]
    example_cards: Json
    neighbours: tuple[Json, ...]
    profiles: tuple[Json, ...]
    places: tuple[Json, ...]
    changes: Json
    synonyms: Json
    pinned: Json
    problems: tuple[Problem, ...]

    def is_broken(self, path: str) -> bool:
        """Return whether a file exists but could not be read, which is a problem already."""
        return any(problem.file == path for problem in self.problems)


def read_tree(root: Path) -> Tree:
    """Read a tree of canonical files.

    Raises:
        BrokenTree: With every file that is not JSON or does not have the shape of its kind.
    """
    tree = read_available(root)
    if tree.problems:
        raise BrokenTree(list(tree.problems))
    return tree


def read_available(root: Path) -> Tree:
    """Read the valid files of a tree, so that all its problems can be reported at once."""
    problems: list[Problem] = []
    documents: dict[str, Json] = {}
    hashes: dict[str, str] = {}
    for file in sorted(root.rglob("*.json")):
        path = file.relative_to(root).as_posix()
        body = file.read_bytes()
        hashes[path] = hashlib.sha256(body).hexdigest()
        try:
            document = json.loads(body, object_pairs_hook=_refuse_duplicates, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            problems.append(Problem(path, "", f"not JSON: {error}"))
            continue
        if type(document) is dict:
            documents[path] = document
        elif _kind(path) is not None:
            problems.append(Problem(path, "", "must be a JSON object"))
    by_kind: dict[str, dict[str, Json]] = {kind: {} for kind in ("schema", "api", *_SHAPES)}
    for path, document in documents.items():
        kind = _kind(path)
        if kind is None:
            continue
        faults = list(shape_faults(kind, document)) if kind in _SHAPES else []
        named = {"vocabulary": "vocabulary/", "profile": PROFILES}.get(kind)
        if named and not faults and path != f"{named}{document['name']}.json":
            faults.append(("/name", "must match the file name"))
        problems += [Problem(path, pointer, message) for pointer, message in faults]
        if not faults or kind == "rules":
            by_kind[kind][path] = document
    dialects = tuple(sorted((_dialect(p, d) for p, d in by_kind["dialect"].items()), key=lambda d: d.name))
    messages = tuple(_messages(p, d) for p, d in by_kind["messages"].items())
    schemas = {path: SchemaFile(path, document, hashes[path]) for path, document in by_kind["schema"].items()}
    for dialect in dialects:
        if dialect.operations and not problems:
            path, document = _derived(dialect, (*dialects, *messages), schemas, by_kind["operations"])
            digest = hashlib.sha256(json_bytes(document)).hexdigest()
            schemas[path] = SchemaFile(path, document, digest, derived=True)
    return Tree(
        root=root,
        schemas=dict(sorted(schemas.items())),
        dialects=dialects,
        messages=messages,
        rule_sets={path: _rule_set(path, document) for path, document in by_kind["rules"].items()},
        vocabularies={document["name"]: document for document in by_kind["vocabulary"].values()},
        mappings=by_kind["mapping"],
        apis=by_kind["api"],
        operations=by_kind["operations"],
        explanations=by_kind["explanations"],
        example_cards=documents.get(EXAMPLE_CARDS, {}),
        neighbours=tuple(by_kind["neighbours"].get(NEIGHBOURS, {}).get("neighbours", ())),
        profiles=tuple(by_kind["profile"].values()),
        places=tuple(by_kind["places"].get(PLACES, {}).get("places", ())),
        changes=by_kind["changes"].get(CHANGES),
        synonyms=by_kind["synonyms"].get(SYNONYMS, {"title": "Synonyms of fields", "synonyms": []}),
        pinned=by_kind["pinned"].get("PINNED.json", {"files": {}}),
        problems=tuple(problems),
    )


def _derived(
    dialect: Dialect,
    manifests: tuple[Dialect | Messages, ...],
    schemas: dict[str, SchemaFile],
    operations: dict[str, Json],
) -> tuple[str, Json]:
    """Return the path and the schema of a dialect of messages."""
    folder = f"{dialect.operations.rpartition('/')[0]}/{dialect.version}/"
    beside = [
        (manifest, schemas[str(manifest.schema)].document)
        for manifest in manifests
        if manifest.path.startswith(folder) and manifest.schema in schemas
    ]
    path = str(dialect.schema)
    references = references_of(beside, ID_BASE)
    examples = [
        one for manifest, document in beside if isinstance(manifest, Messages) for one in document["examples"]
    ]
    return path, document_schema(
        dialect, operations[dialect.operations], references, ID_BASE + path, examples
    )


def json_bytes(value: Json) -> bytes:
    """Return an indented JSON file."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def is_vocabulary(tree: Tree, name: Json) -> bool:
    """Return whether a name is the name of a vocabulary, including one that could not be read."""
    return isinstance(name, str) and (name in tree.vocabularies or tree.is_broken(f"vocabulary/{name}.json"))


def join(folder_of: str, relative: str) -> str:
    """Return the tree path of a reference written relative to a file."""
    parts = folder_of.split("/")[:-1]
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts = [*parts, part]
    return "/".join(parts)


def _kind(path: str) -> str | None:
    """Return the kind of a file by its name; None for files that the generator does not read."""
    if path.startswith(EXPLANATIONS):
        return None if path == EXAMPLE_CARDS else "explanations"
    name = path.rsplit("/", 1)[-1]
    if name.endswith(SCHEMA_SUFFIX):
        return "schema"
    if name.endswith(OPENAPI_SUFFIX):
        return "api"
    if name.endswith(RULES_SUFFIX):
        return "rules"
    if name.endswith(MAPPING_SUFFIX):
        return "mapping"
    if name in ("dialect.json", "messages.json", "operations.json"):
        return name.removesuffix(".json")
    if path in ("PINNED.json", NEIGHBOURS, PLACES, CHANGES, SYNONYMS):
        return path.removesuffix(".json").lower()
    if path.startswith(PROFILES):
        return "profile"
    return "vocabulary" if path.startswith("vocabulary/") else None


def _rule_set(path: str, document: Json) -> RuleSet:
    """Return a file's rules, even if its shape is wrong, so that its other problems are reported too."""
    rules, fixes = document.get("rules"), document.get("fixes")
    return RuleSet(
        path=path,
        phase=str(document.get("phase", "always")),
        escapes=document.get("escapes"),
        beyond=document.get("beyond"),
        rules=tuple(rules) if type(rules) is list else (),
        fixes=tuple(fixes) if type(fixes) is list else (),
    )


def _dialect(path: str, document: Json) -> Dialect:
    schema = document.get("schema")
    return Dialect(
        path=path,
        name=document["name"],
        family=document["family"],
        version=document["version"],
        title=document["title"],
        package=document["package"],
        kind=document.get("kind", "card"),
        schema=join(path, schema) if schema else None,
        rules=tuple(join(path, rule) for rule in document.get("rules", ())),
        detection_rules=tuple(document.get("detection", ())),
        halves=tuple(document.get("halves", ())),
        also=tuple(join(path, other) for other in document.get("also", ())),
        silences=tuple(document.get("silences", ())),
        file_match=tuple(document.get("fileMatch", ())),
        well_known=tuple(document.get("wellKnown", ())),
        operations=join(path, document["operations"]) if "operations" in document else "",
        typed=document.get("typed", "operations" not in document),
        documents=tuple(document.get("documents", ())),
    )


def _messages(path: str, document: Json) -> Messages:
    return Messages(
        path=path,
        title=document["title"],
        package=document["package"],
        schema=join(path, document["schema"]),
        also=tuple(join(path, other) for other in document.get("also", ())),
        module=document.get("module", "models"),
        roots=tuple(document.get("roots", ())),
    )


def _refuse_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        msg = f"duplicate field {repeated!r}"
        raise ValueError(msg)
    return value


def _refuse_constant(name: str) -> Json:
    msg = f"{name} is not a JSON number"
    raise ValueError(msg)
