"""Python functions as agents."""

# ruff: noqa: ARG005 - functions that take what they need not

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery import Part
from cardwright.errors import BadConfiguration, BadFunction
from cardwright_gateway.backends.backend import Turn, TurnResult
from cardwright_gateway.backends.function import FunctionBackend, load_function
from cardwright_gateway.errors import BadTurn
from tests.gateway.a2a_server.endpoints import a2a_endpoint, message, sent
from tests.gateway.gateways import CARD, JSON
from tests.gateway.gateways import rpc as rpc_body
from tests.gateway.processes import in_process
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

TURN = Turn((Part("text", "one"), Part("data", {"berth": 7}), Part("text", "two")))


class RecordingReporter:
    def __init__(self) -> None:
        self.reports: list[Any] = []

    async def progress(
        self, text: str = "", *, done: float | None = None, total: float | None = None
    ) -> None:
        self.reports.append((text, done, total))

    async def parts(self, parts: Any, artifact: Any = None) -> None:  # noqa: ARG002 - as `Tell` has it
        self.reports.append([part.value for part in parts])

    async def left_open(self, *, streamed: bool = False) -> asyncio.Event:  # noqa: ARG002 - as `TurnReporter` has it
        raise AssertionError


def answered(function: Any, turn: Turn = TURN) -> tuple[TurnResult, list[Any]]:
    async def run() -> tuple[TurnResult, list[Any]]:
        backend, reporter = FunctionBackend(function), RecordingReporter()
        await backend.ready()
        await backend.check(turn)
        try:
            return await backend.run(turn, reporter), reporter.reports
        finally:
            await backend.close()

    return asyncio.run(run())


def takes_turn(turn: Turn) -> str:
    return f"{turn.parts[0].value}!"


def takes_text(text: str) -> list[Any]:
    return [text, b"raw", {"a": 1}]


async def takes_data(data: dict[str, Any]) -> dict[str, Any]:
    return data


def takes_anything(turn):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN201 - a function without annotations
    return TurnResult(message=str(len(turn.parts)))


def reports(text: str, reporter: Any) -> None:
    reporter.progress(text, done=1, total=2)
    reporter.parts([Part("text", "piece")])


async def reports_async(_: Turn, reporter: Any) -> None:
    await reporter.progress("soon")


def pieces(text: str) -> Generator[Any, None, str]:
    yield from text.split("\n")
    return "last"


async def pieces_async(text: str) -> AsyncGenerator[Any]:
    yield text
    yield TurnResult(ending="rejected", message="no more")
    yield "never"


@pytest.mark.parametrize(
    ("function", "values", "reported"),
    [
        (takes_turn, ["one!"], []),
        (takes_text, ["one\ntwo", b"raw", {"a": 1}], []),
        (takes_data, [{"berth": 7}], []),
        (takes_anything, [], []),
        (reports, [], [("one\ntwo", 1, 2), ["piece"]]),
        (reports_async, [], [("soon", None, None)]),
        (pieces, ["last"], [["one"], ["two"]]),
        (pieces_async, [], [["one\ntwo"]]),
        (lambda turn: None, [], []),
    ],
)
def test_a_function_gets_its_annotated_input_and_returns_parts(
    function: Any, values: list[Any], reported: list[Any]
) -> None:
    outcome, heard = answered(function)
    assert [part.value for part in outcome.parts] == values
    assert heard == reported
    if function is pieces_async:
        assert (outcome.ending, outcome.message) == ("rejected", "no more")


@pytest.mark.parametrize("function", [takes_text, takes_data])
def test_a_turn_without_the_input_of_the_function_is_refused(function: Any) -> None:
    with pytest.raises(BadTurn):
        answered(function, Turn((Part("url", "https://example.com"),)))


def test_an_unsupported_return_value_is_named() -> None:
    with pytest.raises(BadFunction, match="not int"):
        answered(lambda turn: 5)


def test_an_exception_of_a_function_propagates() -> None:
    def broken(turn: Turn) -> str:
        raise KeyError(turn.message_id)

    with pytest.raises(KeyError):
        answered(broken)


@pytest.mark.parametrize(
    "function", [lambda: None, lambda a, b, c: None, lambda a, *, b: None, lambda **more: None]
)
def test_a_function_with_other_parameters_is_refused(function: Any) -> None:
    with pytest.raises(BadFunction):
        FunctionBackend(function)


@pytest.mark.parametrize(
    "path",
    [
        "", "json", "json:", ":loads", "no such:x", "cardwright_nowhere:x", "json:nothing", "json:decoder.nothing",
        "json:__name__", "a2a.utils.nowhere:x",
    ],
)  # fmt: skip
def test_each_invalid_function_path_has_its_error(path: str) -> None:
    with pytest.raises(BadConfiguration):
        load_function(path)


def test_a_path_names_a_function() -> None:
    import json

    assert load_function("json:loads") is json.loads
    assert load_function("json:decoder.JSONDecoder") is json.JSONDecoder


async def test_a_function_is_called_over_a2a() -> None:
    backend = FunctionBackend(pieces)
    async with a2a_endpoint(backend) as endpoint:
        task = await sent(endpoint, "one\ntwo")
        assert [part["text"] for part in task["artifacts"][0]["parts"]] == ["one", "two", "last"]
    await backend.close()


def alone(text: str) -> TurnResult:
    return TurnResult((Part("text", text),), alone=True)


async def alone_or_text(text: str) -> str | TurnResult:
    return TurnResult((Part("text", text),), alone=True)


def alone_untyped(text):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN201 - a function without annotations
    return TurnResult((Part("text", text.parts[0].value),), alone=True)


def alone_in_chunks(text: str) -> Generator[Any, None, Any]:
    yield TurnResult((Part("text", text),), alone=True)


def alone_too_late(text: str) -> Generator[str | TurnResult]:
    yield text
    yield TurnResult((Part("text", text),), alone=True)


def alone_and_failed(text: str) -> TurnResult:
    return TurnResult((Part("text", text),), ending="failed", alone=True)


def alone_with_nothing(_: str) -> TurnResult:
    return TurnResult(alone=True)


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (alone, "message"), (alone_or_text, "message"), (alone_untyped, "message"), (alone_in_chunks, "message"),
        (alone_too_late, "task"), (alone_and_failed, "task"), (alone_with_nothing, "task"), (takes_turn, "task"),
    ],
)  # fmt: skip
async def test_a_single_result_of_a_function_is_a_message(function: Any, kind: str) -> None:
    agents = {"echo": {"card": CARD, "backend": {"python": f"{__name__}:{function.__name__}"}}}
    async with in_process(agents) as gateway:
        body = rpc_body("SendMessage", {"message": message("hello")})
        result = (await call(gateway, "POST", "/agents/echo", JSON, body=body)).json["result"]
        assert [*result] == [kind]
        if kind == "message":
            assert result["message"]["parts"] == [{"text": "hello"}]
            assert "taskId" not in result["message"]


def test_a_function_that_never_returns_a_result_has_its_task_at_once() -> None:
    assert not FunctionBackend(takes_turn).responds_alone
    assert FunctionBackend(alone_or_text).responds_alone
    assert FunctionBackend(takes_anything).responds_alone
