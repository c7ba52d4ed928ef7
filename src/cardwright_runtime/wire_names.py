"""How a field's Python name and its name on the wire belong together."""

from __future__ import annotations

from typing import Final

# Wire names that snake_case cannot lead back to; the generator checks that this list is complete.
IRREGULAR: Final = {"field_schema": "$schema"}


def wire_name(python_name: str) -> str:
    """Return the wire's camelCase for a field's snake_case (A2A 1.0 §5.5)."""
    irregular = IRREGULAR.get(python_name)
    if irregular is not None:
        return irregular
    head, *tail = python_name.rstrip("_").split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in tail)
