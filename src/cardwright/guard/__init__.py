"""Guarded HTTP client: the only code that opens connections to other machines.

The public names are listed in `__init__.pyi` and imported on first use: the rules alone need no HTTP client.
"""

from cardwright.extras import missing_extra
from cardwright.lazy import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__, on_missing=missing_extra)
