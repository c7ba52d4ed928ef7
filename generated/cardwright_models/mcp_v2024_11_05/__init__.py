"""Card generated from an MCP session: typed models.

Generated from schemas/mcp/2024-11-05/agent-card.schema.json (sha256 d8555e8f036bab40195085f52c0dd1e8f2671768221eb0beb9aa8cf58a52f1cf)
by `make generate`. Do not edit: change the schemas and generate again.
"""

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


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.mcp_v2024_11_05 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
