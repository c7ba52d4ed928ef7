"""Lazy imports (PEP 562) of the public names that a package's stub lists."""

from __future__ import annotations

import ast
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_exports(
    package: str,
    modules: Mapping[str, str] | None = None,
    *,
    on_missing: Callable[[ModuleNotFoundError], Exception | None] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package that imports its public names at their first use.

    `__getattr__` also returns `__all__`: the names that do not begin with an underscore.

    Args:
        package: The full name of the package.
        modules: The full module name by public name. Default: the imports of the package's stub
            `__init__.pyi`, so that type checkers and this function read the same list.
        on_missing: Return the exception to raise instead of a `ModuleNotFoundError`, or None to raise that one.
    """

    @cache
    def exports() -> Mapping[str, str]:
        return _of_stub(package) if modules is None else modules

    def public() -> list[str]:
        return sorted(name for name in exports() if not name.startswith("_"))

    def get(name: str) -> Any:
        if name == "__all__":
            return public()
        module = exports().get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            value = getattr(import_module(module), name)
        except ModuleNotFoundError as error:
            replacement = on_missing(error) if on_missing else None
            if replacement is None:
                raise
            raise replacement from error
        setattr(sys.modules[package], name, value)
        return value

    return get, public


def _of_stub(package: str) -> dict[str, str]:
    """Return the module name of each name that a package's stub imports."""
    stub = Path(str(sys.modules[package].__file__)).with_suffix(".pyi")
    imports = (node for node in ast.parse(stub.read_bytes()).body if isinstance(node, ast.ImportFrom))
    return {alias.name: str(node.module) for node in imports for alias in node.names}
