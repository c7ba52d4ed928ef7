"""An agent on loopback that matches its card, and that a test makes misbehave in one way."""

from __future__ import annotations

import asyncio
import hashlib
import json
import socket
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.discovery.probe import probe
from cardwright.guard import Guard, GuardedClient
from tests.discovery.probe.certificates import serving, trusting
from tests.peers import RecordedRequest, Reply, peer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from aiohttp.abc import ResolveResult

    from cardwright.discovery.probe import Check, Report

HOST = "agent.tide-mill.org"
KEY = {"X-API-Key": "correct"}
PLACES = ("/.well-known/agent-card.json", "/.well-known/agent.json")
JSON = {"Content-Type": "application/json"}


def card(origin: str, **changes: Any) -> dict[str, Any]:
    """A valid card of A2A 1.0 with three interfaces; `{origin}` in changes is filled in."""
    document = {
        "name": "Tide Mill",
        "description": "Says when the mill can grind.",
        "version": "2.0.0",
        "supportedInterfaces": [interface(f"{origin}/rpc")],
        "capabilities": {"streaming": False},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "tide", "name": "Tide", "description": "Reads the table.", "tags": ["sea"]}],
        **deepcopy(changes),
    }
    filled: dict[str, Any] = json.loads(json.dumps(document).replace("{origin}", origin))
    return filled


def older(origin: str, **changes: Any) -> dict[str, Any]:
    """A valid card of A2A 0.3."""
    document = card(origin, **changes)
    del document["supportedInterfaces"]
    return {**document, "protocolVersion": "0.3.0", "url": f"{origin}/rpc", "preferredTransport": "JSONRPC"}


def interface(url: str, binding: str = "JSONRPC", version: str = "1.0") -> dict[str, Any]:
    return {"url": url, "protocolBinding": binding, "protocolVersion": version}


# The card declares a key, which the agent then asks for.
SECURED: dict[str, Any] = {
    "securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "X-API-Key"}}},
    "securityRequirements": [{"schemes": {"key": {"list": []}}}],
}


