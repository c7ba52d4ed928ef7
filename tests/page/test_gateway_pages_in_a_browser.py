"""The search in a gateway's list: without a script, by keyboard, narrow or wide."""

from typing import Final
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser

from cardwright_gateway.pages import report_page
from tests.browser import Site, Watched
from tests.page.agents import catalogue, report, row, rows

LONG: Final = "Donaudampfschifffahrtsgesellschaftskapitaen" * 12
NARROW: Final = 320


def test_the_search_form_works_without_a_script(chromium: Browser, site: Site) -> None:
    url = site.put(catalogue(rows(), query=""), "/agents")
    page = chromium.new_context(java_script_enabled=False).new_page()
    seen = Watched.of(page)
    page.goto(f"{url}?page=2")
    page.get_by_label("Name, skill or description").fill("boats & <trains>")
    page.get_by_label("Protocol").select_option("mcp")
    page.get_by_label("State").select_option("failing")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Search").press("Enter")
    page.wait_for_url("**q=boats*")
    requested = urlsplit(page.url)
    assert requested.path == "/agents"
    assert parse_qs(requested.query) == {"q": ["boats & <trains>"], "protocol": ["mcp"], "state": ["failing"]}
    assert seen.troubles == []


def test_a_form_is_a_search_and_each_field_has_a_name(chromium: Browser, site: Site) -> None:
    page = chromium.new_page()
    page.goto(site.put(catalogue(rows()), "/agents"))
    assert page.get_by_role("search").count() == 1
    assert page.get_by_role("searchbox", name="Name, skill or description").input_value() == "trains & boats"
    assert page.get_by_role("navigation", name="Pages").get_by_role("link").count() == 2
    assert page.get_by_role("heading", level=2).count() == len(rows())
    page.close()


def test_a_state_is_shown_by_text_and_shape_and_not_by_colour_only(chromium: Browser, site: Site) -> None:
    page = chromium.new_page()
    page.goto(site.put(catalogue(rows()), "/agents"))
    shape = "one => getComputedStyle(one, '::before').content.slice(1, 2)"
    shapes = {
        name: page.locator(f"main .{name}").first.evaluate(shape)
        for name in ("ok", "stale", "failing", "idle")
    }
    assert len(set(shapes.values())) == len(shapes)
    assert page.locator("main .stale").first.inner_text() == "stale"
    page.close()


def test_endless_words_wrap_on_a_narrow_screen(chromium: Browser, site: Site) -> None:
    endless = row(
        id=LONG, name=LONG, description=LONG, version=LONG, skills=(LONG,), error=LONG, forms=(LONG,)
    )
    page = chromium.new_page(viewport={"width": NARROW, "height": 800})
    for body in (catalogue([endless], query=LONG), report_page(report(row=endless))):
        page.goto(site.put(body, "/agents"))
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW
    page.close()
