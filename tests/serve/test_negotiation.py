"""Media types and codings."""

from __future__ import annotations

import gzip
import json

import brotli
import pytest
import yaml

from cardwright import well_known_agent_card
from tests.serve.cards import DIALECTS, both, example
from tests.serve.client import ask

APP = well_known_agent_card(both())
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, "application/json"), ("", "application/json"), ("*/*", "application/json"),
        ("application/*", "application/json"), ("application/json", "application/json"),
        ("application/a2a-agent-card+json", "application/a2a-agent-card+json"),
        ("application/a2a+json", "application/a2a+json"), ("APPLICATION/JSON", "application/json"),
        ("application/json;charset=utf-8", "application/json"),
        ('application/json;profile="a,b;c"', "application/json"),
        ("application/yaml", "application/yaml; charset=utf-8"),
        ("application/x-yaml, */*;q=0.1", "application/x-yaml; charset=utf-8"),
        ("text/yaml", "text/yaml; charset=utf-8"), ("text/*", "text/html; charset=utf-8"),
        ("text/html", "text/html; charset=utf-8"), (BROWSER, "text/html; charset=utf-8"),
        ("application/json;q=0.5, text/html;q=0.4", "application/json"),
        ("application/json;q=0, */*", "application/a2a-agent-card+json"),
        (", ,text/html ,,", "text/html; charset=utf-8"), ("image/png, application/json;q=0.001", "application/json"),
    ],
)  # fmt: skip
def test_accept_chooses_the_media_type(accept: str | None, expected: str) -> None:
    reply = ask(APP, headers={} if accept is None else {"Accept": accept})
    assert (reply.status, reply.headers["content-type"]) == (200, expected)
    assert "Accept" in reply.headers["vary"].split(", ")


@pytest.mark.parametrize("accept", ["image/png", "application/json;q=0", "text/plain, image/*"])
def test_an_unsupported_media_type_gets_406_with_the_supported_ones(accept: str) -> None:
    reply = ask(APP, headers={"Accept": accept})
    assert (reply.status, reply.reason) == (406, "NOT_ACCEPTABLE")
    assert "application/json" in reply.json["error"]["details"][0]["metadata"]["mediaTypes"]


@pytest.mark.parametrize(
    "accept", [";", "zz", "application/json;q=2", "a/b;q=x", "application/json;q", "a/b/c", "<b>", 'a/b;x="']
)
def test_a_malformed_accept_is_refused_or_ignored_but_never_reflected(accept: str) -> None:
    reply = ask(APP, headers={"Accept": accept})
    assert reply.status in (400, 406)
    assert accept == ";" or accept.encode() not in reply.body


@pytest.mark.parametrize("field", ['"' + '\\"' * 3_000, '"' * 4_001, 'a/b;x="' + "," * 7_000, '", ' * 2_001])
def test_an_unclosed_quotation_mark_is_parsed_in_linear_time(field: str) -> None:
    assert ask(APP, headers={"Accept": field}).status == 400
    assert ask(APP, url="/nothing", headers={"Accept": field}).status == 404


@pytest.mark.parametrize(
    ("sent", "coding"),
    [
        (None, None), ("", None), ("identity", None), ("gzip", "gzip"), ("x-gzip", "gzip"), ("br", "br"),
        ("gzip, deflate, br, zstd", "br"), ("gzip;q=1.0, br;q=0.5", "gzip"), ("*", "br"), ("*;q=0", None),
        ("br;q=0, *", "gzip"), ("gzip;q=0", None), ("deflate", None),
    ],
)  # fmt: skip
def test_a_content_coding_is_used_on_request(sent: str | None, coding: str | None) -> None:
    reply = ask(APP, headers={} if sent is None else {"Accept-Encoding": sent})
    assert reply.headers.get("content-encoding") == coding
    assert "Accept-Encoding" in reply.headers["vary"].split(", ")
    assert int(reply.headers["content-length"]) == len(reply.body)
    read = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}[coding]
    assert read(reply.body) == ask(APP).body


def test_every_representation_has_an_etag_of_its_own() -> None:
    tags = {
        ask(APP, headers={"Accept": accept, "Accept-Encoding": coding, "A2A-Version": version}).headers[
            "etag"
        ]
        for accept in ("application/json", "application/yaml", "text/html")
        for coding in ("identity", "gzip", "br")
        for version in ("", "1.0", "0.3")
    }
    assert len(tags) == 27


@pytest.mark.parametrize("name", DIALECTS)
def test_the_yaml_equals_the_json(name: str) -> None:
    app = well_known_agent_card(example(name))
    assert yaml.safe_load(ask(app, headers={"Accept": "application/yaml"}).body) == json.loads(ask(app).body)


def test_the_yaml_of_a_large_card_is_its_json() -> None:
    # Its description alone would take half a second to write as YAML.
    app = well_known_agent_card(both(description="a, b " * 60_000))
    as_json, as_yaml = ask(app), ask(app, headers={"Accept": "application/yaml"})
    assert as_yaml.headers["content-type"] == "application/yaml; charset=utf-8"
    assert as_yaml.body == as_json.body + b"\n"
    assert as_yaml.headers["etag"] != as_json.headers["etag"]


def test_yaml_quotes_texts_that_yaml_1_1_reads_differently() -> None:
    words = [
        "yes", "No", "on", "null", "~", "1.0", "0o14", "012", "1e3", "2026-11-01", "0x1F", "=", "<<", ".inf",
    ]  # fmt: skip
    app = well_known_agent_card(
        both(**{"x-words": words, "x-more": ["- a", "#", "a: b", "", " ", "é", "\u2028"]})
    )
    body = ask(app, headers={"Accept": "application/yaml"}).body
    assert yaml.safe_load(body)["x-words"] == words
    for word in words:
        assert f'- "{word}"' in body.decode()
