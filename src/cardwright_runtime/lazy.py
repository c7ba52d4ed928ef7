"""Public names that are imported at their first use (PEP 562)."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_exports(
    package: str,
    modules: Mapping[str, str],
    *,
    on_missing: Callable[[ModuleNotFoundError], Exception | None] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package that imports its public names at their first use.

    Args:
        package: The package, by its full name.
        modules: The full name of the module of each public name.
        on_missing: Returns what to raise in place of a `ModuleNotFoundError`; None to raise that itself.
    """

    def get(name: str) -> Any:
        module = modules.get(name)
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

    return get, lambda: sorted(modules)
