"""MCP server card in the older form (SEP-1649): typed models.

Generated from schemas/mcp-server-card/1649/server-card.schema.json (sha256 0269730f0ee6cb2cc4fa0bb00d9ba3cbfa88b8bb1c64cc22df10abea4eadf1c5)
by `make generate`. Do not edit: change the schemas and generate again.
"""

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


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.mcp_server_card_v1649 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
