"""The effect of each JSON Schema keyword on the values that a schema accepts (JSON Schema 2020-12).

A schema is a conjunction: an added keyword narrows it, a removed one widens it, and a changed one is
compared by its row in the table. Keywords that no draft defines have no effect (Core §6.5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.difference.rules import (
    Rule,
    annotation,
    arms,
    bound,
    by_inclusion,
    conjunct,
    default,
    inner,
    items,
    multiple,
    named_conjuncts,
    patterns,
    positions,
    properties,
    required,
    switch,
    types_of,
    unclear,
    values_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_MINIMUM, _MAXIMUM = bound(is_minimum=True), bound(is_minimum=False)
_MINIMUM_COUNT = bound(is_minimum=True, absent=0)

ASSERTIONS: Final[Mapping[str, Rule]] = {
    # Validation §6.1; a `const` without `enum` is converted to an `enum` before this table is used.
    "const": conjunct,
    "type": by_inclusion(types_of),
    "enum": by_inclusion(values_of),
    # Validation §6.2 to §6.5
    "minimum": _MINIMUM,
    "exclusiveMinimum": _MINIMUM,
    "minLength": _MINIMUM_COUNT,
    "minItems": _MINIMUM_COUNT,
    "minProperties": _MINIMUM_COUNT,
    "maximum": _MAXIMUM,
    "exclusiveMaximum": _MAXIMUM,
    "maxLength": _MAXIMUM,
    "maxItems": _MAXIMUM,
    "maxProperties": _MAXIMUM,
    "multipleOf": multiple,
    "uniqueItems": switch,
    "required": required,
    "pattern": conjunct,
    "dependentRequired": conjunct,
    # Validation §7 and §8: by 2020-12 these only annotate; validators that enforce them are common.
    "format": conjunct,
    "contentEncoding": conjunct,
    "contentMediaType": conjunct,
    "contentSchema": conjunct,
    # Core §10.2
    "allOf": arms(added="narrower", removed="wider"),
    "anyOf": arms(added="wider", removed="narrower"),
    "oneOf": arms(added="wider", removed="narrower"),
    "not": conjunct,
    "if": unclear,
    "then": unclear,
    "else": unclear,
    "dependentSchemas": named_conjuncts,
    "dependencies": conjunct,
    # Core §10.3
    "properties": properties,
    "patternProperties": patterns,
    "additionalProperties": inner,
    "propertyNames": inner,
    "items": items,
    "prefixItems": positions,
    "additionalItems": unclear,
    "contains": conjunct,
    "minContains": unclear,
    "maxContains": unclear,
    # Core §11: their effect depends on the other keywords of the schema.
    "unevaluatedItems": unclear,
    "unevaluatedProperties": unclear,
    # Core §8.2: references are followed before this table is used; the remaining ones refer to other documents.
    "$ref": conjunct,
    "$dynamicRef": unclear,
    "$recursiveRef": unclear,
    # Validation §9.4: some validators refuse such values.
    "readOnly": unclear,
    "writeOnly": unclear,
}

_OTHERS: Final[Mapping[str, Rule]] = {
    "default": default,
    # Definitions are compared where they are used.
    "$defs": lambda _: iter(()),
    "definitions": lambda _: iter(()),
}


def rule_of(keyword: str) -> Rule:
    """Return the rule of a keyword; one that no draft defines is an annotation."""
    return ASSERTIONS.get(keyword) or _OTHERS.get(keyword, annotation)
