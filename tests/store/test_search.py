from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.errors import BadArgument
from cardwright.store import CardStore, PeerSettings, Query
from cardwright.store.tokenizer import storable
from tests.serve.cards import DIALECTS, example
from tests.store.cards import NOW, keep, seen, url

BEACH: dict[str, Any] = {
    "schemaVersion": "1.0",
    "id": "ferry-desk",
    "name": "FerryDesk",
    "description": "Knows ferries.",
    "version": "2.4.0",
    "provider": {"name": "Harbour Works", "url": "https://harbour.example.com"},
    "capabilities": [{"id": "times", "description": "Says when boats leave."}],
    "transports": [
        {
            "protocol": "mcp",
            "version": "1.0",
            "endpoint": url("b"),
            "auth": {"type": "api-key", "header": "X"},
        }
    ],
    "envelope": {"parts": ["response"], "consumes": ["domain-data", "citation"]},
}


def names(store: CardStore, text: str = "", **more: Any) -> list[str]:
    return [hit.url.split("/")[2].split(".")[0] for hit in store.search(Query(text, **more)).hits]


def test_an_empty_query_finds_every_card_the_newest_first(store: CardStore) -> None:
    keep(store, "a", "b", "c")
    assert names(store) == ["c", "b", "a"]


def test_search_ranks_names_before_partial_names_headlines_and_texts(store: CardStore) -> None:
    keep(store, "whole", name="Ferry Desk")
    keep(store, "part", name="The Desk of the Ferry")
    keep(store, "tag", provider={"organization": "Ferry & Desk", "url": url("p")})
    keep(store, "text", description="No desk is without its ferry.")
    keep(store, "none", description="A desk.")
    hits = store.search(Query("ferry  desk")).hits
    assert [(hit.url, hit.score) for hit in hits] == [
        (url("whole"), 1.0), (url("part"), 0.75), (url("tag"), 0.5), (url("text"), 0.25),
    ]  # fmt: skip


def test_within_a_tier_the_newest_comes_first(store: CardStore) -> None:
    keep(store, "a", "b", name="Ferry")
    store.record([seen("a", outcome="changed", name="Ferry", description="Changed.")])
    assert names(store, "ferry") == ["a", "b"]


def test_every_word_must_match_and_the_last_may_be_a_prefix(store: CardStore) -> None:
    keep(store, "a", description="Sells tickets for the ferry.")
    keep(store, "b", description="Sells tickets.")
    assert names(store, "ferry tick") == ["a"]
    assert names(store, "ferr tickets") == []
    assert names(store, "ti") == []


def test_a_tool_is_found_by_the_parts_of_its_name(store: CardStore) -> None:
    skill = {"id": "getWeather_forecast", "name": "HTTPProxy", "description": "x", "tags": ["t"]}
    keep(store, "a", skills=[skill])
    assert [names(store, text) for text in ("weather", "getWeather", "forecast", "proxy", "httpproxy")] == [
        ["a"]
    ] * 5


SCRIPTS = (
    ("Fähren", "fahren"), ("Fahren", "FÄHREN"), ("Straße", "strasse"), ("Crème brûlée", "creme brulee"),
    ("東京の天気予報", "天気"), ("東京の天気予報", "気"), ("東京の天気予報", "東京 予報"), ("พยากรณ์อากาศ", "อากาศ"), ("서울 날씨", "날씨"),
    ("Погода", "погода"), ("ガイド", "ガイド"), ("ﬁne", "fine"),
)  # fmt: skip


def test_accents_case_and_scripts_without_spaces_are_matched(store: CardStore) -> None:
    for number, (written, query) in enumerate(SCRIPTS):
        keep(store, f"a{number}", description=f"Es: {written}, 1")
        keep(store, "other", description="Etwas anderes.")
        assert f"a{number}" in names(store, query), query
        assert "other" not in names(store, query), query


SYNTAX = (
    '"', "seeds OR x", "NOT seeds", "name:seeds", "{name} : x", "seedy*", "NEAR(seeds x)", "^seedy", "a AND",
    "'", "a & !b", "a:*", "a\\", "(((", "%", "_", "--", "; DROP TABLE peers", "\x00", "\ud800", "!!!",
    "\ue200seeds", "\ue200", "'s':*", "x" * 100_000, "a " * 5_000,
)  # fmt: skip


def test_query_text_has_no_syntax(store: CardStore) -> None:
    keep(store, "b")
    for text in SYNTAX:
        assert store.search(Query(text, tags=(text,), provider=(text,))).hits == (), text
        assert store.search(Query(text)).cursor is None, text


@given(text=st.text(max_size=40))
def test_no_query_makes_a_search_fail(text: str) -> None:
    with CardStore.open() as store:
        keep(store, "a", description=storable(text))
        store.search(Query(text, tags=(text,)))


