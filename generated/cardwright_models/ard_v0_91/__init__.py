"""ARD 0.91 manifest: typed models.

Generated from schemas/ard/0.91/catalog.schema.json (sha256 0c491f76f0cbed51b9a54d8f8fc67858eabacbec3ffcef4b1a29c6674c1c2358)
by `make generate`. Do not edit: change the schemas and generate again.
"""

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


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.ard_v0_91 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
