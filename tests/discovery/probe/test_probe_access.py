"""What a probe says of authentication, extended cards, streaming and push; each both ways."""

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

    def lie(request: RecordedRequest) -> Reply | None:
        call = json.loads(request.body) if request.path == "/rpc" and request.body else {}
        return reply(call) if call.get("method") == method else None

    return lie


def giving(result: Any) -> Callable[[dict[str, Any]], Reply]:
    def reply(call: dict[str, Any]) -> Reply:
        return Reply(200, json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}).encode(), JSON)

    return reply


def refusing(code: int, reason: str) -> Callable[[dict[str, Any]], Reply]:
    return lambda call: error(call, code, reason)


def test_who_does_not_say_who_is_asking_gets_401_as_declared() -> None:
    report = probed(Agent(document(**SECURED), demands=True))

    assert faults(report) == []
    assert outcomes(report, "probe/auth-demanded") == ["pass"]
    assert outcomes(report, "probe/auth-challenge") == ["pass"]
    # Nothing more can be looked at, and that is said.
    assert "pass them with --header" in results_of(report, "probe/auth-accepted")[0][1]
    assert outcomes(report, "probe/interface-version") == []


def test_with_the_header_that_is_asked_for_everything_is_looked_at() -> None:
    report = probed(Agent(document(**SECURED), demands=True), headers=KEY)

    assert faults(report) == []
    assert outcomes(report, "probe/auth-accepted") == ["pass"]
    assert outcomes(report, "probe/interface-version") == ["pass"]
    assert outcomes(report, "probe/extended-undeclared") == ["pass"]


def test_a_header_that_does_not_let_in_is_a_warning() -> None:
    report = probed(Agent(document(**SECURED), demands=True), headers={"X-API-Key": "wrong"})

    assert faults(report) == [("warning", "probe/auth-accepted")]


def test_a_declared_demand_that_nobody_makes_is_an_error() -> None:
    assert faults(probed(Agent(document(**SECURED)))) == [("error", "probe/auth-demanded")]


def test_a_requirement_that_may_be_left_out_demands_nothing() -> None:
    changes = {**SECURED, "securityRequirements": [*SECURED["securityRequirements"], {"schemes": {}}]}

    report = probed(Agent(document(**changes)))

    assert outcomes(report, "probe/auth-demanded") == []
    assert outcomes(report, "probe/auth-undeclared") == ["pass"]


