"""Beach 1.0 agent card: typed models.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from importlib import import_module
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
# The class that each module has.
_MODULES = {
    "AgentCard": "models",
    "Auth": "models",
    "BeachExtension": "models",
    "BeachExtensionParams": "models",
    "Capability": "models",
    "Contact": "models",
    "EnvelopeBlock": "models",
    "Extensions": "models",
    "JsonSchema": "models",
    "Provider": "models",
    "Transport": "models",
}


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
