"""Request bodies: authentication before reading, size limits and memory budgets."""

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
from cardwright.http.request import Disconnected, read_body
from cardwright_gateway.a2a.calls import read_call
from cardwright_gateway.a2a.field_limits import MAX_TEXT_CHARACTERS
from cardwright_gateway.a2a_server.required import check_required
from cardwright_gateway.api.bodies import BodyMemory, RequestBodies
from cardwright_gateway.database.files import SqlFiles
from tests.gateway.gateways import JSON
from tests.gateway.tasks.gateways import Owned, function, message, owned
from tests.gateway.waiting import wait_until
from tests.serve.client import call

if TYPE_CHECKING:
    from tests.gateway.tasks.gateways import Caller
    from tests.serve.client import Reply

AGENTS: dict[str, Any] = {
    "keyed": function("answer", invoke=True),
    "open": {**function("answer", invoke=True), "access": "open"},
}
FEW_VALUES = {"max_body_values": 200}
MEBIBYTE = 1024 * 1024
# The maximum size of a body without credentials, and of one that takes nothing of the share for slow ones.
ANONYMOUS_BYTES = 256 * 1024
SMALL_BYTES = 16 * 1024


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
async def test_a_stranger_is_refused_before_its_body_is_received(path: str, status: int) -> None:
    """40 MiB are more than what is received only to be dropped."""

    async with owned(AGENTS) as of:
        body = Body(b"", declared=40 * 1024 * 1024)
        received_status, _ = await body.sent_to(of, path)
        assert (received_status, body.received) == (status, 0)


async def test_a_rate_limited_caller_is_refused_before_its_body_is_received() -> None:
    async with owned(AGENTS, limits={"requests": 1}) as of:
        caller = await of.key("keyed")
        assert "result" in await caller.rpc("SendMessage", message("two words"))
        body = Body(b"", declared=40 * 1024 * 1024)
        received_status, _ = await body.sent_to(of, "/keyed", caller.credentials)
        assert (received_status, body.received) == (429, 0)


async def test_a_too_large_content_length_is_refused_before_the_body_is_received() -> None:
    async with owned(AGENTS) as of:
        caller = await of.key("keyed")
        body = Body(b"", declared=40 * 1024 * 1024)
        received_status, error = await body.sent_to(of, "/keyed", caller.credentials)
        assert (received_status, body.received) == (413, 0)
        assert error["message"] == "the body is larger than 8,388,608 bytes"


async def test_a_refused_body_is_received_to_its_end_and_its_call_id_is_answered() -> None:
    """A client that is cut off while it sends may not see the answer."""

    async with owned(AGENTS) as of:
        large = Body(b" " * 300_000)
        assert (await large.sent_to(of, "/keyed"))[0] == 401
        assert large.received == 1
        reply = await of.anonymous("keyed").at("", {"jsonrpc": "2.0", "id": "mine", "method": "GetTask"})
        assert (reply.status, reply.json["id"]) == (401, "mine")


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


