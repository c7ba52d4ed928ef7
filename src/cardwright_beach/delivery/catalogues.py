"""Filter for surfaces that a receiver cannot render."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from cardwright_beach.surfaces import catalogues_of, same_catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright_beach.delivery.receiver import Receiver
    from cardwright_beach.parts import Part

    IndexedPart: TypeAlias = tuple[Part, Sequence[int]]

NO_CATALOGUE: Final = "the channel has no a2ui_catalog, so it renders no surfaces"
OTHER_CATALOGUE: Final = "the receiver renders another A2UI catalogue"


class SurfaceFilter:
    """Filter of one receiver; it tracks the catalogue of each surface by surface id.

    Source: Beach Agent Card, Envelope block (consumers check the catalogue against what they can render).

    Attributes:
        refuses_all: Whether the receiver gets no surfaces.
    """

    def __init__(self, receiver: Receiver) -> None:
        self._rendered = receiver.catalogue
        self._catalogues: dict[str, str] = {}
        # A buffered channel without a catalogue cannot show surfaces (Beach protocol seed, Delivery rules).
        self.refuses_all = (
            receiver.catalogue is None and receiver.peer is None and receiver.delivery_class == "buffered"
        )

    def refusal(self, part: Part) -> str:
        """Return why a surface is not sent immediately; "" if it is."""
        if self._rendered is None:
            return ""
        # No short circuit: every message may update the tracked catalogues.
        foreign = [self._is_foreign(message, self._rendered) for message in part.data]
        return OTHER_CATALOGUE if any(foreign) else ""

    def settled(self, parts: list[IndexedPart]) -> Iterator[tuple[Part | None, Sequence[int]]]:
        """Yield the surfaces in their final state that the receiver gets; None for a part that is left out completely.

        A surface that any part creates in another catalogue is left out, in whatever order the parts came.
        """
        rendered = self._rendered
        created = [item for part, _ in parts for item in catalogues_of(part.data).items()]
        foreign = {
            name
            for name, catalogue in created
            if rendered is not None and not same_catalogue(catalogue, rendered)
        }
        for part, indices in parts:
            messages = [message for message in part.data if _kind_and_surface(message)[1] not in foreign]
            yield (part.with_data(messages) if messages else None), indices

    def _is_foreign(self, message: dict[str, Any], rendered: str) -> bool:
        kind, surface = _kind_and_surface(message)
        if kind == "createSurface":
            # Creating an existing surface is an error without effect (A2UI 0.9, createSurface).
            self._catalogues.setdefault(surface, str(message[kind]["catalogId"]))
        catalogue = self._catalogues.get(surface)
        if kind == "deleteSurface":
            self._catalogues.pop(surface, None)
        return catalogue is not None and not same_catalogue(catalogue, rendered)


def _kind_and_surface(message: dict[str, Any]) -> tuple[str, str]:
    """Return the kind of an A2UI message and its surface id."""
    bodies = ((kind, body) for kind, body in message.items() if isinstance(body, dict))
    return next(((kind, str(body.get("surfaceId", ""))) for kind, body in bodies), ("", ""))
