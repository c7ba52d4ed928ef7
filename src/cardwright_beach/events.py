"""Events of an envelope stream: parts, then the settlement marker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_beach.parts import Part


@dataclass(frozen=True, slots=True)
class PartEvent:
    """A part of the stream.

    Attributes:
        index: Its position in the stream; parts that the envelope itself creates count, too.
        part: The part.
    """

    index: int
    part: Part


@dataclass(frozen=True, slots=True)
class Settlement:
    """Settlement marker: the last event of the stream (Beach protocol seed, Concern).

    Attributes:
        meta: The envelope's `meta`, with `finalizedBy` (`schemas/beach/1.0/envelope-meta.schema.json`).
    """

    meta: Mapping[str, Any]

    @property
    def state(self) -> str:
        """The conversation state in which the turn settled, such as `complete`."""
        return str(self.meta["conversationState"])


EnvelopeEvent: TypeAlias = PartEvent | Settlement
