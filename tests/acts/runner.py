"""Runs the tests of an ACTS file against a server (ACTS 0.1.0): operations over JSON-RPC, raw steps over HTTP."""

from __future__ import annotations

import json
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import yaml

from tests.acts.matching import ABSENT, fault, values_at

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

# The methods of A2A 1.0 §9.4, which the table in ACTS §4.1 abbreviates; the suites also have other names.
METHODS: Final = {
    "send_message": "SendMessage",
    "send_streaming_message": "SendStreamingMessage",
    "get_task": "GetTask",
    "list_tasks": "ListTasks",
    "cancel_task": "CancelTask",
    "subscribe_to_task": "SubscribeToTask",
    "set_push_notification_config": "CreateTaskPushNotificationConfig",
    "get_push_notification_config": "GetTaskPushNotificationConfig",
    "list_push_notification_configs": "ListTaskPushNotificationConfigs",
    "delete_push_notification_config": "DeleteTaskPushNotificationConfig",
    "get_extended_agent_card": "GetExtendedAgentCard",
}
STREAMS: Final = ("send_streaming_message", "subscribe_to_task")
# A2A 1.0 §5.4; ACTS §6.2 says that the specification takes precedence over its own table.
CODES: Final = {
    "TaskNotFoundError": -32001, "TaskNotCancelableError": -32002, "PushNotificationNotSupportedError": -32003,
    "UnsupportedOperationError": -32004, "ContentTypeNotSupportedError": -32005,
    "ExtendedCardNotSupportedError": -32007, "ExtensionSupportRequiredError": -32008,
    "VersionNotSupportedError": -32009, "InvalidParamsError": -32602, "MethodNotFoundError": -32601,
    "JSONParseError": -32700, "InternalError": -32603,
}  # fmt: skip
_TERMINAL: Final = frozenset(
    f"TASK_STATE_{state}" for state in ("COMPLETED", "FAILED", "CANCELED", "REJECTED")
)
_PAYLOADS: Final = ("task", "statusUpdate", "artifactUpdate", "message")
_VARIABLE: Final = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")
_HEADERS: Final = {"Content-Type": "application/json", "A2A-Version": "1.0"}


class Skipped(Exception):
    """The test is not for this server or this runner; the message says why."""


class Failed(Exception):
    """The server did not do what the test expects."""


@dataclass(slots=True)
class Answer:
    """What came of one step."""

    status: int
    root: Any = None
    error: Any = None
    events: list[Any] = field(default_factory=list[Any])


def read_tests(file: Path) -> list[dict[str, Any]]:
    """Return the tests of a file."""
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    return [test for suite in document.get("suites", ()) for test in suite["tests"]]


def run(test: dict[str, Any], client: httpx.Client) -> str:
    """Return why a test fails; "" if it passes.

    Raises:
        Skipped: If its preconditions are not met, or it needs what this runner does not have.
    """
    bindings = test.get("transport", ("jsonrpc",))
    if not {"jsonrpc", "rest"} & set(bindings):
        raise Skipped("gRPC has no raw steps")
    _check_preconditions(test, client)
    captured: dict[str, Any] = {"webhookUrl": "http://127.0.0.1:9/webhook"}
    try:
        for step in test["steps"]:
            _run_step(step, client, captured)
        for one in test.get("assertions", ()):
            _assert(one, captured)
    except Failed as error:
        return str(error)
    return ""


def _check_preconditions(test: dict[str, Any], client: httpx.Client) -> None:
    wanted = test.get("preconditions", {}).get("capabilities", {})
    if not wanted:
        return
    card = client.get("/.well-known/agent-card.json").json()
    # A card has no such capability: it requires a scheme.
    has = {**card["capabilities"], "authentication": bool(card.get("securityRequirements"))}
    for name, value in wanted.items():
        if bool(has.get(name, False)) != value:
            raise Skipped(f"the agent has {name} {not value}")


