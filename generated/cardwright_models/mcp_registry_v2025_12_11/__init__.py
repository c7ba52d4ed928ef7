"""server.json of the MCP registry: typed models.

Generated from schemas/mcp-registry/2025-12-11/server.schema.json (sha256 53ac7b80c885873826a59ace29e624536dd19cb4758cecb9d0dac710db4d9dde)
by `make generate`. Do not edit: change the schemas and generate again.
"""

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


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.mcp_registry_v2025_12_11 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
