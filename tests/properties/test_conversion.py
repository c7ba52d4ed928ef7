"""Laws of conversion: every dropped field is listed, and carried fields are restored.

The walks here are their own: they know nothing of how a conversion finds its losses.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright import BEACH_EXTENSION_URI
from cardwright.card import Card
from cardwright.conversion import CONVERTIBLE, ConversionReport, convert
from cardwright.conversion.extensions import MCP_URI, SCHEMAS_URI
from cardwright.jcs import canonical_bytes
from tests.properties.strategies import cards, lifelike, mutants

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = {2_000: 10_000}.get(settings().max_examples, 25)
# Extension, its description and its `made`: what carrying costs beside what is carried. The most seen is 1,098, for a
# hybrid with a security scheme in both forms.
OVERHEAD_BYTES = 1_536
# What the form of the result says, so that no text there repeats it: a kind of scheme or transport,
# the version of the whole card, and scopes that are one text in Beach.
PLACES_OF_FORM = re.compile(
    r"/securitySchemes/[^/]*/type|/protocol|/protocolVersion|/supportedInterfaces/\d+/protocolVersion"
    r"|/transports/\d+/(protocol|version|auth/(type|scope))|/(schemaVersion|preferredTransport)"
    r"|/supportedInterfaces/\d+/protocolBinding|/capabilities/extensions/\d+/required"
    r"|/securitySchemes/[^/]*/(apiKeySecurityScheme/location|in)"
)
# And so do these: the one binding that Beach and MCP mean, the header of a bearer token, and extensions
# that are a card's own fields.
VALUES_OF_FORM = ("JSONRPC", "Authorization", BEACH_EXTENSION_URI, MCP_URI, SCHEMAS_URI)


def sources(dialect: str) -> st.SearchStrategy[dict[str, Any]]:
    if dialect == "a2a-hybrid":
        return lifelike(dialect) | mutants(dialect)
    return cards(dialect) | lifelike(dialect) | mutants(dialect)


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the pointer and the value of everything that holds nothing else."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from leaves(inner, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{pointer}/{index}")
    else:
        yield pointer, value


def listed(pointer: str, report: ConversionReport) -> bool:
    return any(pointer == loss.pointer or pointer.startswith(loss.pointer + "/") for loss in report.losses)


def at(document: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        document = document[int(name)] if isinstance(document, list) else document[name]
    return document


def words(document: Any) -> set[str]:
    """Return every scalar of a document, and every field's name, as JSON."""
    found = {repr(value) for _, value in leaves(document)}
    names = (step for pointer, _ in leaves(document) for step in pointer.split("/")[1:])
    for value in [value for _, value in leaves(document) if isinstance(value, str)]:
        # The `credentials` of A2A 0.1 are JSON in a text.
        found |= words(parsed(value)) if isinstance(parsed(value), dict) else set()
    return found | {repr(name.replace("~1", "/").replace("~0", "~")) for name in names}


def missing(source: Any, result: Any, back: Any, report: ConversionReport) -> Counter[tuple[str, str]]:
    """Count leaves by their place with indices left out: the source's that are not back, nor listed.

    What has the same place in the result need not come back. An empty array or object is back where there is one that
    is not empty, an interface that repeats another with the other, and JSON in a text in any layout.
    """
    in_result = dict(leaves(result))
    inside = {repr(value) for value in everything(result)}
    repeats = repeated_interfaces(source)
    kept = Counter(
        (starred(pointer), repr(parsed(value)))
        for pointer, value in leaves(source)
        if not listed(pointer, report)
        and not pointer.startswith(repeats)
        and repr(in_result.get(pointer, ...)) != repr(value)
        and not stands(source, pointer, inside)
    )
    there = Counter((starred(pointer), repr(parsed(value))) for pointer, value in leaves(back))
    filled = {place[:end] for place, _ in there for end in range(len(place)) if place[end] == "/"}
    return Counter(
        {
            (place, value): count
            for (place, value), count in (kept - there).items()
            if not (value in ("[]", "{}") and place in filled)
        }
    )


def stands(source: Any, pointer: str, inside: set[str]) -> bool:
    """Return whether a value, or one that it is a part of, stands anywhere in the result: it is not lost then."""
    while pointer:
        if repr(at(source, pointer)) in inside:
            return True
        pointer = pointer.rpartition("/")[0]
    return False


def everything(value: Any) -> Iterator[Any]:
    """Yield a value and everything in it."""
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from everything(inner)


def repeated_interfaces(source: Any) -> tuple[str, ...]:
    """Return the pointers of additional interfaces that say no more than the main one or an earlier one."""
    items = source.get("additionalInterfaces")
    seen = [{"url": source.get("url"), "transport": source.get("preferredTransport", "JSONRPC")}]
    places: list[str] = []
    for index, item in enumerate(items if isinstance(items, list) else []):
        if isinstance(item, dict):
            if any(
                item.items() <= other.items() for other in seen if item.keys() <= {"url", "transport"}
            ) or any(repr(item) == repr(other) for other in seen):
                places.append(f"/additionalInterfaces/{index}/")
            seen.append(item)
    return tuple(places)


def parsed(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) and value.startswith("{") else value
    except ValueError:
        return value


def starred(pointer: str) -> str:
    return re.sub(r"/\d+(?=/|$)", "/*", pointer)


@pytest.mark.parametrize("dialect", CONVERTIBLE)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
@pytest.mark.bulk
def test_every_dropped_field_is_listed_and_carried_fields_are_restored(
    dialect: str, data: st.DataObject
) -> None:
    document = data.draw(sources(dialect))
    card = Card.from_document(document, dialect=dialect)
    before = canonical_bytes(document)
    for target in CONVERTIBLE:
        if target == dialect:
            continue
        plain, report = convert(card, to=target)
        assert_nothing_is_missing(card.document, plain.document, report)
        back, _ = convert(plain, to=dialect)
        assert not missing(card.document, plain.document, back.document, report)

        carrying, carried = convert(card, to=target, carry=True)
        again, _ = convert(carrying, to=dialect)
        assert canonical_bytes(again.document) == before
        lost = {loss.pointer: at(card.document, loss.pointer) for loss in carried.losses}
        size = len(canonical_bytes(carrying.document)) - len(canonical_bytes(plain.document))
        assert size <= len(canonical_bytes(lost)) + OVERHEAD_BYTES
        assert not carried.carried or size > 0
        assert canonical_bytes(card.document) == before


def assert_nothing_is_missing(source: Any, result: Any, report: ConversionReport) -> None:
    """Every leaf of the source is in the result, implied by its form, or listed."""
    there = words(result)
    for pointer, value in leaves(source):
        if value in ([], {}) and repr(value) not in there:
            # The form may imply an empty array or object; the way back must restore it.
            continue
        if repr(value) not in there and not PLACES_OF_FORM.fullmatch(pointer) and value not in VALUES_OF_FORM:
            assert listed(pointer, report), f"{pointer} ({value!r}) is neither in the result nor listed"


@pytest.mark.parametrize("dialect", CONVERTIBLE)
@given(data=st.data())
def test_a_report_has_pointers_that_exist(dialect: str, data: st.DataObject) -> None:
    card = Card.from_document(data.draw(sources(dialect)), dialect=dialect)
    for target in CONVERTIBLE:
        result, report = convert(card, to=target)
        texts = {value for value in everything(result.document) if isinstance(value, str)}
        for loss in report.losses:
            assert loss.why
            value = at(card.document, loss.pointer)
            assert not isinstance(value, str) or not value or value not in texts
        for assumption in report.assumptions:
            assert assumption.why
            at(result.document, assumption.pointer)
