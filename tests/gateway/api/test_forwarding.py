"""Forwarded calls: limits, streams, methods, errors and header fields."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadResponse
from cardwright.guard import Headers
from cardwright.guard.message_limits import FORWARDED_MESSAGES
from cardwright_gateway.a2a.operations import allowed_methods
from cardwright_gateway.upstream.client import forwarded_request_headers, forwarded_response_headers
from cardwright_gateway.upstream.errors import OTHER, rest_error, rpc_error
from cardwright_gateway.upstream.event_errors import RestEventErrors, RpcEventErrors
from tests.gateway.faulty_agents import CARD, JSON, card, served
from tests.gateway.processes import before, in_process
from tests.peers import Peer, Reply, peer, raw_peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peers import RecordedRequest
    from tests.serve.client import Reply as Answer

STREAM = {"Content-Type": "text/event-stream"}
NEWER = {"A2A-Version": "1.0", "Content-Type": "application/json"}


def rpc(method: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}).encode()


def ask(
    how: Callable[[RecordedRequest], Reply], *requests: tuple[str, str, dict[str, str], bytes]
) -> tuple[list[Answer], Peer]:
    """Send requests to an agent with a valid card, which answers all other requests by `how`."""

    def answer(request: RecordedRequest) -> Reply:
        return served(card(f"http://{request.headers['host']}")) if request.path == CARD else how(request)

    async def run() -> tuple[list[Answer], Peer]:
        async with peer(answer) as there, in_process({"tides": {"url": there.origin}}) as gateway:
            answers = [
                await call(gateway, method, f"/agents/tides{path}", headers, body=body)
                for method, path, headers, body in requests
            ]
            there.requests[:] = [one for one in there.requests if one.path != CARD]
            return answers, there

    return asyncio.run(run())


def reason(answer: Answer) -> str:
    error = answer.json["error"]
    return str(error.get("data", error.get("details"))[0]["reason"])


# Limits


@pytest.mark.parametrize("method", ["SendStreamingMessage", "SendMessage"])
def test_a_response_that_is_no_stream_has_a_maximum_size_for_every_method(method: str) -> None:
    large = b'{"jsonrpc": "2.0", "id": 1, "result": "' + b"a" * FORWARDED_MESSAGES.max_bytes + b'"}'
    (response,), _ = ask(lambda _: Reply(200, large, JSON), ("POST", "", NEWER, rpc(method)))
    assert (response.status, reason(response)) == (502, "UPSTREAM_INVALID")


def test_a_large_response_within_the_limit_is_forwarded_unchanged() -> None:
    large = json.dumps({"jsonrpc": "2.0", "id": 1, "result": "a" * 1_000_000}).encode()
    (response,), _ = ask(lambda _: Reply(200, large, JSON), ("POST", "", NEWER, rpc("GetTask")))
    assert (response.status, response.body) == (200, large)


# Ends of streams


def dripping(pieces: bytes, received: asyncio.Event, closed: asyncio.Event) -> Any:
    """An agent that starts a response with `pieces`, sends a blank now and then, and never ends it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if CARD.encode() in head:
            host = head.split(b"ost: ")[1].split(b"\r\n")[0].decode()
            body = json.dumps(card(f"http://{host}")).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n")
            writer.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
            return
        received.set()
        writer.write(pieces)

        async def drip() -> None:
            while pieces:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.05)

        dripped = asyncio.create_task(drip())
        try:
            while await reader.read(65536):
                pass
        except ConnectionError:
            pass
        finally:
            dripped.cancel()
            await asyncio.gather(dripped, return_exceptions=True)
            closed.set()

    return serve


BEGUN = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"


@pytest.mark.parametrize("method", ["GetTask", "SendStreamingMessage"])
async def test_a_slow_upstream_body_times_out(method: str) -> None:
    closed = asyncio.Event()
    async with raw_peer(dripping(BEGUN, asyncio.Event(), closed)) as there:
        agents = {"tides": {"url": there.origin, "timeout_seconds": 1}}
        async with in_process(agents) as gateway:
            response = await call(gateway, "POST", "/agents/tides", NEWER, body=rpc(method))
            assert (response.status, reason(response)) == (504, "UPSTREAM_TIMEOUT")
            assert gateway.agent("tides").running_calls == 0
            await closed.wait()


