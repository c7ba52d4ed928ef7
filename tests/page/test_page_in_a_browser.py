"""Pages in a browser: in a real one, narrow and wide, light and dark, by keyboard, on paper."""

from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Browser, Page

from cardwright.page import Home, PageFacts, card_page
from tests.browser import Site, Watched, assert_accessible, found_by_axe, opened
from tests.page.cards import FACTS, card_of, pages
from tests.page.text_cards import fed

PAGES: Final = pages()
NARROW, WIDE = 320, 1280
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
LONG: Final = "Donaudampfschifffahrtsgesellschaftskapitaen" * 12

OPEN_ALL: Final = "document.querySelectorAll('details').forEach(one => { one.open = true })"
TOO_WIDE: Final = """() => [...document.querySelectorAll('body *')].filter(one => {
  const box = one.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map(one => `${one.tagName} ${one.className}: ${one.textContent.slice(0, 40)}`)"""
FOCUSED: Final = """() => {
  const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
  return {
    name: one.tagName, text: one.textContent, href: one.getAttribute('href'),
    visible: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
      && box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.left >= 0,
  };
}"""
# What only works with the script: the buttons that copy, and the filter of a list.
HIDE_AGAIN: Final = "document.querySelectorAll('.copy, .find').forEach(one => { one.hidden = true })"
STOPS: Final = """() => [...document.querySelectorAll(
  'a[href], summary, input, button')].filter(one => one.checkVisibility()).map(one => (
  { name: one.tagName, text: one.textContent, href: one.getAttribute('href') }))"""


def page_at(browser: Browser, url: str, width: int = WIDE, **context: Any) -> tuple[Page, Watched]:
    return opened(browser, url, viewport={"width": width, "height": 800}, **context)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_narrow_or_wide_light_or_dark(name: str, chromium: Browser, site: Site) -> None:
    page, _ = page_at(chromium, site.put(PAGES[name]))
    page.evaluate(OPEN_ALL)
    # The layout follows from the width alone, and the colours from the scheme.
    for width, scheme in zip((NARROW, WIDE), SCHEMES, strict=True):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert_accessible(page, scheme, width)


def test_axe_detects_low_contrast_and_missing_names(chromium: Browser, site: Site) -> None:
    body = PAGES["a2a-1.0"].replace(b' lang="en"', b"")

    page, _ = page_at(chromium, site.put(body))
    page.evaluate("document.querySelector('h1').style.color = '#ddd'")

    found = {violation["id"] for violation in found_by_axe(page).response["violations"]}
    assert found == {"html-has-lang", "color-contrast"}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_sends_no_request_and_logs_nothing(name: str, chromium: Browser, site: Site) -> None:
    url = site.put(PAGES[name])
    site.requests.clear()

    page, seen = page_at(chromium, url)
    page.evaluate(OPEN_ALL)

    assert seen.requests == [url]
    assert site.requests == ["/page"]
    assert seen.troubles == []
    # What the policy let through is our style.
    assert page.evaluate("getComputedStyle(document.body).maxWidth") == "1216px"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_saved_page_keeps_its_policy(
    scheme: Literal["light", "dark"], chromium: Browser, tmp_path: Any
) -> None:
    (tmp_path / "card.html").write_bytes(PAGES["a2a-1.0"])

    page, seen = page_at(chromium, f"file://{tmp_path}/card.html", color_scheme=scheme)

    assert seen.troubles == []
    assert page.evaluate("getComputedStyle(document.body).maxWidth") == "1216px"
    page.evaluate("document.body.style.cssText = ''; document.head.append(document.createElement('script'))")
    page.evaluate("document.scripts[0].text = 'window.ran = true'")
    assert page.evaluate("window.ran") is None


