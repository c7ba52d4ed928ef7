"""The field names that a schema defines at a place, for the rules about the names of fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright_runtime.checks import EACH, ITEM
from cardwright_runtime.spelling import folded_name
from codegen.lints import reference, with_shared
from codegen.shape import steps_of
from codegen.sources import BrokenTree, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    # The known names of an object's fields, and those of other versions.
    Names = tuple[tuple[str, ...], tuple[str, ...]]


def spellings_of(
    rules: list[Any], bundled: Any, path: str, related: Iterable[Mapping[str, Names]] = ()
) -> dict[str, Names]:
    """Return the field names by the pointer of each place of a rule of kind `spelling`.

    A rule may name fields of another dialect (`also`) which documents have beside their own, and misspell.

    Args:
        rules: The rules of a dialect.
        bundled: Its schema.
        path: The file to name in an error.
        related: The same of other versions: cards often have fields of several, which no rule takes for misspelt.

    Raises:
        BrokenTree: If the schema has no object with fields at such a place.
    """
    spelt = [rule for rule in rules if rule["kind"] == "spelling"]
    also = [field.rpartition("/") for rule in spelt for field in rule.get("also", ())]
    try:
        known = {
            pointer: tuple(
                sorted({*_names_at(bundled, pointer), *(name for at, _, name in also if at == pointer)})
            )
            for pointer in sorted({pointer for rule in spelt for pointer in rule["at"]})
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise BrokenTree(
            [Problem(path, "", f"a rule of kind spelling points to a place without fields: {error}")]
        ) from error
    others = list(related)
    return {
        pointer: (names, _beside(names, (name for one in others for name in one.get(pointer, ((),))[0])))
        for pointer, names in known.items()
    }


def synonyms_of(rows: Iterable[Any]) -> dict[str, tuple[tuple[str, bool], ...]]:
    """Return the fields that each synonym may mean, in order, and whether its fix is safe."""
    found: dict[str, tuple[tuple[str, bool], ...]] = {}
    for row in rows:
        found[row["name"]] = (*found.get(row["name"], ()), (row["means"], row["safe"]))
    return found


def _beside(known: tuple[str, ...], others: Iterable[str]) -> tuple[str, ...]:
    """Return the names of other versions that are no spelling of a known one."""
    meant = {folded_name(name) for name in known}
    return tuple(sorted({name for name in others if folded_name(name) not in meant}))


def grouped(pointers: Iterable[str], spellings: Mapping[str, Names]) -> list[tuple[Names, tuple[str, ...]]]:
    """Return (names, pointers) of the places of a rule: all places of an object have the same names."""
    places: dict[Names, list[str]] = {}
    for pointer in pointers:
        places.setdefault(spellings[pointer], []).append(pointer)
    return [(names, tuple(found)) for names, found in places.items()]


@dataclass(slots=True)
class _Fields:
    """What a schema of names states about an object: `known` is None if it may have any other field."""

    known: set[str] | None = None
    absent: dict[str, str] = field(default_factory=dict)
    present: list[str] = field(default_factory=list)
    inner: dict[str, _Fields] = field(default_factory=dict)


def names_schema(rules: list[Any], spellings: Mapping[str, Names]) -> Any:
    """Return a JSON Schema that accepts a document only if it breaks none of the rules about names of fields.

    It may refuse a document that breaks none, because a rule has conditions that it does not know. Each rule of kind
    `absent` is a definition, named by its id.

    Args:
        rules: The rules of the kinds `spelling`, `absent` and `present`.
        spellings: The field names by the pointer of each place of a rule of kind `spelling`.
    """
    root = _Fields()
    definitions: dict[str, Any] = {}
    for rule in rules:
        for pointer in rule["at"]:
            if rule["kind"] == "spelling":
                known, others = spellings[pointer]
                _at(root, steps_of(pointer)).known = {*known, *others}
                continue
            *outer, name = steps_of(pointer)
            holder = _at(root, outer)
            if rule["kind"] == "absent":
                holder.absent[name] = rule["id"]
                definitions[rule["id"]] = False
            else:
                holder.present.append(name)
    return with_shared(_names_of(root), definitions)


def _at(node: _Fields, steps: Iterable[str]) -> _Fields:
    for step in steps:
        node = node.inner.setdefault(step, _Fields())
    return node


def _names_of(node: _Fields) -> Any:
    inner = {name: _names_of(one) for name, one in node.inner.items() if name not in (EACH, ITEM)}
    fields = {
        **dict.fromkeys(node.known or (), True),
        **inner,
        **{name: {"$ref": reference(rule)} for name, rule in node.absent.items()},
    }
    schema: dict[str, Any] = {"properties": dict(sorted(fields.items()))} if fields else {}
    if node.present:
        schema["required"] = sorted(node.present)
    if node.known is not None:
        schema["additionalProperties"] = False
    if ITEM in node.inner:
        schema["items"] = _names_of(node.inner[ITEM])
    if EACH in node.inner:
        each = _names_of(node.inner[EACH])
        schema["allOf"] = [{"items": each, "additionalProperties": each}]
    return schema


def _names_at(bundled: Any, pointer: str) -> tuple[str, ...]:
    nodes = _arms(bundled, bundled)
    for step in steps_of(pointer):
        nodes = [arm for node in nodes for inner in _inner(node, step) for arm in _arms(bundled, inner)]
    names = {name for node in nodes for name in node.get("properties", ())}
    if not names:
        raise KeyError(pointer)
    return tuple(sorted(names))


def _inner(node: Any, step: str) -> list[Any]:
    """Return the schema of a field, or those of all items and fields."""
    fields = node.get("properties", {})
    if step not in (EACH, ITEM):
        return [fields[step]] if step in fields else []
    if step == ITEM:
        return [node["items"]] if "items" in node else []
    others = [node[name] for name in ("items", "additionalProperties") if isinstance(node.get(name), dict)]
    return others or list(fields.values())


def _arms(bundled: Any, node: Any) -> list[Any]:
    """Follow references, and return the arms of a union or a condition."""
    while "$ref" in node:
        node = bundled["$defs"][node["$ref"].rsplit("/", 1)[-1]]
    arms = [arm for keyword in ("anyOf", "oneOf", "allOf") for arm in node.get(keyword, ())]
    arms += [node[keyword] for keyword in ("then", "else") if keyword in node]
    return [node, *(inner for arm in arms for inner in _arms(bundled, arm))]
