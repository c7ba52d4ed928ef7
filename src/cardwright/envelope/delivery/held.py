"""What waits for the settlement, put together as it comes: no more is kept than will go out."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from cardwright.envelope.merging import NO_SLOT, Fold, strategy_of
from cardwright.envelope.parts import Part
from cardwright.envelope.surfaces import SurfaceFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.envelope.delivery.rules import Action


class Pile:
    """The parts of one type that wait.

    What has a slot is put together by its strategy. Without one, `settle` keeps every part, and `final`
    what the last comes to: a text that is added (`append`) to what was said, or the last part.
    """

    def __init__(self, action: Action) -> None:
        self._keeps_all = action == "settle"
        self._entries: list[Part] = []
        self._said = StringIO()
        self._slots: dict[str, tuple[Part, Fold]] = {}
        self._surfaces: dict[str, tuple[Part, SurfaceFolder]] = {}

    def add(self, part: Part) -> None:
        """Take in one more part."""
        slot = part.slot_key
        if part.type == "a2ui-surface":
            _, folder = self._surfaces.setdefault(slot or NO_SLOT, (part, SurfaceFolder()))
            folder.add(part.data)
            self._surfaces[slot or NO_SLOT] = (part, folder)
        elif slot is not None and part.content == "data":
            _, fold = self._slots.setdefault(slot, (part, Fold()))
            fold.add(part.data, strategy_of(part))
            self._slots[slot] = (part, fold)
        elif self._keeps_all:
            self._entries.append(part)
        else:
            self._keep_last(part)

    def parts(self) -> Iterator[Part]:
        """Yield what goes out: what has no slot in the order in which it came, then slots by their key."""
        for part in self._entries:
            if self._keeps_all or part.text is None:
                yield part
                continue
            metadata = {name: value for name, value in part.metadata.items() if name != "mergeStrategy"}
            yield Part({**part.document, "text": self._said.getvalue(), "metadata": metadata})
        for slot, (part, fold) in sorted(self._slots.items()):
            for strategy, value in fold.steps():
                document = {**part.document, "data": value}
                yield Part(document).stamped(slotKey=slot, mergeStrategy=strategy)
        for _, (part, folder) in sorted(self._surfaces.items()):
            messages = folder.messages()
            if messages:
                yield Part({**part.document, "data": messages})

    def _keep_last(self, part: Part) -> None:
        if part.text is not None:
            if part.merge_strategy != "append":
                self._said = StringIO()
            self._said.write(part.text)
        self._entries[:] = [part]
