"""Peers: found, fetched, kept fresh, chosen from, called, and held to what they declare.

The public names are listed in `__init__.pyi`, and imported when first used: calling alone needs the SDKs.
"""

from cardwright.extras import missing_extra
from cardwright_runtime.lazy import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__, on_missing=missing_extra)
