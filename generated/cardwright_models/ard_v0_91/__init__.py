"""ARD 0.91 manifest: typed models.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.ard_v0_91.models import (
        ArdEntry,
        ArdManifest,
        Attestation,
        ProvenanceLink,
        TrustManifest,
        TrustSchema,
    )

__all__ = [
    "ArdEntry",
    "ArdManifest",
    "Attestation",
    "ProvenanceLink",
    "TrustManifest",
    "TrustSchema",
]
# The class that each module has.
_MODULES = {
    "ArdEntry": "models",
    "ArdManifest": "models",
    "Attestation": "models",
    "ProvenanceLink": "models",
    "TrustManifest": "models",
    "TrustSchema": "models",
}


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
