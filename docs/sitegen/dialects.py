"""Reference pages of the dialects: how each is detected and validated, and how its fields convert to A2A 1.0."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from codegen.detection import signs_of
from docs.sitegen.markdown import code, page, table
from docs.sitegen.schemas import schema_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, Tree

_DIALECTS: Final = """
A *dialect* is a family and a version of agent cards. `cardwright detect` says which one a card has and by which
evidence. The detection rules are tried in the order below; the first that matches decides. If it leaves other dialects
open, the first is *not sure*: the closest one. Then `$schema` decides, if it is the schema of one of them, or the
well-known path at which the card was found: `/.well-known/agent.json` until 0.2, `/.well-known/agent-card.json` from 0.3.
Otherwise validate with `--dialect` if you know better.
"""
_CONVERSION: Final = """
A card is converted to A2A 1.0 first and from there to the target; a description of an MCP server to another one through
the MCP server card. Each table lists the fields of a dialect, and the
A2A 1.0 field that takes the value. What a target cannot represent is listed as a *loss* in the report of
`cardwright convert`; with `--carry` it is kept in an extension and comes back when the card is converted back.
"""


def dialect_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the pages of dialects and of conversion."""
    tree = schema_tree()
    yield "dialects.md", page("Dialects", _DIALECTS, _detection(tree), *_validation(tree))
    parts = [part for name in sorted(tree.mappings) for part in _mapping(tree.mappings[name])]
    yield "conversion.md", page("Conversion tables", _CONVERSION, *parts)


def _detection(tree: Tree) -> str:
    signs = sorted(
        ((sign, dialect) for dialect in tree.dialects for sign in dialect.detection_rules),
        key=lambda pair: int(pair[0]["order"]),
    )
    rows = [
        (
            code(dialect.name),
            _evidence(sign),
            ", ".join(code(name) for name in sign.get("leavesOpen", ())) or "–",
        )
        for sign, dialect in signs
    ]
    return table(("dialect", "evidence", "leaves open"), rows)


def _evidence(rule: Any) -> str:
    names = [name for name, _ in signs_of(rule)]
    return str(rule["evidence"]).replace(
        "{found}", " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
    )


def _validation(tree: Tree) -> Iterator[str]:
    for dialect in tree.dialects:
        yield f"## {dialect.name}"
        yield f"{dialect.title}."
        yield _source(dialect)
        rules = sorted({str(rule["id"]) for path in dialect.rules for rule in tree.rule_sets[path].rules})
        if rules:
            yield "Rules: " + ", ".join(f"[`{rule}`](rules/{rule}.md)" for rule in rules) + "."


def _source(dialect: Dialect) -> str:
    if dialect.schema is None:
        halves = " and ".join(code(half) for half in dialect.halves)
        return f"Each form is validated by the schema and rules of its own dialect: {halves}."
    return f"Schema: `cardwright schema show {dialect.name}` (`schemas/{dialect.schema}`)."


def _mapping(mapping: Any) -> Iterator[str]:
    hub = mapping.get("hub", "A2A 1.0")
    title = mapping["dialect"] if "hub" not in mapping else f"{mapping['dialect']} to {hub}"
    yield f"## {title}"
    for name, part in mapping["objects"].items():
        if not part.get("members"):
            continue
        yield f"### {title}: {name}"
        yield table(
            ("field", hub, "note"),
            [(code(field), _target(field, rule), _note(rule)) for field, rule in part["members"].items()],
        )
        if part.get("beyond"):
            yield f"Fields of {hub} that have no place here:"
            yield table(("field", "why"), [(code(field), why) for field, why in part["beyond"].items()])


def _target(field: str, rule: Any) -> str:
    if "lost" in rule:
        return "–"
    return code(".".join(rule.get("to", [field])))


def _note(rule: Any) -> str:
    if "lost" in rule:
        return f"not converted: {rule['lost']}"
    for kind in ("object", "items", "entries"):
        if kind in rule:
            return f"{'each ' if kind != 'object' else ''}{code(rule[kind])}"
    if "by" in rule:
        return f"converted by the {code(rule['by'])} step"
    rest = {key: value for key, value in rule.items() if key != "to"}
    return code(json.dumps(rest, ensure_ascii=False)) if rest else ""
