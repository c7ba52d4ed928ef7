"""Beach envelopes: typed parts of an agent's response, delivery rules, approvals, state, surfaces (Beach protocol seed).

`__init__.pyi` lists the public names; each is imported when first used.
"""

from cardwright.lazy import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)