@pytest.mark.parametrize("begun", [b"", BEGUN])
async def test_a_caller_that_disconnects_cancels_its_upstream_call(begun: bytes) -> None:
    received, closed = asyncio.Event(), asyncio.Event()
    async with (
        raw_peer(dripping(begun, received, closed)) as there,
        before({"tides": {"url": there.origin}}) as gateway,
    ):
        reader, writer = await asyncio.open_connection(*gateway.origin.removeprefix("http://").split(":"))
        body = rpc("GetTask")
        writer.write(b"POST /agents/tides HTTP/1.1\r\nHost: %s\r\n" % gateway.origin[7:].encode())
        writer.write(b"Content-Type: application/json\r\nA2A-Version: 1.0\r\n")
        writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        agent = gateway.gateway.agent("tides")
        await received.wait()
        assert agent.running_calls == 1
        writer.close()
        await closed.wait()
        while agent.running_calls:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(0)
        del reader


# The extended card

EXTENDED = ("POST", "", NEWER, rpc("GetExtendedAgentCard"))
EXTENDED_REST = ("GET", "/extendedAgentCard", NEWER, b"")
NO_CARDS: dict[str, Reply] = {
    "created": Reply(201, b'{"jsonrpc": "2.0", "id": 1, "result": {}}', JSON),
    "a list": served([card("http://10.0.0.7")]),
    "neither": served({"jsonrpc": "2.0", "id": 1}),
    "both": served(
        {"jsonrpc": "2.0", "id": 1, "result": card("http://a"), "error": {"code": 1, "message": ""}}
    ),
    "no card": served({"jsonrpc": "2.0", "id": 1, "result": [1]}),
    "too large": served({"jsonrpc": "2.0", "id": 1, "result": card("http://a", x="a" * 300_000)}),
    "stream": Reply(200, b"data: {}\n\n", {"Content-Type": "text/event-stream"}),
}


@pytest.mark.parametrize("fault", NO_CARDS)
def test_an_invalid_extended_card_is_an_invalid_upstream_response(fault: str) -> None:
    answers, _ = ask(lambda _: NO_CARDS[fault], EXTENDED, EXTENDED_REST)
    for response in answers:
        assert (response.status, reason(response)) == (502, "UPSTREAM_INVALID")


@pytest.mark.parametrize("method", ["GetExtendedAgentCard ", "getExtendedAgentCard", "agents/list", ""])
def test_an_unknown_method_is_not_forwarded(method: str) -> None:
    (response,), there = ask(lambda _: served({}), ("POST", "", NEWER, rpc(method)))
    assert (response.status, response.json["id"], response.json["error"]["code"]) == (200, 1, -32601)
    assert there.requests == []


# Messages of agents


SECRETS = "see http://10.1.2.3:8000/x: Traceback in /srv/agent.py"
INFO = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "domain": "a2a-protocol.org"}
NOT_FOUND = [{**INFO, "reason": "TASK_NOT_FOUND", "metadata": {}}]


@pytest.mark.parametrize(
    ("data", "returned"),
    [
        (NOT_FOUND, NOT_FOUND),
        ([{"stack": SECRETS}, {**NOT_FOUND[0], "metadata": {"at": SECRETS}, "stack": SECRETS}], NOT_FOUND),
        ([{**NOT_FOUND[0], "reason": SECRETS}], None),
        ([{**NOT_FOUND[0], "reason": "DB_INTERNAL_7"}], None),
        ([{**NOT_FOUND[0], "domain": "db.internal"}], None),
        ({"stack": SECRETS}, None),
        (SECRETS, None),
        ([[]], None),
        (None, None),
    ],
)
def test_an_a2a_error_keeps_its_code_and_gets_a_standard_message(data: Any, returned: Any) -> None:
    error = {"code": -32001, "message": SECRETS, "data": data, "stack": SECRETS}
    kept = {"code": -32001, "message": "Task not found"}
    assert rpc_error(error) == (kept if returned is None else {**kept, "data": returned})