@pytest.mark.parametrize("name", PAGES)
def test_a_narrow_page_scrolls_down_only(name: str, chromium: Browser, site: Site) -> None:
    page, _ = page_at(chromium, site.put(PAGES[name]), NARROW)
    page.evaluate(OPEN_ALL)

    assert page.evaluate("document.documentElement.scrollWidth") == NARROW
    assert page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("width", [NARROW, 700])
@pytest.mark.parametrize("name", ["a2a-hybrid", "beach-1.0", "mcp-2024-11-05"])
def test_endless_words_wrap(name: str, width: int, chromium: Browser, site: Site) -> None:
    facts = PageFacts(
        f"https://example.com/{LONG}", FACTS.forms, None, LONG, LONG, Home(f"/{LONG}", LONG, search=True)
    )
    page, _ = page_at(chromium, site.put(card_page(fed(name, LONG), facts=facts)), width)
    page.evaluate(OPEN_ALL)

    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("name", ["a2a-1.0", "mcp-2024-11-05", "index", "error"])
def test_tab_reaches_everything_in_its_order_and_shows_where_it_is(
    name: str, chromium: Browser, site: Site
) -> None:
    page, _ = page_at(chromium, site.put(PAGES[name]))
    stops = page.evaluate(STOPS)

    assert stops[0]["text"] == "Skip to the content"
    for stop in stops:
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) == {**stop, "visible": True}


def test_the_skip_link_leads_past_the_navigation(chromium: Browser, site: Site) -> None:
    page, _ = page_at(chromium, site.put(PAGES["a2a-1.0"]))

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.textContent") == "https://parcels.example.com/a2a"


def test_the_keyboard_opens_collapsed_sections(chromium: Browser, site: Site) -> None:
    page, _ = page_at(chromium, site.put(PAGES["mcp-2024-11-05"]))

    summary = page.locator("summary").first
    summary.focus()
    page.keyboard.press("Enter")

    assert page.locator("details").first.get_attribute("open") is not None
    assert '"query"' in page.locator("details pre").first.inner_text()


@pytest.mark.parametrize("name", ["beach-1.0", "wrong", "index", "error"])
def test_a_page_needs_no_script(name: str, chromium: Browser, site: Site) -> None:
    url = site.put(PAGES[name])
    shots: list[bytes] = []
    for scripted in (True, False):
        page, _ = page_at(chromium, url, java_script_enabled=scripted)
        if scripted:
            page.evaluate(HIDE_AGAIN)
        shots.append(page.screenshot(full_page=True))

    assert shots[0] == shots[1]


def test_the_printed_page_has_the_card_without_screen_controls(chromium: Browser, site: Site) -> None:
    page, _ = page_at(chromium, site.put(PAGES["mcp-2024-11-05"]), color_scheme="dark")
    page.emulate_media(media="print")

    assert not page.locator("nav").is_visible()
    assert not page.locator(".skip").is_visible()
    assert page.locator("table").first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.pdf().startswith(b"%PDF")


def test_landmarks_and_headings_suit_a_screen_reader(chromium: Browser, site: Site) -> None:
    page, _ = page_at(chromium, site.put(card_page(card_of("a2a-1.0"), facts=FACTS)))

    assert page.get_by_role("main").count() == page.get_by_role("banner").count() == 1
    assert page.get_by_role("contentinfo").count() == 1
    assert page.get_by_role("heading", level=1).all_inner_texts() == ["Parcel Tracker"]
    assert page.get_by_role("region").count() == page.get_by_role("heading", level=2).count()
    assert page.get_by_role("navigation", name="On this page").count() == 1
    assert page.title() == "Parcel Tracker · agent card"


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_a_table_is_a_table_at_every_width(width: int, chromium: Browser, site: Site) -> None:
    page, _ = page_at(chromium, site.put(PAGES["mcp-2024-11-05"]), width)

    table = page.get_by_role("table", name="Input").first
    assert table.get_by_role("columnheader").count() == 4
    assert table.get_by_role("rowheader").all_inner_texts() == ["query", "limit"]
    assert table.get_by_role("cell").count() == 6
