"""Rules of kind `schema`, combined into one JSON Schema for each phase.

Each rule is one definition, named by its id, so that an error's path names the rule; the tree of
`properties` and `items` above refers to it at each place of the rule. One walk checks all rules.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import EACH, ITEM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# What takes the place of parts of the pattern of a sign: no counts, line ends for the ends of a text, and
# word boundaries of ASCII.
_WIDER: Final = {
    r"\{0,\d+\}": "*",
    r"\{[1-9]\d*,\d+\}": "+",
    r"(?<![\\\[])\^": r"\\n",
    r"(?<!\\)\$": r"\\n",
    r"\\b": r"(?-u:\\b)",
}
# A gap, an escape, a class or a character of a pattern.
_TOKEN: Final = re.compile(r"(?P<gap>(?:\.|\\[Sw])\{\d+,\d+\})|\\.|\[\^?\]?(?:\\.|[^\]])*\]|.", re.DOTALL)
ANYWHERE: Final = "**"
# Cards have their subtrees at one place or two: only what messages repeat is shared.
_SHARED_FROM: Final = 3


@dataclass(slots=True)
class _Node:
    rules: list[str] = field(default_factory=list)
    children: dict[str, _Node] = field(default_factory=dict)


def lint_schema(rules: list[Any], use: Callable[[str], Any]) -> Any:
    """Return the JSON Schema that refuses what breaks any of the rules of kind `schema`.

    A rule's `at` holds JSON Pointers in which `*` is every item or field, and a final `**` every value
    below, except those that its `except` points to. `{"x-use": PATH}` inside a rule is replaced by the schema
    file at that tree path.
    """
    root = _Node()
    definitions: dict[str, Any] = {}
    for rule in rules:
        definitions[rule["id"]] = _filled(rule["schema"], use)
        for pointer in rule["at"]:
            steps = tuple(pointer.split("/")[1:])
            node = root
            for step in steps:
                if step == ANYWHERE:
                    break
                node = node.children.setdefault(_decoded(step), _Node())
            if steps and steps[-1] == ANYWHERE:
                walker = _walker_of(rule["id"])
                definitions[walker] = _walker(rule["id"])
                if "except" in rule:
                    definitions[f"{walker}/except"] = _walker_past(rule)
                    walker = f"{walker}/except"
                node.rules.append(walker)
            else:
                node.rules.append(rule["id"])
    return with_shared(_schema_of(root), definitions)


def with_shared(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema of places with its definitions, in which each subtree that several places have is one of them.

    A part of a message has some forty places in a document.
    """
    shared: dict[str, str] = {}
    schema = _shared(schema, Counter(_repeated(schema)), shared)
    definitions = definitions | {name: json.loads(text) for text, name in shared.items()}
    return {"$defs": dict(sorted(definitions.items())), **schema}


def _repeated(schema: Any) -> Iterator[str]:
    """Yield the text of each schema with fields or items inside a schema of places."""
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _repeated(inner)
    if isinstance(schema, dict) and not schema.keys().isdisjoint(("properties", "items")):
        yield json.dumps(schema)


