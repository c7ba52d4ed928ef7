"""What each keyword of JSON Schema does to the values that a schema accepts (JSON Schema 2020-12).

A schema is a conjunction: a keyword that comes narrows it, one that goes widens it, and one that
changes is compared by its row in the table. Keywords that no draft defines say nothing (Core §6.5).
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

_LEAST, _MOST = bound(least=True), bound(least=False)
_LEAST_COUNT = bound(least=True, absent=0)

ASSERTIONS: Final[Mapping[str, Rule]] = {
    # Validation §6.1; a `const` alone is made an `enum` of one before this table is asked.
    "const": conjunct,
    "type": by_inclusion(types_of),
    "enum": by_inclusion(values_of),
    # Validation §6.2 to §6.5
    "minimum": _LEAST,
    "exclusiveMinimum": _LEAST,
    "minLength": _LEAST_COUNT,
    "minItems": _LEAST_COUNT,
    "minProperties": _LEAST_COUNT,
    "maximum": _MOST,
    "exclusiveMaximum": _MOST,
    "maxLength": _MOST,
    "maxItems": _MOST,
    "maxProperties": _MOST,
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
    "allOf": arms(come="narrower", gone="wider"),
    "anyOf": arms(come="wider", gone="narrower"),
    "oneOf": arms(come="wider", gone="narrower"),
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
    # Core §11: what they see depends on all that stands beside them.
    "unevaluatedItems": unclear,
    "unevaluatedProperties": unclear,
    # Core §8.2: references are followed before this table is asked; what is left leads out.
    "$ref": conjunct,
    "$dynamicRef": unclear,
    "$recursiveRef": unclear,
    # Validation §9.4: some read these as a refusal.
    "readOnly": unclear,
    "writeOnly": unclear,
}

_OTHERS: Final[Mapping[str, Rule]] = {
    "default": default,
    # Said in one place, used in others: compared where they are used.
    "$defs": lambda _: iter(()),
    "definitions": lambda _: iter(()),
}


def rule_of(keyword: str) -> Rule:
    """Return the rule of a keyword; one that no draft defines is an annotation."""
    return ASSERTIONS.get(keyword) or _OTHERS.get(keyword, annotation)
