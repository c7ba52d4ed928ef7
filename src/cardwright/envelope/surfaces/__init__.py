"""Surfaces: templates that make A2UI messages out of data, and what becomes of many messages (A2UI 0.9)."""

from cardwright.envelope.surfaces.catalogues import BASIC_CATALOGUE, catalogues_of, same_catalogue
from cardwright.envelope.surfaces.created import CreatedSurfaces
from cardwright.envelope.surfaces.folding import SurfaceFolder, fold_surface
from cardwright.envelope.surfaces.soundness import surface_violations
from cardwright.envelope.surfaces.templates import MEDIA_TYPE, SurfaceContext, SurfaceTemplates

__all__ = [
    "BASIC_CATALOGUE",
    "MEDIA_TYPE",
    "CreatedSurfaces",
    "SurfaceContext",
    "SurfaceFolder",
    "SurfaceTemplates",
    "catalogues_of",
    "fold_surface",
    "same_catalogue",
    "surface_violations",
]
