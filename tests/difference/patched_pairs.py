"""The hand-made pairs: a base card, a patch (RFC 6902), and what is expected of the two."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.card import Card

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent / "pairs"
EXAMPLES = Path(__file__).parents[2] / "examples"
BASE: dict[str, Any] = json.loads((HERE / "base.card.json").read_bytes())

Operation: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pairing:
    """One row of a table; no kinds or pointers where only the bump is expected."""

    name: str
    old: dict[str, Any]
    new: dict[str, Any]
    bump: str
    kinds: list[str] | None
    pointers: list[str] | None = None
    patch: tuple[Operation, ...] = ()

    def cards(self) -> tuple[Card, Card]:
        return Card.from_document(self.old), Card.from_document(self.new)

    def __str__(self) -> str:
        return self.name


def pairings() -> list[Pairing]:
    """Return the pairs of A2A 1.0 cards; `reverse` names another pair, the other way round."""
    rows = {row["pair"]: row for row in json.loads((HERE / "a2a-1.0.json").read_bytes())}
    return [_pairing(row, rows) for row in rows.values()]


def _pairing(row: dict[str, Any], rows: dict[str, dict[str, Any]]) -> Pairing:
    if "reverse" in row:
        old = patched(BASE, rows[row["reverse"]]["patch"])
        return Pairing(row["pair"], old, BASE, row["bump"], row["kinds"])
    new = patched(BASE, row["patch"])
    return Pairing(row["pair"], BASE, new, row["bump"], row["kinds"], patch=tuple(row["patch"]))


def dialect_pairings() -> list[Pairing]:
    """Return the pairs of cards of other dialects: examples, the newer one patched."""
    rows = json.loads((HERE / "dialects.json").read_bytes())
    return [
        Pairing(
            row["pair"],
            _example(row["old"]),
            patched(_example(row["new"]), row["patch"]),
            row["bump"],
            row["kinds"],
            row["pointers"],
        )
        for row in rows
    ]


def edits() -> list[Pairing]:
    """Return cards with one edit each; `first` prepares the older card."""
    pairs = []
    for row in json.loads((HERE / "edits.json").read_bytes()):
        old = patched(BASE if row["card"] == "base" else _example(row["card"]), row["first"])
        pairs.append(Pairing(row["pair"], old, patched(old, row["patch"]), row["bump"], None))
    return pairs


def _example(dialect: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((EXAMPLES / f"{dialect}.card.json").read_bytes())
    return document


def patched(document: Any, patch: Sequence[Operation]) -> Any:
    """Return a copy of a document after a patch: add, replace, remove, move."""
    root = {"": copy.deepcopy(document)}
    for operation in patch:
        if operation["op"] == "move":
            value = _parted(root, operation["from"], "remove")
            _parted(root, operation["path"], "add", value)
        else:
            _parted(root, operation["path"], operation["op"], copy.deepcopy(operation.get("value")))
    return root[""]


def steps(pointer: str) -> list[str]:
    """Return the steps of a JSON Pointer (RFC 6901)."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")]


def at(document: Any, pointer: str) -> Any:
    """Return the value at a pointer.

    Raises:
        LookupError: If nothing does.
    """
    node: Any = {"": document}
    for step in steps(pointer):
        node = node[int(step)] if isinstance(node, list) else node[step]
    return node


def _parted(root: Any, pointer: str, act: str, value: Any = None) -> Any:
    *way, last = steps(pointer)
    node = root
    for step in way:
        node = node[int(step)] if isinstance(node, list) else node[step]
    if isinstance(node, list):
        if act == "add":
            node.insert(len(node) if last == "-" else int(last), value)
            return None
        if act == "remove":
            return node.pop(int(last))
        node[int(last)] = value
        return None
    if act == "remove":
        return node.pop(last)
    assert act == "add" or last in node, pointer
    node[last] = value
    return None
