"""Mandatory requirements of the A2A compatibility kit as cases of this project, since CI cannot run the kit."""

from __future__ import annotations

import http.client
import json
import re
import uuid
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from tests.tck.setups import agent, gateway

if TYPE_CHECKING:
    from collections.abc import Generator

MANIFEST: dict[str, Any] = json.loads(Path(__file__).with_name("requirements.json").read_bytes())
CASES: list[dict[str, Any]] = MANIFEST["cases"]
BRANCHES = {"0.3.x": "0.3", "1.0-dev": "1.0"}
ABSENT = object()


@pytest.fixture(scope="module")
def origin() -> Generator[str]:
    """A gateway before both agents, each twice: with its own tasks, and with the gateway's."""
    with ExitStack() as stack:
        agents = {
            f"{branch}-{tasks}": {"url": url, "tasks": tasks, "card_version": version}
            for branch, version in BRANCHES.items()
            for url in [stack.enter_context(agent(version))]
            for tasks in ("pass", "own")
        }
        folder = stack.enter_context(TemporaryDirectory(prefix="cardwright-tck-"))
        yield stack.enter_context(gateway(Path(folder), {"agents": agents}))


@pytest.mark.xdist_group("tck")
@pytest.mark.parametrize("tasks", ["pass", "own"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_gateway_meets_the_requirements_of_the_kit(case: dict[str, Any], tasks: str, origin: str) -> None:
    known = {"new": uuid.uuid4().hex}
    for step in case["steps"]:
        answer = _request(origin, f"/agents/{case['branch']}-{tasks}", step, known)
        for pointer, expected in step["expect"].items():
            found = _at(answer, pointer)
            assert _fits(found, _filled(expected, known)), (case["says"], pointer, expected, answer)
        known |= {name: _at(answer, pointer) for name, pointer in step.get("keep", {}).items()}
        known["new"] = uuid.uuid4().hex


@pytest.mark.parametrize("branch", BRANCHES)
def test_every_mandatory_category_of_the_kit_has_a_case(branch: str) -> None:
    assert {one["category"] for one in CASES if one["branch"] == branch} == set(
        MANIFEST["categories"][branch]
    )


def test_every_case_has_a_unique_id_a_source_and_a_sentence() -> None:
    counted = Counter(case["id"] for case in CASES)
    assert [name for name, times in counted.items() if times > 1] == []
    for case in CASES:
        assert re.fullmatch(r"(A2A [01]\.[0-9.]+|JSON-RPC 2\.0) §[0-9.]+", case["section"]), case["id"]
        assert case["says"].endswith("."), case["id"]
        assert all(step["expect"] for step in case["steps"]), case["id"]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (1, 2), (ABSENT, "text"), (ABSENT, {"there": True}), ("text", {"there": False}), ([1, 2, 3], {"most": 2}),
        ([1], {"least": 2}), ("a", {"in": ["b"]}), ("a", {"starts": "b"}), ("a", {"equals": ["a"]}),
        (True, {"not": True}),
    ],
)  # fmt: skip
def test_an_expectation_can_fail(found: Any, expected: Any) -> None:
    assert not _fits(found, expected)


def _request(origin: str, at: str, step: dict[str, Any], known: dict[str, str]) -> dict[str, Any]:
    method, path = step.get("rest", ["POST", step.get("path", "")])
    sent = step.get("raw") or step.get("rpc") or step.get("body")
    filled = _filled(sent, known)
    body = filled if isinstance(filled, str) else None if filled is None else json.dumps(filled)
    headers = {
        **({"Content-Type": "application/json"} if body is not None else {}),
        **step.get("headers", {}),
    }
    connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=30)
    try:
        connection.request(method, _filled(f"{at}{path}", known), body, headers)
        reply = connection.getresponse()
        text = reply.read().decode()
    finally:
        connection.close()
    kind = reply.headers.get("content-type", "").partition(";")[0]
    answer: dict[str, Any] = {
        "status": reply.status,
        "type": kind,
        "headers": {name.lower(): value for name, value in reply.headers.items()},
    }
    if kind != "text/event-stream":
        return {**answer, "body": json.loads(text) if text else None}
    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
    # An error before the start of the stream may be sent in it.
    return {**answer, "events": events, "last": events[-1], "body": events[0], "texts": _texts(events)}


def _texts(events: list[Any]) -> list[str]:
    """Return the texts of artifacts, in the order of their events."""
    updates = [_at(event, "/result/artifactUpdate/artifact/parts") for event in events]
    return [part["text"] for parts in updates if parts is not ABSENT for part in parts]


def _filled(value: Any, known: dict[str, str]) -> Any:
    if isinstance(value, str):
        return re.sub(r"\{(new|task|context)\}", lambda name: known[name[1]], value)
    if isinstance(value, list):
        return [_filled(one, known) for one in value]
    return {name: _filled(one, known) for name, one in value.items()} if isinstance(value, dict) else value


def _at(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return ABSENT
    return value


def _fits(found: Any, expected: Any) -> bool:
    if not isinstance(expected, dict):
        return bool(found == expected and type(found) is type(expected))
    ((kind, wanted),) = expected.items()
    # A list that ProtoJSON leaves out is empty (A2A 1.0 §5.7).
    listed: list[Any] = [] if found is ABSENT else found
    match kind:
        case "there":
            return bool((found is not ABSENT) == wanted)
        case "not":
            return bool(found != wanted)
        case "equals":
            return bool(found == wanted)
        case "in":
            return bool(found in wanted)
        case "most":
            return bool(len(listed) <= wanted)
        case "least":
            return bool(len(listed) >= wanted)
        case "starts":
            return isinstance(found, str) and found.startswith(wanted)
        case "ends":
            return isinstance(found, str) and found.endswith(wanted)
        case "has":
            return isinstance(found, str) and wanted in found
        case _:
            raise ValueError(kind)
