"""Beach 1.0 agent card: typed models.

Generated from schemas/beach/1.0/agent-card.schema.json (sha256 840135e44e1370b6903ca0845c32962cfdfcf50aca9b96c52c3cb63818afb7e6)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.beach_v1_0.models import (
        AgentCard,
        Auth,
        BeachExtension,
        BeachExtensionParams,
        Capability,
        Contact,
        EnvelopeBlock,
        Extensions,
        JsonSchema,
        Provider,
        Transport,
    )

__all__ = [
    "AgentCard",
    "Auth",
    "BeachExtension",
    "BeachExtensionParams",
    "Capability",
    "Contact",
    "EnvelopeBlock",
    "Extensions",
    "JsonSchema",
    "Provider",
    "Transport",
]


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.beach_v1_0 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
