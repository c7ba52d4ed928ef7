"""Bundling: one self-contained schema from many files; every `$ref` to a file becomes one to a definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urldefrag, urljoin

from codegen.references import registry_of
from codegen.sources import ID_BASE, BrokenTree, Problem

if TYPE_CHECKING:
    from codegen.sources import Tree

# Keywords of a file's root, which would apply to the whole bundle.
_OF_A_ROOT: Final = ("$schema", "$id", "$defs", "examples")


def bundle(tree: Tree, path: str, also: tuple[str, ...] = ()) -> Any:
    """Return the schema at a tree path with everything it refers to inside `$defs`.

    Args:
        tree: The canonical files.
        path: The root schema's path in the tree.
        also: Further schemas to add as definitions, although the root does not refer to them.

    Raises:
        BrokenTree: If two files have different definitions of the same name.
    """
    root = tree.schemas[path].document
    binder = _Binder(tree, path)
    bundled = binder.rewritten(
        {k: v for k, v in root.items() if k not in ("$defs", "examples")}, ID_BASE + path
    )
    definitions = binder.definitions(also)
    if definitions:
        bundled["$defs"] = definitions
    return bundled


class _Binder:
    """Collector of the definitions of one bundle while its references are rewritten."""

    def __init__(self, tree: Tree, path: str) -> None:
        self._registry = registry_of(tree)
        self._path = path
        self._uris: dict[str, str] = {}

    def rewritten(self, node: Any, base: str) -> Any:
        """Return a schema with references into the bundle, and note the definitions that they name."""
        if isinstance(node, list):
            return [self.rewritten(item, base) for item in node]
        if not isinstance(node, dict):
            return node
        copy = {key: self.rewritten(value, base) for key, value in node.items()}
        reference = node.get("$ref")
        if isinstance(reference, str):
            uri = urljoin(base, reference)
            copy["$ref"] = "#" if uri == ID_BASE + self._path else f"#/$defs/{self._definition_name(uri)}"
        return copy

    def definitions(self, also: tuple[str, ...]) -> dict[str, Any]:
        """Return every definition named so far, and the definitions that they refer to."""
        for other in also:
            self._definition_name(ID_BASE + other)
        definitions: dict[str, Any] = {}
        while missing := [name for name in self._uris if name not in definitions]:
            for name in missing:
                uri = self._uris[name]
                contents = self._registry.resolver(ID_BASE + self._path).lookup(uri).contents
                inner = {k: v for k, v in contents.items() if k not in _OF_A_ROOT}
                definitions[name] = self.rewritten(inner, urldefrag(uri)[0])
        return dict(sorted(definitions.items()))

    def _definition_name(self, uri: str) -> str:
        base, fragment = urldefrag(uri)
        name = fragment.rsplit("/", 1)[-1] if fragment else str(self._registry.contents(base)["title"])
        if self._uris.setdefault(name, uri) != uri:
            problem = Problem(self._path, "", f"{self._uris[name]} and {uri} are both named {name}")
            raise BrokenTree([problem])
        return name