async def test_malformed_chunks_are_a_bad_request() -> None:
    """The server reports them like a caller that is gone."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    with pytest.raises(HttpError, match="a chunk is malformed"):
        await read_body({"headers": [(b"transfer-encoding", b"chunked")]}, receive, lambda _: None)
    with pytest.raises(Disconnected):
        await read_body({"headers": []}, receive, lambda _: None)


async def test_a_caller_without_credentials_may_send_less() -> None:
    async with owned(AGENTS) as of:
        text = message("a " * 150_000, messageId="m")
        anonymous, keyed = (
            await of.anonymous("open").at("message:send", text),
            await (await of.key("open")).at("message:send", text),
        )
    assert keyed.status == 200
    assert anonymous.status == 413
    detail = "without credentials for the gateway, a body may have at most 262,144 bytes; send a key, or less"
    assert anonymous.json["error"]["message"] == detail


@pytest.mark.parametrize("path", ["", "message:send", "v1/message:send", "v1/invoke", "mcp"])
async def test_a_body_of_too_many_values_is_refused(path: str) -> None:
    async with owned(AGENTS, **FEW_VALUES) as of:
        caller = await of.key("keyed")
        reply = await caller.at(path, {"message": [[]] * 150}, Accept="application/json, text/event-stream")
    assert reply.status == 413
    assert "the body has more than 200 values" in reply.body.decode()


@pytest.mark.parametrize("path", ["", "message:send", "v1/message:send", "v1/invoke", "mcp"])
async def test_a_body_without_a_content_type_is_refused(path: str) -> None:
    """A page of any site can send such a body, without permission."""

    async with owned(AGENTS) as of:
        body = json.dumps(message("two words")).encode()
        reply = await _typeless(of, f"/open/{path}", body)
        assert reply.status == 415


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
async def test_an_anonymous_cross_origin_request_is_refused(headers: dict[str, str], status: int) -> None:
    async with owned(AGENTS, hosts=["friend.example"]) as of:
        anonymous = await of.anonymous("open").at("message:send", message("two words"), **headers)
        keyed = await (await of.key("keyed")).at("message:send", message("two words"), **headers)
        assert (anonymous.status, keyed.status) == (status, 200)


def _take(bodies: RequestBodies, caller: str, size: int, limit: int, owner: str = "") -> BodyMemory:
    """Take memory for a body that is received in one piece."""
    memory = BodyMemory(bodies, caller, limit, owner)
    memory.take(size)
    memory.received()
    return memory


def test_bodies_share_one_memory_budget_and_release_it() -> None:
    bodies = RequestBodies(max_bytes=100, total_bytes=1_600)
    taken = [_take(bodies, "a", 100, 100) for _ in range(4)]
    with pytest.raises(HttpError) as refused:
        _take(bodies, "a", 1, 100)
    problem = refused.value.problem
    assert (problem.error_code.status, problem.error_code.reason) == (503, "OVERLOADED")
    assert dict(problem.headers) == {b"retry-after": b"1"}
    for caller, owner in (("b", ""), ("c", "acme"), ("d", "acme")):
        for _ in range(3):
            _take(bodies, caller, 100, 100, owner)
    for owner in ("", "acme", "acme"):
        _take(bodies, "e", 100, 100, owner)
    with pytest.raises(HttpError):
        _take(bodies, "f", 1, 100, "other")
    for memory in taken:
        memory.release()
    _take(bodies, "f", 100, 100, "other")


def test_the_callers_of_one_owner_take_at_most_half() -> None:
    """An owner may have many keys and agents: together they must not exclude another owner."""
    bodies = RequestBodies(max_bytes=100, total_bytes=1_600)
    taken = [
        _take(bodies, caller, 100, 100, "acme")
        for caller in ("key:1", "key:2", "worker:1", "worker:2")
        for _ in range(2)
    ]
    with pytest.raises(HttpError) as refused:
        _take(bodies, "key:3", 1, 100, "acme")
    assert refused.value.problem.error_code.reason == "OVERLOADED"
    for number in range(8):
        _take(bodies, f"other {number}", 100, 100)
    taken[0].release()
    _take(bodies, "key:3", 100, 100, "acme")


def _received(bodies: RequestBodies, size: int, owner: str, address: str = "") -> list[BodyMemory]:
    """Return bodies without credentials that are still received, as many as there is memory for."""
    receiving: list[BodyMemory] = []
    while True:
        memory = BodyMemory(bodies, "", ANONYMOUS_BYTES, owner, address)
        try:
            memory.take(size)
        except HttpError:
            return receiving
        receiving.append(memory)


def test_slow_anonymous_bodies_block_no_other_owner_and_no_small_body() -> None:
    bodies = RequestBodies()
    slow = _received(bodies, ANONYMOUS_BYTES, "acme")
    assert len(slow) == 4 * MEBIBYTE // (ANONYMOUS_BYTES - SMALL_BYTES)
    _take(bodies, "", SMALL_BYTES, ANONYMOUS_BYTES, "acme")
    _take(bodies, "", ANONYMOUS_BYTES, ANONYMOUS_BYTES, "other")
    slow.pop().release()
    _take(bodies, "", ANONYMOUS_BYTES, ANONYMOUS_BYTES, "acme")


def test_one_address_takes_at_most_a_fourth_of_the_anonymous_budget() -> None:
    bodies = RequestBodies()
    slow = _received(bodies, ANONYMOUS_BYTES, "acme", "address:192.0.2.7")
    assert len(slow) == MEBIBYTE // (ANONYMOUS_BYTES - SMALL_BYTES)
    assert not _received(bodies, ANONYMOUS_BYTES, "other", "address:192.0.2.7")
    assert _received(bodies, ANONYMOUS_BYTES, "acme", "address:192.0.2.8")


def test_a_thousand_slow_bodies_for_many_owners_have_a_limit_together() -> None:
    bodies = RequestBodies()
    for number in range(50):
        _received(bodies, ANONYMOUS_BYTES, f"owner {number}")
    assert bodies.taken <= 20 * MEBIBYTE
    for number in range(1_000):
        _take(bodies, "", SMALL_BYTES, ANONYMOUS_BYTES, f"owner {number}")
    assert bodies.taken <= 36 * MEBIBYTE


def test_callers_without_credentials_get_at_most_half_of_each_share() -> None:
    bodies = RequestBodies()

    def received(owner: str) -> int:
        number = 0
        try:
            while True:
                _take(bodies, "", ANONYMOUS_BYTES, ANONYMOUS_BYTES, owner)
                number += 1
        except HttpError:
            return number * ANONYMOUS_BYTES

    assert [received(owner) for owner in ("acme", "other", "third")] == [32 * MEBIBYTE, 32 * MEBIBYTE, 0]
    for number in range(4):
        _take(bodies, f"key:{number}", 8 * MEBIBYTE, 8 * MEBIBYTE, "acme")
    for number in range(4):
        _take(bodies, f"key:{number}", 8 * MEBIBYTE, 8 * MEBIBYTE, "third")


def test_all_memory_of_bodies_without_credentials_is_given_back() -> None:
    bodies = RequestBodies()
    for memory in _received(bodies, ANONYMOUS_BYTES, "acme", "address:192.0.2.7"):
        memory.keep()
        memory.release()
        memory.received()
        memory.release()
        # The caller disconnected just before its turn began.
        memory.keep()
        memory.release()
    assert not bodies.taken
    assert len(_received(bodies, ANONYMOUS_BYTES, "acme", "address:192.0.2.7")) == 4


class Slow:
    """A body of which all but the last byte is sent, from an address of its own."""

    def __init__(self, of: Owned, path: str, size: int, address: str) -> None:
        self._of = of
        self._path = path
        self._size = size
        self._address = address
        self._sent = False
        self.status = 0

    async def receive(self) -> dict[str, Any]:
        if self._sent:
            await asyncio.Event().wait()
        self._sent = True
        return {"type": "http.request", "body": b" " * (self._size - 1), "more_body": True}

    async def send(self, event: Any) -> None:
        self.status = event.get("status", self.status)

    async def held(self) -> None:
        """Send it, and wait for the response."""
        scope = {
            "type": "http", "http_version": "1.1", "method": "POST", "scheme": "https", "path": self._path,
            "raw_path": self._path.encode(), "query_string": b"", "root_path": "",
            "client": (self._address, 40_000),
            "headers": [(b"host", b"gateway.example.com"), (b"content-type", b"application/json"),
                        (b"content-length", b"%d" % self._size)],
        }  # fmt: skip
        await self._of.gateway(scope, self.receive, self.send)


@pytest.mark.parametrize("address", ["198.51.100.7", "2001:db8::{:x}"])
async def test_slow_bodies_of_one_address_block_no_other_caller(address: str) -> None:
    async with owned(AGENTS) as of:
        slow = [Slow(of, "/open", ANONYMOUS_BYTES, address.format(number)) for number in range(16)]
        holding = [asyncio.ensure_future(one.held()) for one in slow]
        await asyncio.wait(holding, timeout=0.2)
        small = await of.anonymous("open").at("message:send", message("two words", messageId="m"))
        large = await of.anonymous("open").at("message:send", message("a" * 200_000, messageId="m"))
        for one in holding:
            one.cancel()
        await asyncio.gather(*holding, return_exceptions=True)
        assert of.gateway.application.bodies.taken == 0
        assert (small.status, large.status, [one.status for one in slow].count(503)) == (200, 200, 12)


async def test_running_turns_use_no_memory_reserved_for_incoming_bodies() -> None:
    """30 turns of 200,000 bytes exceed the share of the bodies without credentials that are received."""
    sent = {**message("a" * 200_000, messageId="m"), "configuration": {"returnImmediately": True}}

    async with owned({"open": {**function("forever", tasks="own"), "access": "open"}}) as of:
        caller = of.anonymous("open")
        statuses = [(await caller.at("message:send", sent)).status for _ in range(30)]
        assert of.gateway.application.bodies.taken > 30 * 200_000
    assert statuses == [200] * 30


async def test_the_bodies_for_an_agent_count_for_its_owner() -> None:
    async with owned(AGENTS, max_bodies_bytes=1024 * 1024, max_body_bytes=250_000) as of:
        bodies = of.gateway.application.bodies
        for number in range(2):
            _take(bodies, f"another key {number}", 250_000, 250_000, "acme")
        caller = await of.key("keyed")
        for path in ("message:send", "v1/invoke", "mcp", ""):
            reply = await caller.at(path, message("a" * 30_000))
            assert (reply.status, b"OVERLOADED" in reply.body) == (503, True), path


async def _file(of: Owned, caller: Caller, size: int) -> str:
    """Store a file; return its id."""
    headers = {**caller.credentials, "Content-Type": "text/plain"}
    reply = await call(of.gateway, "POST", "/api/v1/files?agent_id=slow", headers, body=b"a" * size)
    assert reply.status == 201
    return str(reply.json["file_id"])


FILES: dict[str, Any] = {"slow": function("forever", invoke=True), "keyed": AGENTS["keyed"]}


async def test_the_files_of_an_invocation_take_memory_while_its_turn_runs() -> None:
    """A body of 121 bytes may name 16 MiB of files: two such turns are a fourth of the memory."""

    async with asyncio.timeout(30):
        async with owned(FILES) as of:
            bodies = of.gateway.application.bodies
            caller = await of.key("slow")
            files = [{"file_id": await _file(of, caller, 7 * MEBIBYTE)}] * 2
            sent = {"message": "look", "attachments": files}
            running = asyncio.ensure_future(caller.at("v1/invoke", sent))
            await wait_until(lambda: bodies.taken >= 14 * MEBIBYTE)
            another = asyncio.ensure_future(caller.at("v1/invoke", sent))
            await wait_until(lambda: bodies.taken >= 28 * MEBIBYTE)
            refused = await caller.at("v1/invoke", sent)
            assert (refused.status, refused.reason) == (503, "OVERLOADED")
            for one in (running, another):
                one.cancel()
            await asyncio.gather(running, another, return_exceptions=True)
            assert bodies.taken == 0


async def test_files_beyond_the_memory_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async with owned(FILES) as of:
        caller = await of.key("slow")
        sent = {"message": "look", "attachments": [{"file_id": await _file(of, caller, 2 * MEBIBYTE)}]}
        for number in range(8):
            _take(of.gateway.application.bodies, f"another key {number}", 8_000_000, 8_000_000, "acme")
        _take(of.gateway.application.bodies, "another key", 3_000_000, 8_000_000, "acme")
        monkeypatch.setattr(SqlFiles, "get", None)
        assert (await caller.at("v1/invoke", sent)).reason == "OVERLOADED"


async def test_the_files_of_an_invocation_count_for_more_requests() -> None:
    """3 MiB count like three more requests."""

    async with owned(FILES, limits={"requests": 7}) as of:
        slow, keyed = await of.key("slow"), await of.key("keyed")
        sent = {"message": "look", "attachments": [{"file_id": await _file(of, slow, 3 * MEBIBYTE)}]}
        assert [(await keyed.at("v1/invoke", sent)).status for _ in range(3)] == [200, 200, 429]


async def test_the_memory_of_a_body_is_free_when_its_request_has_ended() -> None:
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


async def test_a_large_body_is_decoded_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: dict[int, set[bool]] = {}

    def noted(body: bytes) -> Any:
        threads.setdefault(len(body) > 64 * 1024, set()).add(
            threading.current_thread() is threading.main_thread()
        )
        return read_call(body)

    monkeypatch.setattr("cardwright_gateway.api.exchange.read_call", noted)

    async with owned(AGENTS) as of:
        caller = await of.key("keyed")
        for text in ("small", "large " * 20_000):
            assert "result" in await caller.rpc("SendMessage", message(text, messageId="m"))
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
async def test_the_text_of_a_message_has_a_maximum_size(path: str, value: dict[str, Any]) -> None:
    headers = {
        "A2A-Version": "0.3" if value.get("method") == "message/send" or path.startswith("v1/m") else "1.0"
    }
    if "method" in value:
        value = {"jsonrpc": "2.0", "id": 1, **value}

    async with owned(AGENTS) as of:
        caller = await of.key("keyed")
        reply = await caller.at(path, value, Accept="application/json, text/event-stream", **headers)
    assert reply.status in (200, 400)
    assert TOO_MUCH in reply.body.decode() or (path == "v1/invoke" and b"/message" in reply.body)


async def test_the_bytes_of_a_file_do_not_count_as_text() -> None:
    async with owned(AGENTS) as of:
        caller = await of.key("keyed")
        parts = [{"text": "two words"}, {"raw": "QUJD" * 400_000}]
        assert "result" in (await caller.rpc("SendMessage", message("a", parts=parts)))


def test_a_body_larger_than_a_share_is_accepted_alone() -> None:
    """An upload has a limit of its own, which may be above the share of one caller, and even above the total."""
    bodies = RequestBodies(total_bytes=1_600)
    _take(bodies, "a", 2_000, 2_000)
    with pytest.raises(HttpError):
        _take(bodies, "a", 1, 2_000)
    with pytest.raises(HttpError):
        _take(bodies, "b", 1, 100)


async def test_a_too_large_chunked_anonymous_body_is_refused_with_the_reason() -> None:
    async with owned(AGENTS) as of:
        status, error = await Body(b" " * 300_000, declared=0).sent_to(of, "/open")
    assert (status, error["message"][:43]) == (413, "without credentials for the gateway, a body")


async def test_a_request_without_a_body_may_have_any_media_type() -> None:
    async with owned(AGENTS) as of:
        caller = await of.key("keyed")
        headers = {**caller.credentials, "A2A-Version": "1.0", "Content-Type": "text/plain"}
        assert (await call(of.gateway, "GET", "/keyed/tasks", headers)).status == 200


@pytest.mark.parametrize(
    ("method", "more"),
    [
        (DefaultRequestHandlerV2.on_message_send, []),
        (DefaultRequestHandlerV2.on_message_send_stream, ["validate"]),
    ],
)
def test_the_sdk_handler_has_the_decorators_that_the_gateway_omits(method: Any, more: list[str]) -> None:
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
async def test_a_report_on_unknown_work_is_refused_before_its_body_is_received(end: str) -> None:
    agents = {"harbour": {**AGENTS["keyed"], "backend": {"queue": {"token": "t" * 32}}}}

    async with owned(agents) as of:
        body = Body(b"", declared=40 * 1024 * 1024)
        headers = {"Authorization": f"Bearer {'t' * 32}"}
        status, _ = await body.sent_to(of, f"/harbour/queue/unknown{end}", headers)
        assert (status, body.received) == (404, 0)
