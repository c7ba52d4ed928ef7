"""Whether the result has a value of the source anywhere: then it is not lost, whatever the steps between them were."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from cardwright.conversion.notes import value_at
from cardwright.jcs import canonical_bytes


@dataclass(frozen=True, slots=True)
class Standing:
    """The values of a document, to ask whether another value is among them.

    A text, and an array or object that is not empty, stands wherever it stands. Any other value is said together with the
    name of its field: `true` elsewhere is not the same information.
    """

    texts: set[str] = field(default_factory=set[str])
    wholes: set[bytes] = field(default_factory=set[bytes])
    named: set[tuple[str, bytes]] = field(default_factory=set[tuple[str, bytes]])

    @classmethod
    def of(cls, document: dict[str, Any]) -> Self:
        """Return the values of a document; the part of a server's name after the slash is one of them."""
        standing = cls()
        standing._add(document, "")
        name = document.get("name")
        if type(name) is str and name.count("/") == 1:
            standing.texts.add(name.partition("/")[2])
        return standing

    def has(self, source: Any, pointer: str) -> bool:
        """Return whether the value at a pointer of the source is in the document."""
        (value,) = value_at(source, pointer) or (None,)
        if type(value) is str and value:
            return value in self.texts
        if type(value) in (dict, list) and value:
            return canonical_bytes(value) in self.wholes
        steps = [step for step in pointer.split("/") if not step.isdecimal()]
        return (steps[-1], canonical_bytes(value)) in self.named

    def _add(self, value: Any, name: str) -> None:
        if type(value) is str and value:
            self.texts.add(value)
        elif type(value) in (dict, list) and value:
            self.wholes.add(canonical_bytes(value))
            pairs = value.items() if type(value) is dict else ((name, item) for item in value)
            for inner_name, inner in pairs:
                self._add(inner, inner_name.replace("~", "~0").replace("/", "~1"))
        else:
            self.named.add((name, canonical_bytes(value)))
