"""Surfaces: templates that render data as A2UI messages, and folding of message sequences (A2UI 0.9)."""

from cardwright_beach.surfaces.catalogues import BASIC_CATALOGUE, catalogues_of, same_catalogue
from cardwright_beach.surfaces.checks import surface_violations
from cardwright_beach.surfaces.created import CreatedSurfaces
from cardwright_beach.surfaces.folding import SurfaceFolder, fold_surface
from cardwright_beach.surfaces.templates import MEDIA_TYPE, SurfaceContext, SurfaceTemplates

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
