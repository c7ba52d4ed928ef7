"""Requests that no honest caller sends."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright import well_known_agent_card
from tests.serve.cards import both
from tests.serve.client import CARD_PATH, ask, call

APP = well_known_agent_card({"seeds": both()}, root="seeds")


@pytest.mark.parametrize(
    ("headers", "status", "reason"),
    [
        ([("A2A-Version", "1.0"), ("A2A-Version", "0.3")], 400, "BAD_HEADER"),
        ([("A2A-Version", "1.0"), ("a2a-version", "1.0")], 400, "BAD_HEADER"),
        ([("A2A-Version", "1.0\r\nX-Evil: 1")], 400, "BAD_HEADER"),
        ([("A2A-Version", "1" * 9000)], 431, "HEADER_TOO_LARGE"),
        ([("Accept", "image/png, " * 1000)], 431, "HEADER_TOO_LARGE"),
        ([("Accept-Encoding", "gzip;q=high")], 400, "BAD_HEADER"),
        ([("Accept-Encoding", "gzip\x00")], 400, "BAD_HEADER"),
        ([("Accept", "\x7f")], 400, "BAD_HEADER"),
        ([("If-None-Match", "x" * 9000)], 431, "HEADER_TOO_LARGE"),
        ([("Content-Length", "5")], 400, "BODY_NOT_ALLOWED"),
        ([("Content-Length", "-1")], 400, "BODY_NOT_ALLOWED"),
        ([("Transfer-Encoding", "chunked")], 400, "BODY_NOT_ALLOWED"),
        ([("Content-Length", "0"), ("Content-Length", "0")], 400, "BAD_HEADER"),
        ([("Host", "a.example"), ("Host", "b.example")], 400, "BAD_HEADER"),
        ([("Host", "")], 400, "BAD_HEADER"),
        ([("Host", "a.example/x")], 400, "BAD_HEADER"),
        ([("Host", "u@a.example")], 400, "BAD_HEADER"),
        ([("Host", "<script>")], 400, "BAD_HEADER"),
    ],
)
def test_a_malformed_header_is_refused_with_the_reason(
    headers: list[tuple[str, str]], status: int, reason: str
) -> None:
    reply = ask(APP, headers=headers)
    assert (reply.status, reply.reason) == (status, reason)
    assert len(reply.json["error"]["message"]) > 10
    assert reply.headers["cache-control"] == "private, no-store"
    for sent in ("script", "evil", "a.example", "b.example"):
        assert sent not in reply.body.decode().lower()


@pytest.mark.parametrize("url", ["/.well-known/agent-card.json?format=x", "/nothing", f"{CARD_PATH}?id=x"])
def test_a_browser_gets_an_error_page(url: str) -> None:
    reply = ask(APP, url=url, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    expected = ask(APP, url=url)
    assert reply.status == expected.status
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert expected.json["error"]["message"].split(":")[0][1:].encode() in reply.body


def test_an_http_1_1_request_without_host_is_refused() -> None:
    assert ask(APP, scope={"headers": []}).status == 400
    assert ask(APP, scope={"headers": [], "http_version": "1.0"}).status == 200
    assert ask(APP, scope={"headers": [(b"host", b"")], "http_version": "1.0"}).status == 200
    assert ask(APP, scope={"headers": []}).status == 400


@pytest.mark.parametrize(
    "host", ["a.example", "A.example:8080", "[::1]:80", "127.0.0.1", "test_server", "a.example."]
)
def test_any_valid_host_is_accepted(host: str) -> None:
    assert ask(APP, headers={"Host": host}).status == 200


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("id=seeds&id=seeds", 400), ("A2A-Version=1.0&a2a-version=1.0", 400), ("A2A-Version=%ff", 400),
        ("A2A-Version=7", 200), ("x=" + "y" * 3000, 414), ("&".join(["a=1"] * 40), 400), ("\xff", 400),
        ("id=%00", 404), ("utm_source=mail", 200), ("=&&=", 200), ("A2A-Version", 200), ("id", 404),
    ],
)  # fmt: skip
def test_a_query_is_parsed_strictly_only_where_it_matters(query: str, status: int) -> None:
    assert ask(APP, url=f"{CARD_PATH}?{query}").status == status


def test_a_content_length_of_zero_is_no_body() -> None:
    assert ask(APP, headers={"Content-Length": "0"}).status == 200


NAMES = st.sampled_from(
    ["accept", "accept-encoding", "a2a-version", "if-none-match", "if-modified-since", "content-length",
     "transfer-encoding", "host", "content-type", "x-other", "authorization"]
)  # fmt: skip
VALUES = st.text(st.characters(max_codepoint=255), max_size=60) | st.sampled_from(
    ["*", "*/*", "gzip", "1.0", "0.3", '"x"', 'W/"x", "y"', "a/b;q=0.5, */*", ",,;;", '"' * 40, " , \t" * 30]
)


@given(
    method=st.sampled_from(["GET", "HEAD", "OPTIONS", "POST", "\x00", "GET "]),
    path=st.sampled_from([CARD_PATH, "/.well-known/agent.json", "/v1/card", "/.well-known/ai-catalog.json"])
    | st.text(max_size=40),
    query=st.binary(max_size=60),
    headers=st.lists(st.tuples(NAMES, VALUES), max_size=8),
    more=st.fixed_dictionaries(
        {}, optional={"raw_path": st.binary(max_size=30), "root_path": st.text(max_size=10)}
    ),
)
def test_no_request_gets_a_server_error(
    method: str, path: str, query: bytes, headers: list[tuple[str, str]], more: dict[str, Any]
) -> None:
    pairs = [("host", "a.example"), *(pair for pair in headers if pair[0] != "host")]
    scope = {"path": path, "query_string": query, **more}
    reply = asyncio.run(call(APP, method, headers=pairs, scope=scope))
    assert reply.status in (200, 204, 304, 400, 404, 405, 406, 414, 431, 401)
    if reply.status >= 400 and method != "HEAD":
        assert json.loads(reply.body)["error"]["code"] == reply.status
    again = asyncio.run(call(APP, method, headers=pairs, scope=scope))
    assert (again.status, again.headers, again.body) == (reply.status, reply.headers, reply.body)


TAGS = st.lists(st.text(st.characters(min_codepoint=0x23, max_codepoint=0x7E), max_size=8), max_size=4)


@given(tags=TAGS, flags=st.tuples(st.booleans(), st.booleans()))
def test_if_none_match_gets_304_if_and_only_if_the_bytes_are_equal(
    tags: list[str], flags: tuple[bool, bool]
) -> None:
    matches, weak = flags
    etag = ask(APP).headers["etag"]
    listed = [f'{"W/" if weak else ""}"{tag}"' for tag in tags] + ([etag] if matches else [])
    reply = ask(APP, headers={"If-None-Match": ", ".join(listed)} if listed else {})
    assert reply.status == (304 if matches else 200)


def test_equal_responses_are_cached_within_a_limit() -> None:
    app = well_known_agent_card(both())
    for index in range(1200):
        ask(app, headers={"If-None-Match": f'"{index}"'})
    held: Any = app.__dict__["_snapshot"].responses
    assert 0 < len(held) <= 512
    ask(app, headers=[("Accept", "")] * 100)
    assert all(len(key) < 30 for key in held)
