"""Whether what is sent to an agent, and what it answers, keeps to the schemas that its card declares.

A card is a stranger's, and so are its schemas: nothing is fetched, patterns run on an engine without
backtracking, and a schema that makes too much work is refused before it does.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs
import orjson

from cardwright.canonical import Limits, copied
from cardwright.discovery.schema_graph import MOST_NODES, Graph
from cardwright.discovery.schema_work import MOST_EXPLAINED, MOST_JUDGEMENTS, MOST_REPEATED, Counter
from cardwright.discovery.schemas import Schemas
from cardwright.discovery.skill_schemas import declared_schema
from cardwright.errors import ContractBroken, ContractUnusable
from cardwright_runtime.engine import MAX_VIOLATIONS, refuse
from cardwright_runtime.messages import explain, once
from cardwright_runtime.violation import Violation, clipped, pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.card import Card
    from cardwright.discovery.skill_schemas import Declared, Side

# What is the fault of the schema, or of nobody, and not of the data.
UNUSABLE: Final = frozenset(
    f"contract/{rule}" for rule in ("endless", "pattern", "reference", "schema", "too-costly")
)
# Data has more members than a card does, and jsonschema-rs follows at most 255 levels (ours).
_DATA_LIMITS: Final = Limits(max_depth=128, max_members=100_000)


def input_violations(
    card: Card, skill: str, data: Any, *, schemas: Schemas | None = None, base: str = ""
) -> tuple[Violation, ...] | None:
    """Return what is wrong with data for a skill, by the `inputSchema` that the card declares for it.

    Nothing is fetched: what the schema refers to by URL has to be in `schemas`.

    Args:
        card: The agent's card; it is not changed.
        skill: The id of a skill, or of a Beach capability.
        data: A JSON value; it is not changed.
        schemas: What was fetched beforehand, by `fetch_schemas`. Keep it, and schemas are compiled once.
        base: The URL that the card came from, which relative references are relative to.

    Returns:
        All violations, sorted by pointer into the data; none if it keeps to the contract. None if the
        card declares no schema, so that there is nothing to judge by.

    >>> from cardwright import Card
    >>> skill = {"id": "add", "inputSchema": {"required": ["a"]}}
    >>> card = Card.from_document({"protocol": "mcp", "capabilities": {}, "skills": [skill]})
    >>> [(one.rule, one.pointer) for one in input_violations(card, "add", {})]
    [('contract/required', '/a')]

    Raises:
        MalformedDocument: If the data is no JSON value, or is past a limit.
        UnknownSkill: If the card has no such skill; the message names those that it has.
    """
    return _violations(card, skill, "input", data, schemas, base)


def output_violations(
    card: Card, skill: str, data: Any, *, schemas: Schemas | None = None, base: str = ""
) -> tuple[Violation, ...] | None:
    """Return what is wrong with what a skill answered, by the `outputSchema` that the card declares for it.

    Arguments, result and errors are those of `input_violations`.
    """
    return _violations(card, skill, "output", data, schemas, base)


def check_input(card: Card, skill: str, data: Any, *, schemas: Schemas | None = None, base: str = "") -> bool:
    """Return whether there was anything to judge by; raise what `input_violations` finds.

    Arguments and errors are those of `input_violations`.

    Raises:
        ContractBroken: With all violations, if there is one.
        ContractUnusable: If the schema itself cannot be used.
    """
    return _check(card, skill, "input", data, schemas, base)


def check_output(
    card: Card, skill: str, data: Any, *, schemas: Schemas | None = None, base: str = ""
) -> bool:
    """Return whether there was anything to judge by; raise what `output_violations` finds.

    Arguments and errors are those of `input_violations`.

    Raises:
        ContractBroken: With all violations, if there is one.
        ContractUnusable: If the schema itself cannot be used.
    """
    return _check(card, skill, "output", data, schemas, base)


def _check(card: Card, skill: str, side: Side, data: Any, schemas: Schemas | None, base: str) -> bool:
    found = _violations(card, skill, side, data, schemas, base)
    if found and all(one.rule in UNUSABLE for one in found):
        raise ContractUnusable(skill, side, found)
    if found:
        raise ContractBroken(skill, side, found)
    return found is not None


def _violations(
    card: Card, skill: str, side: Side, data: Any, schemas: Schemas | None, base: str
) -> tuple[Violation, ...] | None:
    declared = declared_schema(card, skill, side)
    if declared is None:
        return None
    value = copied(data, _DATA_LIMITS)
    contract = _contract(declared, schemas or Schemas(), base)
    spec = f"the card's {declared.pointer}"
    return tuple(
        Violation(f"contract/{rule}", "error", pointer, message, spec)
        for rule, pointer, message in contract.faults or _judged(contract, value)
    )


# Rule, pointer into the data, message.
_Found = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Contract:
    """A schema ready to judge by, or what is wrong with it."""

    faults: tuple[_Found, ...] = ()
    validator: jsonschema_rs.Validator | None = None
    counter: Counter | None = None


def _contract(declared: Declared, schemas: Schemas, base: str) -> _Contract:
    """Return what a schema was compiled to, now or before."""
    key = (hashlib.sha256(orjson.dumps(declared.schema)).digest(), base)
    return schemas.kept(key, lambda: _compiled(declared.schema, schemas, base))


def _compiled(schema: Any, schemas: Schemas, base: str) -> _Contract:
    graph = Graph(schema, schemas.documents, base)
    faults = _unreachable(graph, schemas)
    if faults:
        return _Contract(faults)
    counter = Counter(graph)
    if counter.endless:
        return _fault("endless", "the schema refers to itself and never looks at a value: it says nothing")
    try:
        # Only what it leads to is passed on: another schema's fault is none of this one.
        registry = jsonschema_rs.Registry(list(graph.used.items()), retriever=refuse)
        validator = jsonschema_rs.validator_for(
            schema,
            registry=registry,
            base_uri=base or None,
            validate_formats=False,
            pattern_options=jsonschema_rs.RegexOptions(),
        )
    except jsonschema_rs.ValidationError as error:
        return _uncompilable(error)
    except ValueError as error:
        return _fault("schema", f"the card's schema cannot be read: {clipped(str(error))}")
    return _Contract((), validator, counter)


def _fault(rule: str, message: str) -> _Contract:
    return _Contract(((rule, "", message),))


def _unreachable(graph: Graph, schemas: Schemas) -> tuple[_Found, ...]:
    """Say which references lead to what is not there, and how to get it."""
    if graph.too_large:
        return (("too-costly", "", f"the schema consists of more than {MOST_NODES:,} schemas"),)
    faults: list[_Found] = []
    for url in graph.missing:
        why = schemas.failures.get(url)
        told = (
            f"it could not be had ({clipped(why)})"
            if why
            else "it is not at hand, and nothing is fetched here"
        )
        faults.append(("reference", "", f"the schema refers to {quote(url)}: {told}"))
    for reference in graph.broken:
        message = f"the schema refers to {quote(reference)}, and there is nothing that may be read"
        faults.append(("reference", "", message))
    return tuple(faults[:MAX_VIOLATIONS])


def _uncompilable(error: jsonschema_rs.ValidationError) -> _Contract:
    kind: Any = error.kind
    if kind.name == "format" and kind.format == "regex":
        reason = "it looks around or back, or is too large: write it without"
        return _fault(
            "pattern", f"the schema's pattern {quote(error.instance)} cannot be run safely ({reason})"
        )
    at = pointer_of(error.instance_path)
    return _fault("schema", f"the card's schema is none at {at or '(root)'}: {clipped(error.message)}")


def _judged(contract: _Contract, value: Any) -> Sequence[_Found]:
    """Return what is wrong with a value, as far as telling it is not too much work."""
    validator, counter = contract.validator, contract.counter
    if validator is None or counter is None:
        return ()
    work = counter.work(value) if counter.knotted else None
    if work and work.judgements > MOST_JUDGEMENTS:
        message = f"the schema would judge this more than {MOST_JUDGEMENTS:,} times: it is refused unjudged"
        return (("too-costly", "", message),)
    if validator.is_valid(value):
        return ()
    work = work or counter.work(value)
    if work.repeated > MOST_REPEATED:
        return (("broken", "", "the value breaks the schema, which is too entangled to say where"),)
    if work.judgements > MOST_EXPLAINED:
        return (*_first(validator, value), ("more", "", "only one place is told: the value is large"))
    errors = list(islice(validator.iter_errors(value), MAX_VIOLATIONS))
    return sorted({_told(error): None for error in once(errors)}, key=lambda found: (found[1], found[0]))


def _first(validator: jsonschema_rs.Validator, value: Any) -> Sequence[_Found]:
    try:
        validator.validate(value)
    except jsonschema_rs.ValidationError as error:
        return (_told(error),)
    return ()


def _told(error: jsonschema_rs.ValidationError) -> _Found:
    keyword, path, message, _ = explain(error)
    return keyword, pointer_of(path), message
