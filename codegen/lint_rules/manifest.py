"""Lint rules of the manifests of dialects and of messages: every name refers to something, and no name is taken."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, Final

from codegen.detection import condition_faults, rule_faults
from codegen.sources import NEIGHBOURS, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, Messages, Tree

# Modules of `cardwright_models`, which contains the packages of the dialects.
_TAKEN: Final = {"detection", "vocabulary"}


def manifest_problems(tree: Tree) -> Iterator[Problem]:
    """Yield each violation of a lint rule in the manifests of a tree."""
    if not tree.dialects and not tree.problems:
        yield Problem("", "", f"there is no dialect.json below {tree.root}")
    for dialect in tree.dialects:
        yield from (Problem(dialect.path, pointer, message) for pointer, message in _manifest(tree, dialect))
        yield from (
            Problem(dialect.path, pointer, message) for pointer, message in _detection_rules(tree, dialect)
        )
    for messages in tree.messages:
        yield from (
            Problem(messages.path, pointer, message) for pointer, message in _messages(tree, messages)
        )
    for index, neighbour in enumerate(tree.neighbours):
        yield from (
            Problem(NEIGHBOURS, pointer, message)
            for pointer, message in condition_faults(neighbour["when"], ("neighbours", index, "when"))
        )


def _messages(tree: Tree, messages: Messages) -> Iterator[tuple[str, str]]:
    modules = [
        *((other.package, "models") for other in tree.dialects),
        *((other.package, other.module) for other in tree.messages),
    ]
    if _is_taken(messages.package) or modules.count((messages.package, messages.module)) > 1:
        yield "/package", f"{messages.package} is already in use"
    if messages.schema in tree.schemas:
        definitions = tree.schemas[messages.schema].document.get("$defs", {})
        for index, root in enumerate(messages.roots):
            if root not in definitions:
                yield f"/roots/{index}", f"{messages.schema} has no definition {root}"
    references = [
        ("/schema", messages.schema),
        *((f"/also/{i}", path) for i, path in enumerate(messages.also)),
    ]
    for pointer, path in references:
        if path not in tree.schemas and not tree.is_broken(path):
            yield pointer, f"there is no {path}"


def _is_taken(package: str) -> bool:
    return keyword.iskeyword(package) or package in _TAKEN


def _manifest(tree: Tree, dialect: Dialect) -> Iterator[tuple[str, str]]:
    if _is_taken(dialect.package):
        yield "/package", f"{dialect.package} is a Python keyword or a module of the package"
    # The schema of messages is derived only from a tree without problems.
    unread = tree.is_broken(str(dialect.schema)) or (dialect.operations and tree.problems)
    if dialect.schema and dialect.schema not in tree.schemas and not unread:
        yield "/schema", f"there is no {dialect.schema}"
    if dialect.schema is None and not dialect.halves:
        yield "/schema", "a dialect needs a schema, or halves"
    yield from _unknown_references(tree, dialect)
    for field in ("name", "package"):
        if sum(getattr(other, field) == getattr(dialect, field) for other in tree.dialects) > 1:
            yield f"/{field}", "another dialect has the same"
    for index, pattern in enumerate(dialect.file_match):
        if sum(pattern in other.file_match for other in tree.dialects) > 1:
            yield f"/fileMatch/{index}", "another dialect claims the same files"


def _unknown_references(tree: Tree, dialect: Dialect) -> Iterator[tuple[str, str]]:
    """Yield the dialects, files and rules that a manifest names and that do not exist."""
    by_name = {other.name: other for other in tree.dialects}
    unread = bool(tree.problems)
    for index, half in enumerate(dialect.halves):
        if half == dialect.name or (half not in by_name and not unread):
            yield f"/halves/{index}", f"there is no other dialect {half}"
    for index, path in enumerate(dialect.rules):
        if path not in tree.rule_sets and not tree.is_broken(path):
            yield f"/rules/{index}", f"there is no {path}"
    for index, path in enumerate(dialect.also):
        if path not in tree.schemas and not tree.is_broken(path):
            yield f"/also/{index}", f"there is no {path}"
    dialects = [dialect, *(by_name[half] for half in dialect.halves if half in by_name)]
    known = {
        str(rule.get("id"))
        for used in dialects
        for path in used.rules
        if path in tree.rule_sets
        for rule in tree.rule_sets[path].rules
        if isinstance(rule, dict)
    }
    for index, rule_id in enumerate(dialect.silences):
        if rule_id not in known and not unread:
            yield f"/silences/{index}", f"neither the dialect nor its halves have a rule {rule_id}"


def _detection_rules(tree: Tree, dialect: Dialect) -> Iterator[tuple[str, str]]:
    orders = [rule["order"] for other in tree.dialects for rule in other.detection_rules]
    names = {other.name for other in tree.dialects}
    for index, rule in enumerate(dialect.detection_rules):
        if orders.count(rule["order"]) > 1:
            yield f"/detection/{index}/order", "another detection rule has the same order"
        for pointer, message in rule_faults(rule):
            yield f"/detection/{index}{pointer}", message
        for number, name in enumerate(rule.get("leavesOpen", ())):
            if name == dialect.name or (name not in names and not tree.problems):
                yield f"/detection/{index}/leavesOpen/{number}", f"there is no other dialect {name}"
