"""MCP server card (SEP-2127): typed models.

Generated from schemas/mcp-server-card/1/server-card.schema.json (sha256 0bba3cc2f07157f3aa5c9465d59c2c1cbc8aa434caffd9e5471e6a26a0e1e480)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.mcp_server_card_v1.models import (
        Icon,
        Input,
        KeyValueInput,
        Remote,
        Repository,
        ServerCard,
    )

__all__ = [
    "Icon",
    "Input",
    "KeyValueInput",
    "Remote",
    "Repository",
    "ServerCard",
]


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.mcp_server_card_v1 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
