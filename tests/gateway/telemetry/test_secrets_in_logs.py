"""Keys, tokens, bodies and webhook secrets are in no log line, for any call and any error."""

from __future__ import annotations

import io
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_gateway.telemetry.logs import set_up
from tests.gateway.gateways import CARD, JSON, rpc
from tests.gateway.tasks.gateways import Owned, function, message, owned
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Iterator

BODY = "canary-in-a-body"
WEBHOOK_SECRET = "whsec_Y2FuYXJ5LWluLWEtc2VjcmV0LW9mLWEtd2ViaG9vaw=="  # noqa: S105 - of this test alone
TOKEN = "canary-token-of-a-receiver"  # noqa: S105 - of this test alone
QUERY = "canary-in-a-query"
BEARER = "eyJjYW5hcnkiOiJoZWFkZXIifQ.eyJjYW5hcnkiOiJjbGFpbXMifQ.Y2FuYXJ5LXNpZ25hdHVyZQ"
GUESS = "bak_canaryCANARYcanaryCANARYcanaryCANARYcanary0"
HOST = "agent.canary.internal"


def failing(text: str) -> str:
    """Fail with the text of the caller."""
    raise RuntimeError(text)


class Unmasked(logging.Handler):
    """Records log messages of the package before redaction."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {record.__dict__}")


@pytest.fixture
def unmasked() -> Iterator[Unmasked]:
    root, own = logging.getLogger(), logging.getLogger("cardwright")
    handlers, level, own_level = root.handlers[:], root.level, own.level
    for handler in handlers:
        root.removeHandler(handler)
    own.setLevel(logging.DEBUG)
    kept = Unmasked()
    own.addHandler(kept)
    yield kept
    own.removeHandler(kept)
    own.setLevel(own_level)
    for handler in root.handlers[:]:
        root.removeHandler(handler)
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)


async def session(running: Owned) -> str:
    """Make all kinds of valid and invalid calls; return the key."""
    caller = await running.key("greeter")
    gateway = running.gateway
    assert "result" in await caller.rpc("SendMessage", message(BODY))
    assert await caller.stream(BODY)
    receiver = {"url": f"https://{HOST}/hook", "token": TOKEN, "secret": WEBHOOK_SECRET}
    await caller.rpc(
        "SendMessage", {**message(BODY), "configuration": {"taskPushNotificationConfig": receiver}}
    )
    await caller.at("v1/invoke", {"message": BODY})
    await (await running.key("failing")).rpc("SendMessage", message(BODY))
    await (await running.key("away")).rpc("SendMessage", message(BODY))
    for credentials in (
        {"X-Agent-API-Key": GUESS},
        {"Authorization": f"Bearer {GUESS}"},
        {"Authorization": f"Bearer {BEARER}"},
        {"Authorization": f"Bearer {BEARER}", "X-Agent-API-Key": GUESS},
    ):
        for path in (
            "/greeter",
            f"/greeter/v1/invoke?key={QUERY}",
            f"/api/v1/agents?key={QUERY}",
            f"/{GUESS}",
            f"/agents/{GUESS}",
        ):
            await call(gateway, "POST", path, {**JSON, **credentials}, body=rpc("SendMessage", message(BODY)))
            await call(gateway, "GET", path, credentials)
    for body in (
        f'{{"{BODY}'.encode(),
        json.dumps([BODY]).encode(),
        rpc(BODY),
        rpc("SendMessage", {BODY: BODY}),
    ):
        await call(gateway, "POST", "/greeter", {**JSON, **caller.credentials}, body=body)
    for path in ("/", "/health", "/metrics", "/greeter/report", "/greeter/.well-known/agent-card.json"):
        await call(gateway, "GET", f"{path}?q={QUERY}", {"Accept": "text/html", **caller.credentials})
    return caller.credentials["X-Agent-API-Key"]


@pytest.mark.parametrize("form", ["text", "json"])
async def test_no_log_line_of_a_session_has_a_secret(unmasked: Unmasked, form: Any) -> None:
    stream = io.StringIO()
    set_up(form, stream)
    agents = {
        "greeter": function("answer", invoke=True),
        "failing": {"card": CARD, "backend": {"python": f"{__name__}:failing"}, "owner": "acme"},
        "away": {"url": f"http://{HOST}:9", "owner": "acme"},
    }

    async with owned(agents, webhooks={"enabled": True}, allow=["127.0.0.0/8"]) as running:
        key = await session(running)
    output = stream.getvalue()
    # It would find them if they existed.
    assert output.count("jsonrpc") > 10
    assert "status=401" in output
    for canary in (
        key[8:],
        BODY,
        WEBHOOK_SECRET,
        WEBHOOK_SECRET[6:],
        TOKEN,
        QUERY,
        *BEARER.split("."),
        GUESS[8:],
    ):
        assert canary not in output
    for canary in (key[8:], WEBHOOK_SECRET, TOKEN, QUERY, BEARER, GUESS[8:]):
        assert not [line for line in unmasked.lines if canary in line]
