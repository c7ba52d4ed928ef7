"""What waits for the settlement, put together as it comes: no more is kept than will go out."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from cardwright.envelope.judging import data_definitions
from cardwright.envelope.merging import NO_SLOT, Fold, strategy_of
from cardwright.envelope.parts import Part
from cardwright.envelope.surfaces import SurfaceFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.envelope.delivery.rules import Action


class Pile:
    """The parts of one type that wait, by the slot that they fill.

    What has a slot is put together by its strategy. Without one, `settle` keeps every part, and `final`
    what they come to: a text that is added (`append`) to what was said, or the last part. Surfaces come to
    their final state in either case.
    """

    def __init__(self, action: Action) -> None:
        self._keeps_all = action == "settle"
        self._places: dict[str, _Place] = {}

    def add(self, part: Part) -> None:
        """Take in one more part."""
        slot = part.slot_key or NO_SLOT
        place = self._places.get(slot)
        if place is None:
            place = self._places[slot] = _place_of(part, keeps_all=self._keeps_all)
        place.add(part)

    def parts(self) -> Iterator[Part]:
        """Yield what goes out: what has no slot first, in the order in which it came, then slots by their key."""
        for _, place in sorted(self._places.items()):
            yield from place.parts()


class _Place:
    """Keeps every part."""

    def __init__(self) -> None:
        self._entries: list[Part] = []

    def add(self, part: Part) -> None:
        """Take in one more part."""
        self._entries.append(part)

    def parts(self) -> Iterator[Part]:
        """Yield what goes out."""
        yield from self._entries


class _Last(_Place):
    """Keeps the last part, and of texts what all of them come to; of data in a slot likewise."""

    def __init__(self) -> None:
        super().__init__()
        self._said = StringIO()
        self._adds = True
        self._fold: Fold | None = None

    def add(self, part: Part) -> None:
        if part.text is not None:
            if part.merge_strategy != "append":
                self._said, self._adds = StringIO(), False
            self._said.write(part.text)
        elif part.content == "data" and part.slot_key is not None and part.type not in data_definitions():
            self._fold = self._fold or Fold()
            self._fold.add(part.data, strategy_of(part))
        self._entries = [part]

    def parts(self) -> Iterator[Part]:
        for part in self._entries:
            if part.text is not None:
                yield self._text(part)
            elif self._fold is None or part.content != "data":
                yield part
            else:
                for strategy, value in self._fold.steps():
                    yield Part({**part.document, "data": value}).stamped(mergeStrategy=strategy)

    def _text(self, part: Part) -> Part:
        metadata = {name: value for name, value in part.metadata.items() if name != "mergeStrategy"}
        if self._adds and part.slot_key is not None:
            metadata["mergeStrategy"] = "append"
        return Part({**part.document, "text": self._said.getvalue(), "metadata": metadata})


class _Surfaces(_Place):
    """Keeps the final state of surfaces."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = SurfaceFolder()

    def add(self, part: Part) -> None:
        self._folder.add(part.data)
        self._entries = [part]

    def parts(self) -> Iterator[Part]:
        messages = self._folder.messages()
        for part in self._entries if messages else ():
            yield Part({**part.document, "data": messages})


def _place_of(part: Part, *, keeps_all: bool) -> _Place:
    if part.type == "a2ui-surface":
        return _Surfaces()
    # What a schema of its own gives a form, such as setState, passes as it is: merged, it would be something else.
    merges = part.slot_key is not None and part.type not in data_definitions()
    return _Place() if keeps_all and not merges else _Last()
