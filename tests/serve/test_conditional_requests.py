"""Conditional requests, methods, and caching headers (RFC 9110 §13, A2A 1.0 §8.6)."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cardwright import well_known_agent_card
from cardwright.dates import http_date
from tests.serve.cards import both, example
from tests.serve.client import ask

if TYPE_CHECKING:
    from pathlib import Path

APP = well_known_agent_card(both())
ETAG = ask(APP).headers["etag"]
# The example was generated at 07:15 on that day.
DATED = well_known_agent_card(example("beach-1.0"))
WRITTEN = "Mon, 11 May 2026 07:15:00 GMT"


def test_a_response_has_its_caching_and_content_headers() -> None:
    reply = ask(APP)
    assert reply.headers["etag"] == f'"{hashlib.sha256(reply.body).hexdigest()}"'
    assert reply.headers["cache-control"] == "public, max-age=3600"
    assert reply.headers["vary"] == "Accept, Accept-Encoding, A2A-Version"
    assert reply.headers["access-control-allow-origin"] == "*"
    assert "last-modified" not in reply.headers
    assert ask(DATED).headers["last-modified"] == WRITTEN
    shorter = well_known_agent_card(both(), max_age_seconds=60)
    assert ask(shorter).headers["cache-control"] == "public, max-age=60"
    never = well_known_agent_card(both(), max_age_seconds=0)
    assert ask(never).headers["cache-control"] == "public, no-cache"


def test_a_converted_card_has_the_last_modified_date_of_its_source() -> None:
    assert ask(DATED, headers={"A2A-Version": "1.0"}).headers["last-modified"] == WRITTEN


def test_a_card_from_the_future_has_no_last_modified_date() -> None:
    early = well_known_agent_card(example("beach-1.0"), clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    assert "last-modified" not in ask(early).headers


@pytest.mark.parametrize(
    ("tags", "status"),
    [
        (ETAG, 304), (f"W/{ETAG}", 304), (f'"x", {ETAG}', 304), (f'"a,b" ,, W/{ETAG}, "c"', 304), ("*", 304),
        (" * ", 304), ('"x"', 200), ('W/"x", "y"', 200), (ETAG[:-2] + '"', 200), ('""', 200),
    ],
)  # fmt: skip
def test_if_none_match_gets_304_exactly_for_a_matching_etag(tags: str, status: int) -> None:
    reply = ask(APP, headers={"If-None-Match": tags})
    assert reply.status == status
    assert reply.headers["etag"] == ETAG
    assert (reply.body == b"") == (status == 304)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"If-Match": ETAG}, 200),
        ({"If-Match": f'"x", {ETAG}'}, 200),
        ({"If-Match": "*"}, 200),
        ({"If-Match": '"x"'}, 412),
        ({"If-Match": f"W/{ETAG}"}, 412),
        ({"If-Match": f'W/{ETAG}, "x"'}, 412),
        ({"If-Match": "x"}, 400),
        ({"If-Match": '"x"', "If-None-Match": ETAG}, 412),
        ({"If-Match": ETAG, "If-None-Match": ETAG}, 304),
    ],
)
def test_preconditions_are_evaluated_in_the_order_of_rfc_9110(headers: dict[str, str], status: int) -> None:
    assert ask(APP, headers=headers).status == status


@pytest.mark.parametrize(
    ("since", "status"), [(WRITTEN, 200), ("Mon, 11 May 2026 07:14:59 GMT", 412), ("yesterday", 200)]
)
def test_if_unmodified_since_fails_for_a_newer_card(since: str, status: int) -> None:
    assert ask(DATED, headers={"If-Unmodified-Since": since}).status == status


def test_repeated_header_fields_are_one_list() -> None:
    assert ask(APP, headers=[("If-None-Match", '"x"'), ("If-None-Match", ETAG)]).status == 304


@pytest.mark.parametrize(
    "tags", ["x", ETAG[1:], '"a" "b"', '"', "W/", "*, *", '"\x01"', "w/" + ETAG, "<script>"]
)
def test_a_malformed_list_of_etags_is_refused(tags: str) -> None:
    reply = ask(APP, headers={"If-None-Match": tags})
    assert (reply.status, reply.reason) == (400, "BAD_HEADER")


def test_a_huge_list_of_etags_is_refused() -> None:
    reply = ask(APP, headers={"If-None-Match": ", ".join(['"x"'] * 4000)})
    assert (reply.status, reply.reason) == (431, "HEADER_TOO_LARGE")


@pytest.mark.parametrize(
    ("since", "status"),
    [
        (WRITTEN, 304), ("Mon, 11 May 2026 07:15:01 GMT", 304), ("Monday, 11-May-26 07:15:00 GMT", 304),
        ("Mon May 11 07:15:00 2026", 304), ("Mon, 11 May 2026 07:14:59 GMT", 200),
        ("Mon, 11 May 2026 07:15:00 CET", 200), ("yesterday", 200), ("2026-05-11T07:15:00Z", 200),
        ("Mon, 31 Feb 2026 07:15:00 GMT", 200), ("", 200),
    ],
)  # fmt: skip
def test_if_modified_since_has_seconds_and_an_invalid_date_is_ignored(since: str, status: int) -> None:
    assert ask(DATED, headers={"If-Modified-Since": since}).status == status


def test_if_modified_since_counts_only_without_if_none_match() -> None:
    headers = {"If-Modified-Since": WRITTEN, "If-None-Match": '"x"'}
    assert ask(DATED, headers=headers).status == 200
    assert ask(APP, headers={"If-Modified-Since": WRITTEN}).status == 200


def test_a_two_digit_year_is_at_most_fifty_years_ahead() -> None:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    near, far = (
        http_date("Monday, 11-May-76 07:15:00 GMT", now),
        http_date("Monday, 11-May-77 07:15:00 GMT", now),
    )
    assert near is not None
    assert far is not None
    assert (near.year, far.year) == (2076, 1977)


def test_a_304_has_the_caching_headers_of_the_200_and_no_length() -> None:
    whole, known = ask(DATED), ask(DATED, headers={"If-None-Match": "*"})
    for name in ("etag", "cache-control", "vary", "last-modified", "access-control-allow-origin"):
        assert known.headers[name] == whole.headers[name]
    assert "content-length" not in known.headers
    assert "content-type" not in known.headers


@pytest.mark.parametrize(
    "headers", [{}, {"Accept": "text/html"}, {"If-None-Match": "*"}, {"A2A-Version": "7.0"}]
)
def test_head_is_get_without_a_body(headers: dict[str, str]) -> None:
    got, head = ask(APP, headers=headers), ask(APP, "HEAD", headers=headers)
    assert (head.status, head.headers, head.body) == (got.status, got.headers, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "GETS", "get", ""])
def test_another_method_gets_405_with_allow(method: str) -> None:
    reply = ask(APP, method)
    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD, OPTIONS")


def test_options_is_a_cors_preflight() -> None:
    headers = {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}
    reply = ask(APP, "OPTIONS", headers=headers)
    assert reply.status == 204
    assert reply.headers["allow"] == "GET, HEAD, OPTIONS"
    assert reply.headers["access-control-allow-origin"] == "*"
    assert "A2A-Version" in reply.headers["access-control-allow-headers"]


@pytest.mark.process
def test_every_process_and_restart_gives_the_same_etags(root: Path) -> None:
    script = (
        "import json, sys; from cardwright import Card, well_known_agent_card;"
        "from tests.serve.client import ask;"
        "app = well_known_agent_card(Card.from_document(json.load(sys.stdin)));"
        "print([ask(app, headers={'Accept': a, 'Accept-Encoding': c}).headers['etag']"
        " for a in ('application/json', 'application/yaml', 'text/html') for c in ('identity', 'gzip', 'br')])"
    )
    card = json.dumps(both().document)
    replies = {
        subprocess.run(
            [sys.executable, "-c", script],
            input=card, capture_output=True, text=True, check=True, cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(replies) == 1
