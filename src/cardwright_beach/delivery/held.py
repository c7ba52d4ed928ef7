"""What waits for the settlement, put together as it comes: no more is kept than will go out."""

from __future__ import annotations

from array import array
from io import StringIO
from typing import TYPE_CHECKING

from cardwright_beach.merging import NO_SLOT, Fold
from cardwright_beach.parts import Part
from cardwright_beach.surfaces import MEDIA_TYPE, SurfaceFolder
from cardwright_beach.validate import data_definitions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright_beach.delivery.rules import Action


class Pile:
    """The parts of one type that wait, by the slot that they fill.

    What has a slot is put together by its strategy. Without one, `settle` keeps every part, and `final`
    what they come to: a text that is added (`append`) to what was said, or the last part. Surfaces come to
    their final state in either case.
    """

    def __init__(self, action: Action) -> None:
        self._keeps_all = action == "settle"
        self._places: dict[str, _Place] = {}

    def add(self, part: Part, index: int) -> Iterable[int]:
        """Take in one more part; return the indices of those whose place it took."""
        slot = part.slot_key or NO_SLOT
        place = self._places.get(slot)
        if place is None:
            place = self._places[slot] = _place_of(part, keeps_all=self._keeps_all)
        return place.add(part, index)

    def indices(self) -> list[int]:
        """Return the indices of the parts that wait."""
        return [index for place in self._places.values() for index in place.indices]

    def parts(self) -> Iterator[tuple[Part, Sequence[int]]]:
        """Yield what goes out, each with the indices of the parts that it comes from.

        What has no slot comes first, in the order in which it came, then slots by their key; of surfaces those
        that are created here come before what only changes one.
        """
        for _, place in sorted(self._places.items(), key=lambda item: (item[1].waits, item[0])):
            yield from place.parts()


class _Place:
    """Keeps every part."""

    # Whether it changes what another place makes, and has to come after it.
    waits = False

    def __init__(self) -> None:
        self._entries: list[Part] = []
        self.indices = array("L")

    def add(self, part: Part, index: int) -> Iterable[int]:
        """Take in one more part; return the indices of those whose place it took."""
        self._entries.append(part)
        self.indices.append(index)
        return ()

    def parts(self) -> Iterator[tuple[Part, Sequence[int]]]:
        """Yield what goes out, with the indices of where it comes from."""
        yield from ((part, (index,)) for part, index in zip(self._entries, self.indices, strict=True))


class _Last(_Place):
    """Keeps the last part, and of texts what all of them come to; of data in a slot likewise."""

    def __init__(self) -> None:
        super().__init__()
        self._said = StringIO()
        self._adds = True
        self._fold: Fold | None = None

    def add(self, part: Part, index: int) -> Iterable[int]:
        replaced: Iterable[int] = ()
        if self._replaces(part):
            replaced, self.indices = self.indices, array("L")
        self.indices.append(index)
        self._entries = [part]
        if part.text is not None:
            if part.merge_strategy != "append":
                self._said, self._adds = StringIO(), False
            self._said.write(part.text)
        elif _merges(part):
            self._fold = self._fold or Fold()
            self._fold.add(part.data, part.merge_strategy)
        return replaced

    def parts(self) -> Iterator[tuple[Part, Sequence[int]]]:
        for part in self._entries:
            if part.text is not None:
                yield self._text(part), self.indices
            elif self._fold is None or not _merges(part):
                yield part, self.indices
            else:
                for strategy, value in self._fold.steps():
                    yield part.with_data(value).stamped(mergeStrategy=strategy), self.indices

    def _replaces(self, part: Part) -> bool:
        """Whether nothing is left of what came before, once this has come."""
        if part.text is not None or _merges(part):
            return part.merge_strategy == "replace"
        return True

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
        self._kinds: set[str | None] = set()

    @property
    def waits(self) -> bool:  # type: ignore[override] # it is known once all is there
        """Whether it changes a surface that is created elsewhere."""
        return not any("createSurface" in message for message in self._folder.messages())

    def add(self, part: Part, index: int) -> Iterable[int]:
        self._folder.add(part.data)
        self._kinds.add(part.data_kind)
        self._entries = [part]
        self.indices.append(index)
        return ()

    def parts(self) -> Iterator[tuple[Part, Sequence[int]]]:
        messages = self._folder.messages()
        for part in self._entries if messages else ():
            # What the parts said of themselves in different words depends on which of them came last.
            metadata = {"partType": part.type, "mimeType": MEDIA_TYPE}
            if part.slot_key is not None:
                metadata["slotKey"] = part.slot_key
            kind = part.data_kind if len(self._kinds) == 1 else None
            if kind is not None:
                metadata["dataKind"] = kind
            yield Part({"data": messages, "mediaType": MEDIA_TYPE, "metadata": metadata}), self.indices


def _place_of(part: Part, *, keeps_all: bool) -> _Place:
    if part.type == "a2ui-surface":
        return _Surfaces()
    return _Place() if keeps_all and not _merges(part) else _Last()


def _merges(part: Part) -> bool:
    """Whether a part's data meet what is in their slot.

    What a schema of its own gives a form, such as setState, passes as it is: merged, it would be something else.
    """
    return part.content == "data" and part.slot_key is not None and part.type not in data_definitions()
