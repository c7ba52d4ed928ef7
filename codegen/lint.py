"""The house rules of `schemas/README.md`, checked over the whole tree; all problems at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import jsonschema
import jsonschema_rs
from jsonschema.validators import Draft202012Validator
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from codegen.sources import ID_BASE, Problem
from codegen.structural import PRINTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, SchemaFile, Tree

META: Final = "https://json-schema.org/draft/2020-12/schema"
CLASS_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9]*[A-Za-z]\Z")
RULE_ID: Final = re.compile(r"[a-z0-9-]+/[a-z0-9-]+\Z")
PRESENCE: Final = {"required", "optional", "implicit"}
# gate: asked first, and where it is broken nothing else is. The last three look for patterns in
# texts, and are asked only where the whole document, as one text, shows such a pattern.
PHASES: Final = ("gate", "always", "anywhere", "unicode", "prose")
TEXT_PHASES: Final = PHASES[2:]
KINDS: Final = {"schema", *PRINTERS}


def registry_of(tree: Tree) -> Registry[Any]:
    """Return a registry that resolves every `$ref` of the tree and fetches nothing."""
    resources = [
        (ID_BASE + path, Resource(contents=file.document, specification=DRAFT202012))
        for path, file in tree.schemas.items()
    ]
    registry: Registry[Any] = Registry()
    return registry.with_resources(resources)


def problems_of(tree: Tree) -> list[Problem]:
    """Return everything in the tree that breaks a house rule."""
    return [
        *_pins(tree),
        *(problem for file in tree.schemas.values() for problem in _schema(tree, file)),
        *(problem for dialect in tree.dialects for problem in _manifest(tree, dialect)),
        *_rules(tree),
    ]


def _pins(tree: Tree) -> Iterator[Problem]:
    pins = tree.pinned.get("files", {})
    for path, file in tree.schemas.items():
        pin = pins.get(path)
        if pin is None:
            yield Problem("PINNED.json", "/files", f"{path} is not pinned: run `python -m codegen --pin`")
        elif pin.get("sha256") != file.sha256:
            yield Problem(
                "PINNED.json", f"/files/{path}", "the hash is not the file's: run `python -m codegen --pin`"
            )
    for path in pins:
        if path not in tree.schemas:
            yield Problem("PINNED.json", f"/files/{path}", "there is no such file")


def _schema(tree: Tree, file: SchemaFile) -> Iterator[Problem]:
    def problem(pointer: str, message: str) -> Problem:
        return Problem(file.path, pointer, message)

    document = file.document
    if document.get("$schema") != META:
        yield problem("/$schema", f"must be {META}")
    if document.get("$id") != ID_BASE + file.path:
        yield problem("/$id", f"must be {ID_BASE}{file.path}")
    try:
        Draft202012Validator.check_schema(document)
    except jsonschema.SchemaError as error:
        yield problem("".join(f"/{step}" for step in error.absolute_path), error.message)
        return
    for name in ("title", "description", "x-spec", "examples"):
        if not document.get(name):
            yield problem(f"/{name}", "the root must have it")
    if not CLASS_NAME.match(str(document.get("title", ""))):
        yield problem("/title", "must be a class name in PascalCase that ends in a letter")
    for name in document.get("$defs", {}):
        if not CLASS_NAME.match(name):
            yield problem(f"/$defs/{name}", "a definition is named in PascalCase and ends in a letter")
    yield from _nodes(tree, file.path, document, "")
    try:
        judge = Draft202012Validator({"$ref": document["$id"]}, registry=registry_of(tree))
        for index, example in enumerate(document.get("examples", ())):
            for error in judge.iter_errors(example):
                yield problem(
                    f"/examples/{index}{''.join(f'/{s}' for s in error.absolute_path)}", error.message
                )
    except (Unresolvable, jsonschema.exceptions._WrappedReferencingError) as error:  # noqa: SLF001 - jsonschema raises its private class
        yield problem("", f"a $ref does not resolve: {error}")


def _nodes(tree: Tree, path: str, node: Any, pointer: str) -> Iterator[Problem]:
    """Walk schemas (not values): house rules about properties, unions, maps and annotations."""
    if not isinstance(node, dict):
        return
    inside = pointer.startswith("/") and pointer.rsplit("/", 2)[-2] != "$defs"
    if inside and "properties" in node:
        yield Problem(path, pointer, "an object with properties must be a named definition")
    if node.get("additionalProperties") is False or node.get("unevaluatedProperties") is False:
        yield Problem(path, pointer, "unknown members are always allowed")
    if node.get("x-presence", "required") not in PRESENCE:
        yield Problem(path, f"{pointer}/x-presence", f"must be one of {', '.join(sorted(PRESENCE))}")
    if "x-registry" in node and ("enum" in node or node["x-registry"] not in tree.vocabularies):
        yield Problem(path, f"{pointer}/x-registry", "names a vocabulary of the tree, and is never an enum")
    for keyword in ("oneOf", "anyOf"):
        for index, arm in enumerate(node.get(keyword, ())):
            if "$ref" not in arm and not pointer.endswith("/if"):
                yield Problem(
                    path, f"{pointer}/{keyword}/{index}", "a union arm must be a $ref to a named definition"
                )
    for name, member in node.get("properties", {}).items():
        for annotation in ("description", "x-spec"):
            if not (isinstance(member, dict) and member.get(annotation)):
                yield Problem(path, f"{pointer}/properties/{name}", f"the property has no {annotation}")
        yield from _nodes(tree, path, member, f"{pointer}/properties/{name}")
    for name, definition in node.get("$defs", {}).items():
        if not definition.get("description"):
            yield Problem(path, f"{pointer}/$defs/{name}", "the definition has no description")
        yield from _nodes(tree, path, definition, f"{pointer}/$defs/{name}")
    for keyword in ("items", "additionalProperties"):
        yield from _nodes(tree, path, node.get(keyword), f"{pointer}/{keyword}")


def _manifest(tree: Tree, dialect: Dialect) -> Iterator[Problem]:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", dialect.package):
        yield Problem(dialect.path, "/package", "must be a Python package name in snake_case")
    if dialect.schema is not None and dialect.schema not in tree.schemas:
        yield Problem(dialect.path, "/schema", f"there is no {dialect.schema}")
    if dialect.schema is None and not dialect.halves:
        yield Problem(dialect.path, "/schema", "a dialect has a schema, or halves")
    names = {other.name for other in tree.dialects}
    for half in dialect.halves:
        if half not in names:
            yield Problem(dialect.path, "/halves", f"there is no dialect {half}")
    for rule in dialect.rules:
        if rule not in tree.rule_sets:
            yield Problem(dialect.path, "/rules", f"there is no {rule}")
    for field in ("name", "package"):
        if sum(getattr(other, field) == getattr(dialect, field) for other in tree.dialects) > 1:
            yield Problem(dialect.path, f"/{field}", "another dialect has the same")


def _rules(tree: Tree) -> Iterator[Problem]:
    used = {path for dialect in tree.dialects for path in dialect.rules}
    for path, rule_set in tree.rule_sets.items():
        if path not in used:
            yield Problem(path, "", "no dialect uses this file")
        if rule_set.phase not in PHASES:
            yield Problem(path, "/phase", f"must be one of {', '.join(PHASES)}")
        seen: set[str] = set()
        for index, rule in enumerate(rule_set.rules):
            yield from _rule(tree, path, f"/rules/{index}", rule)
            if rule_set.phase in TEXT_PHASES and not patterns_of(rule):
                shape = '{"not": {"type": "string", "pattern": …}} (or "anyOf" of patterns), no pattern with ^ or $'
                yield Problem(path, f"/rules/{index}/schema", f"a rule about texts must read {shape}")
            if rule.get("id") in seen:
                yield Problem(path, f"/rules/{index}/id", "the id stands twice in this file")
            seen.add(rule.get("id", ""))


def patterns_of(rule: Any) -> list[str]:
    """Return the patterns that a text must not show, or nothing where a rule says more than that."""
    schema = rule.get("schema")
    refused = schema.get("not") if isinstance(schema, dict) and len(schema) == 1 else None
    if not isinstance(refused, dict) or refused.get("type") != "string":
        return []
    arms = refused.get("anyOf", [refused])
    patterns = [str(arm.get("pattern", "^")) for arm in arms]
    anchored = re.compile(r"(^|[^\\(\[])\^|\$|\\[Az]")
    return [] if any(anchored.search(pattern) for pattern in patterns) else patterns


def _rule(tree: Tree, path: str, pointer: str, rule: Any) -> Iterator[Problem]:
    for name in ("id", "severity", "spec", "kind", "at", "message"):
        if not rule.get(name):
            yield Problem(path, f"{pointer}/{name}", "a rule must have it")
    if not RULE_ID.match(str(rule.get("id"))):
        yield Problem(path, f"{pointer}/id", "must be area/name in lower case with hyphens")
    if rule.get("severity") not in ("error", "warning"):
        yield Problem(path, f"{pointer}/severity", "must be error or warning")
    if rule.get("kind") not in KINDS:
        yield Problem(path, f"{pointer}/kind", f"must be one of {', '.join(sorted(KINDS))}")
    if rule.get("kind") == "schema":
        try:
            # Patterns are in the judge's own syntax, which Python's `re` does not know all of.
            jsonschema_rs.validator_for(
                rule.get("schema"), pattern_options=jsonschema_rs.RegexOptions(), offline=True
            )
        except ValueError as error:
            yield Problem(path, f"{pointer}/schema", str(error))
    vocabulary = rule.get("vocabulary")
    if vocabulary is not None and vocabulary not in tree.vocabularies:
        yield Problem(path, f"{pointer}/vocabulary", f"there is no vocabulary {vocabulary}")
