"""What the gateway lets through between callers and agents: bounds, endings, methods, and agents' own words."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadResponse
from cardwright.guard import Headers
from cardwright_gateway.a2a.operations import allowed_methods
from cardwright_gateway.upstream.client import (
    MAX_RESPONSE_BYTES,
    forwarded_request_headers,
    forwarded_response_headers,
)
from cardwright_gateway.upstream.errors import REPLACED, Hidden, rest_error, rpc_error
from cardwright_gateway.upstream.streaming import MAX_EVENT_BYTES, Events
from tests.gateway.hostile import CARD, JSON, card, served
from tests.gateway.running import before, in_process
from tests.peers import Peer, Reply, peer, raw_peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peers import Asked
    from tests.serve.client import Reply as Answer

NEWER = {"A2A-Version": "1.0", "Content-Type": "application/json"}
HIDDEN = Hidden.of("https://gw.example/agents/a", "http://10.1.2.3:8000", ["https://agent.example/a2a"])


def rpc(method: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}).encode()


def ask(
    how: Callable[[Asked], Reply], *requests: tuple[str, str, dict[str, str], bytes]
) -> tuple[list[Answer], Peer]:
    """Send requests to an agent whose card is sound and which answers all else by `how`."""

    def answer(asked: Asked) -> Reply:
        return served(card(f"http://{asked.headers['host']}")) if asked.path == CARD else how(asked)

    async def run() -> tuple[list[Answer], Peer]:
        async with peer(answer) as there, in_process({"tides": {"url": there.origin}}) as gateway:
            answers = [
                await call(gateway, method, f"/agents/tides{path}", headers, body=body)
                for method, path, headers, body in requests
            ]
            there.asked[:] = [one for one in there.asked if one.path != CARD]
            return answers, there

    return asyncio.run(run())


def reason(answer: Answer) -> str:
    error = answer.json["error"]
    return str(error.get("data", error.get("details"))[0]["reason"])


# Bounds


@pytest.mark.parametrize("method", ["SendStreamingMessage", "SendMessage"])
def test_an_answer_that_is_no_stream_is_bounded_whatever_was_asked(method: str) -> None:
    large = b'{"jsonrpc": "2.0", "id": 1, "result": "' + b"a" * MAX_RESPONSE_BYTES + b'"}'
    (told,), _ = ask(lambda _: Reply(200, large, JSON), ("POST", "", NEWER, rpc(method)))
    assert (told.status, reason(told)) == (502, "UPSTREAM_INVALID")


def test_a_large_answer_within_the_bound_comes_through_as_it_is() -> None:
    large = json.dumps({"jsonrpc": "2.0", "id": 1, "result": "a" * 1_000_000}).encode()
    (told,), _ = ask(lambda _: Reply(200, large, JSON), ("POST", "", NEWER, rpc("GetTask")))
    assert (told.status, told.body) == (200, large)


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\r\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 64])
def test_a_stream_is_cut_where_events_end_whatever_its_pieces(end: bytes, size: int) -> None:
    stream = end.join([b"data: one", b"data: two", b"data: a longer three", b""])
    events = Events()
    told = [events.cut(stream[at : at + size]) for at in range(0, len(stream), size)]
    assert b"".join(told) == stream
    assert all(one.endswith(end) for one in told if one)
    assert len([one for one in told if one]) == (3 if size < 9 else 1)
    assert events.rest() == b""


def test_an_event_that_never_ends_is_refused() -> None:
    events = Events()
    piece = b"a" * (64 * 1024)
    for _ in range(MAX_EVENT_BYTES // len(piece)):
        assert events.cut(piece) == b""
    with pytest.raises(BadResponse, match="event"):
        events.cut(b"a")


def test_the_last_event_may_end_with_the_stream() -> None:
    events = Events()
    assert events.cut(b"data: one\n\ndata: two") == b"data: one\n\n"
    assert events.rest() == b"data: two\n\n"


# Endings


def dripping(pieces: bytes, asked: asyncio.Event, closed: asyncio.Event) -> Any:
    """An agent that begins an answer with `pieces`, goes on with a blank now and then, and never ends it."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if CARD.encode() in head:
            host = head.split(b"ost: ")[1].split(b"\r\n")[0].decode()
            body = json.dumps(card(f"http://{host}")).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n")
            writer.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
            return
        asked.set()
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
def test_a_body_that_drips_is_a_timeout(method: str) -> None:
    async def run() -> None:
        closed = asyncio.Event()
        async with raw_peer(dripping(BEGUN, asyncio.Event(), closed)) as there:
            agents = {"tides": {"url": there.origin, "timeout_seconds": 1}}
            async with in_process(agents) as gateway:
                told = await call(gateway, "POST", "/agents/tides", NEWER, body=rpc(method))
                assert (told.status, reason(told)) == (504, "UPSTREAM_TIMEOUT")
                assert gateway.agent("tides").running_calls == 0
                await closed.wait()

    asyncio.run(run())


