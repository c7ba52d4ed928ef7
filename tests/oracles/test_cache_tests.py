"""The requirements of http-cache-tests, applied to the application instead of a cache; needs node."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cardwright import Card
from cardwright.serve import AgentCardApplication, well_known_agent_card
from tests.oracles.signers import JS, peer
from tests.serve.cards import NEWER
from tests.serve.client import Reply, ask

PACKAGE = "http-cache-tests"
LISTED = json.loads((Path(__file__).parent / "cache-tests.json").read_text(encoding="utf-8"))
# The tests' own entity tag, which the one of the application replaces.
TAG = "abcdef"
WRITTEN = datetime(2026, 3, 1, 6, 30, tzinfo=UTC)


@pytest.fixture(scope="module", autouse=True)
def package() -> None:
    """Skip what needs node."""
    peer(PACKAGE)


@cache
def published() -> list[dict[str, Any]]:
    done = subprocess.run(["node", "cache-tests.mjs"], cwd=JS, capture_output=True, check=True)
    tests: list[dict[str, Any]] = json.loads(done.stdout)
    return tests


@cache
def application(*, dated: bool) -> AgentCardApplication:
    document: dict[str, Any] = dict(NEWER)
    if dated:
        document["generatedAt"] = WRITTEN.isoformat()
    return well_known_agent_card(Card.from_document(document))


def get(app: AgentCardApplication, *fields: tuple[str, str]) -> Reply:
    return ask(app, headers=fields)


def met(test: dict[str, Any]) -> Reply:
    """Return what is answered to the last request of a test, by one who has what the first got."""
    dated = any(name == "Last-Modified" for name, _ in test["requests"][0]["response_headers"])
    app = application(dated=dated)
    first = get(app)
    assert first.status == 200
    assert ("last-modified" in first.headers) == dated
    return get(app, *(translated(field, test, first) for field in test["requests"][-1]["request_headers"]))


def translated(field: list[Any], test: dict[str, Any], first: Reply) -> tuple[str, str]:
    """Return a field with our tag and our dates: theirs are seconds from now, and so from Last-Modified."""
    name, value = field
    if name != "If-Modified-Since":
        return name, str(value).replace(TAG, first.headers["etag"].strip('"'))
    offset = next((v for n, v in test["requests"][0]["response_headers"] if n == "Last-Modified"), 0)
    last_modified = first.headers.get("last-modified", first.headers.get("date"))
    start = parsedate_to_datetime(last_modified) if last_modified else WRITTEN
    old = "if-modified-since" in test["requests"][-1].get("rfc850date", ())
    form = "%A, %d-%b-%y %H:%M:%S GMT" if old else "%a, %d %b %Y %H:%M:%S GMT"
    return name, (start + timedelta(seconds=value - offset)).strftime(form)


@pytest.mark.process
def test_the_package_has_the_reviewed_tests() -> None:
    names = [test["id"] for test in published()]

    assert len(names) == len(set(names)) == 21 + 5
    assert LISTED["not_an_origins"].keys() | LISTED["otherwise"].keys() < set(names)


@pytest.mark.process
def test_every_test_of_an_origin_passes() -> None:
    left_out = LISTED["not_an_origins"].keys() | LISTED["otherwise"].keys()
    selected = [test for test in published() if test["id"] not in left_out]

    assert len(selected) == 11
    for test in selected:
        expected, answer = test["requests"][-1], met(test)
        assert answer.status == expected["expected_status"], test["id"]
        assert answer.body == b""
        for name, value in expected.get("expected_response_headers", []):
            assert (name, value) == ("ETag", f'"{TAG}"')
            assert answer.headers["etag"] == get(application(dated=False)).headers["etag"]


@pytest.mark.process
def test_every_known_difference_still_exists() -> None:
    rows = LISTED["otherwise"]
    found = {test["id"]: met(test).status for test in published() if test["id"] in rows}

    assert found == {name: row["status"] for name, row in rows.items()}


@pytest.mark.process
def test_no_required_test_of_an_origin_is_left_out() -> None:
    required = {test["id"] for test in published() if test.get("kind", "required") == "required"}

    assert required & LISTED["otherwise"].keys() == set()
    assert {name for name in required if name in LISTED["not_an_origins"]} == {
        "conditional-etag-vary-headers"
    }


def test_a_request_with_another_etag_gets_the_card() -> None:
    app = application(dated=True)

    assert get(app, ("If-None-Match", '"1234", "5678"')).status == 200
    # RFC 9110 §13.1.3: the date does not count where a tag was sent.
    later = (WRITTEN + timedelta(days=1)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    assert get(app, ("If-None-Match", '"1234"'), ("If-Modified-Since", later)).status == 200
    assert get(app, ("If-Modified-Since", later)).status == 304
    earlier = (WRITTEN - timedelta(seconds=1)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    assert get(app, ("If-Modified-Since", earlier)).status == 200