@dataclass
class Agent:
    """An agent that supports A2A 1.0 over JSON-RPC and HTTP+JSON and 0.3 over JSON-RPC, and matches its card."""

    document: Callable[[str], dict[str, Any]] = card
    override: Callable[[RecordedRequest], Reply | None] = lambda _: None
    speaks: tuple[str, ...] = ("1.0", "0.3")
    demands: bool = False
    host: str = HOST
    requests: list[RecordedRequest] = field(default_factory=list[RecordedRequest])

    def answer(self, request: RecordedRequest) -> Reply:
        """Return the override for a request, or else the response that the card declares."""
        override = self.override(request)
        if override is not None:
            return override
        path = request.path.partition("?")[0]
        origin = f"https://{request.headers['host']}"
        if path in PLACES:
            return served(json.dumps(self.document(origin)).encode(), request)
        if self.demands and request.headers.get("x-api-key") != KEY["X-API-Key"]:
            return Reply(401, b"{}", {**JSON, "WWW-Authenticate": 'ApiKey realm="mill"'})
        if path == "/rpc" and request.method == "POST":
            return self._rpc(request, origin)
        if path.startswith("/rest/"):
            return self._rest(request, path.removeprefix("/rest"))
        return Reply(404, b"nothing here")

    def _rpc(self, request: RecordedRequest, origin: str) -> Reply:
        call = json.loads(request.body)
        version = request.headers.get("a2a-version", "0.3")
        known = (_NEWER if "1.0" in self.speaks else {}) | (_OLDER if "0.3" in self.speaks else {})
        if call["method"] not in known:
            return error(call, -32601, "METHOD_NOT_FOUND")
        operation, supported = known[call["method"]]
        if version != supported:
            return error(call, -32009, "VERSION_NOT_SUPPORTED")
        streaming = self.document(origin)["capabilities"].get("streaming")
        match operation:
            case "get":
                return error(call, -32001, "TASK_NOT_FOUND")
            case "subscribe" if streaming:
                return error(call, -32001, "TASK_NOT_FOUND")
            case "push" if self.document(origin)["capabilities"].get("pushNotifications"):
                return error(call, -32001, "TASK_NOT_FOUND")
            case "push":
                return error(call, -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED")
            case "extended" if self.demands and self.document(origin)["capabilities"].get(
                "extendedAgentCard"
            ):
                return Reply(200, json.dumps(_result(call, self.document(origin))).encode(), JSON)
            case "send":
                return Reply(200, json.dumps(_result(call, {"message": ANSWER})).encode(), JSON)
            case "stream" if streaming:
                event = json.dumps(_result(call, {"message": ANSWER}))
                return Reply(200, f"data: {event}\n\n".encode(), {"Content-Type": "text/event-stream"})
            case _:
                return error(call, -32004, "UNSUPPORTED_OPERATION")

    def _rest(self, request: RecordedRequest, path: str) -> Reply:
        if request.headers.get("a2a-version") != "1.0":
            return problem(400, "FAILED_PRECONDITION", "VERSION_NOT_SUPPORTED")
        if path == "/extendedAgentCard" or path.endswith(":subscribe"):
            return problem(400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION")
        if path.endswith("/pushNotificationConfigs"):
            return problem(400, "FAILED_PRECONDITION", "PUSH_NOTIFICATION_NOT_SUPPORTED")
        if path.startswith("/tasks/"):
            return problem(404, "NOT_FOUND", "TASK_NOT_FOUND")
        return Reply(404, b"nothing here")


_NEWER = {
    "GetTask": ("get", "1.0"),
    "SubscribeToTask": ("subscribe", "1.0"),
    "ListTaskPushNotificationConfigs": ("push", "1.0"),
    "GetExtendedAgentCard": ("extended", "1.0"),
    "SendMessage": ("send", "1.0"),
    "SendStreamingMessage": ("stream", "1.0"),
}
ANSWER = {"messageId": "1", "role": "ROLE_AGENT", "parts": [{"text": "At noon."}]}
_OLDER = {
    "tasks/get": ("get", "0.3"),
    "tasks/resubscribe": ("subscribe", "0.3"),
    "tasks/pushNotificationConfig/get": ("push", "0.3"),
    "agent/getAuthenticatedExtendedCard": ("extended", "0.3"),
}


def served(body: bytes, request: RecordedRequest) -> Reply:
    """A card with everything that caches need."""
    tag = f'"{hashlib.sha256(body).hexdigest()}"'
    fields = {**JSON, "ETag": tag, "Cache-Control": "max-age=3600"}
    if request.headers.get("if-none-match") == tag:
        return Reply(304, b"", fields)
    return Reply(200, body, {**fields, "Content-Length": str(len(body))})


def error(call: Mapping[str, Any], code: int, reason: str) -> Reply:
    """An error of JSON-RPC."""
    error_object = {"code": code, "message": "no", "data": [_info(reason)]}
    return Reply(200, json.dumps({"jsonrpc": "2.0", "id": call["id"], "error": error_object}).encode(), JSON)


def problem(status: int, name: str, reason: str) -> Reply:
    """An error of HTTP+JSON."""
    error = {"code": status, "status": name, "message": "no", "details": [_info(reason)]}
    return Reply(status, json.dumps({"error": error}).encode(), JSON)


def _info(reason: str) -> dict[str, Any]:
    kind = "type.googleapis.com/google.rpc.ErrorInfo"
    return {"@type": kind, "reason": reason, "domain": "a2a-protocol.org", "metadata": {}}


def _result(call: Mapping[str, Any], result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": call["id"], "result": result}


class Loopback:
    """A resolver that gives loopback for every name without another given address."""

    def __init__(self, others: Mapping[str, str] | None = None) -> None:
        self._others = dict(others or {})

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        assert family in (socket.AF_INET, socket.AF_UNSPEC)
        address = self._others.get(host, "127.0.0.1")
        return [
            {
                "hostname": host,
                "host": address,
                "port": port,
                "family": socket.AF_INET,
                "proto": 0,
                "flags": 0,
            }
        ]


def probed(
    agent: Agent | None = None,
    *,
    path: str = "",
    allow: tuple[str, ...] = ("127.0.0.0/8",),
    answer: Callable[[RecordedRequest], Awaitable[Reply]] | None = None,
    per_connection: int = 0,
    **options: Any,
) -> Report:
    """Probe an agent, over HTTPS with a trusted certificate; its requests are recorded."""
    answering = agent or Agent()

    async def scene() -> Report:
        client = GuardedClient(Guard(allow=allow), resolver=Loopback(), ssl_context=trusting())
        there = peer(answer or answering.answer, tls=serving(answering.host), per_connection=per_connection)
        async with there as running, client:
            answering.requests = running.requests
            return await probe(f"https://{HOST}:{running.port}{path}", client=client, **options)

    return asyncio.run(scene())


def results_of(report: Report, rule: str) -> list[tuple[str, str]]:
    """Return the outcomes of a rule, each with its observation."""
    return [(check.outcome, check.seen) for check in report.checks if check.id == rule]


def outcomes(report: Report, rule: str) -> list[str]:
    """The outcomes of a rule."""
    return [outcome for outcome, _ in results_of(report, rule)]


def faults(report: Report) -> list[tuple[str, str]]:
    """Every error and warning: its outcome and its rule."""
    bad: list[Check] = [*report.of("error"), *report.of("warning")]
    return [(check.outcome, check.id) for check in bad]
