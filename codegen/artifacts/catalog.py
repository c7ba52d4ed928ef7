"""The catalogue for editors (SchemaStore's format): the schema for each file name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from codegen.sources import ID_BASE

if TYPE_CHECKING:
    from collections.abc import Callable

    from codegen.sources import Dialect, Tree

CATALOG_SCHEMA: Final = "https://json.schemastore.org/schema-catalog.json"


def catalog(tree: Tree, bundled_path: Callable[[str], str]) -> Any:
    """Return the catalogue: an entry for each dialect that has a schema, a family's newest version first.

    The entries refer to the bundled schemas, so that editors need one file; the newest version's entry
    lists the addresses of all versions.
    """
    entries = []
    newest: set[str] = set()
    for dialect in newest_first(tree):
        if dialect.schema is None:
            continue
        entry: dict[str, Any] = {
            "name": dialect.title,
            "description": tree.schemas[dialect.schema].document["description"],
            "fileMatch": _patterns(dialect, tree),
            "url": ID_BASE + bundled_path(dialect.schema),
        }
        if dialect.family not in newest:
            newest.add(dialect.family)
            versions = _versions(tree, dialect.family, bundled_path)
            entry |= {"versions": versions} if len(versions) > 1 else {}
        entries.append(entry)
    return {"$schema": CATALOG_SCHEMA, "version": 1, "schemas": entries}


def _patterns(dialect: Dialect, tree: Tree) -> list[str]:
    patterns = [*dialect.file_match, *_named(dialect)]
    if "*.card.json" in dialect.file_match:
        # The pattern takes the named cards of all other dialects too. Editors that know exclusions honour them.
        patterns += [
            "!" + p for other in tree.dialects if other.schema and other != dialect for p in _named(other)
        ]
    return patterns


def _named(dialect: Dialect) -> tuple[str, ...]:
    """Return the patterns of files that are named after a dialect of cards."""
    if dialect.kind != "card":
        return ()
    return f"{dialect.name}.card.json", f"*.{dialect.name}.card.json"


def newest_first(tree: Tree) -> list[Dialect]:
    """Return the dialects by family, the newest version first, versions without a number last."""
    by_version = sorted(tree.dialects, key=_version_key, reverse=True)
    return sorted(by_version, key=lambda dialect: dialect.family)


def _versions(tree: Tree, family: str, bundled_path: Callable[[str], str]) -> dict[str, str]:
    return {
        dialect.version: ID_BASE + bundled_path(dialect.schema)
        for dialect in newest_first(tree)
        if dialect.family == family and dialect.schema is not None
    }


def _version_key(dialect: Dialect) -> tuple[int, ...]:
    parts = dialect.version.replace("-", ".").split(".")
    return tuple(int(part) for part in parts) if all(part.isdecimal() for part in parts) else ()
