"""Escaping: every text of a card reaches its page as text and never as markup."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright.canonical import Limits
from cardwright.card import Card
from cardwright.checks import Checks
from cardwright.dialect import KNOWN
from cardwright.errors import CardError
from cardwright.page import Home, IndexEntry, Link, PageFacts, card_page, error_page, index_page
from cardwright.page.links import mailbox, pieces, published, web
from cardwright.page.source import pretty
from cardwright_rules import DIALECTS
from cardwright_runtime.violation import escaped
from tests.page.allowed_markup import assert_allowed_markup
from tests.page.cards import CARDS, card_of, pages
from tests.page.text_cards import ALL, PAYLOADS, each_place, fed
from tests.properties.strategies import mutants
from tests.shared import corpus_index, shared

NAMES = sorted(
    {
        name
        for document in CARDS.values()
        for name in json.loads(json.dumps(document), object_pairs_hook=lambda pairs: [n for n, _ in pairs])
    }
    | {"skills", "type", "flows", "list", "enum", "anyOf", "items", "$ref", "const", "default", "annotations"}
    | {"inputSchema", "outputSchema", "properties", "required", "description", "signatures", "protected"}
)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0")) | st.sampled_from(ALL)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | TEXT, inner, max_size=4)
    ),
    max_leaves=12,
)
WIDE = Checks(limits=Limits(max_bytes=4 * 1024 * 1024))


@pytest.mark.parametrize("kind", PAYLOADS)
@pytest.mark.parametrize("name", CARDS)
def test_a_payload_in_every_place_of_a_card_stays_text(name: str, kind: str) -> None:
    for payload in PAYLOADS[kind]:
        skeleton = assert_allowed_markup(card_page(fed(name, payload)))
        assert not any("127.0.0.1" in link for link in skeleton.links), payload


@pytest.mark.parametrize("payload", ["<script>hit()</script>", "\"' onmouseover=hit()"])
@pytest.mark.parametrize("name", CARDS)
def test_a_payload_in_one_place_of_a_card_stays_text(name: str, payload: str) -> None:
    for _, card in each_place(name, payload):
        assert_allowed_markup(card_page(card))


@pytest.mark.parametrize("payload", ["\0", "a\0<b>"])
def test_a_zero_byte_stays_text(payload: str) -> None:
    document: dict[str, Any] = {
        "name": payload,
        "skills": [{"name": payload, "description": payload}],
        payload: 1,
    }
    assert_allowed_markup(card_page(Card(document, KNOWN["a2a-1.0"], ())))


@pytest.mark.parametrize("payload", [*ALL, "\0"])
def test_texts_of_the_publisher_stay_text(payload: str) -> None:
    link = Link(payload, payload)
    facts = PageFacts(
        payload, (link,), None, payload, payload, Home(payload, payload, search=True), actions=(link,)
    )
    entry = IndexEntry(payload, payload, payload, payload, payload, (payload,), payload)

    assert_allowed_markup(card_page(card_of("a2a-1.0"), facts=facts))
    assert_allowed_markup(index_page([entry], title=payload))
    assert_allowed_markup(error_page(400, payload, payload, [link]))


@settings(deadline=None)
@given(document=JSON, dialect=st.sampled_from(sorted(DIALECTS)))
def test_any_json_value_has_a_page(document: Any, dialect: str) -> None:
    assert_allowed_markup(card_page(Card.from_document(document, dialect=dialect)))


@settings(deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(CARDS)))
def test_a_card_with_anything_anywhere_has_a_page(data: st.DataObject, name: str) -> None:
    document = json.loads(json.dumps(CARDS[name]))
    for _ in range(data.draw(st.integers(1, 4))):
        node: Any = document
        step: Any = data.draw(st.sampled_from(sorted(document)))
        while isinstance(node[step], (dict, list)) and node[step] and data.draw(st.booleans()):
            node = node[step]
            step = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        node[step] = data.draw(JSON)

    assert_allowed_markup(card_page(card_of(name, document)))


@settings(deadline=None)
@given(data=st.data(), dialect=st.sampled_from(sorted(DIALECTS)))
def test_a_nearly_right_card_has_a_page(data: st.DataObject, dialect: str) -> None:
    document = data.draw(mutants(dialect))
    assert_allowed_markup(card_page(Card.from_document(document, dialect=dialect)))


@given(value=JSON)
def test_json_on_a_page_is_the_json_of_the_card(value: Any) -> None:
    shown = pretty(value)

    assert json.loads(shown) == value
    assert all(line.isprintable() for line in shown.split("\n"))


@given(text=TEXT)
def test_only_a_fully_visible_url_is_a_link(text: str) -> None:
    for href in (web(text), published(text), mailbox(text).removeprefix("mailto:")):
        assert href in ("", text)
    assert web(text) == "" or text.lower().startswith(("http://", "https://"))
    assert "".join(piece.text for piece in pieces(text)) == text


@pytest.mark.parametrize("url", PAYLOADS["urls"])
def test_a_doubtful_url_is_no_link(url: str) -> None:
    assert web(url) == mailbox(url) == ""
    # Escaped, an entity is a relative address like any other.
    assert published(url) == "" or "&colon;" in url


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "HTTP://EXAMPLE.com:8080/a?b=c&d=%20#e",
        "https://[2001:db8::1]/",
        "http://localhost/a~b",
    ],
)
def test_a_plain_url_is_a_link(url: str) -> None:
    assert web(url) == published(url) == url


@pytest.mark.parametrize("row", [pytest.param(row, id=row["file"]) for row in corpus_index()])
def test_a_real_card_has_a_page(row: dict[str, Any]) -> None:
    body = shared("corpus", row["file"]).read_bytes()
    for dialect in (None, "a2a-1.0", "beach-1.0"):
        try:
            card = Card.from_bytes(body, dialect=dialect, checks=WIDE)
        except CardError:
            continue
        page = card_page(card)
        assert_allowed_markup(page)


def test_every_page_has_only_allowed_markup() -> None:
    for body in pages().values():
        assert_allowed_markup(body)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("⚠\ufe0f", "⚠\ufe0f"),
        ("x\ufe0f\ufe0f", "x\\u{fe0f}\\u{fe0f}"),
        ("a\U000e0100b", "a\\u{e0100}b"),
        ("\u3164\u2800\u180b\u034f", "\\u{3164}\\u{2800}\\u{180b}\\u{34f}"),
    ],
)
def test_invisible_printable_characters_are_escaped(text: str, shown: str) -> None:
    assert escaped(text) == shown
    assert text == shown or text not in pretty(text)
    assert json.loads(pretty(text)) == text
