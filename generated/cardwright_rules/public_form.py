"""The form in which a schema is published: with the keywords of JSON Schema alone, as validators with strict modes require.

The generator copies this module to `cardwright_rules`.

Generated from codegen/public_form.py
by `make generate`. Do not edit: change it and generate again.
"""

from __future__ import annotations

from typing import Any, Final

# Keywords whose values map names to schemas, and those whose values are data (2020-12 Core §10, Validation §6 and §9).
_MAPS: Final = ("$defs", "properties", "patternProperties", "dependentSchemas")
_DATA: Final = ("const", "default", "enum", "examples")


def public_form(schema: Any) -> Any:
    """Return a schema with the annotations of this project (`x-…`) as a standard `$comment`.

    >>> public_form({"type": "string", "x-spec": "A2A 1.0 §4.4.1", "x-presence": "required"})
    {'type': 'string', '$comment': 'spec: A2A 1.0 §4.4.1; presence: required'}
    """
    if isinstance(schema, list):
        return [public_form(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    form: dict[str, Any] = {}
    notes = [schema["$comment"]] if "$comment" in schema else []
    for keyword, value in schema.items():
        if keyword.startswith("x-"):
            notes.append(
                f"{keyword.removeprefix('x-')}: {value if isinstance(value, str) else str(value).lower()}"
            )
        elif keyword in _DATA:
            form[keyword] = value
        elif keyword in _MAPS:
            form[keyword] = {name: public_form(inner) for name, inner in value.items()}
        elif keyword != "$comment":
            form[keyword] = public_form(value)
    return form | ({"$comment": "; ".join(notes)} if notes else {})
