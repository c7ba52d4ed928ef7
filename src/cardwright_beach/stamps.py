"""Default slot and merge strategy of a turn's domain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from cardwright_beach.parts import Part


@dataclass(frozen=True, slots=True)
class Stamps:
    """Default slot and merge strategy of a turn (Beach protocol seed, Slot keys and merge strategy)."""

    slot_key: str | None
    merge_strategy: str

    def joining(self) -> Self:
        """Return the stamps for parts after a mailbox with data: `replace` becomes `deep-merge` in the slot."""
        strategy = "deep-merge" if self.merge_strategy == "replace" else self.merge_strategy
        return self if self.slot_key is None else replace(self, merge_strategy=strategy)

    def on(self, part: Part) -> Part:
        """Return the part with the defaults applied, if it is domain data or a citation without a slot."""
        if part.type == "citation" and self.slot_key is not None and "slotKey" not in part.data:
            return part.with_data({**part.data, "slotKey": self.slot_key})
        if part.type != "domain-data" or part.slot_key is not None:
            return part
        stamps: dict[str, Any] = {} if self.slot_key is None else {"slotKey": self.slot_key}
        if "mergeStrategy" not in part.metadata and (stamps or self.merge_strategy != "replace"):
            stamps["mergeStrategy"] = self.merge_strategy
        return part.stamped(**stamps) if stamps else part