@pytest.mark.parametrize("begun", [b"", BEGUN])
def test_a_caller_that_leaves_ends_its_call_at_the_agent_too(begun: bytes) -> None:
    async def run() -> None:
        asked, closed = asyncio.Event(), asyncio.Event()
        async with (
            raw_peer(dripping(begun, asked, closed)) as there,
            before({"tides": {"url": there.origin}}) as gateway,
        ):
            reader, writer = await asyncio.open_connection(*gateway.origin.removeprefix("http://").split(":"))
            body = rpc("GetTask")
            writer.write(b"POST /agents/tides HTTP/1.1\r\nHost: %s\r\n" % gateway.origin[7:].encode())
            writer.write(b"Content-Type: application/json\r\nA2A-Version: 1.0\r\n")
            writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            agent = gateway.gateway.agent("tides")
            await asked.wait()
            assert agent.running_calls == 1
            writer.close()
            await closed.wait()
            while agent.running_calls:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0)
            del reader

    asyncio.run(run())


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
def test_an_extended_card_that_is_none_is_an_invalid_answer(fault: str) -> None:
    answers, _ = ask(lambda _: NO_CARDS[fault], EXTENDED, EXTENDED_REST)
    for told in answers:
        assert (told.status, reason(told)) == (502, "UPSTREAM_INVALID")


@pytest.mark.parametrize("method", ["GetExtendedAgentCard ", "getExtendedAgentCard", "agents/list", ""])
def test_a_method_that_a2a_has_not_never_reaches_the_agent(method: str) -> None:
    (told,), there = ask(lambda _: served({}), ("POST", "", NEWER, rpc(method)))
    assert (told.status, told.json["id"], told.json["error"]["code"]) == (200, 1, -32601)
    assert there.asked == []


# Agents' own words


def test_an_error_goes_back_with_its_code_message_and_data() -> None:
    error = {"code": -32001, "message": "no such task", "data": [{"reason": "TASK_NOT_FOUND"}]}
    assert rpc_error({**error, "stack": "x"}, HIDDEN) == error
    assert rpc_error({**error, "message": "a" * 5_000}, HIDDEN) == {**error, "message": "a" * 1_000}
    assert rpc_error({**error, "data": "a" * 20_000}, HIDDEN) == {"code": -32001, "message": "no such task"}


@pytest.mark.parametrize(
    "error", ["no", {}, {"code": "1", "message": ""}, {"code": True, "message": ""}, {"code": 1}]
)
def test_what_is_no_error_of_json_rpc_is_none(error: Any) -> None:
    assert rpc_error(error, HIDDEN) is None


NAMING = ["see http://10.1.2.3:8000/x", "at AGENT.example", "10.1.2.3:8000 refused", "(http://db.internal/)"]


@pytest.mark.parametrize("text", NAMING)
def test_an_error_that_names_the_agents_network_is_told_in_our_words(text: str) -> None:
    replaced = {"code": -32603, "message": REPLACED}
    assert rpc_error({"code": -32603, "message": text}, HIDDEN) == replaced
    assert rpc_error({"code": -32603, "message": "no", "data": {"at": [text]}}, HIDDEN) == replaced
    assert rpc_error({"code": -32603, "message": "no", "data": {text: 1}}, HIDDEN) == replaced
    told = {"error": {"code": 404, "status": "NOT_FOUND", "message": "no", "details": [{"reason": text}]}}
    kept = {"code": 404, "status": "NOT_FOUND", "message": REPLACED}
    assert rest_error(told, HIDDEN) == {"error": kept}
    assert rest_error({"type": "about:blank", "status": 404, "detail": text}, HIDDEN) == {
        "status": 404,
        "message": REPLACED,
    }


def test_an_error_of_rest_is_made_of_the_members_that_are_known() -> None:
    info = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "A",
        "domain": "b",
        "metadata": {"c": "d"},
    }
    error = {"code": 404, "status": "NOT_FOUND", "message": "no", "details": [info]}
    given = {"error": {**error, "trace": "x", "details": [{**info, "stack": "y"}, "z"]}, "at": 1}
    assert rest_error(given, HIDDEN) == {"error": error}
    flat = {"type": "about:blank", "title": "Gone", "status": 410, "detail": "it went"}
    assert rest_error({**flat, "instance": "/tasks/1"}, HIDDEN) == flat
    assert rest_error({"error": "no"}, HIDDEN) is None


def test_a_large_error_goes_back_without_what_is_too_much_of_it() -> None:
    error = {"code": -32603, "message": "a" * 100_000, "data": ["b"] * 100_000}
    told = served({"jsonrpc": "2.0", "id": 1, "error": error})
    (answer,), _ = ask(lambda _: told, ("POST", "", NEWER, rpc("GetTask")))
    kept = {"code": -32603, "message": "a" * 1_000}
    assert (answer.status, answer.json) == (200, {"jsonrpc": "2.0", "id": 1, "error": kept})