@pytest.mark.parametrize(("code", "returned"), [(7, 7), (-32099, -32099), (10**12, -32603)])
def test_an_unknown_error_code_gets_a_message_of_the_gateway(code: int, returned: int) -> None:
    message = OTHER if code != 10**12 else "Internal error"
    assert rpc_error({"code": code, "message": SECRETS}) == {"code": returned, "message": message}


@pytest.mark.parametrize(
    "error", ["no", {}, {"code": "1", "message": ""}, {"code": True, "message": ""}, {"code": 1}]
)
def test_an_invalid_json_rpc_error_is_no_error(error: Any) -> None:
    assert rpc_error(error) is None


@pytest.mark.parametrize(
    ("given", "returned"),
    [
        (
            {"error": {"code": 404, "status": "NOT_FOUND", "message": SECRETS, "details": NOT_FOUND, "trace": SECRETS}},
            {"error": {"code": 404, "status": "NOT_FOUND", "message": "Task not found", "details": NOT_FOUND}},
        ),
        (
            {"error": {"code": 500, "status": SECRETS, "message": SECRETS, "details": [{"reason": SECRETS}]}},
            {"error": {"code": 500, "message": OTHER, "details": []}},
        ),
        ({"message": SECRETS, "code": -32001}, {"message": "Task not found", "code": -32001}),
        ({"message": "Push Notification is not supported"}, {"message": "Push Notification is not supported"}),
        (
            {"type": "about:blank", "title": SECRETS, "status": 410, "detail": SECRETS, "instance": "/t"},
            {"type": "about:blank", "title": OTHER, "status": 410, "detail": OTHER},
        ),
        (
            {"type": "https://a2a-protocol.org/errors/task-not-found", "reason": "TASK_NOT_FOUND", "title": "x"},
            {
                "type": "https://a2a-protocol.org/errors/task-not-found",
                "reason": "TASK_NOT_FOUND",
                "title": "Task not found",
            },
        ),
        ({"type": "http://db.internal/x", "status": 500, "reason": SECRETS}, {"status": 500}),
        ({"error": "no"}, None),
        ({"error": {"trace": SECRETS}}, None),
    ],
)  # fmt: skip
def test_a_rest_error_is_rebuilt_from_the_fields_of_a2a(given: Any, returned: Any) -> None:
    assert rest_error(given) == returned


def test_errors_and_results_have_the_id_of_the_call() -> None:
    def answer(request: RecordedRequest) -> Reply:
        answer_body = (
            {"result": {}} if b"GetTask" in request.body else {"error": {"code": 1, "message": SECRETS}}
        )
        return served({"jsonrpc": "2.0", "id": "of another call", **answer_body})

    requests = [("POST", "", NEWER, rpc(name)) for name in ("GetTask", "CancelTask")]
    answers, _ = ask(answer, *requests)
    assert [one.json["id"] for one in answers] == [1, 1]
    assert SECRETS.encode() not in answers[1].body


@pytest.mark.parametrize("body", [{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}, None])
def test_a_www_authenticate_challenge_is_the_gateways_own(body: Any) -> None:
    def answer(_: RecordedRequest) -> Reply:
        sent = b"" if body is None else json.dumps(body).encode()
        return Reply(401, sent, {**JSON, "WWW-Authenticate": 'Bearer realm="db.internal"'})

    (response,), _ = ask(answer, ("POST", "", NEWER, rpc("GetTask")))
    assert response.status == 401
    assert response.headers["www-authenticate"] == 'Bearer realm="agents"'

    fine = served({"jsonrpc": "2.0", "id": 1, "result": 1})
    with_realm = Reply(200, fine.body, {**fine.headers, "WWW-Authenticate": "Bearer"})
    (response,), _ = ask(lambda _: with_realm, ("POST", "", NEWER, rpc("GetTask")))
    assert "www-authenticate" not in response.headers


