"""MCP server card (SEP-2127): typed models.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from importlib import import_module
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
# The class that each module has.
_MODULES = {
    "Icon": "models",
    "Input": "models",
    "KeyValueInput": "models",
    "Remote": "models",
    "Repository": "models",
    "ServerCard": "models",
}


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
