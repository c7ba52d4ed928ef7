"""Conversion of Python field names to wire names.

The generator copies this module to `cardwright_models`.
"""

from __future__ import annotations

from typing import Final

# Wire names that cannot be derived from snake_case; the generator checks that this list is complete.
IRREGULAR: Final = {
    "field_context": "@context",
    "field_id": "@id",
    "field_meta": "_meta",
    "field_schema": "$schema",
    "io_modelcontextprotocol_registry_publisher_provided": "io.modelcontextprotocol.registry/publisher-provided",
}


def wire_name(python_name: str) -> str:
    """Return the camelCase wire name of a snake_case field name (A2A 1.0 §5.5)."""
    irregular = IRREGULAR.get(python_name)
    if irregular is not None:
        return irregular
    head, *tail = python_name.rstrip("_").split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in tail)