RPC_ERROR = {
    "jsonrpc": "2.0",
    "id": 9,
    "error": {"code": -32001, "message": SECRETS, "data": {"stack": SECRETS}},
}
RPC_RETURNED = {"jsonrpc": "2.0", "id": "own", "error": {"code": -32001, "message": "Task not found"}}
PLAIN = b'data: {"result": {"error": "a word"}}\r\n\r\n'


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\r\r"])
@pytest.mark.parametrize("name", [b"", b"event: error\n", b"id: 7\r\n"])
def test_errors_in_a_stream_are_rebuilt_and_other_events_pass_unchanged(end: bytes, name: bytes) -> None:
    errors = RpcEventErrors("own")
    # JSON may be split over several data lines.
    first, second = json.dumps(RPC_ERROR, indent=1).encode().split(b"\n", 1)
    lines = b"".join(b"data:" + line + b"\n" for line in (first, *second.split(b"\n")))
    rebuilt = errors.rebuilt(PLAIN + name + lines.rstrip(b"\n") + end + PLAIN)
    assert rebuilt.startswith(PLAIN)
    assert rebuilt.endswith(PLAIN)
    event = rebuilt.removeprefix(PLAIN).removesuffix(PLAIN)
    assert json.loads(event.partition(b"data: ")[2]) == RPC_RETURNED
    assert event.startswith(b"event: error\n") == name.startswith(b"event")


def test_an_error_in_a_rest_stream_is_rebuilt_or_replaced() -> None:
    errors = RestEventErrors()
    event = json.dumps({"error": {"code": 404, "message": SECRETS, "details": NOT_FOUND}}).encode()
    rebuilt = errors.rebuilt(b"data: " + event + b"\n\n")
    assert json.loads(rebuilt[6:])["error"] == {
        "code": 404,
        "message": "Task not found",
        "details": NOT_FOUND,
    }
    replaced = errors.rebuilt(b"event: error\ndata: " + SECRETS.encode() + b"\n\n")
    assert replaced.startswith(b"event: error\ndata: {")
    assert SECRETS.encode() not in replaced
    # No client reads these as an event of A2A: they are text of the agent.
    for unread in (b"no error", b'["error"]', b'{"error": {"message": "inside', b'{"error": 1}\xe2\x80\xa8'):
        replaced = errors.rebuilt(b"data: " + unread + b"\n\n")
        assert json.loads(replaced[6:])["error"]["code"] == 500
    assert errors.rebuilt(b": error\n\n") == b""


HIDDEN = json.dumps(RPC_ERROR).encode()


@pytest.mark.parametrize(
    "event",
    [
        b"\xef\xbb\xbfdata: " + HIDDEN + b"\n\n",
        b"data: \xef\xbb\xbf" + HIDDEN + b"\n\n",
        # Some clients read the first of two fields, and others the last.
        b'data: {"error": 1, ' + HIDDEN[1:] + b"\n\n",
        b"data: " + HIDDEN[:-1] + b', "error": null}\n\n',
        b"data: " + HIDDEN[:-1] + b', "id": 2, "id": 1234567890123456789012}\n\n',
        b"data: " + HIDDEN[:-1] + b', "deep": ' + b"[" * 9_000 + b"\n\n",
        b"data: " + HIDDEN.replace(b'"error"', b'"err\\u006Fr"') + b"\n\n",
        b"data: " + HIDDEN + b"\n\r\n",
    ],
    ids=["BOM", "BOM in data", "first", "last", "integer", "deep", "escape", "mixed line ends"],
)
def test_an_obfuscated_error_is_rebuilt(event: bytes) -> None:
    rebuilt = RpcEventErrors("own").rebuilt(PLAIN + event + PLAIN)
    assert rebuilt.startswith(PLAIN)
    assert rebuilt.endswith(PLAIN)
    assert SECRETS.encode() not in rebuilt
    error = json.loads(rebuilt.removeprefix(PLAIN).removesuffix(PLAIN).removeprefix(b"data: "))
    assert (error["id"], error["error"]["code"]) in (("own", -32001), ("own", -32603))


def test_an_event_that_only_mentions_an_error_passes() -> None:
    event = b'data: {"result": {"a": 1, "a": 12345678901234567890, "text": "no error"}}\n\n'
    assert RpcEventErrors(None).rebuilt(event) == event


def test_a_too_large_event_that_may_be_an_error_is_refused() -> None:
    event = b'data: {"error": [' + b"1," * 10_000 + b"1]}\n\n"
    with pytest.raises(BadResponse, match="10,000 JSON values"):
        RpcEventErrors(None).rebuilt(event)


