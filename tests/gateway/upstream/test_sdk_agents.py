"""Responses of a2a-sdk 1.3 and 0.3 agents are forwarded unchanged."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.gateway.processes import AGENTS, OLD_SDK, Process, before, old_python, process
from tests.gateway.transcripts import BROKEN, Answer, Transcript

if TYPE_CHECKING:
    from collections.abc import Iterator

SUPPORTED = [(binding, version) for binding in ("JSONRPC", "HTTP+JSON") for version in ("1.0", "0.3")]

# REST of a2a-sdk 0.3: unhandled cases, and methods that it lacks.
NONE_OF_A2A = ({"message": "unknown exception"}, {"detail": "Method Not Allowed"})
NOT_A2A_STATUS = {500: (502, "UPSTREAM_ERROR"), 405: (405, "METHOD_NOT_ALLOWED")}
# Methods unknown to A2A: the gateway responds itself, with its own message.
UNKNOWN = ("Sail", "ship/sail")


@pytest.fixture(scope="module")
def modern() -> Iterator[Process]:
    with process(AGENTS / "all_features.py") as peer:
        yield peer


@pytest.fixture(scope="module")
def old() -> Iterator[Process]:
    with process(OLD_SDK / "agent.py", python=old_python()) as peer:
        yield peer


async def both(peer: Process, direct: str, binding: str, version: str) -> tuple[list[Any], list[Any]]:
    """Return the responses of an agent, directly and through a gateway."""
    async with before({"tides": {"url": peer.origin}}) as gateway, httpx.AsyncClient(timeout=30) as http:
        straight = await Transcript(http, direct, binding, version).everything()
        through = await Transcript(http, gateway.at("tides"), binding, version).everything()
    return straight, through


def is_empty(value: Any) -> bool:
    """Whether an answer of JSON-RPC has neither a result nor an error."""
    return isinstance(value, dict) and "jsonrpc" in value and not {"result", "error"} & value.keys()


def code_of(value: Any) -> int | None:
    """Return the code of an error of JSON-RPC."""
    error = value.get("error") if isinstance(value, dict) and "jsonrpc" in value else None
    return error["code"] if error else None


def reason_of(event: dict[str, Any]) -> str:
    """Return the reason in the last event of a broken stream."""
    if "statusUpdate" in event:
        return str(event["statusUpdate"]["metadata"]["reason"])
    error = event["error"]
    return str(error.get("data", error.get("details"))[0]["reason"])


def check_same(straight: list[Answer], through: list[Answer]) -> None:
    """Fail if a response differs.

    The last event of a broken stream must be an error. For an invalid response or an unknown method, the gateway
    has its own error.
    """
    for one, other in zip(straight, through, strict=True):
        if one.value == BROKEN:
            reason = reason_of(other.value[-1])
            assert (other.status, other.kind, reason) == (200, one.kind, "UPSTREAM_UNREACHABLE")
        elif one.value in NONE_OF_A2A:
            reason = other.value["error"]["details"][0]["reason"]
            assert (other.status, reason) == NOT_A2A_STATUS[one.status]
        elif one.request in UNKNOWN:
            codes = one.value["error"]["code"], other.value["error"]["code"]
            assert (one.status, other.status, codes) == (200, 200, (-32601, -32601))
        elif code_of(one.value) == -32600:
            # The gateway has validated the envelope: what a2a-sdk finds wrong is in the params (A2A 0.3.0 §8.1).
            assert code_of(other.value) == -32602
        elif is_empty(one.value):
            # A JSON-RPC answer has a result or an error; a2a-sdk leaves a result out that is null.
            assert other.value == {**one.value, "result": None}
        else:
            assert replace(other, value=in_short(other.value)) == replace(one, value=in_short(one.value))


def in_short(value: Any) -> Any:
    """Return an answer with its errors as the gateway passes them on: a code and a reason, in its own words."""
    if isinstance(value, list):
        return [in_short(item) for item in value]
    if not isinstance(value, dict):
        return value
    error = value.get("error", value if {*value} <= {"message", "code"} else None)
    if not isinstance(error, dict):
        return value
    details = error.get("data") or error.get("details") or [{}]
    reason = details[0].get("reason") if isinstance(details, list) and isinstance(details[0], dict) else None
    kept = {name: error.get(name) for name in ("code", "status")}
    return {"id": value.get("id"), **kept, "reason": reason}


@pytest.mark.parametrize(("binding", "version"), SUPPORTED)
@pytest.mark.process
def test_every_response_of_an_a2a_sdk_1_3_agent_is_forwarded_unchanged(
    modern: Process, binding: str, version: str
) -> None:
    straight, through = asyncio.run(both(modern, f"{modern.origin}/", binding, version))

    check_same(straight, through)
    assert {one.status for one in straight} >= ({200} if binding == "JSONRPC" else {200, 404})
    assert any(one.kind == "text/event-stream" and len(one.value) > 4 for one in straight)


@pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
@pytest.mark.process
def test_every_response_of_an_a2a_sdk_0_3_agent_is_forwarded_unchanged(old: Process, binding: str) -> None:
    direct = f"{old.origin}/" if binding == "JSONRPC" else f"{old.origin}/rest"

    # The state of a task in the agent's response is a race: only the gateway's changes are compared.
    for left in (2, 1, 0):
        straight, through = asyncio.run(both(old, direct, binding, "0.3"))
        try:
            check_same(straight, through)
            break
        except AssertionError:
            if not left:
                raise
    assert any(one.kind == "text/event-stream" and len(one.value) > 4 for one in straight)
