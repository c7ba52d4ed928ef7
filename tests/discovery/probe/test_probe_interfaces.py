"""Probe checks of interfaces: whether they exist and support what the card declares; each passed and failed."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery.probe import probe
from cardwright.guard import Guard, GuardedClient
from tests.discovery.probe.agents import (
    HOST,
    JSON,
    Agent,
    Loopback,
    card,
    error,
    faults,
    interface,
    older,
    outcomes,
    probed,
    results_of,
)
from tests.discovery.probe.certificates import serving, trusting
from tests.peers import RecordedRequest, Reply, peer

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.discovery.probe import Report


def naming(*interfaces: dict[str, Any], **changes: Any) -> Callable[[str], dict[str, Any]]:
    """A card that names interfaces."""
    return lambda origin: card(origin, supportedInterfaces=list(interfaces), **changes)


def at_rpc(reply: Callable[[dict[str, Any]], Reply | None]) -> Callable[[RecordedRequest], Reply | None]:
    """Lie to calls."""
    return lambda request: reply(json.loads(request.body)) if request.path == "/rpc" else None


def test_every_binding_and_version_that_is_as_the_card_says_passes() -> None:
    report = probed(
        Agent(
            naming(
                interface("{origin}/rpc"),
                interface("{origin}/rest", "HTTP+JSON"),
                interface("{origin}/rpc", version="0.3"),
            )
        )
    )

    assert faults(report) == []
    assert outcomes(report, "probe/interface-binding") == ["pass"] * 3
    assert outcomes(report, "probe/interface-version") == ["pass"] * 3


def test_an_older_agent_gets_its_own_method_names() -> None:
    agent = Agent(older)

    report = probed(agent)

    methods = [json.loads(request.body)["method"] for request in agent.requests if request.path == "/rpc"]
    assert faults(report) == []
    assert {method for method in methods if "no-such-method" not in method} == {
        "tasks/get",
        "tasks/resubscribe",
        "tasks/pushNotificationConfig/get",
        "agent/getAuthenticatedExtendedCard",
    }


def test_a_1_0_card_of_an_agent_that_supports_0_3_is_an_error() -> None:
    report = probed(Agent(speaks=("0.3",)))

    assert faults(report) == [("error", "probe/interface-version")]
    assert (
        "the card declares A2A 1.0; the interface supports 0.3"
        in results_of(report, "probe/interface-version")[0][1]
    )


def test_a_0_3_card_of_an_agent_that_supports_1_0_is_an_error() -> None:
    report = probed(Agent(older, speaks=("1.0",)))

    assert faults(report) == [("error", "probe/interface-version")]
    assert (
        "the card declares A2A 0.3; the interface supports 1.0"
        in results_of(report, "probe/interface-version")[0][1]
    )


def test_tasks_at_the_path_of_another_version_are_an_error() -> None:
    document = naming(interface("{origin}/rest", "HTTP+JSON", "0.3"))

    report = probed(Agent(document))

    assert faults(report) == [("error", "probe/interface-version")]


def test_an_endpoint_without_task_methods_is_an_error() -> None:
    override = at_rpc(lambda call: error(call, -32601, "METHOD_NOT_FOUND"))

    assert faults(probed(Agent(override=override))) == [("error", "probe/interface-version")]


def test_an_endpoint_that_is_no_json_rpc_is_an_error() -> None:
    document = naming(interface("{origin}/rest/x"))

    report = probed(Agent(document))

    assert faults(report) == [("error", "probe/interface-binding")]


def test_an_endpoint_that_is_no_http_json_is_an_error() -> None:
    document = naming(interface("{origin}/rpc", "HTTP+JSON"))

    assert faults(probed(Agent(document))) == [("error", "probe/interface-binding")]


def test_a_redirected_endpoint_is_an_error_and_not_followed() -> None:
    agent = Agent(
        override=lambda request: Reply(307, b"", {"Location": "/rpc/"}) if request.path == "/rpc" else None
    )

    assert faults(probed(agent)) == [("error", "probe/interface-binding")]
    assert "/rpc/" not in {request.path for request in agent.requests}


def test_another_error_for_a_method_that_does_not_exist_is_a_warning() -> None:
    def override(call: dict[str, Any]) -> Reply | None:
        return error(call, -32600, "INVALID_REQUEST") if "no-such-method" in call["method"] else None

    assert faults(probed(Agent(override=at_rpc(override)))) == [("warning", "probe/interface-binding")]


def test_an_unsupported_version_must_be_refused() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        strange = request.path == "/rpc" and request.headers.get("a2a-version") == "9.9"
        return error(json.loads(request.body), -32001, "TASK_NOT_FOUND") if strange else None

    assert faults(probed(Agent(override=override))) == [("error", "probe/version-refused")]


def test_a_missing_version_read_as_1_0_is_an_error() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        silent = request.path == "/rpc" and "a2a-version" not in request.headers
        return error(json.loads(request.body), -32001, "TASK_NOT_FOUND") if silent else None

    assert faults(probed(Agent(override=override))) == [("error", "probe/version-empty")]


@pytest.mark.parametrize(
    ("data", "outcome"),
    [(None, "warning"), ({"reason": "TASK_NOT_FOUND"}, "error"), ([{"reason": "x"}], "error")],
    ids=["none", "object", "untyped"],
)
def test_an_error_without_its_reason_is_reported(data: Any, outcome: str) -> None:
    def override(call: dict[str, Any]) -> Reply | None:
        if call["method"] != "GetTask":
            return None
        error = {"code": -32001, "message": "no", **({} if data is None else {"data": data})}
        return Reply(200, json.dumps({"jsonrpc": "2.0", "id": call["id"], "error": error}).encode(), JSON)

    found = faults(probed(Agent(override=at_rpc(override))))

    assert (outcome, "probe/error-details") in found


def test_a_version_with_a_patch_number_is_a_warning() -> None:
    report = probed(Agent(naming(interface("{origin}/rpc", version="1.0.1"))))

    assert ("warning", "probe/version-form") in faults(report)
    assert outcomes(report, "probe/interface-version") == ["pass"]


def test_the_tenant_is_sent_exactly_as_written() -> None:
    entry = {**interface("{origin}/rpc"), "tenant": "North Mill"}
    rest = {**interface("{origin}/rest", "HTTP+JSON"), "tenant": "North Mill"}
    agent = Agent(naming(entry, rest))

    probed(agent)

    calls = [json.loads(request.body) for request in agent.requests if request.path == "/rpc"]
    assert {call["params"].get("tenant") for call in calls if call["method"] == "GetTask"} == {"North Mill"}
    assert any(request.path.startswith("/rest/North%20Mill/tasks/") for request in agent.requests)


def test_an_internal_address_in_a_public_card_is_reported_and_not_requested() -> None:
    document = naming(
        interface("{origin}/rpc"), interface("http://10.0.0.7:8080/"), interface("http://[::]/")
    )

    report = probed(Agent(document))

    assert outcomes(report, "probe/interface-address") == ["error", "error"]
    assert (
        "callers cannot reach the address in the card: it is a private address"
        in results_of(report, "probe/interface-address")[0][1]
    )
    assert outcomes(report, "probe/interface-version") == ["pass"]


async def test_a_url_denied_by_the_guard_is_reported_and_the_probe_goes_on() -> None:
    resolver = Loopback({"other.tide-mill.org": "169.254.169.254"})

    agent = Agent(naming(interface("https://other.tide-mill.org/"), interface("{origin}/rpc")))
    client = GuardedClient(Guard(allow=("127.0.0.0/8",)), resolver=resolver, ssl_context=trusting())
    async with peer(agent.answer, tls=serving(HOST)) as one, client:
        report = await probe(f"https://{HOST}:{one.port}", client=client)

    assert faults(report) == [("error", "probe/interface-address")]
    assert outcomes(report, "probe/interface-version") == ["pass"]


async def test_a_port_denied_by_the_guard_is_skipped_with_the_reason() -> None:
    resolver = Loopback({"far.tide-mill.org": "93.184.216.34"})

    agent = Agent(naming(interface("{origin}/rpc"), interface("https://far.tide-mill.org:8443/")))
    client = GuardedClient(Guard(allow=("127.0.0.0/8",)), resolver=resolver, ssl_context=trusting())
    async with peer(agent.answer, tls=serving(HOST)) as one, client:
        report = await probe(f"https://{HOST}:{one.port}", client=client)

    assert faults(report) == []
    assert any("--allow-port" in seen for _, seen in results_of(report, "probe/interface-reachable"))


def test_a_closed_port_is_an_error() -> None:
    document = naming(interface("{origin}/rpc"), interface(f"https://{HOST}:1/"))

    report = probed(Agent(document))

    assert faults(report) == [("error", "probe/interface-reachable")]


async def test_a_certificate_of_another_host_is_an_error() -> None:
    async with peer(lambda _: Reply(404), tls=serving("other.tide-mill.org")) as wrong:
        agent = Agent(naming(interface("{origin}/rpc"), interface(f"https://{HOST}:{wrong.port}/")))
        client = GuardedClient(Guard(allow=("127.0.0.0/8",)), resolver=Loopback(), ssl_context=trusting())
        async with peer(agent.answer, tls=serving(HOST)) as one, client:
            report = await probe(f"https://{HOST}:{one.port}", client=client)

    assert faults(report) == [("error", "probe/interface-tls")]
    assert outcomes(report, "probe/interface-tls") == ["pass", "error"]


def test_a_declared_mutual_tls_server_is_skipped() -> None:
    wants = serving.__wrapped__(HOST)
    wants.verify_mode = ssl.CERT_REQUIRED
    mutual: dict[str, Any] = {
        "securitySchemes": {"m": {"mtlsSecurityScheme": {}}},
        "securityRequirements": [{"schemes": {"m": {"list": []}}}],
    }

    async def scene(changes: dict[str, Any]) -> Report:
        async with peer(lambda _: Reply(404), tls=wants) as closed:
            agent = Agent(naming(interface(f"https://{HOST}:{closed.port}/"), **changes))
            client = GuardedClient(Guard(allow=("127.0.0.0/8",)), resolver=Loopback(), ssl_context=trusting())
            async with peer(agent.answer, tls=serving(HOST)) as one, client:
                return await probe(f"https://{HOST}:{one.port}", client=client)

    assert faults(asyncio.run(scene(mutual))) == []
    assert [outcome for outcome, _ in faults(asyncio.run(scene({})))] == ["error"]


def test_the_number_of_probed_interfaces_is_limited() -> None:
    many = [interface(f"smtp://{number}.example.org", "mail:x") for number in range(40)]

    report = probed(Agent(naming(interface("{origin}/rpc"), *many)))

    assert [check.subject for check in report.checks if check.seen == "only 16 interfaces are checked"] == [
        "25 more interfaces"
    ]


async def test_plain_http_at_a_public_host_is_an_error() -> None:
    agent = Agent()

    async with peer(agent.answer) as plain:
        agent.document = naming(interface(f"http://{HOST}:{plain.port}/rpc"))
        client = GuardedClient(Guard(allow=("127.0.0.0/8",)), resolver=Loopback(), ssl_context=trusting())
        async with peer(agent.answer, tls=serving(HOST)) as one, client:
            assert ("error", "probe/interface-tls") in faults(
                await probe(f"https://{HOST}:{one.port}", client=client)
            )


def test_a_command_is_never_started() -> None:
    def document(origin: str) -> dict[str, Any]:
        return {
            "schemaVersion": "1.0",
            "id": "mill",
            "name": "mill",
            "description": "Says when the mill can grind.",
            "version": "2.0.0",
            "capabilities": [{"id": "tide", "description": "Reads the table."}],
            "transports": [
                {"protocol": "mcp", "version": "2025-06-18", "endpoint": "stdio:///bin/mill"},
                {"protocol": "smtp", "version": "1.0", "endpoint": f"{origin}/mail"},
            ],
        }

    report = probed(Agent(document))

    assert report.card is not None
    assert str(report.card.dialect) == "beach-1.0"
    assert results_of(report, "probe/interface-reachable") == [
        ("skip", "not checked: a stdio interface would start a command on this machine"),
        ("skip", 'not checked: the probe does not support the protocol "smtp"'),
    ]


def test_without_grpcio_grpc_interfaces_are_skipped_with_the_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "grpc", None)

    report = probed(Agent(naming(interface("{origin}/rpc"), interface(f"{HOST}:1", "GRPC"))))

    assert [
        seen for outcome, seen in results_of(report, "probe/interface-reachable") if outcome == "skip"
    ] == ['not checked: gRPC is not installed; install it with: pip install "cardwright[grpc]"']


def test_a_custom_binding_is_skipped() -> None:
    report = probed(Agent(naming(interface("{origin}/rpc"), interface("{origin}/x", "https://b.example/x"))))

    assert [
        seen for outcome, seen in results_of(report, "probe/interface-reachable") if outcome == "skip"
    ] == ['not checked: "https://b.example/x" is not a core binding of A2A']


MCP: dict[str, Any] = {
    "schemaVersion": "1.0",
    "id": "mill",
    "name": "mill",
    "description": "Says when the mill can grind.",
    "version": "2.0.0",
    "capabilities": [{"id": "tide", "description": "Reads the table."}],
}


def mcp_agent(*, valid_session: bool) -> Agent:
    def document(origin: str) -> dict[str, Any]:
        transport = {"protocol": "mcp", "version": "2025-06-18", "endpoint": f"{origin}/mcp"}
        return {**MCP, "transports": [transport]}

    def override(request: RecordedRequest) -> Reply | None:
        if request.path != "/mcp":
            return None
        if request.method != "POST":
            return Reply(204)
        result = (
            {"protocolVersion": "2025-06-18", "serverInfo": {"name": "m"}} if valid_session else {"hello": 1}
        )
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()
        return Reply(200, body, {**JSON, "Mcp-Session-Id": "s1"})

    return Agent(document, override)


def test_an_mcp_session_is_opened_only_with_send_and_closed_again() -> None:
    quiet, sent = mcp_agent(valid_session=True), mcp_agent(valid_session=True)

    looked, opened = probed(quiet), probed(sent, send=True)

    assert [request.method for request in quiet.requests if request.path == "/mcp"] == ["OPTIONS"]
    assert outcomes(looked, "probe/interface-reachable") == ["pass"]
    assert [request.method for request in sent.requests if request.path == "/mcp"] == ["POST", "DELETE"]
    assert outcomes(opened, "probe/interface-binding") == ["pass"]


def test_an_endpoint_without_a_session_is_no_mcp_server() -> None:
    assert ("error", "probe/interface-binding") in faults(probed(mcp_agent(valid_session=False), send=True))


def test_tasks_at_the_path_of_the_older_version_are_an_error() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        if request.path.startswith("/rest/v1/tasks/"):
            return Reply(404, b'{"message": "no such task"}', JSON)
        return Reply(404, b'{"detail": "Not Found"}', JSON) if request.path.startswith("/rest/") else None

    report = probed(Agent(naming(interface("{origin}/rest", "HTTP+JSON")), override))

    assert faults(report) == [("error", "probe/interface-version")]
    assert "the interface uses the paths of A2A 0.3" in results_of(report, "probe/interface-version")[0][1]


def test_an_error_of_http_json_without_its_reason_is_an_error() -> None:
    body = json.dumps({"error": {"code": 404, "status": "NOT_FOUND", "message": "no"}}).encode()

    def override(request: RecordedRequest) -> Reply | None:
        task = re.fullmatch(r"/rest/tasks/[0-9a-f-]+", request.path)
        return Reply(404, body, JSON) if task and request.headers.get("a2a-version") == "1.0" else None

    report = probed(Agent(naming(interface("{origin}/rest", "HTTP+JSON")), override))

    assert faults(report) == [("error", "probe/error-details")]


def test_a_refusal_as_problem_details_is_read() -> None:
    body = json.dumps({"type": "about:blank", "supportedVersions": ["1.0"]}).encode()
    kind = {"Content-Type": "application/problem+json"}

    def override(request: RecordedRequest) -> Reply | None:
        strange = request.path.startswith("/rest/") and request.headers.get("a2a-version") == "9.9"
        return Reply(400, body, kind) if strange else None

    report = probed(Agent(naming(interface("{origin}/rest", "HTTP+JSON")), override))

    assert faults(report) == []


def test_a_subscription_by_post_only_is_not_checked() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        return Reply(405, b"", {"Allow": "POST"}) if request.path.endswith(":subscribe") else None

    report = probed(Agent(naming(interface("{origin}/rest", "HTTP+JSON")), override))

    assert faults(report) == []
    assert outcomes(report, "probe/streaming") == ["skip"]