def _run_step(step: dict[str, Any], client: httpx.Client, captured: dict[str, Any]) -> None:
    if "client_response" in step:
        raise Skipped("cardwright calls agents with the client of a2a-sdk")
    repeat = step.get("repeat", {"until": "", "max_attempts": 1})
    time.sleep(step.get("delay_ms", 0) / 1000)
    for attempt in range(repeat.get("max_attempts", 10)):
        if attempt:
            time.sleep(min(repeat.get("delay_ms", 1000), 500) / 1000)
        answer = _request(_resolved(step, captured), client)
        if not repeat["until"] or _until(repeat["until"], answer.root):
            break
    else:
        raise Failed(f"{step['id']}: {repeat['until']} never held")
    step = _resolved(step, captured)
    try:
        _check(step, answer)
    except Failed as error:
        raise Failed(f"{step['id']}: {error}") from None
    captured[f"{step['id']}.response"] = answer.root
    for name, path in step.get("capture", {}).items():
        source = answer.root if answer.root is not None else answer.events
        found = values_at(source, path) or [one for event in answer.events for one in values_at(event, path)]
        captured[f"{step['id']}.{name}"] = captured[name] = found[0] if found else None
    for one in step.get("assertions", ()):
        _assert(one, captured)


def _request(step: dict[str, Any], client: httpx.Client) -> Answer:
    if "raw" in step:
        raw = step["raw"]
        content = raw.get("body_raw")
        if content is None and "body" in raw:
            content = json.dumps(_with_message_id(raw["body"]))
        response = client.request(raw["method"], raw["path"], headers=raw.get("headers"), content=content)
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            return Answer(response.status_code, events=_events(response.text))
        return Answer(response.status_code, root=_json(response))
    operation = step["operation"]
    if operation == "get_agent_card" and step["params"].get("extended"):
        operation = "get_extended_agent_card"
    if operation == "get_agent_card":
        response = client.get("/.well-known/agent-card.json", headers={"A2A-Version": "1.0"})
        return Answer(response.status_code, root=_json(response))
    body = {
        "jsonrpc": "2.0",
        "id": "1",
        "method": METHODS[operation],
        "params": _params(operation, step["params"]),
    }
    response = client.post("/", headers=_HEADERS, content=json.dumps(body))
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        received = _events(response.text)
        error = next((one["error"] for one in received if "error" in one), None)
        return Answer(response.status_code, error=error, events=[one.get("result") for one in received])
    received = _json(response)
    if not isinstance(received, dict):
        raise Failed(f"the response is not JSON-RPC: {response.text:.200}")
    return Answer(response.status_code, root=received.get("result"), error=received.get("error"))


def _check(step: dict[str, Any], answer: Answer) -> None:
    if "expect_error" in step:
        wanted = step["expect_error"]
        # The suites write `code` for the `error_type` of ACTS §6.2.
        name = wanted.get("error_type", wanted.get("code"))
        names = name["one_of"] if isinstance(name, dict) else [name]
        codes = [CODES.get(one) for one in names]
        if not isinstance(answer.error, dict) or (name and answer.error.get("code") not in codes):
            raise Failed(f"{answer.error or answer.root!r:.200} instead of {name} {codes}")
        rest = {name: rule for name, rule in wanted.items() if name not in ("error_type", "code", "details")}
        _raise(fault(answer.error, rest))
        return
    expect = dict(step.get("expect", {}))
    is_error = expect.get("status") == "error" or "error" in expect
    if (answer.error is not None) != is_error:
        raise Failed(f"error {answer.error}" if answer.error else f"no error, but {answer.root!r:.200}")
    if is_error:
        _raise(fault(answer.error, expect.get("error", {})))
        return
    if "status" in expect:
        _raise(fault(answer.status, expect["status"], "status"))
    _raise(fault(answer.root, expect.get("body", {})))
    # Some suites leave `body` out.
    _raise(
        fault(answer.root, {name: rule for name, rule in expect.items() if name not in ("status", "body")})
    )
    if "expect_stream" in step:
        _check_stream(step["expect_stream"], answer.events)


