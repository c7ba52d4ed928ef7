"""Script injection: no text of a card has an effect in a browser."""

from itertools import cycle, islice
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from cardwright.page import Home, PageFacts, card_page, error_page, index_page
from cardwright.page.facts import IndexEntry, Link
from tests.browser import Site, Watched
from tests.page.allowed_markup import ALLOWED
from tests.page.text_cards import PAYLOADS, each_place, fed

# One card of each way to say things; the hybrid says both of A2A's.
FAMILIES: Final = ("a2a-hybrid", "a2a-1.0", "beach-1.0", "mcp-2024-11-05")
CANARY: Final = "window.hits = 0; window.hit = () => { window.hits += 1 }; window.alert = window.hit;"
# Every element with its attributes' names, where links lead, and whether anything ran.
LOOK: Final = """() => ({
  hits: window.hits,
  parts: [...new Set([...document.querySelectorAll('*')].map(
    one => [one.localName, one.namespaceURI, ...one.getAttributeNames().sort()].join(' ')))],
  schemes: [...new Set([...document.querySelectorAll('[href]')].map(one => one.protocol))],
  unseen: document.body.innerText.match(/[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}]/gu)?.filter(
    one => one !== '\\n' && one !== '\\t') ?? [],
})"""
HTML: Final = "http://www.w3.org/1999/xhtml"


class Stage:
    """A browser's page on which one page after another is shown."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self._site = site
        self._page = browser.new_page(viewport={"width": 1280, "height": 800})
        self._page.add_init_script(CANARY)
        self.seen = Watched.of(self._page)

    def _looked(self, body: bytes) -> dict[str, Any]:
        self.seen.requests.clear()
        url = self._site.put(body)
        self._page.goto(url)
        looked: dict[str, Any] = self._page.evaluate(LOOK)
        assert self.seen.requests == [url]
        assert self.seen.troubles == []
        return looked

    def assert_harmless(self, body: bytes) -> None:
        """Assert that a page runs nothing, and has only elements and attributes of the templates."""
        looked = self._looked(body)
        assert looked["hits"] == 0
        assert looked["unseen"] == []
        assert set(looked["schemes"]) <= {"http:", "https:", "mailto:"}
        assert [part for part in looked["parts"] if not _allowed(part)] == []
        assert self._page.url.endswith("/page")


def _allowed(part: str) -> bool:
    name, namespace, *attributes = part.split(" ")
    return namespace == HTML and name in ALLOWED and set(attributes) <= ALLOWED[name]


@pytest.fixture(scope="module")
def stage(chromium: Browser, site: Site) -> Stage:
    return Stage(chromium, site)


# `test_page_text` reads every page of these with a parser; a browser looks at one card a payload.
@pytest.mark.parametrize("kind", PAYLOADS)
def test_a_payload_in_every_place_does_nothing(kind: str, stage: Stage) -> None:
    for payload, name in zip(PAYLOADS[kind], cycle(FAMILIES), strict=False):
        link = Link(payload, payload)
        facts = PageFacts(
            payload, (link,), None, payload, payload, Home(payload, payload, search=True), actions=(link,)
        )
        stage.assert_harmless(card_page(fed(name, payload), facts=facts))


@pytest.mark.parametrize("kind", PAYLOADS)
def test_a_payload_in_a_list_or_an_error_does_nothing(kind: str, stage: Stage) -> None:
    entries = [IndexEntry(text, text, text, text, text, (text,), text) for text in PAYLOADS[kind]]
    links = [Link(text, text) for text in PAYLOADS[kind]]
    every = "\n".join(PAYLOADS[kind])

    stage.assert_harmless(index_page(entries, title=every))
    stage.assert_harmless(error_page(404, every, every, links))


def test_a_payload_in_one_place_does_nothing(stage: Stage) -> None:
    # Every fourth place; the parser of `test_page_text` sees all.
    for _, card in islice(each_place("beach-1.0", "\"'><img src=x onerror=hit()>"), 0, None, 4):
        stage.assert_harmless(card_page(card))


def test_a_payload_that_runs_is_detected(stage: Stage) -> None:
    with pytest.raises(AssertionError):
        stage.assert_harmless(b"<!doctype html><script>hit()</script><p onclick=hit()>x</p>")
    stage.seen.troubles.clear()
    with pytest.raises(AssertionError):
        stage.assert_harmless(b"<!doctype html><dialog>x</dialog>")
