"""The laws of fixes, for many documents, most of them invalid in several places."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright import violations
from cardwright.errors import CardError
from cardwright.jcs import canonical_bytes
from cardwright.repair.patch import patched
from tests.properties.strategies import JSON, SCHEMA_DIALECTS, cards, mutants
from tests.repair.fixed_documents import fixed

if TYPE_CHECKING:
    from cardwright.repair import AppliedFix
    from cardwright_runtime.violation import Violation

DIALECTS = [*SCHEMA_DIALECTS, "a2a-hybrid"]


def documents(dialect: str) -> st.SearchStrategy[dict[str, Any]]:
    if dialect != "a2a-hybrid":
        return mutants(dialect) | cards(dialect)
    older, newer = mutants("a2a-0.3") | cards("a2a-0.3"), mutants("a2a-1.0") | cards("a2a-1.0")
    return st.builds(lambda one, other: {**one, **other}, older, newer)


def errors(document: Any, dialect: str | None) -> list[Violation]:
    return [found for found in violations(document, dialect=dialect) if found.severity == "error"]


def worsened(before: Any, after: Any, dialect: str | None) -> Counter[str]:
    """Return the rules that have more errors than before, wherever things have been moved to."""
    counted = [Counter(v.rule for v in errors(one, dialect)) for one in (before, after)]
    return counted[1] - counted[0]


def measure(document: Any, dialect: str) -> tuple[int, int, int]:
    """Return the numbers of errors, of fields that no reader knows, and of findings."""
    found = violations(document, dialect=dialect)
    names = [one for one in found if one.rule.startswith("members/") or one.rule.endswith("/spelling")]
    return sum(one.severity == "error" for one in found), len(names), len(found)


def is_shifting(fixes: tuple[AppliedFix, ...]) -> bool:
    return any(operation["op"] in ("move", "remove") for one in fixes for operation in one.fix.patch)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data(), safe_only=st.booleans())
@pytest.mark.bulk
def test_fixing_is_idempotent_and_never_adds_a_violation(
    dialect: str, data: st.DataObject, *, safe_only: bool
) -> None:
    document = data.draw(documents(dialect))
    seen = canonical_bytes(document)

    better, fixes = fixed(document, dialect=dialect, safe_only=safe_only)

    assert canonical_bytes(document) == seen
    assert worsened(document, better, dialect) == Counter()
    before, after = ({(v.rule, v.pointer) for v in errors(one, dialect)} for one in (document, better))
    assert is_shifting(fixes) or after <= before
    assert fixed(better, dialect=dialect, safe_only=safe_only) == (better, ())
    assert (better == document) == (not fixes)
    assert all(one.fix.safe for one in fixes) or not safe_only
    assert not fixes or measure(better, dialect) < measure(document, dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data())
def test_the_patches_in_order_give_the_fixed_card(dialect: str, data: st.DataObject) -> None:
    document = data.draw(documents(dialect))

    better, fixes = fixed(document, dialect=dialect)

    assert patched(document, [one.fix.patch for one in fixes]) == better


@pytest.mark.parametrize("dialect", SCHEMA_DIALECTS)
@given(data=st.data())
def test_safe_fixes_keep_a_valid_card_valid(dialect: str, data: st.DataObject) -> None:
    document = data.draw(cards(dialect))
    warned = [v for v in violations(document, dialect=dialect) if v.fix and v.fix.safe]

    better, fixes = fixed(document, dialect=dialect, safe_only=True)

    assert warned or better == document
    # A fix may repeat a value that has a warning of its own, such as a transport with a hidden character.
    left = {(v.rule, v.pointer) for v in violations(better, dialect=dialect)}
    assert is_shifting(fixes) or not left & {(one.violation.rule, one.violation.pointer) for one in fixes}
    assert worsened(document, better, dialect) == Counter()


@given(document=mutants("a2a-0.3") | mutants("a2a-1.0") | mutants("a2a-0.1") | JSON)
def test_fixing_a_recognised_document_raises_only_card_errors(document: Any) -> None:
    try:
        better, _ = fixed(document)
    except CardError as error:
        assert str(error)
    else:
        assert worsened(document, better, None) == Counter()
        assert fixed(better) == (better, ())
