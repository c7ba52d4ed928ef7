"""One guarded HTTP client: the only place from which connections to other machines are opened.

The public names are listed in `__init__.pyi`, and imported when first used: the rules alone need no HTTP client.
"""

from cardwright.extras import missing_extra
from cardwright_runtime.lazy import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__, on_missing=missing_extra)
