"""Inline markup of descriptions: what is rendered, and that nothing else is."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright import Card
from cardwright.outline.markup import Span, spans
from cardwright.page import card_page
from tests.cli.command_line import EXAMPLES

CARD = json.loads((EXAMPLES / "a2a-1.0.card.json").read_bytes())


def described(description: str) -> str:
    page = card_page(Card.from_document({**CARD, "description": description})).decode()
    match = re.search(r'<p class="prose[^>]*>(.*?)</p>', page, re.DOTALL)
    assert match is not None
    return match[1]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**Bold** and __bold__", "<strong>Bold</strong> and <strong>bold</strong>"),
        ("*One* _two_", "<em>One</em> <em>two</em>"),
        ("`a*b*` ``c``", "<code>a*b*</code> <code>c</code>"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        (
            "[docs](https://a.example/x)",
            'docs (<a href="https://a.example/x" rel="noopener noreferrer nofollow">https://a.example/x</a>)',
        ),
        (
            "[https://a.example](https://a.example)",
            '<a href="https://a.example" rel="noopener noreferrer nofollow">https://a.example</a>',
        ),
        ("a\n\n- b", "a\n\n- b"),
    ],
)
def test_emphasis_code_and_links_are_rendered(text: str, html: str) -> None:
    assert described(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "snake_case_name and 2*3*4", "** no ** and * no *", "[x](javascript:alert)", "[x](data:text/html,a)",
        "![x](https://a.example/i.png)", "[a [b](/c)", "[x](//evil.example)", "# heading", "`open", "*a\nb*",
    ],
)  # fmt: skip
def test_everything_else_stays_text(text: str) -> None:
    assert described(text) == text


def test_a_misleading_link_is_text_with_its_url() -> None:
    assert described("[bank.example](https://bank.example@evil.example)") == (
        "bank.example (https://bank.example@evil.example)"
    )


def test_html_is_escaped_inside_and_outside_markup() -> None:
    assert described("<script>x</script> **<img src=x>**") == (
        "&lt;script&gt;x&lt;/script&gt; <strong>&lt;img src=x&gt;</strong>"
    )


@given(st.text(st.sampled_from("*_`[]()!ab \nhttps://"), max_size=200))
def test_no_text_is_lost_or_made_up(text: str) -> None:
    found = spans(text)

    assert all(span.text for span in found)
    kept = "".join(span.text + span.url for span in found)
    assert [char for char in kept if char not in "*_`[]()"] == [
        char for char in text if char not in "*_`[]()"
    ]


def test_long_openers_take_no_time() -> None:
    assert spans("**a" * 3_000 + "`" * 3_000 + "[" * 3_000)


def test_a_plain_text_is_one_piece() -> None:
    assert spans("Finds berths.") == [Span("Finds berths.")]
    assert spans("") == []