def test_filters_match_the_fields_of_a_card(store: CardStore) -> None:
    extension = {
        "uri": "https://beach.cool-ai.io/extensions/v1",
        "params": {"envelopeConsumes": ["domain-data", "progress"]},
    }
    keep(store, "a", capabilities={"extensions": [extension]})
    store.add([PeerSettings(url("b"))])
    store.record([seen("b", BEACH)])
    found: dict[str, Any] = {
        "tags": (("seeds",), ["a"]),
        "protocols": (("jsonrpc", "a2a"), ["a"]),
        "versions": (("1.0",), ["b", "a"]),
        "modes": (("TEXT/plain",), ["a"]),
        "extensions": (("https://beach.cool-ai.io/extensions/v1",), ["a"]),
        "auth": (("api-key",), ["b"]),
        "consumes": (("domain-data",), ["b", "a"]),
        "provider": (("harbour works", "nobody"), ["b"]),
        "dialects": (("a2a-1.0", "beach-1.0"), ["b", "a"]),
    }
    for field, (values, expected) in found.items():
        assert names(store, **{field: values}) == expected, field
    assert names(store, protocols=("mcp",), consumes=("domain-data", "citation")) == ["b"]
    assert names(store, consumes=("progress", "citation")) == []
    assert names(store, "seeds", tags=("seeds",), auth=("apiKey",), valid=True) == ["a"]


def test_a_version_is_found_without_its_patch_number(store: CardStore) -> None:
    store.add([PeerSettings(url("a"))])
    store.record([seen("a", {"name": "A", "url": url("x"), "protocolVersion": "0.3.0", "skills": []})])
    assert [names(store, versions=(version,)) for version in ("0.3", "0.3.0", "0")] == [["a"], ["a"], []]


def test_cards_are_filtered_by_validity_and_freshness(store: CardStore) -> None:
    keep(store, "good", "old")
    store.record([seen("old", outcome="changed", fresh_until=NOW)])
    keep(store, "bad", skills=7)
    assert names(store, valid=True) == ["old", "good"]
    assert names(store, valid=False) == ["bad"]
    assert names(store, fresh=True) == ["bad", "good"]
    assert names(store, fresh=False) == ["old"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_card_of_any_dialect_is_found_by_its_name_and_dialect(store: CardStore, dialect: str) -> None:
    card = example(dialect)
    store.add([PeerSettings(url("a"))])
    store.record([seen("a", card.document)])
    [hit] = store.search(Query(card.document["name"], dialects=(str(card.dialect),))).hits
    assert (hit.score, hit.name, hit.dialect, hit.valid) == (
        1.0, card.document["name"], str(card.dialect), card.valid,
    )  # fmt: skip


def test_a_hit_has_a_summary_and_a_snippet_with_the_match(store: CardStore) -> None:
    keep(
        store,
        "a",
        description=f"Tells\u202e the time.\n{'Long. ' * 50} Knows \x1b[1m ferries\x07 and {'more ' * 50}",
    )
    [hit] = store.search(Query("ferries")).hits
    assert hit.description.startswith("Tells")
    assert "ferries" in hit.snippet
    assert len(hit.snippet) < 260
    assert hit.description.isprintable()
    assert hit.snippet.isprintable()


def paged(store: CardStore, query: Query, limit: int) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = store.search(query, limit=limit, cursor=cursor)
        found += [hit.url for hit in page.hits]
        cursor = page.cursor
        if cursor is None:
            return found


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pagination_has_every_card_once_and_in_order(store: CardStore, limit: int) -> None:
    keep(store, "whole", name="Ferry")
    keep(store, *(f"name-{number}" for number in range(5)), name="A ferry")
    keep(store, *(f"text-{number}" for number in range(5)), description="The ferry leaves.")
    for query in (Query("ferry"), Query(), Query("ferry", fresh=True, tags=("seeds",))):
        assert paged(store, query, limit) == [hit.url for hit in store.search(query, limit=200).hits]
        assert len(paged(store, query, limit)) == 11


def test_a_cursor_stays_valid_while_cards_are_added_and_removed(store: CardStore) -> None:
    keep(store, "a", "b", "c", "d")
    first = store.search(Query(), limit=2)
    keep(store, "e")
    store.remove([url("c")])
    rest = store.search(Query(), limit=9, cursor=first.cursor)
    assert [hit.url for hit in rest.hits] == [url("b"), url("a")]


def test_a_forged_cursor_is_refused(store: CardStore) -> None:
    keep(store, "a", "b")
    cursor = store.search(Query(), limit=1).cursor
    assert cursor is not None
    forged = [cursor[:-2] + ("AA" if cursor[-2:] != "AA" else "BB"), "", "x", "é", cursor + "AAAA", "A" * 28]
    for one in forged:
        with pytest.raises(BadArgument, match="start without a cursor"):
            store.search(Query(), limit=1, cursor=one)
    with pytest.raises(BadArgument, match="start without a cursor"):
        store.search(Query("other"), limit=1, cursor=cursor)


@pytest.mark.parametrize("limit", [0, -1, 201])
def test_a_page_has_1_to_200_hits(store: CardStore, limit: int) -> None:
    with pytest.raises(BadArgument, match="limit"):
        store.search(Query(), limit=limit)


def test_a_page_ends_early_where_too_few_are_fresh(store: CardStore) -> None:
    many = [f"n{number}" for number in range(2_100)]
    store.add(PeerSettings(url(name)) for name in ["fresh", *many])
    old = seen("old", fresh_until=0.0)
    store.record([seen("fresh")])
    store.record([type(old)(url(name), NOW, NOW, 0.0, "new", None, old.body, old.card) for name in many])
    page = store.search(Query(fresh=True))
    assert page.hits == ()
    assert page.cursor is not None
    assert [hit.url for hit in store.search(Query(fresh=True), cursor=page.cursor).hits] == [url("fresh")]
