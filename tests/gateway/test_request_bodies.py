"""What a caller may make a gateway read: who is asked before the body is, and how much bodies may take."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from a2a.server.request_handlers.default_request_handler_v2 import DefaultRequestHandlerV2
from a2a.types import a2a_pb2
from a2a.utils.errors import InvalidParamsError
from a2a.utils.proto_utils import validate_proto_required_fields
from google.protobuf import json_format  # type: ignore[import-untyped] # it has no stubs
from hypothesis import given
from hypothesis import strategies as st

from cardwright.http.problem import HttpError
from cardwright_gateway.a2a.calls import read_call
from cardwright_gateway.a2a.field_limits import MAX_TEXT_CHARACTERS
from cardwright_gateway.a2a_server.required import check_required
from cardwright_gateway.api.bodies import RequestBodies
from tests.gateway.serving import JSON
from tests.gateway.tasks.owned import Owned, function, message, owned
from tests.serve.client import call

if TYPE_CHECKING:
    from tests.serve.client import Reply

AGENTS: dict[str, Any] = {
    "keyed": function("answer", invoke=True),
    "open": {**function("answer", invoke=True), "access": "open"},
}
FEW_VALUES = {"max_body_values": 200}


class Body:
    """A body that counts how often it is received."""

    def __init__(self, body: bytes, declared: int | None = None) -> None:
        self.received = 0
        self._body = body
        self._declared = len(body) if declared is None else declared

    async def sent_to(self, of: Owned, path: str, headers: Any = ()) -> tuple[int, dict[str, Any]]:
        """Send it; return the status, and the error."""
        fields = {
            "Host": "gateway.example.com",
            "Content-Length": str(self._declared),
            **JSON,
            **dict(headers),
        }
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            self.received += 1
            return {"type": "http.request", "body": self._body, "more_body": False}

        async def send(event: Any) -> None:
            sent.append(event)

        scope = {
            "type": "http", "http_version": "1.1", "method": "POST", "scheme": "https", "path": path,
            "raw_path": path.encode(), "query_string": b"", "root_path": "", "client": ("192.0.2.7", 40_000),
            "headers": [(name.lower().encode(), value.encode()) for name, value in fields.items()],
        }  # fmt: skip
        await of.gateway(scope, receive, send)
        return sent[0]["status"], json.loads(sent[1]["body"])["error"]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/agents/nobody", 404), ("/agents/keyed", 401), ("/keyed/message:send", 401), ("/keyed/v1/invoke", 401),
     ("/keyed/mcp", 401), ("/rpc", 413), ("/api/v1/agents", 401)],
)  # fmt: skip
def test_a_stranger_is_refused_before_its_body_is_received(path: str, status: int) -> None:
    """40 MiB are more than what is received only to be dropped."""

    async def run() -> None:
        async with owned(AGENTS) as of:
            body = Body(b"", declared=40 * 1024 * 1024)
            received_status, _ = await body.sent_to(of, path)
            assert (received_status, body.received) == (status, 0)

    asyncio.run(run())


def test_a_caller_that_has_reached_its_limit_is_refused_before_its_body_is_received() -> None:
    async def run() -> None:
        async with owned(AGENTS, limits={"requests": 1}) as of:
            caller = await of.key("keyed")
            assert "result" in await caller.rpc("SendMessage", message("two words"))
            body = Body(b"", declared=40 * 1024 * 1024)
            received_status, _ = await body.sent_to(of, "/keyed", caller.credentials)
            assert (received_status, body.received) == (429, 0)

    asyncio.run(run())


def test_a_body_that_declares_too_much_is_refused_before_it_is_received() -> None:
    async def run() -> None:
        async with owned(AGENTS) as of:
            caller = await of.key("keyed")
            body = Body(b"", declared=40 * 1024 * 1024)
            received_status, error = await body.sent_to(of, "/keyed", caller.credentials)
            assert (received_status, body.received) == (413, 0)
            assert error["message"] == "the body is larger than 8,388,608 bytes"

    asyncio.run(run())


def test_a_refused_body_is_received_to_its_end_and_its_call_id_is_answered() -> None:
    """A client that is cut off while it sends may not see the answer."""

    async def run() -> None:
        async with owned(AGENTS) as of:
            large = Body(b" " * 300_000)
            assert (await large.sent_to(of, "/keyed"))[0] == 401
            assert large.received == 1
            reply = await of.nobody("keyed").at("", {"jsonrpc": "2.0", "id": "mine", "method": "GetTask"})
            assert (reply.status, reply.json["id"]) == (401, "mine")

    asyncio.run(run())


def test_only_some_refused_bodies_are_received_at_once() -> None:
    bodies = RequestBodies()
    allowed: list[bool] = []

    def enter(depth: int) -> None:
        with bodies.discarding() as may:
            allowed.append(may)
            if depth:
                enter(depth - 1)

    enter(99)
    assert (allowed.count(True), allowed[63:65]) == (64, [True, False])
    with bodies.discarding() as may:
        assert may


def test_a_caller_without_credentials_may_send_less() -> None:
    async def run() -> tuple[Reply, Reply]:
        async with owned(AGENTS) as of:
            text = message("a " * 150_000, messageId="m")
            return await of.nobody("open").at("message:send", text), await (await of.key("open")).at(
                "message:send", text
            )

    anonymous, keyed = asyncio.run(run())
    assert keyed.status == 200
    assert anonymous.status == 413
    detail = "without credentials for the gateway, a body may have at most 262,144 bytes; send a key, or less"
    assert anonymous.json["error"]["message"] == detail


@pytest.mark.parametrize("path", ["", "message:send", "v1/message:send", "v1/invoke", "mcp"])
def test_a_body_of_too_many_values_is_refused(path: str) -> None:
    async def run() -> Reply:
        async with owned(AGENTS, **FEW_VALUES) as of:
            caller = await of.key("keyed")
            return await caller.at(
                path, {"message": [[]] * 150}, Accept="application/json, text/event-stream"
            )

    reply = asyncio.run(run())
    assert reply.status == 413
    assert "the body has more than 200 values" in reply.body.decode()


@pytest.mark.parametrize("path", ["", "message:send", "v1/message:send", "v1/invoke", "mcp"])
def test_a_body_without_a_media_type_is_no_json(path: str) -> None:
    """A page of any site can send such a body, without permission."""

    async def run() -> int:
        async with owned(AGENTS) as of:
            body = json.dumps(message("two words")).encode()
            reply = await _typeless(of, f"/open/{path}", body)
            return reply.status

    assert asyncio.run(run()) == 415


async def _typeless(of: Owned, url: str, body: bytes, *headers: tuple[str, str]) -> Reply:
    return await call(of.gateway, "POST", url, [*headers], body=body, typed=False)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "https://gateway.example.com"}, 200),
        ({"Origin": "https://friend.example"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
    ],
)
def test_a_page_of_another_site_sends_nothing_without_credentials(
    headers: dict[str, str], status: int
) -> None:
    async def run() -> tuple[int, int]:
        async with owned(AGENTS, hosts=["friend.example"]) as of:
            anonymous = await of.nobody("open").at("message:send", message("two words"), **headers)
            keyed = await (await of.key("keyed")).at("message:send", message("two words"), **headers)
            return anonymous.status, keyed.status

    assert asyncio.run(run()) == (status, 200)


def test_bodies_take_from_one_budget_and_give_it_back() -> None:
    bodies = RequestBodies(max_bytes=100, max_anonymous_bytes=50, total_bytes=1_600)
    for _ in range(4):
        bodies.take("a", 100, 100)
    with pytest.raises(HttpError) as refused:
        bodies.take("a", 1, 100)
    problem = refused.value.problem
    assert (problem.error_code.status, problem.error_code.reason) == (503, "OVERLOADED")
    assert dict(problem.headers) == {b"retry-after": b"1"}
    # All callers without credentials are one; they take nothing from the others.
    bodies.take("", 100, 100)
    with pytest.raises(HttpError):
        bodies.take("", 1, 100)
    for caller, owner in (("b", ""), ("c", "acme"), ("d", "acme")):
        for _ in range(3):
            bodies.take(caller, 100, 100, owner)
    bodies.take("e", 100, 100, "acme")
    bodies.take("e", 100, 100, "acme")
    with pytest.raises(HttpError):
        bodies.take("f", 1, 100, "other")
    bodies.release("a", 400)
    bodies.take("f", 100, 100, "other")


def test_the_callers_of_one_owner_take_at_most_half() -> None:
    """Anyone may make as many keys and agents as they like: together they exclude no other owner."""
    bodies = RequestBodies(max_bytes=100, total_bytes=1_600)
    for caller in ("key:1", "key:2", "worker:1", "worker:2"):
        for _ in range(2):
            bodies.take(caller, 100, 100, "acme")
    with pytest.raises(HttpError) as refused:
        bodies.take("key:3", 1, 100, "acme")
    assert refused.value.problem.error_code.reason == "OVERLOADED"
    for number in range(8):
        bodies.take(f"other {number}", 100, 100, "")
    bodies.release("key:1", 200, "acme")
    bodies.take("key:3", 100, 100, "acme")


def test_the_bodies_for_an_agent_count_for_its_owner() -> None:
    async def run() -> None:
        async with owned(AGENTS, max_bodies_bytes=1024 * 1024, max_body_bytes=250_000) as of:
            bodies = of.gateway.application.bodies
            for number in range(2):
                bodies.take(f"another key {number}", 250_000, 250_000, "acme")
            caller = await of.key("keyed")
            for path in ("message:send", "v1/invoke", "mcp", ""):
                reply = await caller.at(path, message("a" * 30_000))
                assert (reply.status, b"OVERLOADED" in reply.body) == (503, True), path

    asyncio.run(run())


def test_the_memory_of_a_body_is_free_when_its_request_has_ended() -> None:
    async def run() -> None:
        async with owned(AGENTS) as of:
            bodies = of.gateway.application.bodies
            caller = await of.key("keyed")
            for path, value in (
                ("message:send", message("a" * 1_000, messageId="m")),
                ("message:send", 5),
                ("v1/invoke", {}),
            ):
                await caller.at(path, value)
            assert bodies.taken == 0

    asyncio.run(run())


def test_a_large_body_is_decoded_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: dict[int, set[bool]] = {}

    def noted(body: bytes) -> Any:
        threads.setdefault(len(body) > 64 * 1024, set()).add(
            threading.current_thread() is threading.main_thread()
        )
        return read_call(body)

    monkeypatch.setattr("cardwright_gateway.api.exchange.read_call", noted)

    async def run() -> None:
        async with owned(AGENTS) as of:
            caller = await of.key("keyed")
            for text in ("small", "large " * 20_000):
                assert "result" in await caller.rpc("SendMessage", message(text, messageId="m"))

    asyncio.run(run())
    assert threads == {False: {True}, True: {False}}


@pytest.mark.parametrize("extra", [b"", b'"data":[%b]' % b",".join([b"0"] * 2_600)])
def test_a_large_body_counts_for_more_requests(extra: bytes) -> None:
    """2,600 values count like two more requests."""

    async def run() -> list[int]:
        async with owned(AGENTS, limits={"requests": 6}) as of:
            caller = await of.key("keyed")
            data = json.loads(b"{%b}" % extra)
            parts = [{"text": "a"}, *([{"data": data["data"]}] if extra else [])]
            sent = {"message": {"messageId": "m", "role": "ROLE_USER", "parts": parts}}
            return [(await caller.at("message:send", sent)).status for _ in range(7)]

    passed = 2 if extra else 6
    assert asyncio.run(run()) == [200] * passed + [429] * (7 - passed)


LONG = "a" * (MAX_TEXT_CHARACTERS // 2 + 1)
TOO_MUCH = "must have at most 1,048,576 characters of text"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("", {"method": "SendMessage", "params": message("a", parts=[{"text": LONG}] * 2)}),
        ("", {"method": "SendMessage", "params": message("a", extensions=[LONG] * 2)}),
        ("", {"method": "SendMessage", "params": message("a", parts=[{"data": {LONG: LONG}}])}),
        ("", {"method": "message/send", "params": message("a", parts=[{"kind": "text", "text": LONG * 2}])}),
        ("v1/message:send", {"message": {"role": "ROLE_USER", "content": [{"text": LONG * 2}]}}),
        ("v1/message:send", {"request": {"role": "ROLE_USER", "content": [{"text": LONG * 2}]}}),
        ("mcp", {"method": "tools/call", "params": {"name": "answer", "arguments": {"message": LONG * 2}}}),
        ("v1/invoke", {"message": LONG * 2}),
    ],
)
def test_a_message_has_a_limit_of_text(path: str, value: dict[str, Any]) -> None:
    headers = {
        "A2A-Version": "0.3" if value.get("method") == "message/send" or path.startswith("v1/m") else "1.0"
    }
    if "method" in value:
        value = {"jsonrpc": "2.0", "id": 1, **value}

    async def run() -> Reply:
        async with owned(AGENTS) as of:
            caller = await of.key("keyed")
            return await caller.at(path, value, Accept="application/json, text/event-stream", **headers)

    reply = asyncio.run(run())
    assert reply.status in (200, 400)
    assert TOO_MUCH in reply.body.decode() or (path == "v1/invoke" and b"/message" in reply.body)


def test_the_bytes_of_a_file_are_no_text() -> None:
    async def run() -> Any:
        async with owned(AGENTS) as of:
            caller = await of.key("keyed")
            parts = [{"text": "two words"}, {"raw": "QUJD" * 400_000}]
            return await caller.rpc("SendMessage", message("a", parts=parts))

    assert "result" in asyncio.run(run())


def test_a_body_that_may_be_larger_than_a_share_has_room_for_itself() -> None:
    """An upload has a limit of its own, which may be above the share of one caller, and even above the total."""
    bodies = RequestBodies(total_bytes=1_600)
    bodies.take("a", 2_000, 2_000)
    with pytest.raises(HttpError):
        bodies.take("a", 1, 2_000)
    with pytest.raises(HttpError):
        bodies.take("b", 1, 100)


def test_a_chunked_body_without_credentials_is_told_of_them_too() -> None:
    async def run() -> tuple[int, dict[str, Any]]:
        async with owned(AGENTS) as of:
            return await Body(b" " * 300_000, declared=0).sent_to(of, "/open")

    status, error = asyncio.run(run())
    assert (status, error["message"][:43]) == (413, "without credentials for the gateway, a body")


def test_a_request_without_a_body_may_have_any_media_type() -> None:
    async def run() -> int:
        async with owned(AGENTS) as of:
            caller = await of.key("keyed")
            headers = {**caller.credentials, "A2A-Version": "1.0", "Content-Type": "text/plain"}
            return (await call(of.gateway, "GET", "/keyed/tasks", headers)).status

    assert asyncio.run(run()) == 200


@pytest.mark.parametrize(
    ("method", "more"),
    [
        (DefaultRequestHandlerV2.on_message_send, []),
        (DefaultRequestHandlerV2.on_message_send_stream, ["validate"]),
    ],
)
def test_the_sdk_s_handler_has_the_decorators_that_the_gateway_leaves_out(
    method: Any, more: list[str]
) -> None:
    """Tracing, the check that `check_required` replaces, and whether the agent streams, which our handler checks."""
    names: list[str] = []
    while hasattr(method, "__wrapped__"):
        names.append(method.__code__.co_qualname.partition(".")[0])
        method = method.__wrapped__
    assert names == ["trace_function", "validate_request_params", *more]


_VALUES = st.recursive(
    st.none() | st.booleans() | st.text(max_size=3) | st.integers(-9, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
_PARTS = st.fixed_dictionaries(
    {}, optional={"text": st.text(max_size=2), "metadata": st.just({"a": [1]})}
) | st.builds(lambda data: {"data": data}, _VALUES)
_MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "message": st.fixed_dictionaries(
            {},
            optional={
                "messageId": st.sampled_from(["", "m"]),
                "role": st.sampled_from(["ROLE_USER", "ROLE_UNSPECIFIED"]),
                "parts": st.lists(_PARTS, max_size=3),
            },
        ),
        "configuration": st.fixed_dictionaries(
            {}, optional={"taskPushNotificationConfig": st.just({"url": ""}), "historyLength": st.just(0)}
        ),
    },
)


@given(_MESSAGES)
def test_required_fields_are_checked_as_the_sdk_does(value: Any) -> None:
    request = json_format.ParseDict(value, a2a_pb2.SendMessageRequest())
    assert _faults(check_required, request) == _faults(validate_proto_required_fields, request)


def _faults(check: Any, request: Any) -> Any:
    try:
        check(request)
    except InvalidParamsError as error:
        assert error.data
        return error.message, sorted(error.data["errors"], key=json.dumps)
    return None


def test_the_data_of_a_message_are_not_walked_for_required_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardwright_gateway.a2a_server import required

    walked: list[str] = []
    missing = required.missing_fields

    def noted(inner: Any) -> Any:
        walked.append(inner.DESCRIPTOR.name)
        return missing(inner)

    monkeypatch.setattr(required, "missing_fields", noted)
    data = {"data": [{"a": 0}] * 1_000}
    sent = {"message": {"messageId": "m", "role": "ROLE_USER", "parts": [data]}}
    check_required(json_format.ParseDict(sent, a2a_pb2.SendMessageRequest()))
    assert walked == ["SendMessageRequest", "Message", "Part"]


@pytest.mark.parametrize("end", ["", "/result"])
def test_a_report_on_unknown_work_is_refused_before_its_body_is_received(end: str) -> None:
    agents = {"harbour": {**AGENTS["keyed"], "backend": {"queue": {"token": "t" * 32}}}}

    async def run() -> None:
        async with owned(agents) as of:
            body = Body(b"", declared=40 * 1024 * 1024)
            headers = {"Authorization": f"Bearer {'t' * 32}"}
            status, _ = await body.sent_to(of, f"/harbour/queue/unknown{end}", headers)
            assert (status, body.received) == (404, 0)

    asyncio.run(run())
