"""The playground in a browser: typing, fixing, converting and comparing cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from cardwright import Card
from cardwright.serve import well_known_agent_card
from cardwright.serve.listening import free_port
from tests.browser import Watched, assert_accessible_at_any_width, chromium, opened, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

__all__ = ["chromium"]

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
CARD: Final = (EXAMPLES / "a2a-1.0.card.json").read_text(encoding="utf-8")
EVIL: Final = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """Serve a card and the playground on this machine."""
    port = free_port("127.0.0.1", 0)

    card = Card.from_bytes(CARD.encode())
    application = well_known_agent_card(card, index_path="/", playground_path="/playground")
    with served(application, port) as url:
        yield url


def playground(browser: Browser, base: str, **context: Any) -> tuple[Page, Watched]:
    page, seen = opened(browser, f"{base}/", **context)
    page.get_by_role("link", name="Playground").click()
    return page, seen


def test_findings_follow_the_typing_and_lead_to_their_line(chromium: Browser, base: str) -> None:
    page, seen = playground(chromium, base)
    page.get_by_role("button", name="Go to line 8, column 20").wait_for()
    page.get_by_label("The card as JSON", exact=True).fill(CARD)
    page.locator("#result").get_by_text("valid", exact=True).wait_for()
    page.get_by_label("The card as JSON", exact=True).fill('{\n  "name": oops\n}')
    page.get_by_role("button", name="Go to line 2, column 11").click()
    assert page.evaluate("document.activeElement.id") == "text"
    assert page.evaluate("text.value.slice(text.selectionStart, text.selectionEnd)") == "oops"
    assert seen.troubles == []


def test_a_card_is_fixed_converted_and_used(chromium: Browser, base: str) -> None:
    page, seen = playground(chromium, base)
    page.get_by_role("button", name="Fix").click()
    page.get_by_role("button", name="Use this card").click()
    page.locator("#result").get_by_text("valid", exact=True).wait_for()
    page.get_by_label("New dialect").select_option("a2a-0.3")
    page.get_by_role("button", name="Convert").click()
    page.get_by_role("button", name="Use this card").click()
    page.locator("#result").get_by_text("a2a-0.3").wait_for()
    assert json.loads(page.get_by_label("The card as JSON", exact=True).input_value())["protocolVersion"]
    assert seen.troubles == []


def test_two_cards_are_compared_and_a_file_is_playground(
    chromium: Browser, base: str, tmp_path: Path
) -> None:
    page, seen = playground(chromium, base)
    page.get_by_label("Open a file").set_input_files(EXAMPLES / "a2a-1.0.card.json")
    page.locator("#result").get_by_text("valid", exact=True).wait_for()
    document = json.loads(CARD)
    page.get_by_text("Compare with a newer card").click()
    page.get_by_label("The newer card as JSON").fill(
        json.dumps({**document, "skills": document["skills"][1:]})
    )
    page.get_by_role("button", name="Compare").click()
    page.get_by_text("the version needs a bump of: major").wait_for()
    large = tmp_path / "large.json"
    large.write_text(" " * 300_000)
    page.get_by_label("Open a file").set_input_files(large)
    page.get_by_text("large.json is larger than 262,144 bytes.").wait_for()
    assert seen.troubles == []


def test_the_page_of_the_card_opens_beside_it(chromium: Browser, base: str) -> None:
    page, _ = playground(chromium, base)
    page.get_by_label("The card as JSON", exact=True).fill(CARD.replace("Parcel Tracker", EVIL))
    with page.expect_popup() as popup:
        page.get_by_role("button", name="Show as a page").click()
    assert popup.value.get_by_role("heading", level=1).inner_text() == EVIL


def test_texts_of_a_card_stay_texts(chromium: Browser, base: str) -> None:
    page, seen = playground(chromium, base)
    document = {**json.loads(CARD), EVIL: EVIL, "skills": [{"id": EVIL, EVIL: EVIL}]}
    page.get_by_label("The card as JSON", exact=True).fill(json.dumps(document))
    page.locator("#result").get_by_text("invalid", exact=True).wait_for()
    page.get_by_role("button", name="Convert").click()
    page.get_by_role("button", name="Use this card").wait_for()
    assert page.locator("main img").count() == 0
    assert seen.troubles == []


def test_it_works_without_a_script(chromium: Browser, base: str) -> None:
    page, _ = playground(chromium, base, java_script_enabled=False)
    page.get_by_role("button", name="Check").click()
    assert page.locator("#result").get_by_text("8:20").is_visible()
    page.get_by_role("button", name="Fix").click()
    assert page.locator("#result").get_by_text("valid", exact=True).is_visible()


def test_axe_finds_nothing_narrow_or_wide_light_or_dark(chromium: Browser, base: str) -> None:
    page, _ = playground(chromium, base)
    page.get_by_role("button", name="Fix").click()
    page.get_by_role("button", name="Use this card").wait_for()
    assert_accessible_at_any_width(page)