@pytest.mark.parametrize("status", [203, 206, 226, 418, 451, 499, 502, 599])
def test_a_status_that_a2a_has_no_use_for_is_a_bad_gateway(status: int) -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "a"}}
    told, rest = ask(
        lambda _: Reply(status, json.dumps(error).encode(), JSON),
        ("POST", "", NEWER, rpc("GetTask")),
        ("GET", "/tasks/t-1", NEWER, b""),
    )[0]
    assert (told.status, rest.status) == (502, 502)


def test_header_fields_that_cannot_be_sent_or_name_the_agent_are_left_out() -> None:
    fields = Headers([
        ("Retry-After", "5\x01"),
        ("Content-Language", "\udce4"),
        ("A2A-Extensions", "\u20ac"),
        ("WWW-Authenticate", 'Bearer realm="http://10.1.2.3:8000/"'),
        ("WWW-Authenticate", 'Bearer realm="sea"'),
    ])  # fmt: skip
    assert forwarded_response_headers(fields, HIDDEN) == [(b"www-authenticate", b'Bearer realm="sea"')]


def test_a_header_field_that_is_no_text_is_no_fault_of_the_gateway() -> None:
    def answer(_: Asked) -> Reply:
        return Reply(200, b'{"jsonrpc": "2.0", "id": 1, "result": 1}', {**JSON, "Retry-After": "\xff\xfe"})

    (told,), _ = ask(answer, ("POST", "", NEWER, rpc("GetTask")))
    assert (told.status, told.json["result"]) == (200, 1)


# What is sent on


@pytest.mark.parametrize(
    ("path", "headers", "status", "sent"),
    [
        ("/tasks/t-1", {"A2A-Version": ""}, 200, "1.0"),
        ("/tasks/t-1", {}, 200, "1.0"),
        ("/v1/tasks/t-1", {"A2A-Version": ""}, 200, "0.3"),
        ("/v1/tasks/t-1", {"A2A-Version": "0.3.0"}, 200, "0.3"),
        ("/tasks/t-1", {"A2A-Version": "0.3"}, 400, None),
        ("/v1/tasks/t-1", {"A2A-Version": "1.0"}, 400, None),
        ("/tasks/t-1?A2A-Version=0.3", {}, 400, None),
        ("/tasks/t-1?A2A-Version=0.3", {"A2A-Version": "1.0"}, 400, None),
    ],
)
def test_a_path_of_rest_is_of_one_version_and_says_so(
    path: str, headers: dict[str, str], status: int, sent: str | None
) -> None:
    (told,), there = ask(lambda _: served({"id": "t-1"}), ("GET", path, headers, b""))
    assert told.status == status
    assert [one.headers["a2a-version"] for one in there.asked] == ([] if sent is None else [sent])


def test_fields_that_mean_another_request_are_not_sent_on() -> None:
    names = (
        "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override",
        "X-Forwarded-For", "X-Forwarded-Anything", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "X_Real_IP",
        "Content-Encoding",
    )  # fmt: skip
    fields = [(name.encode(), b"x") for name in (*names, "X-Mine")]
    assert forwarded_request_headers(fields) == {"x-mine": "x"}


def test_a_body_in_a_content_coding_is_refused() -> None:
    coded, plain = NEWER | {"Content-Encoding": "gzip"}, NEWER | {"Content-Encoding": "identity"}
    answers, there = ask(
        lambda _: served({"jsonrpc": "2.0", "id": 1, "result": 1}),
        ("POST", "", coded, rpc("GetTask")),
        ("POST", "/message:send", coded, b"{}"),
        ("POST", "", plain, rpc("GetTask")),
    )
    assert [one.status for one in answers] == [415, 415, 200]
    assert len(there.asked) == 1


ROUTES = [
    ("message:send", "POST"), ("v1/message:stream", "POST"), ("tasks", "GET"), ("acme/tasks/t", "GET"),
    ("tasks/t:cancel", "POST"), ("v1/tasks/t:subscribe", "GET, POST"), ("extendedAgentCard", "GET"),
    ("tasks/t/pushNotificationConfigs", "GET, POST"), ("tasks/t/pushNotificationConfigs/c", "GET, DELETE"),
    ("v1/card", "GET"), ("tasks/pushNotificationConfigs", "GET"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "methods"), ROUTES)
def test_a_route_of_rest_takes_its_own_methods_and_no_others(path: str, methods: str) -> None:
    assert ", ".join(allowed_methods(path)) == methods
    wrong = next(name for name in ("DELETE", "POST") if name not in methods)
    (told,), there = ask(lambda _: served({}), (wrong, f"/{path}", JSON, b"{}"))
    assert (told.status, told.headers["allow"], there.asked) == (405, methods, [])
