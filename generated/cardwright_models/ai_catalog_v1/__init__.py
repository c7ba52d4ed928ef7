"""AI Catalog 1.0: typed models.

Generated from schemas/ai-catalog/1/catalog.schema.json (sha256 1f6e7c0b6b856213d285a4e67b162c1f0ffedc0d16c21a8446e81ab4f26c26bd)
by `make generate`. Do not edit: change the schemas and generate again.
"""

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


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.ai_catalog_v1 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
