"""Limits of ids and integers in managed calls: the error names the field."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardwright.http.problem import HttpError
from cardwright_gateway.a2a.field_limits import check_field_limits
from tests.gateway.gateways import JSON, MESSAGE, gateway, rpc

LONG = "x" * 513
PUSH = {"url": "https://hooks.example", "id": LONG}
OLD = {"messageId": "m", "role": "user", "kind": "message", "parts": [{"kind": "text", "text": "a"}]}
OLD_JSON = {**JSON, "A2A-Version": "0.3"}


def sent(**more: Any) -> dict[str, Any]:
    """Return the params of a message with other fields."""
    return {"message": {**MESSAGE["message"], **more}}


@pytest.mark.parametrize(
    ("method", "params", "field"),
    [
        ("SendMessage", sent(messageId=LONG), "message.messageId"),
        ("SendMessage", sent(contextId=LONG), "message.contextId"),
        ("SendMessage", sent(taskId=LONG), "message.taskId"),
        ("SendMessage", sent(message_id=LONG), "message.message_id"),
        ("SendMessage", sent(referenceTaskIds=["t", LONG]), "message.referenceTaskIds.1"),
        ("GetTask", {"id": LONG}, "id"),
        ("CreateTaskPushNotificationConfig", {"taskId": "t", **PUSH}, "id"),
        (
            "SendMessage",
            {**MESSAGE, "configuration": {"taskPushNotificationConfig": PUSH}},
            "configuration.taskPushNotificationConfig.id",
        ),
        ("GetTask", {"id": "t", "historyLength": 2**31}, "historyLength"),
        ("GetTask", {"id": "t", "historyLength": -(2**40)}, "historyLength"),
        ("GetTask", {"id": "t", "historyLength": "99999999999"}, "historyLength"),
        ("GetTask", {"id": "t", "historyLength": 1e30}, "historyLength"),
        ("ListTasks", {"pageSize": 2**31}, "pageSize"),
        ("SendMessage", {**MESSAGE, "configuration": {"historyLength": 2**31}}, "configuration.historyLength"),
        ("tasks/get", {"id": "t", "historyLength": 2**31}, "historyLength"),
        ("message/send", {"message": {**OLD, "contextId": LONG}}, "message.contextId"),
    ],
)  # fmt: skip
async def test_a_call_beyond_a_limit_is_refused_with_the_field_name(
    method: str, params: dict[str, Any], field: str
) -> None:
    async with gateway() as send:
        reply = await send("POST", "/greeter", OLD_JSON if "/" in method else JSON, rpc(method, params))
        error = reply.json["error"]
        assert error["code"] == -32602
        assert error["message"].startswith(f"{field} must ")
        assert error["data"][0]["reason"] == "INVALID_PARAMS"
        assert LONG.encode() not in reply.body


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/message:send", sent(contextId=LONG)),
        ("POST", "/v1/message:send", {"request": {"messageId": LONG, "role": "ROLE_USER", "content": [{"text": "a"}]}}),
        ("GET", "/tasks/t?historyLength=2147483648", None),
        ("GET", "/tasks?pageSize=99999999999", None),
        ("GET", "/v1/tasks/t?historyLength=99999999999", None),
    ],
)  # fmt: skip
async def test_a_rest_request_beyond_a_limit_is_refused(method: str, path: str, body: Any) -> None:
    async with gateway() as send:
        headers = {"Content-Type": "application/json"} if body else {}
        reply = await send(method, f"/greeter{path}", headers, json.dumps(body).encode() if body else b"")
        assert (reply.status, reply.reason) == (400, "INVALID_PARAMS")
        assert "must" in reply.json["error"]["message"]
        assert b"parse" not in reply.body


@pytest.mark.parametrize(
    "params",
    [
        {"id": "x" * 512, "historyLength": 2**31 - 1, "pageSize": 0},
        {"historyLength": "10", "message": {"contextId": "x" * 512}},
        {"message": {"messageId": 1, "taskId": None, "referenceTaskIds": "x"}},
        [],
        None,
    ],
)
def test_values_within_the_limits_pass_to_the_next_check(params: Any) -> None:
    check_field_limits(params)


@pytest.mark.parametrize("digits", ["9" * 5000, "-" + "9" * 5000])
def test_a_number_with_many_digits_is_not_converted(digits: str) -> None:
    with pytest.raises(HttpError):
        check_field_limits({"historyLength": digits})
