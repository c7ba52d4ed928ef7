"""The upstream endpoint for one binding and protocol version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Binding: TypeAlias = Literal["JSONRPC", "HTTP+JSON", "GRPC"]


@dataclass(frozen=True, slots=True)
class Upstream:
    """The upstream endpoint for one binding and protocol version.

    Attributes:
        binding: The A2A protocol binding.
        version: The protocol version, as Major.Minor.
        url: The endpoint's URL.
        tenant: The tenant of every request (A2A 1.0 §8.3.2), or None.
    """

    binding: Binding
    version: str
    url: str
    tenant: str | None = None
