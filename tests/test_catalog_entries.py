"""Catalogues: read, fixed, compared, and kept apart from cards."""

from __future__ import annotations

from io import StringIO
from typing import Any, Final

import pytest
from hypothesis import given, settings
from rich.console import Console

from cardwright import Card, Catalog, convert, diff, fix, violations
from cardwright.card import Document
from cardwright.catalog_entries import AI_CATALOG, ARD, entry_of, identifier, manifest
from cardwright.cli.reports.document_view import sheet
from cardwright.errors import BadArgument, UnknownDialect
from cardwright.page import catalog_page
from cardwright_runtime.identifiers import air_identifier, air_prefix, domain_of, publisher_of
from tests.properties.strategies import JSON
from tests.serve.cards import DIALECTS, example

ENTRY: Final[dict[str, Any]] = {
    "identifier": "urn:air:seeds.example.com:agents:stock",
    "displayName": "Seed Bank",
    "type": "application/a2a-agent-card+json",
    "url": "https://seeds.example.com/agent-card.json",
    "representativeQueries": ["Are there beans in store?", "How many packets of rye are left?"],
}
CATALOG: Final[dict[str, Any]] = {"entries": [ENTRY]}


def changed(**fields: Any) -> dict[str, Any]:
    return {"entries": [{**ENTRY, **fields}]}


def without(name: str) -> dict[str, Any]:
    return {"entries": [{key: value for key, value in ENTRY.items() if key != name}]}


def test_a_catalogue_has_its_entries() -> None:
    catalog = Catalog.from_document(CATALOG)
    (entry,) = catalog.entries

    assert (str(catalog.dialect), catalog.valid) == (ARD, True)
    assert (entry.index, entry.name, entry.type) == (0, "Seed Bank", "application/a2a-agent-card+json")
    assert catalog.model.entries[0].display_name == "Seed Bank"  # type: ignore[attr-defined]


def test_entries_of_unexpected_types_are_left_out() -> None:
    catalog = Catalog.from_document(
        {"specVersion": "1.0", "entries": [7, None, {"displayName": 3, "mediaType": "x"}]}
    )

    assert [(entry.index, entry.name, entry.type) for entry in catalog.entries] == [(2, "", "x")]


def test_a_card_is_no_catalogue_and_a_catalogue_no_card() -> None:
    with pytest.raises(UnknownDialect, match=r"not an agent card, but a catalogue \(ARD 0.91 manifest\)"):
        Card.from_document(CATALOG)
    with pytest.raises(UnknownDialect, match="not a catalogue, but an agent card"):
        Catalog.from_document(example("a2a-1.0").document)
    with pytest.raises(UnknownDialect, match="but a catalogue"):
        Card.of_parts({}, ARD)
    assert isinstance(Document.from_document(CATALOG), Catalog)
    assert isinstance(Document.from_document(example("a2a-1.0").document), Card)


def test_a_card_does_not_become_a_catalogue_by_conversion() -> None:
    with pytest.raises(UnknownDialect, match="use cardwright catalog build"):
        convert(example("a2a-1.0"), to=ARD)


def test_functions_for_cards_accept_catalogues() -> None:
    assert [one.rule for one in violations(without("url"))] == ["catalog/no-artifact"]
    assert diff(Catalog.from_document(CATALOG), Catalog.from_document(CATALOG)) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"identifier": "urn:ai:seeds.example.com:agents:stock"}, {}),
        (
            {"identifier": "https://seeds.example.com/agents/stock"},
            {"identifier": "urn:air:seeds.example.com:agents:stock"},
        ),
        ({"type": "Application/MCP-Server+JSON"}, {"type": "application/mcp-server-card+json"}),
        ({"mediaType": ENTRY["type"]}, {}),
        ({"representativeQueries": "Are there beans?"}, {"representativeQueries": ["Are there beans?"]}),
        ({"data": {"name": "Seed Bank"}}, {}),
        ({"version": 2}, {"version": "2"}),
    ],
    ids=lambda one: next(iter(one), ""),
)
def test_common_mistakes_are_fixed(before: dict[str, Any], after: dict[str, Any]) -> None:
    better, fixes = fix(Catalog.from_document(changed(**before), dialect=ARD))

    assert better.document == changed(**after)
    assert fixes
    assert better.valid


def test_the_older_name_of_the_type_is_fixed() -> None:
    older = {"specVersion": "1.0", "entries": [{**without("type")["entries"][0], "mediaType": ENTRY["type"]}]}
    better, fixes = fix(Catalog.from_document(older), safe_only=True)

    assert better.document == {"specVersion": "1.0", "entries": [ENTRY]}
    assert len(fixes) == 1


def test_a_base_url_completes_relative_urls() -> None:
    relative = Catalog.from_document(changed(url="./cards/stock.json"))

    assert fix(relative)[1] == ()
    better, _ = fix(relative, base_url="https://seeds.example.com/files/", safe_only=True)
    assert better.document == changed(url="https://seeds.example.com/files/cards/stock.json")


