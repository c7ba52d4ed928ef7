"""Explanations of rules: one table for all areas, and the cards that their examples change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codegen.sources import Tree


def explanations_of(tree: Tree) -> Any:
    """Return the explanation of each rule by its id, the title of each area, and the example cards."""
    files = sorted(tree.explanations.items())
    return {
        "areas": {_area(path): document["title"] for path, document in files},
        "cards": tree.example_cards,
        "rules": {rule: entry for _, document in files for rule, entry in document["rules"].items()},
    }


def _area(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".json")
