"""The result of a conversion is validated, and its report written, when one of their fields is first read."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.card import Card
from cardwright.conversion import ConversionReport, convert
from tests.conversion.test_carry import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Card.from_document(
    {name: value for name, value in DOCUMENT.items() if name != "preferredTransport"}, dialect="a2a-0.3"
)
# Not valid as A2A 1.0: the description is no string there either.
INVALID = Card.from_document({**DOCUMENT, "description": 7}, dialect="a2a-0.3")

READS: dict[str, Callable[[Any], Any]] = {
    "again": lambda value: value,
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),  # noqa: S301 - its own bytes
    "replace": dataclasses.replace,
    "fields": lambda value: type(value)(
        **{field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    ),
}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the functions that validated or compared, in order."""
    called: list[str] = []

    def counted(path: str, name: str) -> None:
        module = importlib.import_module(path)
        function = getattr(module, name)

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            called.append(name)
            return function(*args, **kwargs)

        monkeypatch.setattr(module, name, wrapper)

    counted("cardwright.card", "violations_of")
    counted("cardwright.conversion.convert", "delta")
    return called


def test_a_conversion_is_validated_and_compared_lazily(calls: list[str]) -> None:
    result, report = convert(INVALID)
    assert (result.document["description"], str(result.dialect), result.found_at) == (7, "a2a-1.0", "")
    assert (report.source, report.target, report.carried) == ("a2a-0.3", "a2a-1.0", False)
    assert calls == []


def test_validation_and_comparison_run_once_for_all_fields(calls: list[str]) -> None:
    result, report = convert(INVALID)
    assert [violation.pointer for violation in result.violations if violation.severity == "error"] == [
        "/description"
    ]
    assert not result.valid
    assert calls == ["violations_of"]
    assert report.losses
    assert report.losses is report.losses
    assert report.violations == INVALID.violations
    assert calls == ["violations_of", "delta"]


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_an_unread_result_equals_a_validated_one(read: Callable[[Any], Any]) -> None:
    result, _ = convert(INVALID)
    expected = Card.from_document(result.document, dialect="a2a-1.0")
    unread, _ = convert(INVALID)
    assert read(unread) == expected
    assert repr(convert(INVALID)[0]) == repr(expected)


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_an_unread_report_equals_a_read_one(read: Callable[[Any], Any]) -> None:
    _, known = convert(SOURCE)
    expected = ConversionReport("a2a-0.3", "a2a-1.0", known.losses, known.assumptions, SOURCE.violations)
    assert known.losses
    assert known.assumptions
    expected = dataclasses.replace(expected, detection=known.detection)
    _, unread = convert(SOURCE)
    assert read(unread) == expected
    assert convert(SOURCE)[1].to_json() == expected.to_json()


def test_concurrent_threads_read_the_same_result() -> None:
    expected = convert(INVALID)[0].violations
    with ThreadPoolExecutor(8) as pool:
        for _ in range(50):
            result, _ = convert(INVALID)
            read = [pool.submit(getattr, result, "violations") for _ in range(8)]
            assert all(future.result() == expected for future in read)


def test_a_wrong_name_is_an_attribute_error_before_and_after() -> None:
    for value in convert(SOURCE):
        for _ in range(2):
            with pytest.raises(AttributeError, match="violation_list"):
                _ = value.violation_list  # type: ignore[union-attr] # pyright: ignore[reportAttributeAccessIssue]
        with pytest.raises(dataclasses.FrozenInstanceError):
            value.violations = ()  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]
