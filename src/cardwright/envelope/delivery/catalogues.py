"""Surfaces that a receiver cannot render, and so does not get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.envelope.surfaces import same_catalogue

if TYPE_CHECKING:
    from cardwright.envelope.delivery.receiver import Receiver
    from cardwright.envelope.parts import Part


class SurfaceFilter:
    """Remembers which surface is of which catalogue, by the surface's id, while it lives.

    Source: Beach Agent Card, Envelope block (consumers check the catalogue against what they can render).

    Attributes:
        refuses_all: Whether the receiver gets no surface at all.
    """

    def __init__(self, receiver: Receiver) -> None:
        self._rendered = receiver.catalogue
        self._catalogues: dict[str, str] = {}
        # What a message to people cannot show is left out (Beach protocol seed, Delivery rules).
        self.refuses_all = (
            receiver.catalogue is None and receiver.peer is None and receiver.delivery_class == "buffered"
        )

    def refusal(self, part: Part) -> str:
        """Return why a surface is kept from the receiver; "" where it is not."""
        if self.refuses_all:
            return "the channel does not say that it renders surfaces"
        if self._rendered is None:
            return ""
        # Every message is looked at, since each may say something of what follows it.
        foreign = [self._is_foreign(message, self._rendered) for message in part.data]
        return "the receiver renders another A2UI catalogue" if any(foreign) else ""

    def _is_foreign(self, message: dict[str, Any], rendered: str) -> bool:
        kind, body = next(((k, body) for k, body in message.items() if isinstance(body, dict)), ("", {}))
        surface = str(body.get("surfaceId", ""))
        if kind == "createSurface":
            # To create what is there already is an error, which changes nothing (A2UI 0.9, createSurface).
            self._catalogues.setdefault(surface, str(body["catalogId"]))
        catalogue = self._catalogues.get(surface)
        if kind == "deleteSurface":
            self._catalogues.pop(surface, None)
        return catalogue is not None and not same_catalogue(catalogue, rendered)
