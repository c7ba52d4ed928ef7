"""Required fields with a misspelt name: one fault is one finding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardwright_runtime.violation import Violation

_SPELLING: Final = ("members/spelling", "message/spelling")


def merged(violations: list[Violation]) -> list[Violation]:
    """Return violations in which a required field with a misspelt name is one error: the misspelt name.

    Without this, the name is a warning, and the same field is missing as well.
    """
    missing = {one.pointer for one in violations if one.rule == "schema/required"}
    respelt = (
        {one.pointer: target for one in violations if (target := _target(one)) in missing} if missing else {}
    )
    if not respelt:
        return violations
    found = set(respelt.values())
    kept = [one for one in violations if not (one.rule == "schema/required" and one.pointer in found)]
    return [
        replace(one, severity="error", message=f"{one.message.removesuffix('?')}, which is required?")
        if one.pointer in respelt and _target(one)
        else one
        for one in kept
    ]


def _target(violation: Violation) -> str | None:
    """Return the pointer to which the fix of a misspelt name moves the field."""
    if violation.rule not in _SPELLING or violation.fix is None:
        return None
    operation = violation.fix.patch[0]
    return str(operation["path"]) if operation["op"] == "move" else None
