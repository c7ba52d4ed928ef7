"""The health page in a browser: narrow, dark, with a screen reader, and without scripts or requests."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Final

import pytest
from sqlalchemy import insert

from cardwright.serve.listening import free_port
from cardwright_gateway import Gateway
from cardwright_gateway.database.tables import DELIVERIES, EVENTS, TASKS
from tests.browser import assert_accessible, chromium, opened, served
from tests.gateway.api.test_health_and_metrics import delivery, event
from tests.gateway.tasks.gateways import OWNERS, function
from tests.gateway.webhooks.receivers import task_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

__all__ = ["chromium"]

AGENTS: Final[dict[str, Any]] = {
    "greeter": function("answer"),
    "hidden-one": function("answer", visibility="private"),
    "idle": {"transport": {"type": "stdio", "command": "never-started"}},
}


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """Run a gateway with owners on this machine, in a thread of its own, and yield its URL."""
    port = free_port("127.0.0.1", 0)
    agents = {**AGENTS, "dead": {"url": f"http://127.0.0.1:{free_port('127.0.0.1', 0)}/"}}
    gateway = Gateway(
        {
            "base_url": f"http://127.0.0.1:{port}",
            "agents": agents,
            "owners": OWNERS,
            "webhooks": {"enabled": True},
        },
        local=True,
    )
    with gateway.registry.store.database.writing() as connection:
        connection.execute(
            insert(TASKS),
            [
                task_row(f"{n}-canary-{state}", state)
                for n in range(3)
                for state in ("TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED")
            ],
        )
        due = {"next_at": time.time() + 3600}
        connection.execute(
            insert(EVENTS), [{**event("1", "waiting"), **due}, {**event("2", "dead"), "next_at": None}]
        )
        connection.execute(insert(DELIVERIES), [delivery("1", "delivered", 10), delivery("2", "failed", 20)])

    with served(gateway, port) as url:
        yield url


def test_the_catalogue_and_the_health_page_link_to_each_other(chromium: Browser, base: str) -> None:
    page, seen = opened(chromium, base)
    page.get_by_role("link", name="Health").click()
    assert page.url == f"{base}/health"
    assert page.get_by_role("heading", level=1, name="Health").is_visible()
    shown = page.locator("body").inner_text()
    for text in ("Database available", "completed", "input required", "dead letters", "(this one)"):
        assert text in shown
    for text in ("hidden-one", "greeter", "canary", "acme"):
        assert text not in page.content()
    links = page.locator("main a[href]").evaluate_all("all => all.map(one => one.href)")
    assert links
    for link in links:
        assert page.request.get(link).status == 200, link
    page.get_by_role("banner").get_by_role("link", name="All agents").click()
    assert page.url == f"{base}/"
    assert seen.troubles == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_loaded(chromium: Browser, base: str, scheme: Any) -> None:
    url = f"{base}/health"
    page, seen = opened(chromium, url, color_scheme=scheme, viewport={"width": 320, "height": 800})
    assert seen.requests == [url]
    # The script of all pages, which the policy knows by its hash.
    assert page.locator("script").count() == 1
    assert page.locator("script[src]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert_accessible(page)
    assert seen.troubles == []


def test_the_health_page_is_available_as_json(chromium: Browser, base: str) -> None:
    page, _ = opened(chromium, f"{base}/health")
    reply = page.request.get(f"{base}/health", headers={"Accept": "application/json"})
    value = json.loads(reply.body())
    assert value["tasks"] == {"completed": 3, "input_required": 3}
    assert (value["agents"]["total"], value["agents"]["unlisted"]) == (4, 1)
    assert "unsafe" not in reply.headers["content-security-policy"]