@pytest.mark.parametrize("character", ["\n", "\r", "\x0b", "\x1b", "\x85", "\x9b", "\u2028", "\u2029"])
def test_no_character_of_a_call_id_ends_a_line_of_an_event(character: str) -> None:
    call_id = f"a{character}data: b"
    rebuilt = RpcEventErrors(call_id).rebuilt(b"data: " + HIDDEN + b"\n\n").decode()
    assert character not in rebuilt.removesuffix("\n\n")
    assert len(rebuilt.splitlines()) == 2
    assert json.loads(rebuilt.removeprefix("data: "))["id"] == call_id


def test_a_stream_ends_with_the_upstream_error_in_a2a_terms() -> None:
    events = PLAIN + b"data: " + json.dumps(RPC_ERROR).encode()
    stream = Reply(200, events, STREAM)
    (response,), _ = ask(lambda _: stream, ("POST", "", NEWER, rpc("SendStreamingMessage")))
    assert response.body.startswith(PLAIN)
    assert SECRETS.encode() not in response.body
    assert json.loads(response.body.removeprefix(PLAIN)[6:]) == {**RPC_RETURNED, "id": 1}


def test_a_large_error_is_truncated() -> None:
    error = {"code": -32603, "message": "a" * 100_000, "data": ["b"] * 9_000}
    large_answer = served({"jsonrpc": "2.0", "id": 1, "error": error})
    (answer,), _ = ask(lambda _: large_answer, ("POST", "", NEWER, rpc("GetTask")))
    kept = {"code": -32603, "message": "Internal error"}
    assert (answer.status, answer.json) == (200, {"jsonrpc": "2.0", "id": 1, "error": kept})


def test_a_response_with_too_many_values_is_not_forwarded() -> None:
    large_answer = served({"jsonrpc": "2.0", "id": 1, "result": [1] * 100_000})
    (answer,), _ = ask(lambda _: large_answer, ("POST", "", NEWER, rpc("GetTask")))
    assert (answer.status, reason(answer)) == (502, "UPSTREAM_INVALID")
    assert "exceeds 100,000 JSON values" in answer.json["error"]["message"]


@pytest.mark.parametrize("status", [203, 206, 226, 418, 451, 499, 502, 599])
def test_an_unexpected_upstream_status_is_a_bad_gateway(status: int) -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "a"}}
    response, rest = ask(
        lambda _: Reply(status, json.dumps(error).encode(), JSON),
        ("POST", "", NEWER, rpc("GetTask")),
        ("GET", "/tasks/t-1", NEWER, b""),
    )[0]
    assert (response.status, rest.status) == (502, 502)


@pytest.mark.parametrize(
    ("status", "code", "reason_"),
    [(500, 502, "UPSTREAM_ERROR"), (503, 502, "UPSTREAM_ERROR"), (307, 502, "UPSTREAM_ERROR"), (429, 429, "RATE_LIMITED"),
     (404, 404, "UPSTREAM_NOT_FOUND"), (504, 504, "UPSTREAM_TIMEOUT"), (204, 502, "UPSTREAM_INVALID")],
)  # fmt: skip
def test_each_status_without_a_reply_has_its_reason(status: int, code: int, reason_: str) -> None:
    (answer,), _ = ask(
        lambda _: Reply(status, b"", {"Retry-After": "7"}), ("POST", "", NEWER, rpc("GetTask"))
    )
    assert (answer.status, reason(answer), answer.headers["retry-after"]) == (code, reason_, "7")


