"""Citations: each binds a source to a path in the domain data, which must exist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright_beach.merging import NO_SLOT
from cardwright_runtime.violation import Violation, quote, steps_of

if TYPE_CHECKING:
    from cardwright_beach.merging import Slots
    from cardwright_beach.parts import Part


def citation_violations(citation: Part, slots: Slots) -> list[Violation]:
    """Return the violations of a citation, given the domain data of its turn.

    Source: Beach protocol seed, Canonical part types (a citation is bound to a path in domain data);
    project decision: a path that does not exist is a violation.
    """
    path, slot = citation.data["path"], citation.data.get("slotKey", NO_SLOT)
    where = f"slot {quote(slot)}" if slot else "the data without a slot"
    if slot not in slots:
        message = f"the turn has no domain data in {where}; cite data of this turn"
        return [_violation("/data/slotKey" if slot else "/data/path", message)]
    if path and not path.startswith("/"):
        message = f"{quote(path)} is not a JSON Pointer (RFC 6901 §3); it must be empty or begin with '/'"
        return [_violation("/data/path", message)]
    if not _exists(slots.value(slot), path):
        message = f"{where} has no value at {quote(path)}; cite a path that exists"
        return [_violation("/data/path", message)]
    return []


def _violation(pointer: str, message: str) -> Violation:
    return Violation(
        "envelope/citation", "error", pointer, message, "Beach protocol 0.6.0, Canonical part types"
    )


def _exists(value: Any, pointer: str) -> bool:
    """Return whether a JSON Pointer resolves to a value (RFC 6901 §4)."""
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
