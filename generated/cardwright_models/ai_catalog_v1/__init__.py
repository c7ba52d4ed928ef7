"""AI Catalog 1.0: typed models.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.ai_catalog_v1.models import (
        AiCatalog,
        Attestation,
        CatalogEntry,
        HostInfo,
        ProvenanceLink,
        Publisher,
        TrustManifest,
        TrustSchema,
    )

__all__ = [
    "AiCatalog",
    "Attestation",
    "CatalogEntry",
    "HostInfo",
    "ProvenanceLink",
    "Publisher",
    "TrustManifest",
    "TrustSchema",
]
# The class that each module has.
_MODULES = {
    "AiCatalog": "models",
    "Attestation": "models",
    "CatalogEntry": "models",
    "HostInfo": "models",
    "ProvenanceLink": "models",
    "Publisher": "models",
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
