"""The tree of `schemas/`, read once for all pages."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from codegen.__main__ import ROOT
from codegen.mapping_defaults import with_defaults
from codegen.sources import read_tree

if TYPE_CHECKING:
    from codegen.sources import Tree


@cache
def schema_tree() -> Tree:
    """Return the tree of canonical files, with the mappings that follow from the schemas completed."""
    return with_defaults(read_tree(ROOT / "schemas"))[0]
