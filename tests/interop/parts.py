"""Every kind of part through the gateway, from clients and agents of SDKs, over every binding: what comes back exactly."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from cardwright import call_agent, fetch_card
from cardwright.discovery import Part
from cardwright.serve.listening import free_port
from tests.discovery.calling.sdk_agents import serving
from tests.gateway.processes import before
from tests.interop.agent import CARD, ECHO, LOOPBACK
from tests.interop.peers.steps import ABSENT, PARTS, YES, Content, as_json, send_each
from tests.interop.programs import Program, ProgramFailed
from tests.interop.table import NOT_INSTALLED, Table
from tests.serve.server_process import HOST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLUMNS: Final = ("client, function", "client, own", "client, pass", "agent, own", "agent, pass")
BINDINGS: Final = ("JSONRPC", "HTTP+JSON", "GRPC")


class Peer(NamedTuple):
    """An SDK, its program, which is a client and an agent, and the versions of A2A that it has."""

    package: str
    program: Program
    versions: Sequence[str] = ("1.0", "0.3")


PEERS: Final = (
    Peer("a2a-sdk", Program("parts_a2a_1.py")),
    Peer("a2a-sdk", Program("parts_a2a_0.py", "a2a-0.3"), ("0.3",)),
    Peer("@a2a-js/sdk", Program("js/parts-1.mjs", "node")),
    Peer("@a2a-js/sdk", Program("js/parts-0.3.mjs", "node"), ("0.3",)),
)


async def parts() -> Table:
    """Send every kind of part with each client to a function behind the gateway, and with `call_agent` to each agent."""
    rows: dict[str, dict[str, str]] = {}
    for peer in PEERS:
        kinds = [(version, binding) for version in peer.versions for binding in BINDINGS]
        release = peer.program.release(peer.package)
        try:
            found = await _clients(peer, kinds) | await _agents(peer, kinds)
        except ProgramFailed as error:
            found = {(*one, column): f"no: {error}" for one in kinds for column in COLUMNS}
        missing = ABSENT if found else NOT_INSTALLED
        for kind in kinds:
            row = {column: found.get((*kind, column), missing) for column in COLUMNS}
            rows[f"{peer.package} {release}, A2A {', '.join(kind)}"] = row
    return Table(("SDK", *COLUMNS), rows)


async def _clients(peer: Peer, kinds: Sequence[tuple[str, str]]) -> dict[tuple[str, ...], str]:
    """Send from the client of an SDK: to a function, and to the same function behind a second gateway."""
    function = {"echo": {"card": CARD, "backend": {"python": ECHO}, "tasks": "own"}}
    async with before(function, root="echo", **_grpc()) as first:
        url = first.at("echo")
        agents = {tasks: {"url": url, "tasks": tasks} for tasks in ("own", "pass")}
        async with before(agents, root="own", **_grpc()) as second:
            places = url, second.at("own"), second.at("pass")
            urls: dict[str, str] = dict(zip(COLUMNS[:3], places, strict=True))
            # The gateway has no gRPC for agents to which it forwards.
            cells = [
                (version, binding, column)
                for version, binding in kinds
                for column in urls
                if (binding, column) != ("GRPC", "client, pass")
            ]
            calls = [{"base": urls[to], "version": version, "binding": kind} for version, kind, to in cells]
            report = await peer.program.report({"calls": calls})
    return dict(zip(cells, map(_cell, report["cells"]), strict=True)) if report else {}


async def _agents(peer: Peer, kinds: Sequence[tuple[str, str]]) -> dict[tuple[str, ...], str]:
    """Send from `call_agent` to the agent of an SDK, whose card has only one interface."""
    found: dict[tuple[str, ...], str] = {}
    port = free_port(HOST, 0)
    async with peer.program.serving(str(port)) as origin:
        if origin is None:
            return {}
        at = f"{origin}/rpc", f"{origin}/rest", f"http://{HOST}:{port}"
        urls: dict[str, str] = dict(zip(BINDINGS, at, strict=True))
        cards = [_card(version, binding, urls[binding]) for version, binding in kinds]
        routes = [
            Route(f"/{number}", lambda _, card=card: JSONResponse(card)) for number, card in enumerate(cards)
        ]
        async with serving(Starlette(routes=routes)) as host:
            agents = {
                f"{tasks}-{number}": {"url": origin, "card_url": f"{host}/{number}", "tasks": tasks}
                for number in range(len(kinds))
                for tasks in ("own", "pass")
            }
            async with before(agents, limits={"requests": 0}, allow=LOOPBACK) as running:
                for number, (version, binding) in enumerate(kinds):
                    own = await _called(running.at(f"own-{number}"), "1.0", "JSONRPC")
                    found[version, binding, "agent, own"] = own
                    if binding != "GRPC":
                        passed = await _called(running.at(f"pass-{number}"), version, binding)
                        found[version, binding, "agent, pass"] = passed
    return found


def _grpc() -> dict[str, Any]:
    return {"grpc": {"port": free_port(HOST, 0)}, "limits": {"requests": 0}}


def _card(version: str, binding: str, url: str) -> dict[str, Any]:
    if version == "1.0":
        only = {"url": url, "protocolBinding": binding, "protocolVersion": version}
        return {**CARD, "supportedInterfaces": [only]}
    card = {name: value for name, value in CARD.items() if name != "supportedInterfaces"}
    return {**card, "protocolVersion": "0.3.0", "url": url, "preferredTransport": binding}


async def _called(url: str, version: str, binding: str) -> str:
    """Return the cell of calls with `call_agent`."""

    async def send(contents: Sequence[Content]) -> list[Content]:
        found = await fetch_card(url, allow=LOOPBACK)
        sent = [Part(kind, value) for kind, value in contents]  # type: ignore[arg-type] # kinds of `Part`
        reply = await call_agent(
            found, sent, allow=LOOPBACK, supported=[f"a2a/{version}+{binding}"], stream=False
        )
        return [(part.kind, part.value) for part in reply.parts]

    return _cell(await send_each(send))


def _cell(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return `yes`, or what is not exact: each reason with the parts that it is true of."""
    reasons: dict[str, list[str]] = {}
    for name, result in found.items():
        wanted = as_json([PARTS[name]])
        for way, text in (("sent", "to the agent"), ("read", "from the agent")):
            if "error" in result:
                reasons.setdefault(f"refused: {result['error']}", []).append(name)
                break
            if json.dumps(result[way], sort_keys=True) != json.dumps(wanted, sort_keys=True):
                reasons.setdefault(f"{text} {_change(wanted, result[way])}", []).append(name)
    return "\n".join(f"no: {', '.join(names)} {reason}" for reason, names in reasons.items()) or YES


def _change(wanted: list[list[Any]], seen: list[list[Any]]) -> str:
    if seen == wanted:
        return "with 5.0 instead of 5"
    if not seen or seen[0][0] != wanted[0][0]:
        return f"as {seen}"
    if wanted[0][0] == "raw":
        before, after = (bytes.fromhex(one[0][1]) for one in (wanted, seen))
        if after == b64encode(before):
            return "in base64"
        with suppress(ValueError):
            if after == b64decode(before, validate=True):
                return "decoded once more"
    return f"as {seen[0][1]!r}"
