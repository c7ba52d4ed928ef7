"""Parts held until the turn settles, merged as they arrive, so that only the result is kept."""

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


class HeldParts:
    """Held parts of one type, by slot.

    Parts with a slot are merged by their strategy. Of parts without a slot, `settle` keeps all; `final` keeps the
    accumulated text (`append`) or the last part. Surfaces are always reduced to their final state.
    """

    def __init__(self, action: Action) -> None:
        self._keeps_all = action == "settle"
        self._slots: dict[str, _Slot] = {}

    def add(self, part: Part, index: int) -> Iterable[int]:
        """Add a part; return the indices of the parts that it replaces."""
        key = part.slot_key or NO_SLOT
        slot = self._slots.get(key)
        if slot is None:
            slot = self._slots[key] = _slot_of(part, keeps_all=self._keeps_all)
        return slot.add(part, index)

    def indices(self) -> list[int]:
        """Return the indices of the held parts."""
        return [index for slot in self._slots.values() for index in slot.indices]

    def parts(self) -> Iterator[tuple[Part, Sequence[int]]]:
        """Yield the parts to send, each with the indices of its source parts.

        Parts without a slot come first, in order of arrival, then slots by key. Slots that create a surface come
        before slots that only update one.
        """
        for _, slot in sorted(self._slots.items(), key=lambda item: (item[1].updates_only, item[0])):
            yield from slot.parts()


class _Slot:
    """Slot that keeps every part."""

    # Whether it only updates surfaces of other slots, and must be sent after them.
    updates_only = False

    def __init__(self) -> None:
        self._entries: list[Part] = []
        self.indices = array("L")

    def add(self, part: Part, index: int) -> Iterable[int]:
        """Add a part; return the indices of the parts that it replaces."""
        self._entries.append(part)
        self.indices.append(index)
        return ()

    def parts(self) -> Iterator[tuple[Part, Sequence[int]]]:
        """Yield the parts to send, each with the indices of its source parts."""
        yield from ((part, (index,)) for part, index in zip(self._entries, self.indices, strict=True))


class _Last(_Slot):
    """Slot that keeps the last part, the accumulated text or the merged data."""

    def __init__(self) -> None:
        super().__init__()
        self._text_so_far = StringIO()
        self._only_appends = True
        self._fold: Fold | None = None

    def add(self, part: Part, index: int) -> Iterable[int]:
        replaced: Iterable[int] = ()
        if self._replaces(part):
            replaced, self.indices = self.indices, array("L")
        self.indices.append(index)
        self._entries = [part]
        if part.text is not None:
            if part.merge_strategy != "append":
                self._text_so_far, self._only_appends = StringIO(), False
            self._text_so_far.write(part.text)
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
        """Return whether a part replaces all earlier ones."""
        if part.text is not None or _merges(part):
            return part.merge_strategy == "replace"
        return True

    def _text(self, part: Part) -> Part:
        metadata = {name: value for name, value in part.metadata.items() if name != "mergeStrategy"}
        if self._only_appends and part.slot_key is not None:
            metadata["mergeStrategy"] = "append"
        return Part({**part.document, "text": self._text_so_far.getvalue(), "metadata": metadata})


class _Surfaces(_Slot):
    """Slot that keeps the final state of surfaces."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = SurfaceFolder()
        self._kinds: set[str | None] = set()

    @property
    def updates_only(self) -> bool:  # type: ignore[override] # known when all parts have arrived
        """Whether it creates no surface and so only updates surfaces of other slots."""
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
            # Only metadata that all parts share: the result must not depend on which part came last.
            metadata = {"partType": part.type, "mimeType": MEDIA_TYPE}
            if part.slot_key is not None:
                metadata["slotKey"] = part.slot_key
            kind = part.data_kind if len(self._kinds) == 1 else None
            if kind is not None:
                metadata["dataKind"] = kind
            yield Part({"data": messages, "mediaType": MEDIA_TYPE, "metadata": metadata}), self.indices


def _slot_of(part: Part, *, keeps_all: bool) -> _Slot:
    if part.type == "a2ui-surface":
        return _Surfaces()
    return _Slot() if keeps_all and not _merges(part) else _Last()


def _merges(part: Part) -> bool:
    """Return whether the data of a part is merged into its slot.

    Data with a schema of its own, such as setState, is not merged: the result would mean something else.
    """
    return part.content == "data" and part.slot_key is not None and part.type not in data_definitions()
