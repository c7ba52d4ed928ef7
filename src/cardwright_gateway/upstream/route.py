"""Where the calls of one binding and version go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Binding: TypeAlias = Literal["JSONRPC", "HTTP+JSON"]


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where the gateway sends the calls of one binding and version.

    Attributes:
        binding: How A2A is bound.
        version: The protocol's version, as Major.Minor.
        url: Where.
        tenant: What every request names as its tenant (A2A 1.0 §8.3.2), or None.
    """

    binding: Binding
    version: str
    url: str
    tenant: str | None = None
