"""Surfaces that a receiver cannot render, and so does not get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from cardwright_beach.surfaces import catalogues_of, same_catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright_beach.delivery.receiver import Receiver
    from cardwright_beach.parts import Part

    Held: TypeAlias = tuple[Part, Sequence[int]]

NOT_RENDERED: Final = "the channel does not say that it renders surfaces"
ANOTHER: Final = "the receiver renders another A2UI catalogue"


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
        """Return why a surface that would go out as it comes is kept from the receiver; "" where it is not."""
        if self._rendered is None:
            return ""
        # Every message is looked at, since each may say something of what follows it.
        foreign = [self._is_foreign(message, self._rendered) for message in part.data]
        return ANOTHER if any(foreign) else ""

    def settled(self, parts: list[Held]) -> Iterator[tuple[Part | None, Sequence[int]]]:
        """Yield what the receiver gets of surfaces in their final state; None for a part of which it gets nothing.

        A surface that any part creates in another catalogue is left out, whichever of them came first.
        """
        rendered = self._rendered
        created = [item for part, _ in parts for item in catalogues_of(part.data).items()]
        foreign = {
            name for name, named in created if rendered is not None and not same_catalogue(named, rendered)
        }
        for part, indices in parts:
            messages = [message for message in part.data if _about(message)[1] not in foreign]
            yield (part.with_data(messages) if messages else None), indices

    def _is_foreign(self, message: dict[str, Any], rendered: str) -> bool:
        kind, surface = _about(message)
        if kind == "createSurface":
            # To create what is there already is an error, which changes nothing (A2UI 0.9, createSurface).
            self._catalogues.setdefault(surface, str(message[kind]["catalogId"]))
        catalogue = self._catalogues.get(surface)
        if kind == "deleteSurface":
            self._catalogues.pop(surface, None)
        return catalogue is not None and not same_catalogue(catalogue, rendered)


def _about(message: dict[str, Any]) -> tuple[str, str]:
    """Return what kind of A2UI message it is, and about which surface."""
    bodies = ((kind, body) for kind, body in message.items() if isinstance(body, dict))
    return next(((kind, str(body.get("surfaceId", ""))) for kind, body in bodies), ("", ""))
