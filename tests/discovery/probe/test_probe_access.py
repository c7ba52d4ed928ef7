"""Probe checks of authentication, extended cards, streaming and push notifications; each passed and failed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card
from cardwright.discovery.probe.declared import declared_for
from cardwright.view.interfaces import interfaces
from tests.discovery.probe.agents import (
    HOST,
    JSON,
    KEY,
    SECURED,
    Agent,
    card,
    error,
    faults,
    interface,
    older,
    outcomes,
    probed,
    results_of,
)
from tests.peers import RecordedRequest, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

EXTENDED: dict[str, Any] = {"capabilities": {"extendedAgentCard": True}}


def document(**changes: Any) -> Callable[[str], dict[str, Any]]:
    return lambda origin: card(origin, **changes)


def denying(
    status: int = 401, challenge: str | None = 'Bearer realm="mill"'
) -> Callable[[RecordedRequest], Reply | None]:
    fields = {**JSON, **({"WWW-Authenticate": challenge} if challenge else {})}
    return lambda request: Reply(status, b"{}", fields) if request.path == "/rpc" else None


def answering(
    method: str, reply: Callable[[dict[str, Any]], Reply]
) -> Callable[[RecordedRequest], Reply | None]:
    """Lie to one method."""

    def override(request: RecordedRequest) -> Reply | None:
        call = json.loads(request.body) if request.path == "/rpc" and request.body else {}
        return reply(call) if call.get("method") == method else None

    return override


def giving(result: Any) -> Callable[[dict[str, Any]], Reply]:
    def reply(call: dict[str, Any]) -> Reply:
        return Reply(200, json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}).encode(), JSON)

    return reply


def refusing(code: int, reason: str) -> Callable[[dict[str, Any]], Reply]:
    return lambda call: error(call, code, reason)


def test_an_unauthenticated_request_gets_401_as_declared() -> None:
    report = probed(Agent(document(**SECURED), demands=True))

    assert faults(report) == []
    assert outcomes(report, "probe/auth-demanded") == ["pass"]
    assert outcomes(report, "probe/auth-challenge") == ["pass"]
    # Nothing more can be checked, and the report says so.
    assert "pass them with --header" in results_of(report, "probe/auth-accepted")[0][1]
    assert outcomes(report, "probe/interface-version") == []


def test_with_the_required_header_everything_is_checked() -> None:
    report = probed(Agent(document(**SECURED), demands=True), headers=KEY)

    assert faults(report) == []
    assert outcomes(report, "probe/auth-accepted") == ["pass"]
    assert outcomes(report, "probe/interface-version") == ["pass"]
    assert outcomes(report, "probe/extended-undeclared") == ["pass"]


def test_a_header_that_does_not_authenticate_is_a_warning() -> None:
    report = probed(Agent(document(**SECURED), demands=True), headers={"X-API-Key": "wrong"})

    assert faults(report) == [("warning", "probe/auth-accepted")]


def test_a_declared_requirement_that_is_not_enforced_is_an_error() -> None:
    assert faults(probed(Agent(document(**SECURED)))) == [("error", "probe/auth-demanded")]


def test_an_optional_requirement_requires_nothing() -> None:
    changes = {**SECURED, "securityRequirements": [*SECURED["securityRequirements"], {"schemes": {}}]}

    report = probed(Agent(document(**changes)))

    assert outcomes(report, "probe/auth-demanded") == []
    assert outcomes(report, "probe/auth-undeclared") == ["pass"]


@pytest.mark.parametrize(
    ("names", "is_required", "challenges"),
    [(["none"], False, set()), (["Bearer", "None"], False, {"bearer"}), (["Bearer"], True, {"bearer"})],
)
def test_the_scheme_none_of_0_1_requires_nothing(
    names: list[str],
    is_required: bool,  # noqa: FBT001 - parametrised
    challenges: set[str],
) -> None:
    read = Card.from_document(
        {"name": "A", "url": "https://a.example/", "authentication": {"schemes": names}}, dialect="a2a-0.1"
    )

    declared = declared_for(read, interfaces(read)[0])

    assert declared.auth_required is is_required
    assert set(declared.schemes) == challenges


def test_an_undeclared_requirement_is_an_error() -> None:
    report = probed(Agent(override=denying()))

    assert faults(report) == [("error", "probe/auth-undeclared")]


def test_a_declared_but_not_required_scheme_is_a_warning() -> None:
    changes = {"securitySchemes": SECURED["securitySchemes"]}

    assert ("warning", "probe/auth-undeclared") in faults(probed(Agent(document(**changes), denying())))


def test_a_401_without_a_challenge_is_an_error() -> None:
    found = faults(probed(Agent(document(**SECURED), denying(challenge=None))))

    assert found == [("error", "probe/auth-challenge")]


def test_a_challenge_of_another_scheme_is_an_error() -> None:
    bearer = {
        "securitySchemes": {"token": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
        "securityRequirements": [{"schemes": {"token": {"list": []}}}],
    }

    assert faults(probed(Agent(document(**bearer), denying()))) == []
    report = probed(Agent(document(**bearer), denying(challenge='Basic realm="mill"')))
    assert faults(report) == [("error", "probe/auth-challenge")]
    assert (
        results_of(report, "probe/auth-challenge")[0][1]
        == "WWW-Authenticate asks for basic, the card for bearer"
    )


def test_403_instead_of_401_is_a_warning() -> None:
    assert faults(probed(Agent(document(**SECURED), denying(403)))) == [("warning", "probe/auth-demanded")]


def test_mutual_tls_is_not_checked() -> None:
    mutual = {
        "securitySchemes": {"m": {"mtlsSecurityScheme": {}}},
        "securityRequirements": [{"schemes": {"m": {"list": []}}}],
    }

    assert outcomes(probed(Agent(document(**mutual))), "probe/auth-demanded") == ["skip"]


def test_the_given_header_goes_to_no_other_origin() -> None:
    agent = Agent(document(supportedInterfaces=[interface("https://other.tide-mill.org:{port}/rpc")]))
    agent.document = lambda origin: card(
        origin, supportedInterfaces=[interface(f"{origin.replace(HOST, 'other.tide-mill.org')}/rpc")]
    )

    probed(agent, headers=KEY, path="/.well-known/agent-card.json")

    named = [request for request in agent.requests if "x-api-key" in request.headers]
    assert named
    assert {request.headers["host"].partition(":")[0] for request in named} == {HOST}


def test_the_header_is_not_sent_in_the_check_without_credentials() -> None:
    agent = Agent(document(**SECURED), demands=True)

    probed(agent, headers=KEY)

    first, second, *_ = [request for request in agent.requests if request.path == "/rpc"]
    assert "x-api-key" not in first.headers
    assert second.headers["x-api-key"] == "correct"


def test_an_extended_card_requires_authentication() -> None:
    agent = Agent(document(**SECURED, **EXTENDED), demands=True)

    report = probed(agent, headers=KEY)

    assert faults(report) == []
    assert outcomes(report, "probe/extended-card") == ["pass", "pass"]


def test_a_public_extended_card_is_an_error() -> None:
    override = answering("GetExtendedAgentCard", giving(card("https://x.example")))

    assert faults(probed(Agent(document(**EXTENDED), override))) == [("error", "probe/extended-card")]


@pytest.mark.parametrize(
    ("code", "reason"),
    [(-32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"), (-32004, "UNSUPPORTED_OPERATION"), (-32601, "X")],
    ids=["not-configured", "unsupported", "unknown"],
)
def test_a_missing_declared_extended_card_is_an_error(code: int, reason: str) -> None:
    override = answering("GetExtendedAgentCard", refusing(code, reason))

    assert faults(probed(Agent(document(**EXTENDED), override))) == [("error", "probe/extended-card")]


def test_an_invalid_extended_card_is_an_error() -> None:
    def override(request: RecordedRequest) -> Reply | None:
        known = "x-api-key" in request.headers
        return (
            answering("GetExtendedAgentCard", giving({"name": "x", "supportedInterfaces": []}))(request)
            if known
            else None
        )

    report = probed(Agent(document(**SECURED, **EXTENDED), override, demands=True), headers=KEY)

    assert faults(report) == [("error", "probe/extended-card")]


def test_an_undeclared_extended_card_is_an_error() -> None:
    override = answering("GetExtendedAgentCard", giving(card("https://x.example")))

    assert faults(probed(Agent(override=override))) == [("error", "probe/extended-undeclared")]


def test_another_error_code_for_an_undeclared_extended_card_is_a_1_0_warning() -> None:
    newer = answering("GetExtendedAgentCard", refusing(-32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"))
    old = answering("agent/getAuthenticatedExtendedCard", refusing(-32007, "X"))

    assert faults(probed(Agent(override=newer))) == [("warning", "probe/extended-undeclared")]
    assert faults(probed(Agent(older, old))) == []


def test_declared_but_missing_streaming_is_an_error() -> None:
    override = answering("SubscribeToTask", refusing(-32004, "UNSUPPORTED_OPERATION"))

    assert faults(probed(Agent(document(capabilities={"streaming": True}), override))) == [
        ("error", "probe/streaming")
    ]


def test_declared_streaming_passes() -> None:
    report = probed(Agent(document(capabilities={"streaming": True})))

    assert faults(report) == []
    assert outcomes(report, "probe/streaming") == ["pass"]


@pytest.mark.parametrize(
    "reply",
    [
        refusing(-32001, "TASK_NOT_FOUND"),
        lambda _: Reply(200, b": waiting\n\n", {"Content-Type": "text/event-stream"}),
    ],
    ids=["task-not-found", "stream"],
)
def test_undeclared_streaming_is_an_error(reply: Callable[[dict[str, Any]], Reply]) -> None:
    assert faults(probed(Agent(override=answering("SubscribeToTask", reply)))) == [
        ("error", "probe/streaming")
    ]


def test_declared_but_missing_push_notifications_are_an_error() -> None:
    override = answering("ListTaskPushNotificationConfigs", refusing(-32003, "X"))

    assert faults(probed(Agent(document(capabilities={"pushNotifications": True}), override))) == [
        ("error", "probe/push")
    ]


@pytest.mark.parametrize(
    ("method", "rule"),
    [("SubscribeToTask", "probe/streaming"), ("ListTaskPushNotificationConfigs", "probe/push")],
)
def test_in_1_0_one_error_code_refuses_undeclared_capabilities(method: str, rule: str) -> None:
    assert faults(probed(Agent(override=answering(method, refusing(-32601, "X"))))) == [("error", rule)]


def test_undeclared_push_notifications_are_an_error() -> None:
    override = answering("ListTaskPushNotificationConfigs", giving({"configs": []}))

    assert faults(probed(Agent(override=override))) == [("error", "probe/push")]
    assert faults(probed(Agent(document(capabilities={"pushNotifications": True})))) == []


@pytest.mark.parametrize(
    "reply", [lambda _: Reply(500, b"oops", JSON), lambda call: error(call, -32603, "INTERNAL_ERROR")]
)
def test_a_server_error_is_not_the_support_of_a_capability(reply: Callable[[dict[str, Any]], Reply]) -> None:
    override = answering("ListTaskPushNotificationConfigs", reply)
    report = probed(Agent(document(capabilities={"pushNotifications": True}), override))
    assert outcomes(report, "probe/push") != ["pass"]
    # Before 1.0, any error but one of the server refuses a capability.
    override = answering("tasks/pushNotificationConfig/get", reply)
    assert outcomes(probed(Agent(older, override)), "probe/push") == ["warning"]


def test_before_1_0_any_error_refuses_undeclared_capabilities() -> None:
    override = answering("tasks/resubscribe", refusing(-32601, "X"))

    assert faults(probed(Agent(older, override))) == []


def test_no_message_is_sent_without_the_send_option() -> None:
    agent = Agent(document(capabilities={"streaming": True}))

    report = probed(agent)

    methods = {json.loads(request.body)["method"] for request in agent.requests if request.path == "/rpc"}
    assert not methods & {"SendMessage", "SendStreamingMessage"}
    assert outcomes(report, "probe/message") == []


def test_with_send_one_message_and_one_streamed_one_are_sent() -> None:
    agent = Agent(document(capabilities={"streaming": True}))

    report = probed(agent, send=True)

    methods = [json.loads(request.body)["method"] for request in agent.requests if request.path == "/rpc"]
    assert (methods.count("SendMessage"), methods.count("SendStreamingMessage")) == (1, 1)
    assert faults(report) == []
    assert [outcomes(report, rule) for rule in ("probe/message", "probe/message-stream")] == [["pass"]] * 2


def test_a_message_that_is_answered_with_neither_task_nor_message_is_an_error() -> None:
    override = answering("SendMessage", giving({"text": "At noon."}))

    assert faults(probed(Agent(override=override), send=True)) == [("error", "probe/message")]


def test_a_streamed_message_with_an_unstreamed_response_is_an_error() -> None:
    override = answering("SendStreamingMessage", giving({"message": {}}))
    agent = Agent(document(capabilities={"streaming": True}), override)

    assert faults(probed(agent, send=True)) == [("error", "probe/message-stream")]


def test_an_agent_without_text_input_gets_no_text() -> None:
    agent = Agent(document(defaultInputModes=["image/png"]))

    assert results_of(probed(agent, send=True), "probe/message") == [
        ("skip", "the card does not accept text")
    ]
