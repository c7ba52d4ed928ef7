"""Agent cards of every dialect: read, detect, validate, convert, compare, fix, sign.

The public names are listed in `__init__.pyi` and imported at their first use.
"""

from cardwright.extras import missing_extra
from cardwright.lazy import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__, on_missing=missing_extra)
