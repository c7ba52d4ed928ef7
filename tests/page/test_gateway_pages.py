"""The pages of a gateway: their content, and what they do not reveal."""

from __future__ import annotations

import pytest

from cardwright.page import Link
from cardwright_gateway.pages import Done, catalogue_page, report_page
from cardwright_gateway.pages.agents import duration
from cardwright_runtime.violation import Fix, Violation
from tests.page.agents import catalogue, report, row, rows
from tests.page.allowed_markup import assert_allowed_markup
from tests.page.text_cards import ALL


def text_of(body: bytes) -> str:
    return " ".join(assert_allowed_markup(body).text.split())


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (-1, "0 s"),
        (0.4, "0 s"),
        (59.9, "59 s"),
        (60, "1 minute"),
        (7_199, "1 hour"),
        (7_200, "2 hours"),
        (10**8, "1,157 days"),
    ],
)
def test_a_duration_is_shown_in_its_largest_unit(seconds: float, expected: str) -> None:
    assert duration(seconds) == expected


def test_freshness_is_described_in_words() -> None:
    assert [one.freshness for one in rows()] == [
        "card 3 minutes old, next refresh in 1 minute",
        "no session yet",
        "",
        "card 2 hours old, retry in 20 s",
        "never fetched, retry in 20 s",
        "never fetched",
    ]


def test_the_list_shows_the_health_of_the_gateway_and_of_each_agent() -> None:
    text = text_of(catalogue(rows()))
    for part in (
        "agents1,104",
        "ok1,100",
        "stale1",
        "failing1",
        "idle2",
        "120 agents found, page 2 of 3",
        "Book a train Book a boat Book a room Cancel Rebook + 2",
        "3 errors, 2 warnings",
        "2 warnings, 1 internal host",
        "the agent did not answer in 5 s",
    ):
        assert part in text
    assert "waiting0" not in text


def test_the_query_is_kept_in_the_form_and_in_pagination_links() -> None:
    body = catalogue(rows())
    assert b'name="q" value="trains &amp; boats"' in body
    assert b'<option value="a2a" selected>A2A</option>' in body
    assert b'<option value="ok" selected>ok</option>' in body
    links = assert_allowed_markup(body).links
    assert "?q=trains+%26+boats&protocol=a2a&state=ok&page=1" in links
    assert "?q=trains+%26+boats&protocol=a2a&state=ok&page=3" in links


def test_the_first_page_has_no_previous_and_the_last_no_next_page() -> None:
    assert "Previous page" not in text_of(catalogue(rows(), page=1))
    assert "Next page" not in text_of(catalogue(rows(), page=3))
    assert "Pages" not in catalogue(rows(), page=1, pages=1).decode()


def test_an_empty_list_says_whether_anything_was_searched() -> None:
    assert "No agent matches this search." in text_of(catalogue([]))
    nothing = text_of(catalogue([], query="", protocol="", state=""))
    assert "This gateway has no agents yet." in nothing


def test_a_long_description_is_cut() -> None:
    assert len(catalogue([row(description="x" * 100_000)])) < len(catalogue([row()])) + 5_000


def test_the_report_shows_status_changes_and_violations() -> None:
    text = text_of(report_page(report()))
    for part in (
        "stale card 3 minutes old, retry in 1 minute",
        "the agent did not answer in 5 s",
        "/url it is served at the gateway, and calls go to the agent",
        "/description assume an empty description",
        "Error",
        "gateway/internal-host",
        "These signatures are not served, because the gateway changed the card.",
    ):
        assert part in text


def test_the_report_of_an_agent_without_a_card_says_so() -> None:
    text = text_of(report_page(report(received=None, served=None, notes=(), fixes=())))
    assert "There is no upstream card." in text
    assert "No card is served." in text
    assert "The gateway did not rewrite the card." in text


def test_the_report_does_not_name_the_upstream_url() -> None:
    card = report().received
    assert card is not None
    assert any("10.1.2.3" in violation.message for violation in card.violations)
    assert b"10.1.2.3" not in report_page(report())


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ('"http://10.0.0.7:80/a" is plain http', '"http://…/a" is plain http'),
        ('"https://user@db.internal/x" is', '"https://…/x" is'),
        ('"http://[::1]:80/" is', '"http://…/" is'),
        ('"localhost:8080" is not a URL', '"…" is not a URL'),
        ("it is at 192.168.0.4", "it is at …"),
        ('"https://a.example/x" and "a.example:80" stay', '"https://a.example/x" and "a.example:80" stay'),
    ],
)
def test_a_message_loses_the_internal_hosts_that_it_quotes(message: str, expected: str) -> None:
    assert expected in text_of(report_page(report(notes=(Done("/url", message),))))
    assert expected in text_of(catalogue([row(error=message)]))


@pytest.mark.parametrize(
    ("message", "quoted"),
    [
        ('"http://10.0.0.7:80/a" is plain http', '"…" is plain http'),
        ('"billing" is not one of "a", "b"', '"…" is not one of "…", "…"'),
        ('it says "a"billing" here', 'it says "…"'),
        ('it is "billing', 'it is "…"'),
        ("it is at 192.168.0.4", "it is at …"),
    ],
)
def test_no_violation_of_the_report_quotes_anything_of_a_card(message: str, quoted: str) -> None:
    found = Violation("x/y", "error", "/url", message, "ours", Fix(safe=True, description=message, patch=()))
    page, without = text_of(report_page(report(leaks=(found,)))), text_of(report_page(report(leaks=())))
    assert page.count(quoted) == without.count(quoted) + 2
    assert "billing" not in page


@pytest.mark.parametrize("payload", ALL)
def test_hostile_text_is_escaped(payload: str) -> None:
    hostile = row(
        id=payload, name=payload, description=payload, version=payload, skills=(payload,) * 9, error=payload,
        forms=(payload,), card_href=payload, report_href=payload,
    )  # fmt: skip
    link = Link(payload, payload)
    assert_allowed_markup(
        catalogue_page(
            [hostile], total=1, query=payload, protocol=payload, state=payload, page=2, pages=3, counts={},
            links=[link],
        )
    )  # fmt: skip
    found = Violation("x/y", "error", payload, payload, "ours")
    assert_allowed_markup(
        report_page(report(row=hostile, notes=(Done(payload, payload),), leaks=(found,), links=(link,)))
    )
