"""House rules of the manifests, of dialects and of messages: what they name exists, and no two claim the same."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, Final

from codegen.detection import sign_faults
from codegen.shape import pointer_of
from codegen.sources import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, Messages, Tree

# A dialect's package stands beside these modules of `cardwright_models`.
_TAKEN: Final = {"signs", "vocabulary"}


def manifest_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what breaks a house rule in any manifest of a tree."""
    if not tree.dialects and not tree.problems:
        yield Problem("", "", f"there is no dialect.json below {tree.root}")
    for dialect in tree.dialects:
        yield from (Problem(dialect.path, pointer, message) for pointer, message in _manifest(tree, dialect))
        yield from (Problem(dialect.path, pointer, message) for pointer, message in _signs(tree, dialect))
    for messages in tree.messages:
        yield from (Problem(messages.path, pointer, message) for pointer, message in _shapes(tree, messages))


def _shapes(tree: Tree, messages: Messages) -> Iterator[tuple[str, str]]:
    packages = [*(other.package for other in tree.dialects), *(other.package for other in tree.messages)]
    if _is_taken(messages.package) or packages.count(messages.package) > 1:
        yield "/package", f"{messages.package} is taken"
    named = [("/schema", messages.schema), *((f"/also/{i}", path) for i, path in enumerate(messages.also))]
    for pointer, path in named:
        if path not in tree.schemas and not tree.is_broken(path):
            yield pointer, f"there is no {path}"


def _is_taken(package: str) -> bool:
    return keyword.iskeyword(package) or package in _TAKEN


def _manifest(tree: Tree, dialect: Dialect) -> Iterator[tuple[str, str]]:
    if _is_taken(dialect.package):
        yield "/package", f"{dialect.package} is taken by Python or by a module of the package"
    if dialect.schema and dialect.schema not in tree.schemas and not tree.is_broken(dialect.schema):
        yield "/schema", f"there is no {dialect.schema}"
    if dialect.schema is None and not dialect.halves:
        yield "/schema", "a dialect has a schema, or halves"
    yield from _named(tree, dialect)
    for field in ("name", "package"):
        if sum(getattr(other, field) == getattr(dialect, field) for other in tree.dialects) > 1:
            yield f"/{field}", "another dialect has the same"
    for index, pattern in enumerate(dialect.file_match):
        if sum(pattern in other.file_match for other in tree.dialects) > 1:
            yield f"/fileMatch/{index}", "another dialect claims the same files"


def _named(tree: Tree, dialect: Dialect) -> Iterator[tuple[str, str]]:
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
    judges = [dialect, *(by_name[half] for half in dialect.halves if half in by_name)]
    known = {
        str(rule.get("id"))
        for judge in judges
        for path in judge.rules
        if path in tree.rule_sets
        for rule in tree.rule_sets[path].rules
        if isinstance(rule, dict)
    }
    for index, rule_id in enumerate(dialect.silences):
        if rule_id not in known and not unread:
            yield f"/silences/{index}", f"neither it nor its halves have a rule {rule_id}"


def _signs(tree: Tree, dialect: Dialect) -> Iterator[tuple[str, str]]:
    orders = [sign["order"] for other in tree.dialects for sign in other.signs]
    for index, sign in enumerate(dialect.signs):
        if orders.count(sign["order"]) > 1:
            yield f"/signs/{index}/order", "another sign has the same order"
        for pointer, message in sign_faults(sign["when"]):
            yield pointer_of(["signs", index, "when"]) + pointer, message
