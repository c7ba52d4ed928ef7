"""No text of a card does anything in a browser but stand there."""

from typing import Final

import pytest
from playwright.sync_api import Browser

from cardwright.page import PageFacts, card_page, error_page, index_page
from cardwright.page.facts import IndexEntry, Link
from tests.browser import Site, Watched
from tests.page.cards import pages
from tests.page.feeding import PAYLOADS, each_place, fed
from tests.page.skeleton import ALLOWED

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
        self._seen = Watched.of(self._page)
        self._known = {part for body in pages().values() for part in self._looked(body)["parts"]}

    def _looked(self, body: bytes) -> dict[str, list[str]]:
        self._seen.requests.clear()
        url = self._site.put(body)
        self._page.goto(url)
        looked: dict[str, list[str]] = self._page.evaluate(LOOK)
        assert self._seen.requests == [url]
        assert self._seen.troubles == []
        return looked

    def assert_harmless(self, body: bytes) -> None:
        """Assert that a page does nothing, and is made of what harmless pages are made of."""
        looked = self._looked(body)
        assert looked["hits"] == 0
        assert looked["unseen"] == []
        assert set(looked["schemes"]) <= {"http:", "https:", "mailto:"}
        assert [part for part in looked["parts"] if part not in self._known and not _ours(part)] == []
        assert self._page.url.endswith("/page")


def _ours(part: str) -> bool:
    name, namespace, *attributes = part.split(" ")
    return namespace == HTML and name in ALLOWED and set(attributes) <= ALLOWED[name]


@pytest.fixture(scope="module")
def stage(chromium: Browser, site: Site) -> Stage:
    return Stage(chromium, site)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PAYLOADS)
def test_a_payload_in_every_place_does_nothing(kind: str, stage: Stage) -> None:
    for payload in PAYLOADS[kind]:
        link = Link(payload, payload)
        facts = PageFacts(payload, (link,), None, payload, payload, payload)
        for name in FAMILIES:
            stage.assert_harmless(card_page(fed(name, payload), facts=facts))
        entry = IndexEntry(payload, payload, payload, payload, payload, 1, payload)
        stage.assert_harmless(index_page([entry], title=payload))
        stage.assert_harmless(error_page(404, payload, payload, [link]))


@pytest.mark.slow
@pytest.mark.parametrize("payload", ["<img src=x onerror=hit()>", '" onmouseover="hit()'])
@pytest.mark.parametrize("name", ["a2a-1.0", "beach-1.0"])
def test_a_payload_in_one_place_does_nothing(name: str, payload: str, stage: Stage) -> None:
    for _, card in each_place(name, payload):
        stage.assert_harmless(card_page(card))


def test_what_ran_would_be_seen(stage: Stage) -> None:
    with pytest.raises(AssertionError):
        stage.assert_harmless(b"<!doctype html><script>hit()</script><p onclick=hit()>x</p>")
    stage._seen.troubles.clear()
    with pytest.raises(AssertionError):
        stage.assert_harmless(b"<!doctype html><dialog>x</dialog>")
