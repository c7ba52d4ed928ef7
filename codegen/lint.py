"""The lint rules of `schemas/README.md`, checked over the whole tree; all problems are reported at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jsonschema.validators import Draft202012Validator

from codegen.lint_rules.explanations import explanation_problems
from codegen.lint_rules.manifest import manifest_problems
from codegen.lint_rules.mappings import mapping_problems
from codegen.lint_rules.rules import TEXT_PHASES, rule_problems
from codegen.lint_rules.schema import schema_problems
from codegen.mapping_defaults import with_defaults
from codegen.references import registry_of
from codegen.shape import pointer_of
from codegen.sources import ID_BASE, BrokenTree, Problem, read_available

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from referencing import Registry

    from codegen.sources import Tree

# gate: runs first; if it finds a violation, nothing else runs. Phases about texts run only if the whole
# document, as one text, matches a pattern that they refuse. (The phase `text` has rules of kind signs only.)
PHASES: Final = ("gate", "always", *TEXT_PHASES)
VOCABULARY_SCHEMA: Final = "vocabulary/vocabulary.schema.json"


def sound_tree(root: Path) -> Tree:
    """Return the tree of schemas with the defaults of the mappings, if it breaks no lint rule.

    Raises:
        BrokenTree: With every problem found.
    """
    tree, _ = with_defaults(read_available(root))
    problems = problems_of(tree)
    if problems:
        raise BrokenTree(problems)
    return tree


def problems_of(tree: Tree) -> list[Problem]:
    """Return every problem of the tree: files that could not be read and violations of lint rules."""
    registry = registry_of(tree)
    problems = [
        *tree.problems,
        *_pins(tree),
        *schema_problems(tree, registry),
        *manifest_problems(tree),
        *rule_problems(tree),
        *mapping_problems(tree),
        *explanation_problems(tree),
    ]
    # A broken schema cannot validate the vocabularies.
    if VOCABULARY_SCHEMA in tree.schemas and not any(p.file == VOCABULARY_SCHEMA for p in problems):
        problems += _vocabularies(tree, registry)
    problems += _repeated_entries(tree)
    return sorted(
        dict.fromkeys(problems), key=lambda problem: (problem.file, problem.pointer, problem.message)
    )


def _pins(tree: Tree) -> Iterator[Problem]:
    if tree.is_broken("PINNED.json"):
        return
    pins = tree.pinned["files"]
    for path, file in tree.schemas.items():
        if file.derived:
            continue
        pin = pins.get(path)
        at = pointer_of(["files", path])
        if pin is None:
            yield Problem("PINNED.json", at, "the file has no entry: run `python -m codegen --pin`")
        elif pin["sha256"] != file.sha256:
            yield Problem(
                "PINNED.json",
                f"{at}/sha256",
                "the hash does not match the file: run `python -m codegen --pin`",
            )
    for path in pins:
        if path not in tree.schemas and not tree.is_broken(path):
            yield Problem(
                "PINNED.json", pointer_of(["files", path]), "the file does not exist: remove the entry"
            )


def _vocabularies(tree: Tree, registry: Registry[Any]) -> Iterator[Problem]:
    validator = Draft202012Validator({"$ref": ID_BASE + VOCABULARY_SCHEMA}, registry=registry)
    for name, vocabulary in tree.vocabularies.items():
        path = f"vocabulary/{name}.json"
        for error in validator.iter_errors(vocabulary):
            yield Problem(path, pointer_of(error.absolute_path), error.message)


def _repeated_entries(tree: Tree) -> Iterator[Problem]:
    for name, vocabulary in tree.vocabularies.items():
        names = [entry["name"] for entry in vocabulary["entries"]]
        for index, entry in enumerate(names):
            if entry in names[:index]:
                yield Problem(
                    f"vocabulary/{name}.json", f"/entries/{index}/name", "duplicate entry: remove one"
                )