@pytest.mark.parametrize(
    ("names", "is_required", "challenges"),
    [(["none"], False, set()), (["Bearer", "None"], False, {"bearer"}), (["Bearer"], True, {"bearer"})],
)
def test_none_in_a_card_of_0_1_demands_nothing(
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


def test_a_demand_that_is_not_declared_is_an_error() -> None:
    report = probed(Agent(lie=denying()))

    assert faults(report) == [("error", "probe/auth-undeclared")]


def test_a_scheme_that_is_described_and_not_required_is_a_warning() -> None:
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


def test_a_certificate_of_the_callers_is_not_looked_at() -> None:
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


def test_the_header_stays_at_home_where_it_is_looked_at_what_happens_without_it() -> None:
    agent = Agent(document(**SECURED), demands=True)

    probed(agent, headers=KEY)

    first, second, *_ = [request for request in agent.requests if request.path == "/rpc"]
    assert "x-api-key" not in first.headers
    assert second.headers["x-api-key"] == "correct"


def test_an_extended_card_is_for_those_alone_who_say_who_is_asking() -> None:
    agent = Agent(document(**SECURED, **EXTENDED), demands=True)

    report = probed(agent, headers=KEY)

    assert faults(report) == []
    assert outcomes(report, "probe/extended-card") == ["pass", "pass"]


def test_an_extended_card_that_anybody_gets_is_an_error() -> None:
    lie = answering("GetExtendedAgentCard", giving(card("https://x.example")))

    assert faults(probed(Agent(document(**EXTENDED), lie))) == [("error", "probe/extended-card")]


@pytest.mark.parametrize(
    ("code", "reason"),
    [(-32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"), (-32004, "UNSUPPORTED_OPERATION"), (-32601, "X")],
    ids=["not-configured", "unsupported", "unknown"],
)
def test_a_declared_extended_card_that_is_not_there_is_an_error(code: int, reason: str) -> None:
    lie = answering("GetExtendedAgentCard", refusing(code, reason))

    assert faults(probed(Agent(document(**EXTENDED), lie))) == [("error", "probe/extended-card")]


def test_an_invalid_extended_card_is_an_error() -> None:
    def lie(request: RecordedRequest) -> Reply | None:
        known = "x-api-key" in request.headers
        return (
            answering("GetExtendedAgentCard", giving({"name": "x", "supportedInterfaces": []}))(request)
            if known
            else None
        )

    report = probed(Agent(document(**SECURED, **EXTENDED), lie, demands=True), headers=KEY)

    assert faults(report) == [("error", "probe/extended-card")]


def test_an_extended_card_that_is_not_declared_is_an_error() -> None:
    lie = answering("GetExtendedAgentCard", giving(card("https://x.example")))

    assert faults(probed(Agent(lie=lie))) == [("error", "probe/extended-undeclared")]


def test_another_number_for_an_undeclared_extended_card_is_a_warning_in_1_0_alone() -> None:
    newer = answering("GetExtendedAgentCard", refusing(-32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"))
    old = answering("agent/getAuthenticatedExtendedCard", refusing(-32007, "X"))

    assert faults(probed(Agent(lie=newer))) == [("warning", "probe/extended-undeclared")]
    assert faults(probed(Agent(older, old))) == []


def test_streaming_that_is_declared_and_not_there_is_an_error() -> None:
    lie = answering("SubscribeToTask", refusing(-32004, "UNSUPPORTED_OPERATION"))

    assert faults(probed(Agent(document(capabilities={"streaming": True}), lie))) == [
        ("error", "probe/streaming")
    ]


def test_streaming_that_is_declared_and_there_passes() -> None:
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
def test_streaming_that_is_there_and_not_declared_is_an_error(
    reply: Callable[[dict[str, Any]], Reply],
) -> None:
    assert faults(probed(Agent(lie=answering("SubscribeToTask", reply)))) == [("error", "probe/streaming")]


def test_push_that_is_declared_and_not_there_is_an_error() -> None:
    lie = answering("ListTaskPushNotificationConfigs", refusing(-32003, "X"))

    assert faults(probed(Agent(document(capabilities={"pushNotifications": True}), lie))) == [
        ("error", "probe/push")
    ]


@pytest.mark.parametrize(
    ("method", "rule"),
    [("SubscribeToTask", "probe/streaming"), ("ListTaskPushNotificationConfigs", "probe/push")],
)
def test_in_1_0_only_one_number_refuses_what_is_not_declared(method: str, rule: str) -> None:
    assert faults(probed(Agent(lie=answering(method, refusing(-32601, "X"))))) == [("error", rule)]


def test_push_that_is_there_and_not_declared_is_an_error() -> None:
    lie = answering("ListTaskPushNotificationConfigs", giving({"configs": []}))

    assert faults(probed(Agent(lie=lie))) == [("error", "probe/push")]
    assert faults(probed(Agent(document(capabilities={"pushNotifications": True})))) == []


def test_any_refusal_will_do_before_1_0() -> None:
    lie = answering("tasks/resubscribe", refusing(-32601, "X"))

    assert faults(probed(Agent(older, lie))) == []


def test_no_message_is_sent_unless_that_is_allowed() -> None:
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
    lie = answering("SendMessage", giving({"text": "At noon."}))

    assert faults(probed(Agent(lie=lie), send=True)) == [("error", "probe/message")]


def test_a_streamed_message_that_is_answered_whole_is_an_error() -> None:
    lie = answering("SendStreamingMessage", giving({"message": {}}))
    agent = Agent(document(capabilities={"streaming": True}), lie)

    assert faults(probed(agent, send=True)) == [("error", "probe/message-stream")]


def test_an_agent_that_takes_no_text_is_sent_none() -> None:
    agent = Agent(document(defaultInputModes=["image/png"]))

    assert results_of(probed(agent, send=True), "probe/message") == [
        ("skip", "the card does not accept text")
    ]
