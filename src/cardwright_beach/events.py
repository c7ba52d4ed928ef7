"""What an envelope consists of while it flows: parts, and the marker that the turn has settled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_beach.parts import Part


@dataclass(frozen=True, slots=True)
class PartEvent:
    """A part has come.

    Attributes:
        index: How many came before it, those that the envelope made itself among them.
        part: The part.
    """

    index: int
    part: Part


@dataclass(frozen=True, slots=True)
class Settlement:
    """The settlement marker: no part comes after it (Beach protocol seed, Concern).

    Attributes:
        meta: The envelope's `meta`, with `finalizedBy` (`schemas/beach/1.0/envelope-meta.schema.json`).
    """

    meta: Mapping[str, Any]

    @property
    def state(self) -> str:
        """The conversation state in which the turn settled, such as `complete`."""
        return str(self.meta["conversationState"])


EnvelopeEvent: TypeAlias = PartEvent | Settlement
