"""References in JSON Schemas: followed inside the schema, never to other documents."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from cardwright.difference.keywords import ASSERTIONS
from cardwright.difference.pair import Pair
from cardwright.difference.rules import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

# No array of a card has an index with more digits.
_INDEX_DIGITS: Final = 9


class References:
    """One schema and the targets of its references; each chain is followed once."""

    def __init__(self, root: Any, at: str) -> None:
        self.root: Final = root
        self._at: Final = at
        self._ends: dict[str, tuple[dict[str, Any], str]] = {}

    def end(self, node: dict[str, Any], at: str) -> tuple[dict[str, Any], str]:
        """Return the schema at the end of a chain of references, and its pointer.

        The chain ends at a reference that is external, does not resolve or is circular, and at a reference
        with assertions beside it.
        """
        chain: dict[str, None] = {}
        while isinstance(reference := node.get("$ref"), str) and reference not in chain:
            if any(name in ASSERTIONS for name in node if name != "$ref"):
                break
            if reference in self._ends:
                node, at = self._ends[reference]
                break
            target = self.target(reference)
            if type(target) is not dict:
                break
            chain[reference] = None
            node, at = target, self.place(reference)
        self._ends.update(dict.fromkeys(chain, (node, at)))
        return node, at

    def target(self, reference: Any) -> Any:
        """Return the target of a JSON Pointer in a fragment (RFC 6901 §6), or None."""
        if not isinstance(reference, str) or (reference != "#" and not reference.startswith("#/")):
            return None
        node = self.root
        for step in unquote(reference).split("/")[1:]:
            node = _inner(node, step.replace("~1", "/").replace("~0", "~"))
        return node

    def place(self, reference: str) -> str:
        """Return the pointer of a reference's target."""
        return self._at + unquote(reference[1:])


class Schemas:
    """Two schemas with the targets of their references."""

    def __init__(self, root: Pair) -> None:
        self.root: Final = root
        self._old: Final = References(root.old, root.old_at)
        self._new: Final = References(root.new, root.new_at)

    def followed(self, pair: Pair) -> Pair:
        """Return the pair of schemas at the end of two chains of references."""
        old, old_at = self._old.end(pair.old, pair.old_at)
        new, new_at = self._new.end(pair.new, pair.new_at)
        return Pair(old, new, old_at, new_at)

    def referred(self, keyword: str, pair: Pair) -> Iterator[Step | Pair]:
        """Compare two references that have other keywords beside them, or cannot be followed."""
        old, new = self._old.target(pair.old), self._new.target(pair.new)
        if keyword == "$ref" and old is not None and new is not None:
            yield Pair(old, new, self._old.place(pair.old), self._new.place(pair.new))
        # An anchor, a dynamic scope or an identifier may refer to a definition, and the definitions of the
        # two schemas may differ.
        elif not pair.equal or (self._is_internal(pair.old) and not self._has_equal_definitions):
            yield Step("unclear", pair)

    def _is_internal(self, reference: Any) -> bool:
        return str(reference).startswith("#") or self._has_identifiers

    @cached_property
    def _has_equal_definitions(self) -> bool:
        return all(self.root.field(name).equal for name in ("$defs", "definitions"))

    @cached_property
    def _has_identifiers(self) -> bool:
        """Whether a schema has an identifier for references (JSON Schema Core §8.2.1; draft 4 §7.2)."""
        return _has_identifier(self.root.old) or _has_identifier(self.root.new)


def _has_identifier(root: Any) -> bool:
    pending = [root]
    while pending:
        node = pending.pop()
        if type(node) is dict:
            if any(isinstance(node.get(name), str) for name in ("$id", "id")):
                return True
            pending.extend(node.values())
        elif type(node) is list:
            pending.extend(node)
    return False


def _inner(node: Any, name: str) -> Any:
    if type(node) is dict:
        return node.get(name)
    if type(node) is list and name.isascii() and name.isdecimal() and len(name) <= _INDEX_DIGITS:
        return node[int(name)] if int(name) < len(node) else None
    return None
