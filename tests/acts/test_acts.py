"""The A2A project's declarative conformance tests (ACTS), against the gateway."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.acts.matching import fault, values_at
from tests.acts.runner import Skipped, read_tests, run
from tests.shared import SHARED, shared
from tests.tck.setups import free_port, gateway, process

if TYPE_CHECKING:
    from collections.abc import Iterator

KNOWN: dict[str, str] = json.loads(Path(__file__).with_name("known.json").read_bytes())
# Tests that do not apply to this server or runner: any other reason or skipped test is a failure.
SKIPPED: dict[str, str] = json.loads(Path(__file__).with_name("skipped.json").read_bytes())
FOLDER = SHARED / "oracles" / "acts"
TESTS = [
    pytest.param(test, id=f"{file.name.removesuffix('.acts.yaml')}: {test['id']}")
    for file in sorted(FOLDER.glob("*.acts.yaml"))
    for test in read_tests(file)
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    shared("oracles", "acts")
    port = free_port()
    with contextlib.ExitStack() as stack:
        origin = stack.enter_context(process((sys.executable, "-m", "tests.acts.agent", str(port)), port))
        config = {"agents": {"acts": {"url": origin, "tasks": "own", "card_version": "1.0"}}, "root": "acts"}
        url = stack.enter_context(gateway(tmp_path_factory.mktemp("acts"), config))
        yield stack.enter_context(httpx.Client(base_url=url, timeout=30))


@pytest.mark.process
@pytest.mark.parametrize("test", TESTS)
def test_the_gateway_conforms_to_acts(test: dict[str, Any], client: httpx.Client) -> None:
    try:
        result = run(test, client)
    except Skipped as reason:
        assert SKIPPED.get(test["id"]) == str(reason)
        return

    assert test["id"] not in SKIPPED, f"{test['id']} runs now: take it out of skipped.json"
    if test["id"] in KNOWN:
        assert result, f"{test['id']} passes now: take it out of known.json"
        return
    assert result == ""


def test_the_known_failures_have_reasons() -> None:
    ids = {test["id"] for file in sorted(FOLDER.glob("*.acts.yaml")) for test in read_tests(file)}

    assert all(reason.endswith(".") for reason in KNOWN.values())
    assert not set(KNOWN) & set(SKIPPED)
    assert not ids or set(KNOWN) | set(SKIPPED) <= ids


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        ({"a": 1}, {"a": 1}, ""), ({"a": 1}, {"a": True}, "/a: 1 instead of True"),
        ({"a": "x"}, {"a": {"type": "string", "contains": "y"}}, "/a: 'x' is not contains 'y'"),
        ({}, {"a": {"absent": True}}, ""), ({}, {"a": {"exists": True}}, "/a: nothing is not exists True"),
        ({"a": [1, 2]}, {"a": {"count_gte": 3}}, "/a: [1, 2] is not count_gte 3"),
        ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}]}, ""),
        ({"a": [{"b": 1}, {}]}, {"a": {"items": {"b": {"exists": True}}}}, "/a/1/b: nothing is not exists True"),
        ({"a": 5}, {"a": {"gte": 5, "lt": 6}}, ""), ({"a": 5}, {"a": {"not": 5}}, "/a: 5 is 5"),
        ({"a": 5}, {"any_of": [{"b": 1}, {"a": 5}]}, ""),
        ({"a": "TASK"}, {"a": {"one_of": ["TASK"], "starts_with": "TA", "ends_with": "SK", "matches": "^T"}}, ""),
    ],
)  # fmt: skip
def test_an_assertion_says_where_a_value_differs(value: Any, wanted: Any, expected: str) -> None:
    assert fault(value, wanted) == expected


def test_a_path_reaches_each_item_of_a_list() -> None:
    value = {"task": {"parts": [{"text": "a"}, {"text": "b"}]}}

    assert values_at(value, "task.parts[*].text") == ["a", "b"]
    assert values_at(value, "task.parts[1].text") == ["b"]
    assert values_at(value, "task.none[0]") == []
