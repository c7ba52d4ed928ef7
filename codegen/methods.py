"""The types of the parameters and results of the methods of a protocol, from its `operations.json`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codegen.sources import BrokenTree, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from codegen.sources import Tree


def methods_of(tree: Tree, path: str, classes: Mapping[str, set[str]]) -> dict[str, Any]:
    """Return the context of the template: a row for each method and version.

    Args:
        tree: The tree of schemas.
        path: The path of `operations.json`, in the folder of its family of dialects.
        classes: The classes of each package of models.

    Raises:
        BrokenTree: If a row names a type that the package of its version does not have.
    """
    family = path.partition("/")[0]
    packages = {dialect.version: dialect.package for dialect in tree.dialects if dialect.family == family}
    rows: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for index, operation in enumerate(tree.operations[path]["operations"]):
        for version, row in operation["versions"].items():
            if "params" not in row:
                continue
            package = packages[version]
            for field in ("params", "result"):
                pointer = f"/operations/{index}/versions/{version}/{field}"
                unknown = {*re.findall(r"[A-Z]\w+", row[field])} - classes[package] - {"None"}
                problems += [
                    Problem(path, pointer, f"{package} has no type {name}") for name in sorted(unknown)
                ]
            rows.append(
                {
                    "method": row["method"],
                    "version": version,
                    "streams": operation.get("streams", False),
                    **{field: _qualified(row[field], package) for field in ("params", "result")},
                }
            )
    if problems:
        raise BrokenTree(problems)
    used = {packages[row["version"]] for row in rows}
    return {"title": tree.operations[path]["title"], "rows": rows, "packages": sorted(used)}


def _qualified(types: str, package: str) -> str:
    return re.sub(r"\b(?!None\b)[A-Z]\w+", lambda name: f"{package}.{name[0]}", types)
