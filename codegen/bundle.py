"""One schema out of many files: every `$ref` to another file becomes one to a definition inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag, urljoin

from codegen.lint import registry_of
from codegen.sources import ID_BASE, BrokenTree, Problem

if TYPE_CHECKING:
    from codegen.sources import Tree


def bundle(tree: Tree, path: str, also: tuple[str, ...] = ()) -> Any:
    """Return the schema at a tree path with everything it refers to inside `$defs`.

    Args:
        tree: The canonical files.
        path: The root schema's path in the tree.
        also: Further schemas that the root does not refer to, to be carried as definitions.

    Raises:
        BrokenTree: If two files give different definitions one name.
    """
    registry = registry_of(tree)
    root = tree.schemas[path].document
    definitions: dict[str, Any] = {}
    pending: list[tuple[str, str]] = []
    named: dict[str, str] = {}

    def name_of(uri: str) -> str:
        base, fragment = urldefrag(uri)
        name = fragment.rsplit("/", 1)[-1] if fragment else str(registry.contents(base)["title"])
        if named.setdefault(name, uri) != uri:
            problem = Problem(path, "", f"{named[name]} and {uri} are both named {name}")
            raise BrokenTree([problem])
        return name

    def rewrite(node: Any, base: str) -> Any:
        if isinstance(node, list):
            return [rewrite(item, base) for item in node]
        if not isinstance(node, dict):
            return node
        copy = {key: rewrite(value, base) for key, value in node.items()}
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith("https://json-schema.org/"):
            return copy
        if isinstance(reference, str):
            uri = urljoin(base, reference)
            if uri == ID_BASE + path:
                copy["$ref"] = "#"
            else:
                pending.append((name_of(uri), uri))
                copy["$ref"] = f"#/$defs/{name_of(uri)}"
        return copy

    bundled = rewrite({k: v for k, v in root.items() if k not in ("$defs", "examples")}, ID_BASE + path)
    pending += [(name_of(ID_BASE + other), ID_BASE + other) for other in also]
    while pending:
        name, uri = pending.pop(0)
        if name in definitions:
            continue
        resolved = registry.resolver(ID_BASE + path).lookup(uri)
        contents = resolved.contents
        inner = {k: v for k, v in contents.items() if k not in ("$schema", "$id", "$defs", "examples")}
        definitions[name] = rewrite(inner, urldefrag(uri)[0])
    if definitions:
        bundled["$defs"] = dict(sorted(definitions.items()))
    return bundled
