"""The pages of a running gateway in a browser: search, filters, links and history."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from cardwright.serve.listening import free_port
from cardwright_gateway import Gateway
from tests.browser import assert_accessible, chromium, opened, served
from tests.gateway.gateways import AGENTS, CARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

__all__ = ["chromium"]

EVIL: Final = '<img src=x onerror=alert(1)><script>alert(2)</script>"\'><a href="javascript:alert(3)">x</a>'
HOSTILE: Final[dict[str, Any]] = {
    **CARD,
    "name": EVIL,
    "description": EVIL,
    "documentationUrl": "javascript:alert(4)",
    "skills": [{"id": "evil", "name": EVIL, "description": EVIL, "tags": [EVIL]}],
}
MANY: Final = {f"agent-{number:02}": {"card": {**CARD, "name": f"Agent {number}"}} for number in range(55)}


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """Run a gateway on this machine, in a thread of its own, and yield its URL."""
    port = free_port("127.0.0.1", 0)
    agents = {
        **AGENTS,
        **MANY,
        "hostile": {"card": HOSTILE},
        "dead": {"url": f"http://127.0.0.1:{free_port('127.0.0.1', 0)}/"},
        "idle": {"transport": {"type": "stdio", "command": "never-started"}},
    }
    config = {"base_url": f"http://127.0.0.1:{port}", "agents": agents}

    with served(Gateway(config, local=True), port) as url:
        yield url


def ids(page: Page) -> list[str]:
    """Return the ids of the agents that are shown, by where their reports are."""
    links = page.locator("main a[href$='/report']").evaluate_all(
        "all => all.map(one => one.getAttribute('href'))"
    )
    return [link.split("/")[1] for link in links]


@pytest.mark.parametrize("scripts", [True, False])
def test_agents_are_found_by_words_and_filters(chromium: Browser, base: str, scripts: bool) -> None:  # noqa: FBT001 - a parameter of the test
    page, seen = opened(chromium, base, java_script_enabled=scripts)
    assert len(ids(page)) == 50
    page.get_by_role("link", name="Next page").click()
    assert len(ids(page)) == 10
    page.get_by_label("Name, skill or description").fill("Agent 17")
    page.get_by_role("button", name="Search").click()
    assert ids(page) == ["agent-17"]
    page.get_by_label("Name, skill or description").fill("")
    page.get_by_label("Protocol").select_option("mcp")
    page.get_by_role("button", name="Search").click()
    assert ids(page) == ["idle"]
    page.get_by_label("Protocol").select_option("")
    page.get_by_label("Name, skill or description").fill("no such agent")
    page.get_by_role("button", name="Search").click()
    assert ids(page) == []
    assert page.get_by_text("No agent matches this search.").is_visible()
    assert seen.troubles == []


def test_pages_link_to_the_card_and_the_report_and_back(chromium: Browser, base: str) -> None:
    page, seen = opened(chromium, f"{base}/?q=greeter&protocol=managed")
    page.locator("main a[href='agents/greeter/report']").first.click()
    assert page.url == f"{base}/agents/greeter/report"
    assert page.get_by_role("heading", level=1).count() == 1
    page.get_by_role("link", name="All agents").first.click()
    assert page.url == f"{base}/"
    page.goto(f"{base}/agents/greeter/report")
    page.get_by_role("link", name="Card", exact=True).first.click()
    assert page.url == f"{base}/agents/greeter/.well-known/agent-card.json"
    assert page.get_by_role("heading", level=1, name="Greeter").is_visible()
    back = page.locator("a[href='/']")
    back.first.click()
    assert page.url == f"{base}/"
    page.goto(f"{base}/agents/greeter/report/")
    assert {request.partition("?")[0].startswith(base) for request in seen.requests} == {True}
    assert seen.troubles == []


def test_no_link_of_the_pages_is_broken(chromium: Browser, base: str) -> None:
    page, _ = opened(chromium, f"{base}/?q=greeter")
    for start in (
        page.url,
        f"{base}/agents/greeter/report",
        f"{base}/agents/greeter/.well-known/agent-card.json",
    ):
        page.goto(start)
        links = set(page.locator("a[href]").evaluate_all("all => all.map(one => one.href)"))
        own = {link.partition("#")[0] for link in links if link.startswith(base)}
        assert own
        # Endpoints are listed on the page of a card, and accept calls only.
        for link in own - {f"{base}/agents/greeter"}:
            assert page.request.get(link).status == 200, (start, link)


@pytest.mark.parametrize(
    "path",
    ["/", "/?state=failing", "/agents/hostile/report", "/agents/dead/report", "/agents/idle/report",
     "/agents/hostile/.well-known/agent-card.json", "/agents/nobody/report", "/nothing/at/all", "/agents/hostile/try"],
)  # fmt: skip
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_loaded(
    chromium: Browser, base: str, path: str, scheme: Any
) -> None:
    page, seen = opened(
        chromium, f"{base}{path}", color_scheme=scheme, viewport={"width": 320, "height": 800}
    )
    # A refused page is logged on the console, and causes no request either.
    assert seen.requests == [f"{base}{path}"]
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert_accessible(page)


@pytest.mark.parametrize(
    "path", ["/?q=onerror", "/agents/hostile/report", "/agents/hostile/.well-known/agent-card.json"]
)
def test_texts_of_a_hostile_card_are_escaped(chromium: Browser, base: str, path: str) -> None:
    page, seen = opened(chromium, f"{base}{path}")
    assert EVIL in page.locator("body").inner_text() or json.dumps(EVIL) in page.locator("body").inner_text()
    assert page.locator("img, main script, [onerror], a[href^='javascript']").count() == 0
    assert seen.requests == [f"{base}{path}"]
    assert seen.troubles == []
