"""Envelopes: the parts of an agent's answer, to whom each goes, approvals, state, surfaces (Beach protocol seed).

The public names are listed in `__init__.pyi`, and imported when first used.
"""

from cardwright_runtime.lazy import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)
