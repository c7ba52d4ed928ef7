"""A2A 0.1 agent card: typed models.

Generated from schemas/a2a/0.1/agent-card.schema.json (sha256 0f836d2dab9b4a2347fce1f3f6697483db7b1e7a5de63f35b314d2ac3451d99e)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.a2a_v0_1.models import (
        AgentAuthentication,
        AgentCapabilities,
        AgentCard,
        AgentProvider,
        AgentSkill,
    )

__all__ = [
    "AgentAuthentication",
    "AgentCapabilities",
    "AgentCard",
    "AgentProvider",
    "AgentSkill",
]


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.a2a_v0_1 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
