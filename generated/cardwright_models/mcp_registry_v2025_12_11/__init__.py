"""server.json of the MCP registry: typed models.

Generated from schemas/mcp-registry/2025-12-11/server.schema.json (sha256 1d74b733126596411db905de643ca7ff7d4e0ec83a585c42d1339401008ce5d4)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.mcp_registry_v2025_12_11.models import (
        Icon,
        Input,
        KeyValueInput,
        LocalHttp,
        LocalSse,
        NamedArgument,
        Package,
        PositionalArgument,
        RemoteHttp,
        RemoteSse,
        Repository,
        ServerJson,
        ServerMeta,
        Stdio,
    )

__all__ = [
    "Icon",
    "Input",
    "KeyValueInput",
    "LocalHttp",
    "LocalSse",
    "NamedArgument",
    "Package",
    "PositionalArgument",
    "RemoteHttp",
    "RemoteSse",
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
