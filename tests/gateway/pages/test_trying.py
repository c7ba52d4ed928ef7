"""The pages that call agents: when they are disabled, and what an invalid form shows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gateway.gateways import BASE, gateway

HTML = {"Accept": "text/html"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", **HTML}


async def test_the_pages_can_be_disabled() -> None:
    async with gateway(pages={"try": False}) as ask:
        card = await ask("GET", "/agents/greeter/.well-known/agent-card.json", HTML)

        assert (await ask("GET", "/agents/greeter/try")).status == 404
        assert b"Try it" not in card.body
        assert b"Try it" not in (await ask("GET", "/")).body


async def test_the_form_has_the_limits_and_the_refusals_of_a_call() -> None:
    limits = {"requests": 1, "seconds": 60, "anonymous": True}
    async with gateway(limits=limits) as ask:
        first, second = [await ask("POST", "/agents/greeter/try", FORM, b"message=one+two") for _ in range(2)]

    assert (first.status, second.status) == (200, 429)
    assert b"2 words" in first.body
    assert second.headers["retry-after"]
    assert b"2 words" not in second.body


async def test_data_that_is_too_deep_is_refused() -> None:
    async with gateway() as ask:
        reply = await ask("POST", "/agents/greeter/try", FORM, b"data=" + b"[" * 20_000)
    assert reply.status < 500
    assert b"the data is not JSON" in reply.body


async def test_an_unknown_agent_has_no_page() -> None:
    async with gateway() as ask:
        assert (await ask("GET", "/agents/nobody/try", HTML)).status == 404
        assert (await ask("GET", "/agents/greeter/try", HTML)).headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("more", "path", "links"),
    [
        ({}, "/agents/greeter/try", ("/agents/greeter/try", "/")),
        ({}, "/agents/greeter/try/", ("/agents/greeter/try", "/")),
        ({"short_urls": True}, "/greeter/try", ("/greeter/try", "/")),
        ({"root": "greeter"}, "/try", ("/try", "/")),
        ({"base_url": f"{BASE}/gw"}, "/agents/greeter/try", ("/gw/agents/greeter/try", "/gw/")),
    ],
)
async def test_links_are_relative_to_the_mount_path(
    more: dict[str, Any], path: str, links: tuple[str, str]
) -> None:
    async with gateway(**more) as ask:
        reply = await ask("GET", path, HTML)

    assert reply.status == 200
    action, auth = links
    assert f'action="{action}"'.encode() in reply.body
    assert f'<a href="{auth}">All agents</a>'.encode() in reply.body
    assert f'href="{action.removesuffix("/try")}/.well-known/agent-card.json"'.encode() in reply.body
