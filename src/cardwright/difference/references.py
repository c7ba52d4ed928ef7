"""References in JSON Schemas: followed inside the schema that holds them, never out of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from cardwright.difference.keywords import ASSERTIONS
from cardwright.difference.pair import Pair
from cardwright.difference.rules import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

# No array of a card has more items than its index has digits here.
_INDEX_DIGITS: Final = 9


class References:
    """One schema, and where the references in it lead; each chain of them is walked once."""

    def __init__(self, root: Any, at: str) -> None:
        self.root: Final = root
        self._at: Final = at
        self._ends: dict[str, tuple[dict[str, Any], str]] = {}

    def end(self, node: dict[str, Any], at: str) -> tuple[dict[str, Any], str]:
        """Return the schema that a chain of references ends at, and where it stands.

        What leads out of the schema, nowhere or in a ring stays, and so does a reference that has
        more beside it than words.
        """
        way: dict[str, None] = {}
        while isinstance(reference := node.get("$ref"), str) and reference not in way:
            if any(name in ASSERTIONS for name in node if name != "$ref"):
                break
            if reference in self._ends:
                node, at = self._ends[reference]
                break
            target = self.target(reference)
            if type(target) is not dict:
                break
            way[reference] = None
            node, at = target, self.place(reference)
        self._ends.update(dict.fromkeys(way, (node, at)))
        return node, at

    def target(self, reference: Any) -> Any:
        """Return what a JSON Pointer in a fragment leads to (RFC 6901 §6), or None."""
        if not isinstance(reference, str) or (reference != "#" and not reference.startswith("#/")):
            return None
        node = self.root
        for step in unquote(reference).split("/")[1:]:
            node = _inner(node, step.replace("~1", "/").replace("~0", "~"))
        return node

    def place(self, reference: str) -> str:
        """Return the pointer to what a reference leads to."""
        return self._at + unquote(reference[1:])


class Schemas:
    """Two schemas, with what their references lead to."""

    def __init__(self, root: Pair) -> None:
        self.root: Final = root
        self._old: Final = References(root.old, root.old_at)
        self._new: Final = References(root.new, root.new_at)

    def followed(self, pair: Pair) -> Pair:
        """Return the pair of schemas that two chains of references end at."""
        old, old_at = self._old.end(pair.old, pair.old_at)
        new, new_at = self._new.end(pair.new, pair.new_at)
        return Pair(old, new, old_at, new_at)

    def referred(self, keyword: str, pair: Pair) -> Iterator[Step | Pair]:
        """Compare two references that stand beside other keywords, or cannot be followed."""
        old, new = self._old.target(pair.old), self._new.target(pair.new)
        if keyword == "$ref" and old is not None and new is not None:
            yield Pair(old, new, self._old.place(pair.old), self._new.place(pair.new))
        # An anchor, a dynamic scope or an identifier may lead into a definition, and these may not be
        # the same.
        elif not pair.alike or (self._leads_inside(pair.old) and not self._alike_inside):
            yield Step("unclear", pair)

    def _leads_inside(self, reference: Any) -> bool:
        return str(reference).startswith("#") or self._has_identifiers

    @cached_property
    def _alike_inside(self) -> bool:
        return all(self.root.member(name).alike for name in ("$defs", "definitions"))

    @cached_property
    def _has_identifiers(self) -> bool:
        """Whether some schema here has a name that references may use (JSON Schema Core §8.2.1; draft 4 §7.2)."""
        return _identified(self.root.old) or _identified(self.root.new)


def _identified(root: Any) -> bool:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if type(node) is dict:
            if any(isinstance(node.get(name), str) for name in ("$id", "id")):
                return True
            waiting.extend(node.values())
        elif type(node) is list:
            waiting.extend(node)
    return False


def _inner(node: Any, name: str) -> Any:
    if type(node) is dict:
        return node.get(name)
    if type(node) is list and name.isascii() and name.isdecimal() and len(name) <= _INDEX_DIGITS:
        return node[int(name)] if int(name) < len(node) else None
    return None
