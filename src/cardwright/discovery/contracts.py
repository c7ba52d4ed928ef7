"""Validation of an agent's input and output against the schemas in its card.

A card and its schemas are untrusted: nothing is fetched, patterns run on an engine without backtracking, and a
schema that would cause too much work is rejected before it runs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs
import orjson

from cardwright.canonical import Limits, checked_copy
from cardwright.discovery.schema_graph import MAX_NODES, Graph
from cardwright.discovery.schema_patterns import MAX_MATCHING, measured, pattern_options
from cardwright.discovery.schema_work import MAX_COPIED, MAX_EVALUATIONS, MAX_EXPLAINED, MAX_REPEATED, Counter
from cardwright.discovery.schemas import Schemas
from cardwright.discovery.skill_schemas import declared_schema
from cardwright.errors import ContractBroken, ContractUnusable
from cardwright_runtime.engine import refuse
from cardwright_runtime.messages import explain
from cardwright_runtime.unions import explainable
from cardwright_runtime.violation import Violation, clipped, pointer_of, quote
from cardwright_runtime.violation_limit import MAX_VIOLATIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.card import Card
    from cardwright.discovery.skill_schemas import Declared, Side

# Rules of a faulty schema, not of faulty data. None may be named like a keyword: callers decide by them whether
# data was validated at all.
UNUSABLE: Final = frozenset(
    f"contract/{rule}" for rule in ("endless", "pattern-unusable", "reference", "schema", "too-costly")
)
# Data has more fields than a card, and jsonschema-rs follows at most 255 levels (project decision).
_DATA_LIMITS: Final = Limits(max_depth=128, max_members=100_000, max_values=100_000)


def input_violations(
    card: Card, skill: str, data: Any, *, schemas: Schemas | None = None, base: str = ""
) -> tuple[Violation, ...] | None:
    """Return the violations of data for a skill, against the `inputSchema` in the card.

    Nothing is fetched: schemas that it refers to by URL must be in `schemas`.

    Args:
        card: The agent's card.
        skill: The id of a skill, or of a Beach capability.
        data: A JSON value.
        schemas: The result of `fetch_schemas`. Reuse it: it also caches compiled schemas.
        base: The URL of the card, the base of relative references.

    Returns:
        All violations, sorted by pointer into the data; empty if the data is valid. None if the card declares no
        schema.

    >>> from cardwright import Card
    >>> skill = {"id": "add", "inputSchema": {"required": ["a"]}}
    >>> card = Card.from_document({"protocol": "mcp", "capabilities": {}, "skills": [skill]})
    >>> [(one.rule, one.pointer) for one in input_violations(card, "add", {})]
    [('contract/required', '/a')]

    Raises:
        MalformedDocument: If the data is not a JSON value, or exceeds a limit.
        UnknownSkill: If the card has no such skill; the message lists its skills.
    """
    return _violations(card, skill, "input", data, schemas, base)


def output_violations(
    card: Card, skill: str, data: Any, *, schemas: Schemas | None = None, base: str = ""
) -> tuple[Violation, ...] | None:
    """Return the violations of a skill's output, against the `outputSchema` in the card.

    Arguments, result and errors are those of `input_violations`.
    """
    return _violations(card, skill, "output", data, schemas, base)


def check_input(card: Card, skill: str, data: Any, *, schemas: Schemas | None = None, base: str = "") -> bool:
    """Check data for a skill; return whether the card declares a schema for it.

    Arguments and errors are those of `input_violations`.

    Raises:
        ContractBroken: With all violations, if there are any.
        ContractUnusable: If the schema itself cannot be used.
    """
    return _check(card, skill, "input", data, schemas, base)


def check_output(
    card: Card, skill: str, data: Any, *, schemas: Schemas | None = None, base: str = ""
) -> bool:
    """Check a skill's output; return whether the card declares a schema for it.

    Arguments and errors are those of `input_violations`.

    Raises:
        ContractBroken: With all violations, if there are any.
        ContractUnusable: If the schema itself cannot be used.
    """
    return _check(card, skill, "output", data, schemas, base)


def _check(card: Card, skill: str, side: Side, data: Any, schemas: Schemas | None, base: str) -> bool:
    violations = _violations(card, skill, side, data, schemas, base)
    if violations and all(violation.rule in UNUSABLE for violation in violations):
        raise ContractUnusable(skill, side, violations)
    if violations:
        raise ContractBroken(skill, side, violations)
    return violations is not None


def _violations(
    card: Card, skill: str, side: Side, data: Any, schemas: Schemas | None, base: str
) -> tuple[Violation, ...] | None:
    declared = declared_schema(card, skill, side)
    if declared is None:
        return None
    value = checked_copy(data, _DATA_LIMITS)
    contract = _contract(declared, schemas or Schemas(), base)
    spec = f"the card's {declared.pointer}"
    return tuple(
        Violation(f"contract/{rule}", "error", pointer, message, spec)
        for rule, pointer, message in contract.faults or _value_violations(contract, value)
    )


# Rule, pointer into the data, message.
_Violation = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Contract:
    """A compiled schema, or its faults."""

    faults: tuple[_Violation, ...] = ()
    validator: jsonschema_rs.Validator | None = None
    counter: Counter | None = None


def _contract(declared: Declared, schemas: Schemas, base: str) -> _Contract:
    """Return the compiled schema, from the cache if possible."""
    key = (hashlib.sha256(orjson.dumps(declared.schema)).digest(), base)
    return schemas.cached(key, lambda: _compiled(declared.schema, schemas, base))


def _compiled(schema: Any, schemas: Schemas, base: str) -> _Contract:
    graph = Graph(schema, schemas.documents, base)
    faults = _unresolved(graph, schemas)
    if faults:
        return _Contract(faults)
    patterns = measured(graph.patterns)
    if patterns.too_costly:
        return _fault("too-costly", patterns.too_costly)
    counter = Counter(graph, patterns.sizes)
    if counter.endless:
        return _fault("endless", "the schema refers only to itself: it describes no value")
    try:
        # Only referenced documents: a fault in another schema is not a fault of this one.
        registry = jsonschema_rs.Registry(list(graph.used.items()), retriever=refuse)
        validator = jsonschema_rs.validator_for(
            schema,
            registry=registry,
            base_uri=base or None,
            validate_formats=False,
            pattern_options=pattern_options(),
        )
    except jsonschema_rs.ValidationError as error:
        return _uncompilable(error)
    except ValueError as error:
        return _fault("schema", f"the card's schema is invalid: {clipped(str(error))}")
    return _Contract((), validator, counter)


def _fault(rule: str, message: str) -> _Contract:
    return _Contract(((rule, "", message),))


def _unresolved(graph: Graph, schemas: Schemas) -> tuple[_Violation, ...]:
    """Return the references that cannot be resolved, with the reason."""
    if graph.too_large:
        return (("too-costly", "", f"the schema has more than {MAX_NODES:,} subschemas"),)
    faults: list[_Violation] = []
    for url in graph.missing:
        why = schemas.failures.get(url)
        reason = f"fetching it failed ({clipped(why)})" if why else "it was not fetched; pass it in `schemas`"
        faults.append(("reference", "", f"the schema refers to {quote(url)}: {reason}"))
    for reference in graph.broken:
        message = f"the schema refers to {quote(reference)}, which does not exist or must not be fetched"
        faults.append(("reference", "", message))
    return tuple(faults[:MAX_VIOLATIONS])


def _uncompilable(error: jsonschema_rs.ValidationError) -> _Contract:
    kind: Any = error.kind
    if kind.name == "format" and kind.format == "regex":
        reason = "it uses lookaround or backreferences, or is too large; rewrite it"
        return _fault(
            "pattern-unusable", f"the schema's pattern {quote(error.instance)} is not safe to run: {reason}"
        )
    at = pointer_of(error.instance_path)
    return _fault("schema", f"the card's schema is invalid at {at or '(root)'}: {clipped(error.message)}")


def _value_violations(contract: _Contract, value: Any) -> Sequence[_Violation]:
    """Return the violations of a value, in as much detail as the work limits allow."""
    validator, counter = contract.validator, contract.counter
    if validator is None or counter is None:
        return ()
    work = counter.work(value) if counter.knotted or counter.matches else None
    if work and work.evaluations > MAX_EVALUATIONS:
        message = (
            f"the schema needs more than {MAX_EVALUATIONS:,} checks for this value; it was not validated"
        )
        return (("too-costly", "", message),)
    if work and work.matching > MAX_MATCHING:
        message = "a text is too long for the patterns of the schema; the value was not validated"
        return (("too-costly", "", message),)
    if validator.is_valid(value):
        return ()
    work = work or counter.work(value)
    if work.repeated > MAX_REPEATED or work.copied > MAX_COPIED:
        return (
            (
                "broken",
                "",
                "the value violates the schema; schema or value are too large to locate the violation",
            ),
        )
    if work.evaluations > MAX_EXPLAINED:
        return (
            *_first(validator, value),
            ("more", "", "the value is large: only the first violation is listed"),
        )
    errors = list(islice(validator.iter_errors(value), MAX_VIOLATIONS))
    return sorted(
        {_violation(error): None for error in explainable(errors)},
        key=lambda violation: (violation[1], violation[0]),
    )


def _first(validator: jsonschema_rs.Validator, value: Any) -> Sequence[_Violation]:
    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as error:
        return (_violation(error),)
    return ()


def _violation(error: jsonschema_rs.ValidationError) -> _Violation:
    keyword, path, message, _ = explain(error)
    return keyword, pointer_of(path), message
