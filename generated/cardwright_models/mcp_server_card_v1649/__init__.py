"""MCP server card in the older form (SEP-1649): typed models.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.mcp_server_card_v1649.models import (
        Authentication,
        OlderServerCard,
        Part,
        ServerInfo,
        Tool,
        Transport,
    )

__all__ = [
    "Authentication",
    "OlderServerCard",
    "Part",
    "ServerInfo",
    "Tool",
    "Transport",
]
# The class that each module has.
_MODULES = {
    "Authentication": "models",
    "OlderServerCard": "models",
    "Part": "models",
    "ServerInfo": "models",
    "Tool": "models",
    "Transport": "models",
}


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
