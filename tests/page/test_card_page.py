"""The page of a card: its content and markup."""

import json
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from cardwright.card import Card
from cardwright.conversion import convert
from cardwright.page import (
    CONTENT_SECURITY_POLICY,
    IndexEntry,
    Link,
    PageFacts,
    card_page,
    error_page,
    index_page,
)
from cardwright.page.findings import MAX_VIOLATIONS
from cardwright.page.schemas import MAX_ROWS, schema_view
from tests.page.allowed_markup import Skeleton, assert_allowed_markup
from tests.page.cards import CARDS, FACTS, WRONG, card_of, pages


def text_of(body: bytes) -> str:
    return " ".join(" ".join(Skeleton(body).texts).split())


@pytest.mark.parametrize("name", CARDS)
def test_a_page_shows_name_description_and_skills(name: str) -> None:
    document = CARDS[name]
    text = text_of(card_page(card_of(name), facts=FACTS))

    assert document.get("displayName", document["name"]) in text
    assert document["description"] in text
    for skill in document.get("skills", document["capabilities"]):
        assert skill["id"] in text
        for expected in (skill["description"], *skill.get("examples", ()), *skill.get("tags", ())):
            assert expected in text
    assert "The card conforms to all rules of" in text
    assert f"curl --header 'Accept: application/json' {FACTS.url}" in text
    assert "public view" in text


@pytest.mark.parametrize("name", CARDS)
def test_the_page_has_the_whole_card(name: str) -> None:
    text = Skeleton(card_page(card_of(name))).text
    _, _, source = text.partition("The whole card as JSON")

    assert json.JSONDecoder().raw_decode(source.lstrip())[0] == CARDS[name]


def test_schemas_are_tables_wherever_a_card_keeps_them() -> None:
    tool = card_of("mcp-2024-11-05")
    kept, _ = convert(tool, to="a2a-1.0", carry=True)

    for card in (tool, kept):
        text = text_of(card_page(card))
        assert "Name Type Required Description query string required Words to look for" in text
        assert "limit integer optional at least 1; at most 50; default 10" in text


def test_signatures_are_shown_with_their_result() -> None:
    texts = {name: text_of(body) for name, body in pages().items()}

    assert "This card is not signed" in texts["a2a-1.0"]
    assert "Verified ES256 by key 2026-11" in texts["verified"]
    assert "It does not cover /securityRequirements/0" in texts["uncovered"]
    assert "signature verified in part" in texts["uncovered"]
    assert "Not verified ES256 by key 2026-11" in texts["failed"]
    assert "Not checked ES256 by key 2026-11" in texts["unchecked"]
    assert "Verified" not in texts["unchecked"]


def test_violations_are_shown_with_their_fix() -> None:
    card = Card.from_document(WRONG, dialect="a2a-1.0")
    text = text_of(card_page(card))

    for violation in card.violations:
        assert violation.rule in text
        assert violation.pointer in text
    assert "Fix: replaces the string by true or false" in text
    assert "unknown fields shadow" in text
    assert "Unnamed binding https://example.com" in text


def test_of_many_violations_errors_come_first_and_the_rest_is_counted() -> None:
    card = card_of("a2a-1.0", {**CARDS["a2a-1.0"], "skills": [{"x": 1}] * 100})
    text = text_of(card_page(card))

    assert text.count("Fix: ") <= MAX_VIOLATIONS
    assert f"And {len(card.violations) - MAX_VIOLATIONS:,} more." in text


def test_paragraphs_stay_and_html_stays_text() -> None:
    document = {**CARDS["a2a-1.0"], "description": "# One\r\n\r\n\r\n\r\n  *two*\t<b>three</b>\n"}

    assert "# One\n\n  two <b>three</b>" in Skeleton(card_page(card_of("a2a-1.0", document))).text


def test_a_description_of_many_pages_ends_in_an_ellipsis() -> None:
    document = {**CARDS["a2a-1.0"], "description": "word " * 20_000}
    body = card_page(card_of("a2a-1.0", document))

    assert "word word …" in body.decode()


def test_an_icon_is_a_link_and_no_picture() -> None:
    body = card_page(card_of("a2a-1.0"))

    assert b"<img" not in body
    assert "https://parcels.example.com/icon.png" in Skeleton(body).links


