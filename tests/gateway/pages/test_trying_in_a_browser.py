"""The pages that call agents in a browser: A2A agents, MCP servers and functions, with and without scripts."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import httpx
import pytest

from cardwright.discovery import Part
from cardwright.serve.listening import free_port
from cardwright.testing import LoopbackAgent
from cardwright_gateway import Gateway, Turn, TurnReporter, TurnResult
from tests.browser import assert_accessible_at_any_width, chromium, opened, served
from tests.gateway.gateways import CARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

__all__ = ["chromium"]

EXAMPLES: Final = Path(__file__).parents[3] / "examples/gateway"
EVIL: Final = "<img src=x onerror=alert(1)><script>alert(2)</script>"
OAUTH: Final[dict[str, Any]] = {
    **CARD,
    "securitySchemes": {
        "login": {
            "oauth2SecurityScheme": {
                "flows": {"clientCredentials": {"tokenUrl": "https://login.example.com/token", "scopes": {}}}
            }
        }
    },
    "securityRequirements": [{"schemes": {"login": {"list": []}}}],
}


async def count(turn: Turn, report: TurnReporter) -> TurnResult:
    """Count words in chunks; ask for more if there is no word; fail or wait on those words."""
    text = " ".join(str(part.value) for part in turn.parts if part.kind == "text")
    if text == "fail":
        raise RuntimeError("a secret of the function")
    if text == "wait":
        await report.progress("still counting")
        await asyncio.sleep(60)
    if text == "ask":
        return TurnResult(ending="input-required", message="Which words?")
    await report.progress("counting")
    await report.parts([Part("text", f"{len(text.split())} ")])
    await report.parts([Part("text", "words")])
    file = Part("raw", b"saved", filename="words.txt", media_type="text/plain")
    return TurnResult(parts=(Part("data", {"said": text}), file))


def echo(message: str) -> str:
    """Say the same."""
    return message


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[str, Gateway]]:
    """Run a gateway on this machine, in a thread of its own, and yield its URL and itself."""
    port = free_port("127.0.0.1", 0)
    with LoopbackAgent(replies=lambda text: f"You said {text}.") as upstream, LoopbackAgent(OAUTH) as login:
        agents = {
            "counter": {"card": {**CARD, "name": "Counter"}, "backend": {"python": f"{__name__}:count"}},
            "echo": {"card": {**CARD, "name": EVIL}, "backend": {"python": f"{__name__}:echo"}},
            "keyed": {"card": CARD, "backend": {"python": f"{__name__}:echo"}, "owner": "acme"},
            "harbour": {"transport": {"type": "stdio", "command": sys.executable, "args": [str(EXAMPLES / "harbour.py")]}},
            "upstream": {"url": upstream.url}, "oauth": {"url": login.url}, "kept": {"card": CARD},
        }  # fmt: skip
        config = {
            "base_url": f"http://127.0.0.1:{port}",
            "agents": agents,
            "owners": {"acme": {"name": "Acme"}},
            "limits": {"requests": 1000},
        }

        gateway = Gateway(config, local=True)
        with served(gateway, port) as url:
            yield url, gateway


@pytest.fixture(scope="module")
def base(running: tuple[str, Gateway]) -> str:
    return running[0]


def send(page: Page, text: str) -> None:
    page.get_by_label("Message", exact=True).fill(text)
    page.get_by_role("button", name="Send").click()


def state(page: Page, expected: str) -> None:
    """Wait until the last turn has a state."""
    page.locator(f".turn:last-child .by > span:text-is('{expected}')").wait_for()


def wait_for_reply(page: Page, text: str) -> None:
    """Wait until the last turn contains a text of the agent."""
    page.locator(".turn:last-child .prose").get_by_text(text, exact=True).wait_for()


def test_the_page_of_an_agent_links_to_the_form_and_back(chromium: Browser, base: str) -> None:
    page, seen = opened(chromium, f"{base}/agents/counter/.well-known/agent-card.json")
    page.get_by_role("link", name="Try it").click()
    assert page.url == f"{base}/agents/counter/try"
    page.get_by_role("heading", level=1).get_by_role("link", name="Counter").click()
    assert page.url.endswith("/agents/counter/.well-known/agent-card.json")
    page.goto(base)
    page.get_by_role("link", name="Try it with Counter").click()
    assert page.url == f"{base}/agents/counter/try"
    assert seen.troubles == []


def test_a_function_streams_its_pieces_and_its_file_is_saved(chromium: Browser, base: str) -> None:
    page, seen = opened(chromium, f"{base}/agents/counter/try")
    send(page, "one two three")
    state(page, "completed")
    turn = page.locator(".turn").last
    assert turn.locator(".mine").inner_text() == "one two three"
    wait_for_reply(page, "3 words")
    wait_for_reply(page, "counting")
    assert '"said": "one two three"' in turn.inner_text()
    with page.expect_download() as download:
        turn.get_by_role("link", name="words.txt").click()
    assert Path(download.value.path()).read_bytes() == b"saved"
    turn.get_by_text("Request", exact=True).click()
    assert '"SendStreamingMessage"' in turn.locator("details").first.inner_text()
    turn.get_by_text("Response", exact=True).click()
    assert "TASK_STATE_COMPLETED" in turn.locator("details").last.inner_text()
    assert seen.troubles == []
    assert {request for request in seen.requests if not request.startswith((base, "blob:"))} == set()


def test_a_question_of_the_agent_is_answered_in_its_task(chromium: Browser, base: str) -> None:
    page, seen = opened(chromium, f"{base}/agents/counter/try")
    send(page, "ask")
    state(page, "input-required")
    wait_for_reply(page, "Which words?")
    assert page.get_by_role("status").inner_text() == "The agent asks for an answer."
    send(page, "these two")
    state(page, "completed")
    requests = [
        json.loads(text) for text in page.locator(".turn details:first-of-type pre").all_text_contents()[:2]
    ]
    assert requests[1]["params"]["message"]["taskId"]
    wait_for_reply(page, "2 words")
    page.get_by_role("button", name="New conversation").click()
    assert page.locator(".turn").count() == 0
    assert seen.troubles == []


def test_a_turn_is_cancelled(chromium: Browser, base: str) -> None:
    page, seen = opened(chromium, f"{base}/agents/counter/try")
    send(page, "wait")
    wait_for_reply(page, "still counting")
    page.get_by_role("button", name="Cancel").click()
    state(page, "canceled")
    send(page, "go on")
    state(page, "completed")
    assert seen.troubles == []


def test_an_error_page_has_a_reason_and_no_agent_text(chromium: Browser, base: str) -> None:
    page, _ = opened(chromium, f"{base}/agents/counter/try")
    send(page, "fail")
    state(page, "failed")
    assert "a secret" not in page.locator("body").inner_text()
    page.get_by_role("button", name="Send").click()
    assert page.get_by_role("status").inner_text() == "Write a message first."
    page.get_by_text("Add data").click()
    page.get_by_label("A JSON object").fill("{")
    page.get_by_role("button", name="Send").click()
    assert "The data is not JSON" in page.get_by_role("status").inner_text()


def test_a_key_stays_in_the_browser_page(chromium: Browser, running: tuple[str, Gateway]) -> None:
    base, gateway = running
    secret = gateway.keys.issue("keyed", "acme", actor="test")[1]
    page, _ = opened(chromium, f"{base}/agents/keyed/try")
    send(page, "hello")
    state(page, "failed")
    page.get_by_label("API key, sent in the header X-Agent-API-Key").fill(secret)
    send(page, "hello again")
    state(page, "completed")
    wait_for_reply(page, "hello again")
    stored = page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")
    assert stored == [0, 0, ""]
    assert secret not in page.locator("main").inner_text()
    page.reload()
    assert page.get_by_label("API key").input_value() == ""


def test_an_mcp_server_gets_the_arguments_of_a_tool(chromium: Browser, base: str) -> None:
    page, seen = opened(chromium, f"{base}/agents/harbour/try")
    page.get_by_text("Add data").click()
    page.get_by_label("Skill").select_option("fee")
    page.get_by_label("A JSON object").fill('{"length_metres": 10, "nights": 2}')
    page.get_by_role("button", name="Send").click()
    state(page, "completed")
    assert seen.troubles == []


def test_an_a2a_agent_gets_what_its_own_client_would_send(chromium: Browser, base: str) -> None:
    page, seen = opened(chromium, f"{base}/agents/upstream/try")
    send(page, "good day")
    wait_for_reply(page, "You said good day.")
    assert seen.troubles == []


def test_texts_of_agents_are_escaped(chromium: Browser, base: str) -> None:
    page, seen = opened(chromium, f"{base}/agents/echo/try")
    send(page, EVIL)
    state(page, "completed")
    wait_for_reply(page, EVIL)
    assert page.locator("main img, main script").count() == 0
    assert seen.troubles == []


@pytest.mark.parametrize("name", ["counter", "keyed"])
def test_without_a_script_the_form_shows_the_reply(
    name: str, chromium: Browser, running: tuple[str, Gateway]
) -> None:
    base, gateway = running
    page, _ = opened(chromium, f"{base}/agents/{name}/try", java_script_enabled=False)
    if name == "keyed":
        page.get_by_label("API key").fill(gateway.keys.issue("keyed", "acme", actor="test")[1])
    send(page, "one two three four")
    assert page.url == f"{base}/agents/{name}/try"
    expected = "4 words" if name == "counter" else "one two three four"
    assert expected in page.locator(".turn .prose").inner_text()
    if name == "counter":
        send(page, "ask")
        assert "Which words?" in page.locator(".turn").inner_text()
        send(page, "fail")
        assert page.locator(".turn .bad").last.is_visible()
    send(page, "")
    assert "the message is empty" in page.locator(".turn").inner_text()


@pytest.mark.parametrize("name", ["oauth", "kept"])
def test_an_agent_that_the_page_cannot_call_has_no_form(name: str, chromium: Browser, base: str) -> None:
    page, _ = opened(chromium, f"{base}/agents/{name}/try")
    assert page.locator("form[method=post]").count() == 0
    assert page.get_by_role("link", name="The card").is_visible()


def test_a_cross_site_form_is_refused(base: str) -> None:
    form = {"message": "hello"}
    url = f"{base}/agents/counter/try"
    for origin in ("https://evil.example", "null"):
        assert httpx.post(url, data=form, headers={"Origin": origin}).status_code == 403
    assert httpx.post(url, data=form, headers={"Origin": base}).status_code == 200
    assert httpx.post(url, json=form).status_code == 415
    assert httpx.post(url, data={"message": "x" * 70_000}).status_code == 413
    assert httpx.post(url, data={"message": "hi", "data": "["}).status_code == 400
    assert httpx.put(url).status_code == 405


def test_axe_finds_nothing_narrow_or_wide_light_or_dark(chromium: Browser, base: str) -> None:
    page, _ = opened(chromium, f"{base}/agents/keyed/try")
    send(page, "hello")
    state(page, "failed")
    assert_accessible_at_any_width(page)
