"""Optional dependencies (extras): the extra that installs each module, and the error that names it."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from cardwright.errors import MissingPackage

# The extra by top-level module.
EXTRAS: Final = {
    "a2a": "a2a",
    "aiohappyeyeballs": "discovery",
    "aiohttp": "discovery",
    "aiosqlite": "gateway",
    "anthropic": "anthropic",
    "brotli": "serve",
    "cardwright_beach": "beach",
    "cardwright_gateway": "gateway",
    "cryptography": "sign",
    "google": "a2a",
    "granian": "serve",
    "grpc": "grpc",
    "httpx": "a2a",
    "httpx2": "mcp",
    "hypothesis": "testing",
    "hypothesis_jsonschema": "testing",
    "joserfc": "sign",
    "limits": "gateway",
    "mcp": "mcp",
    "mcp_types": "mcp",
    "multidict": "discovery",
    "opentelemetry": "telemetry",
    "prometheus_client": "gateway",
    "psycopg": "postgresql",
    "redis": "redis",
    "sqlalchemy": "discovery",
    "sse_starlette": "gateway",
    "starlette": "gateway",
    "uvloop": "fast",
    "yarl": "discovery",
}
# Modules whose package has another name.
_PACKAGES: Final = {
    "a2a": "a2a-sdk",
    "cardwright_beach": "cardwright-beach",
    "cardwright_gateway": "cardwright-gateway",
    "google": "a2a-sdk",
    "grpc": "grpcio",
    "mcp_types": "mcp",
    "prometheus_client": "prometheus-client",
    "sse_starlette": "sse-starlette",
}
# Extras that include other extras, as in pyproject.toml.
INCLUDED: Final = {
    "a2a": frozenset({"discovery", "sign"}),
    "anthropic": frozenset({"beach"}),
    "discovery": frozenset({"sign"}),
    "fast": frozenset({"discovery", "sign"}),
    "gateway": frozenset({"a2a", "beach", "discovery", "mcp", "serve", "sign"}),
    "grpc": frozenset({"a2a", "discovery", "sign"}),
    "mcp": frozenset({"discovery", "sign"}),
    "serve": frozenset({"sign"}),
}


def missing_extra(error: BaseException | None, *, extra: str | None = None) -> MissingPackage | None:
    """Return the error with the install command for a failed import; None if no extra installs the module.

    Args:
        error: The failed import, or a `MissingPackage` caused by one.
        extra: The extra that the caller needs; the error names it if it installs the module.
    """
    # Not above: every program that only installs cardwright's pytest plugin would import all errors.
    from cardwright.errors import MissingPackage

    if isinstance(error, MissingPackage):
        return missing_extra(error.__cause__, extra=extra) or error
    module = (getattr(error, "name", None) or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or module not in EXTRAS:
        return None
    installs = EXTRAS[module]
    if extra is not None and installs in INCLUDED.get(extra, ()):
        installs = extra
    package = _PACKAGES.get(module, module)
    return MissingPackage(
        f'{package} is not installed; install it with: pip install "cardwright[{installs}]"'
    )


@contextmanager
def requires_extra(extra: str | None = None) -> Generator[None]:
    """Raise the error with the install command if an import in the block fails because an extra is missing.

    Args:
        extra: The extra that the caller needs.

    Raises:
        MissingPackage: If a package of an extra is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        replacement = missing_extra(error, extra=extra)
        if replacement is None:
            raise
        raise replacement from error


def check_extra(extra: str) -> None:
    """Raise if a package of an extra is missing, without importing it.

    Raises:
        MissingPackage: If a package of the extra, or of one that it includes, is not installed.
    """
    extras = {extra, *INCLUDED.get(extra, ())}
    check_installed((module for module, installs in EXTRAS.items() if installs in extras), extra=extra)


def check_installed(modules: Iterable[str], *, extra: str) -> None:
    """Raise if a module of an extra is missing, without importing it.

    Raises:
        MissingPackage: If one is not installed.
    """
    with requires_extra(extra):
        for module in modules:
            if not is_installed(module):
                raise ModuleNotFoundError(f"No module named {module!r}", name=module)


def is_installed(module: str) -> bool:
    """Return whether a module is installed, without importing it."""
    try:
        return find_spec(module) is not None
    except ValueError:
        # find_spec raises for an imported module without a spec.
        return True
