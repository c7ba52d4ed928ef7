"""Card generated from an MCP session: typed models.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.mcp_v2024_11_05.models import (
        AgentCard,
        AgentExtension,
        AgentSkill,
        Prompt,
        PromptArgument,
        PromptsCapability,
        Resource,
        ResourcesCapability,
        ServerCapabilities,
        ToolsCapability,
    )

__all__ = [
    "AgentCard",
    "AgentExtension",
    "AgentSkill",
    "Prompt",
    "PromptArgument",
    "PromptsCapability",
    "Resource",
    "ResourcesCapability",
    "ServerCapabilities",
    "ToolsCapability",
]
# The class that each module has.
_MODULES = {
    "AgentCard": "models",
    "AgentExtension": "models",
    "AgentSkill": "models",
    "Prompt": "models",
    "PromptArgument": "models",
    "PromptsCapability": "models",
    "Resource": "models",
    "ResourcesCapability": "models",
    "ServerCapabilities": "models",
    "ToolsCapability": "models",
}


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
