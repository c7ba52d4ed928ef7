"""Citations: a source is bound to a place in the domain data, and the place has to be there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright_beach.merging import NO_SLOT
from cardwright_runtime.violation import Violation, quote, steps_of

if TYPE_CHECKING:
    from cardwright_beach.merging import Slots
    from cardwright_beach.parts import Part


def citation_violations(citation: Part, slots: Slots) -> list[Violation]:
    """Return what is wrong with a citation, given the domain data of its turn.

    Source: Beach protocol seed, Canonical part types (a citation is bound to a path in domain data);
    that a path which is absent is a violation is ours.
    """
    path, slot = citation.data["path"], citation.data.get("slotKey", NO_SLOT)
    where = f"slot {quote(slot)}" if slot else "the data without a slot"
    if slot not in slots:
        told = f"there is no domain data in {where}: cite what the turn says"
        return [_absent("/data/slotKey" if slot else "/data/path", told)]
    if path and not path.startswith("/"):
        told = f"{quote(path)} is no JSON Pointer (RFC 6901 §3): it is empty or begins with '/'"
        return [_absent("/data/path", told)]
    if not _is_there(slots.value(slot), path):
        return [_absent("/data/path", f"{where} has nothing at {quote(path)}: cite what the turn says")]
    return []


def _absent(pointer: str, told: str) -> Violation:
    return Violation(
        "envelope/citation", "error", pointer, told, "Beach protocol 0.6.0, Canonical part types"
    )


def _is_there(value: Any, pointer: str) -> bool:
    """Whether a JSON Pointer leads to something (RFC 6901 §4)."""
    for step in steps_of(pointer) if pointer else ():
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and _is_index(name) and int(name) < len(value):
            value = value[int(name)]
        else:
            return False
    return True


def _is_index(step: str) -> bool:
    return step.isascii() and step.isdigit() and (step == "0" or step[0] != "0") and len(step) < 16