@pytest.mark.parametrize(
    ("envelope", "kind"),
    [
        ({"jsonrpc": "2.0", "id": 1, "error": None}, JSON),
        ({"id": 1}, JSON),
        ({"jsonrpc": "1.0", "id": 1}, JSON),
        # The body is no stream, whatever its label is.
        ({"jsonrpc": "2.0", "id": 1}, STREAM),
    ],
)
def test_a_result_is_read_in_any_envelope_and_passed_on_in_a_valid_one(
    envelope: dict[str, Any], kind: dict[str, str]
) -> None:
    body = json.dumps({**envelope, "result": {"id": "t"}}, indent=1).encode()
    answers, _ = ask(
        lambda _: Reply(200, body, kind),
        *(("POST", "", NEWER, rpc(name)) for name in ("GetTask", "SendStreamingMessage")),
    )
    expected = {"jsonrpc": "2.0", "id": 1, "result": {"id": "t"}}
    assert (answers[0].status, answers[0].json) == (200, expected)
    streamed = answers[1].body.strip()
    assert json.loads(streamed.removeprefix(b"data: ")) == expected
    assert streamed.startswith(b"data: ") == (kind is STREAM)


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (
            Reply(200, b"<p>", {"Content-Type": "text/html"}),
            "UPSTREAM_INVALID: HTTP 200, media type text/html",
        ),
        (Reply(200, b"{", JSON), "UPSTREAM_INVALID: the response is not valid JSON"),
        (Reply(200, b"", STREAM), "UPSTREAM_INVALID: the agent's stream ended without an event"),
        (Reply(500, b"secret", {}), "UPSTREAM_ERROR: HTTP 500, media type missing"),
        (Reply(500, b"", {"Content-Type": "a/b key=forged"}), "UPSTREAM_ERROR: HTTP 500, media type unknown"),
    ],
)
def test_the_line_of_a_request_has_the_cause_of_its_error(
    caplog: pytest.LogCaptureFixture, reply: Reply, cause: str
) -> None:
    with caplog.at_level(logging.INFO, "cardwright_gateway.auth.access"):
        ask(lambda _: reply, ("POST", "", NEWER, rpc("SendStreamingMessage")))
    assert [getattr(record, "error", "") for record in caplog.records if record.args] == [cause]


@pytest.mark.parametrize(
    ("reply", "status", "reason_"),
    [
        (
            Reply(429, b"event: error\ndata: slow down\n\n", {**STREAM, "Retry-After": "7"}),
            429,
            "RATE_LIMITED",
        ),
        (Reply(429, b'{"error": {"code": 429, "message": "quota"}}', JSON), 429, "RATE_LIMITED"),
        (Reply(200, b'{"error": null, "message": "internal-host-7"}', JSON), 502, "UPSTREAM_INVALID"),
    ],
)
def test_a_status_counts_before_a_body_that_is_no_reply(reply: Reply, status: int, reason_: str) -> None:
    (answer,), _ = ask(lambda _: reply, ("POST", "", NEWER, rpc("GetTask")))
    assert (answer.status, reason(answer)) == (status, reason_)
    assert answer.headers.get("retry-after") == reply.headers.get("Retry-After")


def test_the_only_event_of_a_reply_to_a_request_without_streams_is_the_reply() -> None:
    event = b': hi\n\ndata: {"jsonrpc": "2.0", "id": 1,\ndata: "result": {"id": "t"}}\n\n'
    (answer,), _ = ask(lambda _: Reply(200, event, STREAM), ("POST", "", NEWER, rpc("GetTask")))
    assert answer.json == {"jsonrpc": "2.0", "id": 1, "result": {"id": "t"}}


@pytest.mark.parametrize("stream", [b"", b": no data yet\n\n", b"event: error\nid: 1\n\n"])
def test_a_stream_without_an_event_ends_with_an_error(stream: bytes) -> None:
    (answer,), _ = ask(lambda _: Reply(200, stream, STREAM), ("POST", "", NEWER, rpc("SendStreamingMessage")))
    assert json.loads(answer.body.rpartition(b"data: ")[2])["error"]["code"] == -32603


def test_invalid_or_revealing_header_fields_are_left_out() -> None:
    fields = Headers([
        ("Retry-After", "5\x01"),
        ("Content-Language", "\udce4"),
        ("A2A-Extensions", "\u20ac"),
        ("WWW-Authenticate", 'Bearer realm="sea"'),
    ])  # fmt: skip
    assert forwarded_response_headers(fields) == []


def test_a_non_ascii_header_field_causes_no_server_error() -> None:
    def answer(_: RecordedRequest) -> Reply:
        return Reply(200, b'{"jsonrpc": "2.0", "id": 1, "result": 1}', {**JSON, "Retry-After": "\xff\xfe"})

    (response,), _ = ask(answer, ("POST", "", NEWER, rpc("GetTask")))
    assert (response.status, response.json["result"]) == (200, 1)