def _shared(schema: Any, counts: Counter[str], shared: dict[str, str]) -> Any:
    if isinstance(schema, list):
        return [_shared(inner, counts, shared) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    whole = json.dumps(schema)
    inner = {name: _shared(value, counts, shared) for name, value in schema.items()}
    if counts[whole] < _SHARED_FROM:
        return inner
    name = shared.setdefault(json.dumps(inner), f"place/{len(shared)}")
    return {"$ref": reference(name)}


def text_filter(patterns: list[str], escapes: str | None, beyond: str | None) -> dict[str, str]:
    """Return the patterns that match a whole document's text if one of its strings may break a rule.

    A pattern without anchors that matches a string also matches the whole text, so a document without a
    match needs no walk. For rules about non-ASCII characters, `beyond` matches the text's non-ASCII
    characters (and may match too much), and `escapes` the characters that JSON escapes.
    """
    if beyond is None:
        return {"whole": "|".join(f"(?:{pattern})" for pattern in patterns)}
    return {"whole": str(escapes), "beyond": beyond}


def rare_sign(signs: Iterable[Iterable[str]]) -> str:
    r"""Return a small pattern that matches, and may match more than, each text between line ends with one of these signs.

    Of each pattern only the part before its first gap is left, so that few states of the search are open at once.

    >>> rare_sign([[r"^keep .{0,30}\bsecret", r"\bmust\b"]])
    '(?i)\\nkeep |(?-u:\\b)must(?-u:\\b)'
    """
    pattern = "|".join(_before_gap(pattern) for patterns in signs for pattern in patterns)
    for exact, wider in _WIDER.items():
        pattern = re.sub(exact, wider, pattern)
    return f"(?i){pattern}"


def _before_gap(pattern: str) -> str:
    """Return a pattern up to its first `.{0,30}` outside of groups; all of it if it has alternatives outside of groups."""
    depth = 0
    for token in _TOKEN.finditer(pattern):
        if depth == 0 and token["gap"]:
            return pattern[: token.start()]
        if depth == 0 and token[0] == "|":
            break
        depth += (token[0] == "(") - (token[0] == ")")
    return pattern


def _filled(node: Any, use: Callable[[str], Any]) -> Any:
    """Replace each `x-use` by its schema file, so that an error's path still names the rule."""
    if isinstance(node, list):
        return [_filled(item, use) for item in node]
    if not isinstance(node, dict):
        return node
    if "x-use" in node:
        bundled = use(node["x-use"])
        return _inlined(bundled, bundled.get("$defs", {}))
    return {key: _filled(value, use) for key, value in node.items()}


def _inlined(node: Any, definitions: Any) -> Any:
    """Replace references by their targets, and drop annotations."""
    if isinstance(node, list):
        return [_inlined(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        return _inlined(definitions[reference.removeprefix("#/$defs/")], definitions)
    dropped = ("$defs", "$schema", "$id", "title", "description", "default", "format")
    return {
        key: {name: _inlined(field, definitions) for name, field in value.items()}
        if key == "properties"
        else _inlined(value, definitions)
        for key, value in node.items()
        if key not in dropped and not key.startswith("x-")
    }


def _walker_of(rule_id: str) -> str:
    return f"{rule_id}/**"


def _walker(rule_id: str) -> Any:
    """Return a schema that applies one rule to a value and every value below."""
    recursive_ref = {"$ref": reference(_walker_of(rule_id))}
    return {"$ref": reference(rule_id), "items": recursive_ref, "additionalProperties": recursive_ref}


def _walker_past(rule: Any) -> Any:
    """Return a schema for the root that applies a rule to every value except those at the rule's `except`."""
    root = _Node()
    for pointer in rule["except"]:
        node = root
        for step in pointer.split("/")[1:]:
            node = node.children.setdefault(_decoded(step), _Node())

    def past(node: _Node) -> Any:
        recursive_ref = {"$ref": reference(_walker_of(rule["id"]))}
        each = past(node.children[EACH]) if EACH in node.children else recursive_ref
        properties = {name: past(child) for name, child in sorted(node.children.items()) if name != EACH}
        inner = {"properties": properties} if properties else {}
        schema = {"$ref": reference(rule["id"]), **inner, "items": each, "additionalProperties": each}
        return schema if node.children else True

    return past(root)


def _schema_of(node: _Node) -> Any:
    schema: dict[str, Any] = {}
    references = [{"$ref": reference(rule)} for rule in node.rules]
    each, item = node.children.get(EACH), node.children.get(ITEM)
    properties = {
        name: _schema_of(child) for name, child in sorted(node.children.items()) if name not in (EACH, ITEM)
    }
    if item is not None:
        schema["items"] = _schema_of(item)
    if properties:
        schema["properties"] = properties
    if each is not None:
        inner = _schema_of(each)
        every = {"items": inner, "additionalProperties": inner}
        # `additionalProperties` skips the fields that `properties` names: use a branch of its own.
        if properties:
            references.append(every)
        else:
            schema |= every
    if len(references) == 1 and not schema:
        return references[0]
    if references:
        schema["allOf"] = references
    return schema


def reference(definition: str) -> str:
    """Return the `$ref` of a definition."""
    return "#/$defs/" + definition.replace("~", "~0").replace("/", "~1")


def _decoded(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
