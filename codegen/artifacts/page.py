"""The index page: every dialect and schema file, its origin and its use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jinja2
from markupsafe import Markup, escape

from codegen.artifacts.catalog import newest_first
from codegen.sources import ID_BASE

if TYPE_CHECKING:
    from collections.abc import Callable

    from codegen.sources import Dialect, Tree

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
# Enough of a hash to distinguish two files; the full hash is in the title and in SHA256SUMS.
SHORT: Final = 12


def page(tree: Tree, version: str, bundled_path: Callable[[str], str], hashes: dict[str, str]) -> str:
    """Return `index.html`; it loads no other file, and every link is relative. `hashes` has the sha256 of each published schema."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["with_code"] = _with_code
    dialects = newest_first(tree)
    first = next((dialect.schema for dialect in dialects if dialect.schema is not None), None)
    return environment.get_template("schemas-index.html.jinja").render(
        version=version,
        base=ID_BASE,
        dialects=[_dialect(tree, dialect, bundled_path, hashes) for dialect in dialects],
        others=[_row(tree, path, bundled_path, hashes) for path in _others(tree)],
        first=bundled_path(first) if first else None,
        settings=_settings(dialects, bundled_path),
    )


# The origin of a schema that follows from other files.
_DERIVED: Final = {"version": "", "origin": "cardwright"}


def _dialect(
    tree: Tree, dialect: Dialect, bundled_path: Callable[[str], str], hashes: dict[str, str]
) -> dict[str, Any]:
    by_name = {other.name: other for other in tree.dialects}
    paths = [path for path in sorted(tree.schemas) if _folder(path) == _folder(dialect.path)]
    # The schema of the card itself first, then its parts by name.
    paths.sort(key=lambda path: path != dialect.schema)
    return {
        "name": dialect.name,
        "title": dialect.title,
        "halves": [{"name": half, "title": by_name[half].title} for half in dialect.halves],
        "schemas": [_row(tree, path, bundled_path, hashes) for path in paths],
    }


def _others(tree: Tree) -> list[str]:
    folders = {_folder(dialect.path) for dialect in tree.dialects}
    return [path for path in sorted(tree.schemas) if _folder(path) not in folders]


def _row(tree: Tree, path: str, bundled_path: Callable[[str], str], hashes: dict[str, str]) -> dict[str, Any]:
    file, pin = tree.schemas[path], tree.pinned["files"].get(path, _DERIVED)
    sources = [pin, *pin.get("also", ())]
    return {
        "path": path,
        "bundled": bundled_path(path),
        "anchor": path.removesuffix(".schema.json").replace("/", "-"),
        "title": file.document["title"],
        "description": file.document["description"],
        "version": pin["version"],
        "derived": pin["origin"] == "derived-from",
        "section": pin.get("section", ""),
        "sources": [
            {
                "name": source["upstream"],
                "ref": source.get("ref", ""),
                "commit": source.get("commit", "")[:SHORT],
            }
            for source in sources
            if source.get("upstream")
        ],
        "sha256": hashes[path],
        "short": hashes[path][:SHORT],
    }


def _settings(dialects: list[Dialect], bundled_path: Callable[[str], str]) -> str:
    """Return VS Code's `json.schemas` for the first dialect with a schema and `fileMatch`."""
    for dialect in dialects:
        if dialect.schema is not None and dialect.file_match:
            entry = {"fileMatch": list(dialect.file_match), "url": ID_BASE + bundled_path(dialect.schema)}
            return json.dumps({"json.schemas": [entry]}, indent=2)
    return ""


def _with_code(text: str) -> Markup:
    """Return escaped text, with text between backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup().join(
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part)
        for index, part in enumerate(parts)
    )


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