# Forwarded paths


@pytest.mark.parametrize(
    ("path", "headers", "status", "sent"),
    [
        ("/tasks/t-1", {"A2A-Version": "1.0"}, 200, "1.0"),
        ("/tasks/t-1?A2A-Version=1.0", {}, 200, "1.0"),
        # Without a version, it is a request of 0.3, which has no such path (A2A 1.0 §3.6.2).
        ("/tasks/t-1", {"A2A-Version": ""}, 400, None),
        ("/tasks/t-1", {}, 400, None),
        ("/v1/tasks/t-1", {"A2A-Version": ""}, 200, "0.3"),
        ("/v1/tasks/t-1", {"A2A-Version": "0.3.0"}, 200, "0.3"),
        ("/tasks/t-1", {"A2A-Version": "0.3"}, 400, None),
        ("/v1/tasks/t-1", {"A2A-Version": "1.0"}, 400, None),
        ("/tasks/t-1?A2A-Version=0.3", {}, 400, None),
        ("/tasks/t-1?A2A-Version=0.3", {"A2A-Version": "1.0"}, 400, None),
    ],
)
def test_a_rest_path_belongs_to_one_version(
    path: str, headers: dict[str, str], status: int, sent: str | None
) -> None:
    (response,), there = ask(lambda _: served({"id": "t-1"}), ("GET", path, headers, b""))
    assert response.status == status
    assert [one.headers["a2a-version"] for one in there.requests] == ([] if sent is None else [sent])


def test_override_and_client_address_header_fields_are_not_forwarded() -> None:
    names = (
        "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override",
        "X-Forwarded-For", "X-Forwarded-Anything", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "X_Real_IP",
        "Content-Encoding",
    )  # fmt: skip
    fields = [(name.encode(), b"x") for name in (*names, "X-Mine")]
    assert forwarded_request_headers(fields) == {"x-mine": "x"}


def test_a_body_with_a_content_encoding_is_refused() -> None:
    coded, plain = NEWER | {"Content-Encoding": "gzip"}, NEWER | {"Content-Encoding": "identity"}
    answers, there = ask(
        lambda _: served({"jsonrpc": "2.0", "id": 1, "result": 1}),
        ("POST", "", coded, rpc("GetTask")),
        ("POST", "/message:send", coded, b"{}"),
        ("POST", "", plain, rpc("GetTask")),
    )
    assert [one.status for one in answers] == [415, 415, 200]
    assert len(there.requests) == 1


ROUTES = [
    ("message:send", "POST"), ("v1/message:stream", "POST"), ("tasks", "GET"), ("acme/tasks/t", "GET"),
    ("tasks/t:cancel", "POST"), ("v1/tasks/t:subscribe", "GET, POST"), ("extendedAgentCard", "GET"),
    ("tasks/t/pushNotificationConfigs", "GET, POST"), ("tasks/t/pushNotificationConfigs/c", "GET, DELETE"),
    ("v1/card", "GET"), ("tasks/pushNotificationConfigs", "GET"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "methods"), ROUTES)
def test_a_rest_route_accepts_only_its_own_methods(path: str, methods: str) -> None:
    assert ", ".join(allowed_methods(path)) == methods
    wrong = next(name for name in ("DELETE", "POST") if name not in methods)
    (response,), there = ask(lambda _: served({}), (wrong, f"/{path}", JSON, b"{}"))
    assert (response.status, response.headers["allow"], there.requests) == (405, methods, [])


# Routes that the agent's server lacks