def test_links_that_a_card_gives_say_nothing_of_where_they_are_followed() -> None:
    body = card_page(card_of("a2a-1.0")).decode()

    assert body.count('href="http') == body.count('rel="noopener noreferrer nofollow"') > 0


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string", "format": "date"}, "string (date)"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"enum": ["a", 1]}, 'one of "a", 1'),
        ({"const": None}, "exactly null"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"type": "array", "items": {"type": "integer"}}, "array of integer"),
        ({"type": "array", "items": {"$ref": "#/$defs/Place"}}, "array of Place"),
        ({"$ref": "#/$defs/Place"}, "Place"),
        (
            {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Place"}}, {"type": "null"}]},
            "array of Place or null",
        ),
        ({"$ref": "https://example.com/x.json"}, "https://example.com/x.json"),
        (True, "anything"),
        (False, "nothing"),
        ({}, "anything"),
    ],
)
def test_a_type_is_described_in_words(schema: Any, kind: str) -> None:
    root = {"properties": {"it": schema}, "$defs": {"Place": {"type": "object", "description": "Where."}}}

    assert schema_view("Input", root).rows[0].kind == kind


def test_a_reference_in_a_circle_ends() -> None:
    (row,) = schema_view("Input", {"properties": {"it": {"$ref": "#/properties/it"}}}).rows

    assert row.kind


def test_nested_properties_have_rows_of_their_own() -> None:
    berth = {"type": "object", "properties": {"length": {"type": "number"}}, "required": ["length"]}
    root = {"properties": {"boat": {"$ref": "#/$defs/Berth"}}, "$defs": {"Berth": berth}}
    listed = {
        "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Berth"}}, {"type": "null"}],
        "$defs": {"Berth": berth},
    }

    rows = [(row.name, row.kind, row.required) for row in schema_view("Input", root).rows]
    assert rows == [("boat", "Berth", False), ("boat.length", "number", True)]
    assert [row.name for row in schema_view("Output", listed).rows] == ["[].length"]
    assert schema_view("Output", listed).kind == "array of Berth or null"


def test_a_schema_that_holds_itself_ends() -> None:
    again = {"$ref": "#/$defs/Node"}
    node = {"type": "object", "properties": {"next": again, "all": {"items": again}}}

    assert 2 < len(schema_view("Input", {**node, "$defs": {"Node": node}}).rows) < 100


def test_a_schema_of_very_many_properties_is_cut_and_says_so() -> None:
    view = schema_view("Input", {"properties": {f"p{index}": {} for index in range(MAX_ROWS + 5)}})

    assert (len(view.rows), view.left_out) == (MAX_ROWS, 5)


def test_an_index_lists_cards_in_their_order() -> None:
    entries = [IndexEntry.of(card_of(name), f"/agents/{name}") for name in CARDS]
    skeleton = assert_allowed_markup(index_page(entries, title="Ours"))

    assert skeleton.links == [
        "#content",
        *(f"/agents/{name}" for name in CARDS),
        "/.well-known/ai-catalog.json",
    ]
    text = " ".join(skeleton.text.split())
    assert "valid beach-1.0 Version 1.4.2 by Example Growers Cooperative" in text
    assert "No agent cards yet." in text_of(index_page([]))


def test_an_error_page_has_the_error_and_links() -> None:
    skeleton = assert_allowed_markup(
        error_page(406, "No such form", "We have two.", [Link("JSON", "?as=json")])
    )

    assert "?as=json" in skeleton.links
    assert "406" in skeleton.text


def test_the_policy_allows_only_the_style_of_the_page() -> None:
    body = card_page(card_of("a2a-1.0")).decode()
    style, script = (body.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0] for tag in ("style", "script"))
    styled, scripted = (b64encode(sha256(text.encode()).digest()).decode() for text in (style, script))

    assert body.count("<script") == 1
    assert (
        f"default-src 'none'; style-src 'sha256-{styled}'; script-src 'sha256-{scripted}'"
        "; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ) == CONTENT_SECURITY_POLICY
    assert "url(" not in style
    assert "@import" not in style
    assert "transition" not in style
    assert "animation" not in style


@pytest.mark.process
def test_the_same_card_gives_the_same_bytes_in_every_process() -> None:
    code = (
        "import hashlib; from tests.page.cards import *; "
        "body = b''.join(card_page(card_of(name), facts=FACTS) for name in CARDS); "
        "body += card_page(Card.from_document(WRONG, dialect='a2a-1.0')); "
        "print(hashlib.sha256(body).hexdigest())"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


def test_missing_facts_are_not_shown() -> None:
    text = text_of(card_page(card_of("a2a-1.0"), facts=PageFacts()))

    assert "view" not in text.partition("Interfaces")[0]
    assert "Fetch this card" not in text
    assert "version served" not in text
    assert "All agents" not in text


def test_usual_pages_are_small() -> None:
    assert all(len(body) < 40_000 for body in pages().values())
