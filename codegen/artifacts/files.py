"""The published files as bytes by path, before they are written."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from codegen.artifacts.catalog import catalog
from codegen.artifacts.page import page
from codegen.bundle import bundle
from codegen.lint_rules.schema import BUNDLED_SUFFIX
from codegen.public_form import public_form
from codegen.sources import ID_BASE, SCHEMA_SUFFIX, BrokenTree, json_bytes

if TYPE_CHECKING:
    from codegen.sources import Problem, Tree

SUMS: Final = "SHA256SUMS"
CATALOG: Final = "catalog.json"
PAGE: Final = "index.html"


def artifact_files(tree: Tree, version: str) -> dict[str, bytes]:
    """Return every published file by its path below https://cardwright.dev/schemas/.

    Args:
        tree: The canonical files; a lint rule requires each schema at the path of its `$id`.
        version: The project's version, as the page names it.

    Raises:
        BrokenTree: With every schema that cannot be bundled.
    """
    files: dict[str, bytes] = {}
    problems: list[Problem] = []
    for path, schema in tree.schemas.items():
        files[path] = json_bytes(public_form(schema.document))
        try:
            files[bundled_path(path)] = json_bytes(bundled_form(tree, path))
        except BrokenTree as broken:
            problems += broken.problems
    if problems:
        raise BrokenTree(problems)
    hashes = {path: hashlib.sha256(body).hexdigest() for path, body in files.items()}
    files[CATALOG] = json_bytes(catalog(tree, bundled_path))
    files[PAGE] = page(tree, version, bundled_path, hashes).encode()
    return dict(sorted(files.items())) | {SUMS: sums(files)}


def bundled_path(path: str) -> str:
    """Return the path of the bundled form of the schema at a path."""
    return path.removesuffix(SCHEMA_SUFFIX) + BUNDLED_SUFFIX


def bundled_form(tree: Tree, path: str) -> Any:
    """Return a schema with everything that it refers to, under an `$id` of its own.

    Raises:
        BrokenTree: If two files have different definitions of the same name.
    """
    document = public_form(bundle(tree, path))
    definitions = {"$defs": document.pop("$defs")} if "$defs" in document else {}
    examples = {"examples": tree.schemas[path].document["examples"]}
    return document | {"$id": ID_BASE + bundled_path(path)} | definitions | examples


def sums(files: dict[str, bytes]) -> bytes:
    """Return the checksums in the format of `sha256sum -c`."""
    return "".join(
        f"{hashlib.sha256(body).hexdigest()}  {path}\n" for path, body in sorted(files.items())
    ).encode()
