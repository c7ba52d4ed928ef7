"""Faulty agents on loopback, in the process of the test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.cards import least_card
from tests.peers import RecordedRequest, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

CARD = "/.well-known/agent-card.json"
JSON = {"Content-Type": "application/json"}
SECRET = "s3cret-of-the-agent"  # noqa: S105 - no secret of anybody


def card(origin: str, **more: Any) -> dict[str, Any]:
    """A card that names the real host of its agent."""
    interfaces = [
        {"url": origin, "protocolBinding": binding, "protocolVersion": version}
        for version in ("1.0", "0.3")
        for binding in ("JSONRPC", "HTTP+JSON")
    ]
    fields = {
        "supportedInterfaces": interfaces,
        "capabilities": {"streaming": True, "extendedAgentCard": True},
    }
    return least_card(**{**fields, **more})


def served(document: Any) -> Reply:
    """A JSON value as an answer."""
    return Reply(200, json.dumps(document).encode(), JSON)


def errs(how: Callable[[str], Reply]) -> Callable[[RecordedRequest], Reply]:
    """An agent with a valid card whose every other response is `how(its origin)`."""

    def answer(request: RecordedRequest) -> Reply:
        origin = f"http://{request.headers['host']}"
        return served(card(origin)) if request.path == CARD else how(origin)

    return answer


def named(origin: str) -> dict[str, str]:
    """Header fields that name the host of the response."""
    host = origin.removeprefix("http://")
    return {
        "Server": f"tides at {host}",
        "Via": f"1.1 {host}",
        "Location": f"{origin}/elsewhere",
        "X-Backend": origin,
        "Link": f"<{origin}/docs>; rel=help",
        "Set-Cookie": f"at={host}",
        "Content-Location": f"{origin}/here",
    }


# Each gives an invalid response to a call, and names its host wherever possible.
WAYS: dict[str, Callable[[str], Reply]] = {
    "error with a text": lambda at: Reply(500, f"{SECRET} at {at}".encode(), named(at)),
    "error with HTML": lambda at: Reply(
        502, f"<a href='{at}'>{SECRET}</a>".encode(), {"Content-Type": "text/html", **named(at)}
    ),
    "error with JSON": lambda at: Reply(500, json.dumps({"detail": at}).encode(), {**JSON, **named(at)}),
    "refusal with JSON": lambda at: Reply(422, json.dumps({"detail": at}).encode(), {**JSON, **named(at)}),
    "redirect": lambda at: Reply(307, b"", named(at)),
    "redirect that stays": lambda at: Reply(301, at.encode(), {"Content-Type": "text/plain", **named(at)}),
    "HTML": lambda at: Reply(200, f"<p>{at}</p>".encode(), {"Content-Type": "text/html", **named(at)}),
    "text": lambda at: Reply(200, at.encode(), {"Content-Type": "text/plain", **named(at)}),
    "broken JSON": lambda at: Reply(200, f'{{"jsonrpc": "2.0", "{at}'.encode(), {**JSON, **named(at)}),
    "two names in JSON": lambda at: Reply(
        200, b'{"jsonrpc": "2.0", "jsonrpc": "2.0"}', {**JSON, **named(at)}
    ),
    "too many": lambda at: Reply(429, at.encode(), {"Retry-After": "7", **named(at)}),
    "not now": lambda at: Reply(503, at.encode(), {"Retry-After": "7", **named(at)}),
    "who are you": lambda at: Reply(401, at.encode(), {"Content-Type": "text/plain", **named(at)}),
    "not for you": lambda at: Reply(403, at.encode(), {"Content-Type": "text/plain", **named(at)}),
    "nothing there": lambda at: Reply(404, at.encode(), {"Content-Type": "text/plain", **named(at)}),
}