def _check_stream(wanted: dict[str, Any], events: list[Any]) -> None:
    if len(events) < wanted.get("min_count", 1):
        raise Failed(f"{len(events)} events instead of {wanted.get('min_count', 1)}")
    if len(events) > wanted.get("max_count", len(events)):
        raise Failed(f"{len(events)} events instead of at most {wanted['max_count']}")
    states = [state for event in events for one in _views(event) for state in values_at(one, "status.state")]
    if wanted.get("ordering") == "monotonic_state" and any(state in _TERMINAL for state in states[:-1]):
        raise Failed(f"a state after a final one: {states}")
    for rule in wanted.get("events", ()):
        assertion = {name: one for name, one in rule.items() if name not in ("description", "match", "index")}
        if not any(_suits(event, assertion) for event in events):
            raise Failed(f"no event is {assertion!r:.200}")
    if "final_event" in wanted and not _suits(events[-1], wanted["final_event"]):
        raise Failed(f"the last event is {events[-1]!r:.200}")
    for event in events:
        if not _suits(event, wanted.get("each_event", {})):
            raise Failed(f"an event is {event!r:.200}")


def _suits(event: Any, assertion: Any) -> bool:
    return any(not fault(one, assertion) for one in _views(event))


def _views(event: Any) -> list[Any]:
    """Return an event, and what it contains: suites assert on both."""
    inner = [event[name] for name in _PAYLOADS if isinstance(event, dict) and name in event]
    snake = [
        {re.sub(r"([A-Z])", lambda found: f"_{found[1].lower()}", name): one for name, one in event.items()}
    ]
    return [event, *snake, *inner]


def _assert(one: dict[str, Any], captured: dict[str, Any]) -> None:
    one = _resolved(one, captured)
    source = one["source"]
    found = values_at(source, one["path"]) if "path" in one else [source]
    if "match" in one:
        _raise(fault(found[0] if found else ABSENT, one["match"]))
    for name in ("any", "all", "none"):
        if name in one:
            differences = [fault(value, one[name]["match"]) for value in values_at(source, one[name]["path"])]
            good = {"any": "" in differences, "all": not any(differences), "none": "" not in differences}[
                name
            ]
            if not good:
                raise Failed(f"{name} of {one[name]['path']}: {differences}")


def _until(expression: str, root: Any) -> bool:
    path, operator, rest = re.split(r"\s+(==|!=|in)\s+", expression, maxsplit=1)
    found = (values_at(root, path) or [None])[0]
    wanted = [one.strip() for one in rest.strip("[]").split(",")]
    return (found in wanted) != (operator == "!=")


def _resolved(value: Any, captured: dict[str, Any]) -> Any:
    """Return a value with its variables replaced (ACTS §8.1); `capture` has paths, not variables."""
    if isinstance(value, dict):
        return {name: one if name == "capture" else _resolved(one, captured) for name, one in value.items()}
    if isinstance(value, list):
        return [_resolved(one, captured) for one in value]
    if not isinstance(value, str):
        return value
    whole = _VARIABLE.fullmatch(value)
    if whole:
        return _variable(whole[1], captured)
    return _VARIABLE.sub(lambda found: str(_variable(found[1], captured)), value)


def _variable(name: str, captured: dict[str, Any]) -> Any:
    if name == "$uuid":
        return str(uuid.uuid4())
    if name not in captured:
        # A later step's variable, or one that the operator sets.
        return f"{{{{{name}}}}}"
    return captured[name]


def _with_message_id(value: Any) -> Any:
    """Return parameters in which every message has an id (ACTS §4.3)."""
    if not isinstance(value, dict):
        return value
    made = {name: _with_message_id(one) for name, one in value.items()}
    if isinstance(made.get("message"), dict) and "parts" in made["message"]:
        made["message"] = {"messageId": str(uuid.uuid4()), **made["message"]}
    return made


def _params(operation: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of A2A 1.0: the suites put the ids of a task beside its message, and nest a configuration."""
    made: dict[str, Any] = {name: one for name, one in _with_message_id(params).items() if name != "extended"}
    if "message" in made:
        ids = {name: made.pop(name) for name in ("taskId", "contextId") if name in made}
        made["message"] = {**made["message"], **ids}
    if operation.endswith("push_notification_config"):
        made |= made.pop("pushNotificationConfig", {})
        made |= {"id": made.pop("configId")} if "configId" in made else {}
    return made


def _events(text: str) -> list[Any]:
    return [json.loads(line[5:]) for line in text.splitlines() if line.startswith("data:")]


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


def _raise(text: str) -> None:
    if text:
        raise Failed(text)
