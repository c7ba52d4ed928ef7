"""The search API of ARD: results, ranking, pagination, facets, filters, and invalid requests."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card
from cardwright.search_api import EntryIndex, MemoryIndex, SearchApi, SearchError, StoreIndex
from cardwright.search_api.application import SearchApplication
from cardwright.search_api.filters import Filter
from cardwright.store import CardStore, Observation, PeerSettings
from tests.cards import least_card

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE = "https://registry.example.com"
CARD_TYPE = "application/a2a-agent-card+json"
AGENTS = {
    "tides": ("Tide Desk", "Says when high tide is.", ["sea", "tides"]),
    "pilot": ("Harbour Pilot", "Guides ships into the harbour at high tide.", ["sea", "harbour"]),
    "weather": ("Weather", "Forecasts wind and rain.", ["weather"]),
    "baker": ("Baker", "Bakes bread.", ["food"]),
}


def card(name: str, description: str, tags: list[str]) -> Card:
    skill = {"id": f"{tags[0]}-skill", "name": tags[0], "description": description, "tags": tags}
    return Card.from_document(
        least_card("https://a.example", name=name, description=description, skills=[skill])
    )


def filled(store: CardStore, cards: dict[str, Card]) -> CardStore:
    store.add(PeerSettings(f"https://{name}.example.com/card.json") for name in cards)
    store.record(
        [
            Observation(
                f"https://{name}.example.com/card.json",
                1.0,
                2.0,
                2.0,
                "new",
                body=json.dumps(one.document).encode(),
                card=one,
                agent_id=name,
            )
            for name, one in cards.items()
        ]
    )
    return store


@pytest.fixture(params=["store", "memory"])
def index(request: pytest.FixtureRequest) -> Iterator[EntryIndex]:
    with filled(CardStore.open(), {name: card(*about) for name, about in AGENTS.items()}) as store:
        stored = StoreIndex(store)
        yield stored if request.param == "store" else MemoryIndex(list(stored.matching("", ANY)))


ANY = Filter({})


def found(index: EntryIndex, text: str, **more: Any) -> dict[str, Any]:
    query = {"text": text, **more.pop("query", {})}
    return SearchApi(index, SOURCE).search(json.dumps({"query": query, **more}).encode())


def names(answer: dict[str, Any]) -> list[str]:
    return [one["displayName"] for one in answer.get("results", answer.get("items", []))]


def test_a_query_finds_agents_best_first_with_scores(index: EntryIndex) -> None:
    answer = found(index, "When is high tide in the harbour?")

    assert names(answer)[:2] == ["Harbour Pilot", "Tide Desk"]
    scores = [one["score"] for one in answer["results"]]
    assert all(type(one) is int and 1 <= one <= 100 for one in scores)
    assert {one["source"] for one in answer["results"]} == {SOURCE}


def test_an_entry_has_the_fields_for_selection(index: EntryIndex) -> None:
    (entry,) = found(index, "bread")["results"]

    assert entry.pop("score") > 0
    assert entry == {
        "identifier": "urn:air:baker.example.com:agents:baker",
        "displayName": "Baker",
        "type": CARD_TYPE,
        "url": "https://baker.example.com/card.json",
        "description": "Bakes bread.",
        "capabilities": ["food-skill"],
        "tags": ["food"],
        "version": "1.0.0",
        "source": SOURCE,
    }


def test_pagination_has_no_gaps(index: EntryIndex) -> None:
    everything = names(found(index, "high tide harbour wind"))
    seen: list[str] = []
    token: str | None = None
    for _ in range(10):
        more = {} if token is None else {"pageToken": token}
        answer = found(index, "high tide harbour wind", pageSize=1, **more)
        seen += names(answer)
        token = answer.get("pageToken")
        if token is None:
            break
    assert seen == everything
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"tags": "sea"}, {"Tide Desk", "Harbour Pilot"}),
        ({"tags": ["tides", "harbour"]}, {"Tide Desk", "Harbour Pilot"}),
        ({"tags": ["sea"], "publisher": ["pilot.example.com"]}, {"Harbour Pilot"}),
        ({"type": CARD_TYPE, "displayName": "tide desk"}, {"Tide Desk"}),
        ({"type": "application/mcp-server-card+json"}, set()),
        ({"capabilities": ["sea-skill"]}, {"Tide Desk", "Harbour Pilot"}),
    ],
)
def test_filters_are_or_within_a_key_and_and_across_keys(
    index: EntryIndex, conditions: dict[str, Any], expected: set[str]
) -> None:
    assert set(names(found(index, "high tide", query={"filter": conditions}))) == expected


def test_facets_count_all_that_match(index: EntryIndex) -> None:
    api = SearchApi(index, SOURCE)
    facets = [{"field": "tags", "limit": 1}, {"field": "type"}, {"field": "publisher", "minCount": 2}]
    answer = api.explore(json.dumps({"resultType": {"facets": facets}}).encode())

    assert answer["facets"]["tags"] == {"buckets": [{"value": "sea", "count": 2}], "otherCount": 4}
    assert answer["facets"]["type"] == {"buckets": [{"value": CARD_TYPE, "count": 4}], "otherCount": 0}
    assert answer["facets"]["publisher"] == {"buckets": [], "otherCount": 4}
    some = {"query": {"text": "tide"}, "resultType": {"facets": [{"field": "tags"}]}}
    assert api.explore(json.dumps(some).encode())["facets"]["tags"]["buckets"][0]["count"] == 2


def test_all_agents_are_listed_in_pages_and_filtered(index: EntryIndex) -> None:
    api = SearchApi(index, SOURCE)
    first = api.agents({"pageSize": "3", "orderBy": "displayName"})
    second = api.agents({"pageSize": "3", "orderBy": "displayName", "pageToken": first["pageToken"]})

    assert names(first) + names(second) == ["Baker", "Harbour Pilot", "Tide Desk", "Weather"]
    assert (first["total"], "pageToken" in second) == (4, False)
    filtered = api.agents({"filter": f"type = '{CARD_TYPE}' AND publisherId = 'baker.example.com,x'"})
    assert names(filtered) == ["Baker"]
    assert names(api.agents({"orderBy": "displayName DESC", "pageSize": "1"})) == ["Weather"]


def test_referrals_are_returned_on_request(index: EntryIndex) -> None:
    other = {"identifier": "urn:air:example.org:registry:search", "displayName": "Other", "url": "https://b"}
    api = SearchApi(index, SOURCE, (other,))
    body = {"query": {"text": "tide"}, "federation": "referrals"}
    assert api.search(json.dumps(body).encode())["referrals"] == [other]
    assert "referrals" not in api.search(json.dumps({**body, "federation": "none"}).encode())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "not a readable JSON object"),
        (b"[]", "expected an object"),
        (b"{}", "query: expected an object"),
        (b'{"query": {"text": ""}}', "query.text"),
        (b'{"query": {"text": 7}}', "query.text"),
        (b'{"query": {"text": "a", "x": 1}}', "unknown field"),
        (b'{"query": {"text": "a"}, "federation": "all"}', "federation"),
        (b'{"query": {"text": "a"}, "pageSize": 0}', "number from 1"),
        (b'{"query": {"text": "a"}, "pageSize": "5"}', "number from 1"),
        (b'{"query": {"text": "a"}, "pageToken": "x"}', "pageToken"),
        (b'{"query": {"text": "a"}, "pageToken": "a.x"}', "pageToken"),
        (b'{"query": {"text": "a", "filter": {"metadata.x": "1"}}}', "not supported"),
        (b'{"query": {"text": "a", "filter": {"tags": []}}}', "1 to 64 texts"),
        (b'{"query": {"text": "a", "filter": {"tags": [1]}}}', "1 to 64 texts"),
    ],
)
def test_an_invalid_request_is_reported_with_its_errors(index: EntryIndex, body: bytes, words: str) -> None:
    with pytest.raises(SearchError, match=words):
        SearchApi(index, SOURCE).search(body)


@pytest.mark.parametrize(
    "body",
    [b"{}", b'{"resultType": {"facets": []}}', b'{"resultType": {"facets": [{"field": "data.secret"}]}}'],
)
def test_an_invalid_explore_request_is_refused(index: EntryIndex, body: bytes) -> None:
    with pytest.raises(SearchError):
        SearchApi(index, SOURCE).explore(body)


@pytest.mark.parametrize(
    "parameters",
    [{"x": "1"}, {"orderBy": "url"}, {"pageSize": "-1"}, {"filter": "type ="}, {"filter": "url = 'x'"}],
)
def test_an_invalid_list_request_is_refused(index: EntryIndex, parameters: dict[str, str]) -> None:
    with pytest.raises(SearchError):
        SearchApi(index, SOURCE).agents(parameters)


# The application


def exchange(
    application: SearchApplication, method: str, target: str, body: bytes = b"", **headers: str
) -> tuple[int, Any]:
    """Return (status, JSON value) of a request."""
    path, _, query = target.partition("?")
    fields = {"host": "127.0.0.1:8000", "content-type": "application/json", **headers}
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in fields.items()],
    }
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(application(scope, receive, send))
    content = sent[1].get("body", b"")
    return sent[0]["status"], json.loads(content) if content else None


@pytest.fixture
def application(tmp_path: Path) -> SearchApplication:
    path = tmp_path / "agents.db"
    filled(CardStore.open(path), {name: card(*about) for name, about in AGENTS.items()}).close()
    return SearchApplication(str(path), SOURCE, local_hosts=("127.0.0.1",))


def test_the_application_responds_and_serves_its_manifest(application: SearchApplication) -> None:
    status, answer = exchange(application, "POST", "/search", b'{"query": {"text": "bread"}}')
    assert (status, names(answer)) == (200, ["Baker"])
    status, manifest = exchange(application, "GET", "/.well-known/ard.json")
    assert status == 200
    (entry,) = manifest["entries"]
    assert (entry["type"], entry["url"]) == ("application/ai-registry+json", SOURCE)
    assert exchange(application, "GET", "/agents?pageSize=1")[1]["total"] == 4
    assert exchange(application, "OPTIONS", "/search")[0] == 204
    assert exchange(application, "HEAD", "/agents") == (200, None)


@pytest.mark.parametrize(
    ("method", "target", "body", "headers", "expected"),
    [
        ("POST", "/search", b"{", {}, (400, "INVALID_ARGUMENT")),
        ("POST", "/search", b" " * 70_000, {}, (413, "INVALID_ARGUMENT")),
        ("POST", "/search", b"{}", {"content_type": "text/plain"}, (415, "INVALID_ARGUMENT")),
        ("GET", "/search", b"", {}, (405, "INVALID_ARGUMENT")),
        ("GET", "/nothing", b"", {}, (404, "NOT_FOUND")),
        ("GET", "/agents?filter=%FF", b"", {}, (400, "INVALID_ARGUMENT")),
        ("GET", "/agents", b"", {"host": "evil.example"}, (403, "INVALID_ARGUMENT")),
    ],
)
def test_refusals_have_the_form_of_ard(
    application: SearchApplication,
    method: str,
    target: str,
    body: bytes,
    headers: dict[str, str],
    expected: tuple[int, str],
) -> None:
    status, answer = exchange(application, method, target, body, **headers)
    assert (status, answer["errorCode"]) == expected
    assert answer["message"]