@pytest.mark.parametrize(
    ("after", "kinds"),
    [
        (changed(url="https://other.example/card.json"), {"address-changed"}),
        (changed(displayName="Seeds"), {"text-changed"}),
        (changed(type="application/ai-catalog+json"), {"media-type-changed"}),
        (changed(version="2.0.0"), {"resource-version-changed"}),
        (changed(representativeQueries=["Are there beans in store?", "Is there rye?"]), {"search-terms-changed"}),
        (changed(trustManifest={"identity": "did:web:seeds.example.com"}), {"trust-changed"}),
        ({"entries": []}, {"entry-removed"}),
        ({"entries": [ENTRY, {**ENTRY, "identifier": "urn:air:seeds.example.com:agents:rye", "url": "https://x.example"}]}, {"entry-added"}),
        ({"entries": [{**{key: value for key, value in ENTRY.items() if key != "type"}, "mediaType": ENTRY["type"]}]}, set()),
    ],
)  # fmt: skip
def test_the_changes_between_catalogues(after: dict[str, Any], kinds: set[str]) -> None:
    old = Catalog.from_document(CATALOG, dialect=ARD)

    assert {change.kind for change in diff(old, Catalog.from_document(after, dialect=ARD))} == kinds


def test_a_card_and_a_catalogue_are_not_compared() -> None:
    with pytest.raises(BadArgument, match="cannot be compared"):
        diff(example("a2a-1.0"), Catalog.from_document(CATALOG))


@pytest.mark.parametrize("dialect", [ARD, AI_CATALOG])
@pytest.mark.parametrize("name", DIALECTS)
def test_the_entries_of_cards_are_valid(name: str, dialect: str) -> None:
    card = example(name)
    entries = [
        entry_of(
            card,
            publisher="https://seeds.example.com:8443",
            name=name,
            url=f"https://seeds.example.com/{name}",
        ),
        entry_of(card, publisher="seeds.example.com"),
    ]
    catalog = Catalog.from_document(manifest(dialect, entries, "Seed Office"), dialect=dialect)

    assert catalog.errors == ()
    assert {one.rule for one in catalog.violations} <= {"ard/queries", "catalog/queries-count"}


def test_representative_queries_begin_with_one_example_of_each_skill() -> None:
    skills = [
        {"id": "a", "examples": ["one", "two", "three", "four"], "tags": ["x", "y"]},
        {"id": "b", "examples": ["five", "one"], "tags": ["y"]},
    ]
    entry = entry_of(
        Card.from_document({"name": "A", "supportedInterfaces": [], "skills": skills}),
        publisher="a.example",
        name="a",
    )

    assert entry["representativeQueries"] == ["one", "five", "two", "three", "four"]
    assert (entry["capabilities"], entry["tags"]) == (["a", "b"], ["x", "y"])


@pytest.mark.parametrize(
    ("publisher", "name", "expected"),
    [
        ("example.com", "tides", "urn:air:example.com:agents:tides"),
        ("https://EXAMPLE.com/x", "tides", "urn:air:example.com:agents:tides"),
        ("http://[::1]:80/", "a b/c", "urn:air:-1:agents:a-b-c"),
        ("", "", "urn:air:localhost:agents:agent"),
        ("über.example", "é", "urn:air:xn--ber-goa.example:agents:agent"),
    ],
)
def test_identifiers(publisher: str, name: str, expected: str) -> None:
    assert identifier(publisher, name) == expected
    assert Catalog.from_document(changed(identifier=expected)).valid


@pytest.mark.parametrize(
    ("identity", "domain"),
    [
        ("did:web:example.com:agents:a", "example.com"), ("DID:WEB:Example.com%3A8443", "example.com"),
        ("spiffe://example.com/a", "example.com"), ("https://user@example.com:8443/a", "example.com"),
        ("example.com", "example.com"), ("urn:air:example.com:agents:a", "example.com"), ("did:key:z6Mk", None),
        ("https://[", None), ("", None), (7, None),
    ],
)  # fmt: skip
def test_the_domain_of_an_identity(identity: Any, domain: str | None) -> None:
    assert domain_of(identity) == domain


def test_values_of_another_form_have_no_identifier() -> None:
    assert (publisher_of("urn:uuid:1"), publisher_of(None)) == (None, None)
    assert (air_prefix("urn:air:a:b"), air_prefix(3)) == (None, None)
    assert [air_identifier(one) for one in ("ftp://a.example/x", "https://[", "x", 3)] == [None] * 4
    assert air_identifier("https://a.example") == "urn:air:a.example:root"


@pytest.mark.parametrize("dialect", [ARD, AI_CATALOG])
@settings(max_examples=40)
@given(document=JSON)
def test_anything_can_be_read_fixed_shown_and_compared_as_a_catalogue(dialect: str, document: Any) -> None:
    catalog = Catalog.from_document(document, dialect=dialect)
    better, _ = fix(catalog)

    assert len(better.errors) <= len(catalog.errors)
    assert catalog_page(better).startswith(b"<!doctype html>")
    assert diff(catalog, catalog) == ()
    for part in [*sheet(catalog), *sheet(better)]:
        Console(width=80, file=StringIO()).print(part)
