"""server.json of the MCP registry: typed models.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.mcp_registry_v2025_12_11.models import (
        Argument,
        Icon,
        Input,
        KeyValueInput,
        LocalHttp,
        LocalSse,
        LocalTransport,
        NamedArgument,
        Package,
        PositionalArgument,
        RemoteHttp,
        RemoteSse,
        RemoteTransport,
        Repository,
        ServerJson,
        ServerMeta,
        Stdio,
    )

__all__ = [
    "Argument",
    "Icon",
    "Input",
    "KeyValueInput",
    "LocalHttp",
    "LocalSse",
    "LocalTransport",
    "NamedArgument",
    "Package",
    "PositionalArgument",
    "RemoteHttp",
    "RemoteSse",
    "RemoteTransport",
    "Repository",
    "ServerJson",
    "ServerMeta",
    "Stdio",
]
# The class that each module has.
_MODULES = {
    "Argument": "models",
    "Icon": "models",
    "Input": "models",
    "KeyValueInput": "models",
    "LocalHttp": "models",
    "LocalSse": "models",
    "LocalTransport": "models",
    "NamedArgument": "models",
    "Package": "models",
    "PositionalArgument": "models",
    "RemoteHttp": "models",
    "RemoteSse": "models",
    "RemoteTransport": "models",
    "Repository": "models",
    "ServerJson": "models",
    "ServerMeta": "models",
    "Stdio": "models",
}


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
