"""Frozen dataclasses with slots whose fields are computed when one of them is first read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable


class OnDemand:
    """Base class of a frozen dataclass with slots: some fields of an instance may be computed on demand.

    Two threads may compute the fields at the same time, and then set equal values.
    """

    __slots__ = ("_compute",)

    @classmethod
    def on_demand(cls, compute: Callable[[], dict[str, Any]], **known: Any) -> Self:
        """Return an instance with some fields, and the function that returns all others by name."""
        instance = object.__new__(cls)
        for name, value in known.items():
            object.__setattr__(instance, name, value)
        object.__setattr__(instance, "_compute", compute)
        return instance

    # A type checker would accept every attribute name if it saw this method.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Compute the fields; Python calls this only for an attribute without a value."""
            if name in type(self).__dataclass_fields__:
                compute = self._compute
                # Another thread may have set the fields since.
                if compute is not None:
                    for field, value in compute().items():
                        object.__setattr__(self, field, value)
                    object.__setattr__(self, "_compute", None)
            return object.__getattribute__(self, name)
