"""Public names that are imported at their first use (PEP 562), listed once: in the stub of the package."""

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
    """Return the `__getattr__` and `__dir__` of a package that imports its public names at their first use.

    `__all__` is one of the names: those that do not begin with an underscore.

    Args:
        package: The package, by its full name.
        modules: The full name of the module of each public name. Where not given, the imports of the stub
            `__init__.pyi` beside the package: type checkers and this function then read the same list.
        on_missing: Returns what to raise in place of a `ModuleNotFoundError`; None to raise that itself.
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
            instead = on_missing(error) if on_missing else None
            if instead is None:
                raise
            raise instead from error
        setattr(sys.modules[package], name, value)
        return value

    return get, public


def _of_stub(package: str) -> dict[str, str]:
    """Return the module of each name that the stub of a package imports."""
    stub = Path(str(sys.modules[package].__file__)).with_suffix(".pyi")
    imports = (node for node in ast.parse(stub.read_bytes()).body if isinstance(node, ast.ImportFrom))
    return {alias.name: str(node.module) for node in imports for alias in node.names}
