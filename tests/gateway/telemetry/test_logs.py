"""Log lines: fields, and redacted credentials."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import secrets
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_gateway.telemetry.logs import Occasional, access, set_up
from tests.gateway.a2a_server.endpoints import a2a_endpoint, rpc
from tests.gateway.upstream.mcp.sessions import raw, session, text

if TYPE_CHECKING:
    from collections.abc import Iterator

LOG = logging.getLogger("cardwright_gateway.test")


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """The log stream; the root logger is restored afterwards."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    for handler in before:
        root.removeHandler(handler)
    yield io.StringIO()
    for handler in root.handlers[:]:
        root.removeHandler(handler)
    for handler in before:
        root.addHandler(handler)
    root.setLevel(level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_each_log_line_is_one_json_object(stream: io.StringIO) -> None:
    set_up("json", stream)
    LOG.warning("agent %s: two\nlines, and a %s", "travel", "\u2028 \udcff")
    try:
        int("inside")
    except ValueError:
        LOG.exception("it failed", extra={"agent": "travel", "unknown": "x", "status": object()})
    first, second = lines(stream)
    assert (first["level"], first["logger"]) == ("WARNING", "cardwright_gateway.test")
    assert first["message"].startswith("agent travel: two\nlines")
    assert first["time"].endswith("+00:00")
    assert second["exception"].endswith("builtins.ValueError")
    assert "test_logs.py" in second["exception"]
    assert second["agent"] == "travel"
    assert {"unknown", "status"}.isdisjoint(second)


def test_a_request_is_one_log_line_with_standard_fields(stream: io.StringIO) -> None:
    set_up("json", stream)
    access(agent="travel", kind="jsonrpc", status=200, seconds=0.0123456, key="key_1")
    access(agent="", kind="catalogue", status=404, seconds=1)
    first, second = lines(stream)
    assert {name: first[name] for name in ("agent", "kind", "status", "duration_ms", "key")} == {
        "agent": "travel", "kind": "jsonrpc", "status": 200, "duration_ms": 12.346, "key": "key_1",
    }  # fmt: skip
    assert first["message"] == "agent=travel kind=jsonrpc status=200 duration_ms=12.346 key=key_1"
    assert {"agent", "key"}.isdisjoint(second)


def test_an_error_of_many_requests_is_one_line_a_second(stream: io.StringIO) -> None:
    set_up("json", stream)
    now = 5.0
    occasional = Occasional(LOG, lambda: now)
    for _ in range(3):
        occasional.warn("no room")
    now = 6.0
    occasional.warn("no room")
    assert [line["message"] for line in lines(stream)] == [
        "no room (1 times since the last line)",
        "no room (3 times since the last line)",
    ]


def test_text_logs_are_plain_lines(stream: io.StringIO) -> None:
    set_up("text", stream)
    access(agent="travel", kind="card", status=304, seconds=0.001)
    assert stream.getvalue() == "INFO: agent=travel kind=card status=304 duration_ms=1.0\n"


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_log_line_has_a_credential(stream: io.StringIO, form: Any) -> None:
    set_up(form, stream)
    key, opaque = f"bak_{secrets.token_urlsafe(32)}", secrets.token_urlsafe(24)
    token = f"eyJ{secrets.token_urlsafe(20)}.{secrets.token_urlsafe(20)}.{secrets.token_urlsafe(20)}"
    LOG.warning("sent %s and %s", key, f"Authorization: Bearer {token}", extra={"agent": key, "key": token})
    LOG.warning("authorization=bearer %s", opaque)
    try:
        int(f"with {key}, {token}")
    except ValueError:
        LOG.exception("and in an exception")
    output = stream.getvalue()
    assert output.count("\n") >= 3
    for secret in (key[8:], opaque, *(token[3:].split("."))):
        assert secret not in output
    assert key[:8] in output


def test_words_that_only_resemble_credentials_are_kept(stream: io.StringIO) -> None:
    set_up("text", stream)
    LOG.warning("the bearer of bad news: agent bak_x is away")
    assert stream.getvalue() == "WARNING: the bearer of bad news: agent bak_x is away\n"


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_exception_is_logged_without_quoted_values(stream: io.StringIO, form: Any) -> None:
    set_up(form, stream)
    try:
        try:
            int("a body".upper())
        except ValueError as error:
            raise RuntimeError("a body".upper()) from error
    except RuntimeError:
        LOG.exception("it failed")
    output = stream.getvalue()
    assert "A BODY" not in output
    assert (
        output.index("builtins.ValueError")
        < output.index("caused the following one")
        < output.index("builtins.RuntimeError")
    )


@pytest.mark.parametrize("method", ["SendMessage", "message/send"])
def test_client_errors_are_not_logged_as_errors(stream: io.StringIO, method: str) -> None:
    async def run() -> dict[str, Any]:
        async with a2a_endpoint() as endpoint:
            answer: dict[str, Any] = await rpc(endpoint, method, {"message": 1})
            return answer

    set_up("json", stream)
    assert asyncio.run(run())["error"]["code"] == -32602
    assert not [line for line in lines(stream) if line["level"] == "ERROR"]
    logging.getLogger("a2a.server").error("Unhandled exception")
    assert lines(stream)[-1]["message"] == "Unhandled exception"


@pytest.mark.process
async def test_invalid_messages_of_an_mcp_server_are_not_logged(stream: io.StringIO) -> None:
    set_up("text", stream)
    logging.getLogger("client").warning("Failed to validate notification: %s", "notifications/\x1b")

    async with session(raw(junk=True)) as made:
        assert await text(made, "echo", text="hi") == "hi"
    assert stream.getvalue() == ""
