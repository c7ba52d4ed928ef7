"""Discovery of A2A agents: find, fetch and refresh cards, select an interface, call agents, check contracts.

The public names are listed in `__init__.pyi` and imported on first use: only calls need the SDKs.
"""

from cardwright.extras import missing_extra
from cardwright.lazy import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__, on_missing=missing_extra)