SUBSCRIBING = ("POST", "/tasks/t-1:subscribe", NEWER, b"")
SENDING = ("POST", "", NEWER, rpc("SendMessage"))
BODIES = {
    "text": Reply(0, SECRETS.encode(), {"Content-Type": "text/plain"}),
    "nothing": Reply(0),
    "JSON of a framework": Reply(0, json.dumps({"detail": SECRETS}).encode(), JSON),
    "broken JSON": Reply(0, SECRETS.encode(), JSON),
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("how", [SENDING, SUBSCRIBING])
def test_an_unknown_upstream_path_is_a_404(how: tuple[str, str, dict[str, str], bytes], body: str) -> None:
    (response,), _ = ask(lambda _: replace(BODIES[body], status=404), how)
    assert (response.status, reason(response)) == (404, "UPSTREAM_NOT_FOUND")
    assert SECRETS.encode() not in response.body


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("how", [SENDING, SUBSCRIBING])
def test_a_method_that_the_agent_does_not_allow_is_a_405(
    how: tuple[str, str, dict[str, str], bytes], body: str
) -> None:
    def answer(_: RecordedRequest) -> Reply:
        one = BODIES[body]
        return Reply(405, one.body, {**one.headers, "Allow": "GET, HEAD, X-INTERNAL"})

    (response,), _ = ask(answer, how)
    assert (response.status, reason(response)) == (405, "METHOD_NOT_ALLOWED")
    assert response.headers["allow"] == "GET, HEAD"
    assert SECRETS.encode() not in response.body


def test_an_a2a_error_with_404_is_still_that_error() -> None:
    error = {"error": {"code": 404, "status": "NOT_FOUND", "message": SECRETS, "details": NOT_FOUND}}
    (response,), _ = ask(
        lambda _: Reply(404, json.dumps(error).encode(), JSON), ("GET", "/tasks/t-1", NEWER, b"")
    )
    assert (response.status, reason(response)) == (404, "TASK_NOT_FOUND")


# Connections


async def _ask_dying(*requests: tuple[str, str, dict[str, str], bytes]) -> tuple[list[Answer], list[bytes]]:
    """Send requests to an agent that closes each connection at its second call, without a response."""
    calls: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        count = 0
        while count < 2:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = head.partition(b"content-length: ")[2].partition(b"\r")[0]
            received = await reader.readexactly(int(length or b"0"))
            if CARD.encode() in head:
                host = head.split(b"host: ")[1].split(b"\r\n")[0].decode()
                body = json.dumps(card(f"http://{host}")).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n")
                writer.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
                await writer.drain()
                return
            calls.append(head + received)
            count += 1
            if count == 1:
                body = b'{"jsonrpc": "2.0", "id": 1, "result": {}}'
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
                writer.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
                await writer.drain()

    async with raw_peer(serve) as there, in_process({"tides": {"url": there.origin}}) as gateway:
        answers = [
            await call(gateway, method, f"/agents/tides{path}", headers, body=body)
            for method, path, headers, body in requests
        ]
        return answers, calls


OLDER = {"Content-Type": "application/json"}
READING: dict[str, tuple[str, str, dict[str, str], bytes]] = {
    "get": ("POST", "", NEWER, rpc("GetTask")),
    "list": ("POST", "", NEWER, rpc("ListTasks")),
    "subscribe": ("POST", "", NEWER, rpc("SubscribeToTask")),
    "get of 0.3": ("POST", "", OLDER, rpc("tasks/get")),
    "webhook of 0.3": ("POST", "", OLDER, rpc("tasks/pushNotificationConfig/get")),
    "get over REST": ("GET", "/tasks/t-1", NEWER, b""),
}


@pytest.mark.parametrize("kind", READING)
def test_an_idempotent_call_is_retried_when_a_reused_connection_closes(kind: str) -> None:
    answers, calls = asyncio.run(_ask_dying(("POST", "", NEWER, rpc("SendMessage")), READING[kind]))
    assert [one.status for one in answers] == [200, 200]
    assert len(calls) == 3


@pytest.mark.parametrize("method", ["SendMessage", "SendStreamingMessage", "CancelTask"])
def test_a_non_idempotent_call_is_never_retried(method: str) -> None:
    answers, calls = asyncio.run(
        _ask_dying(("POST", "", NEWER, rpc("GetTask")), ("POST", "", NEWER, rpc(method)))
    )
    assert [one.status for one in answers] == [200, 502]
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("body", "kind"), [(b"", None), (b"", "application/json"), (b"{}", "application/json")]
)
def test_a_post_keeps_the_content_type_of_the_caller(body: bytes, kind: str | None) -> None:
    headers = {"A2A-Version": "1.0", **({"Content-Type": kind} if kind else {})}
    _, there = ask(lambda _: served({}), ("POST", "/tasks/t-1:cancel", headers, body))
    assert [one.headers.get("content-type") for one in there.requests] == [kind]
