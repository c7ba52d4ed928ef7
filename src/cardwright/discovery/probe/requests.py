"""How each version of A2A spells the operations that a probe needs (A2A 1.0 §9, §11; 0.3 §7; 0.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

# All but the last two change nothing: they name a method or a task that cannot exist, or read a card.
Operation = Literal["unknown", "get", "subscribe", "push", "extended", "send", "stream"]

# What is said where the user lets something be sent.
TEXT: Final = "This is a connection test by cardwright. No action is needed."

_SLASHED: Final[dict[Operation, str]] = {
    "get": "tasks/get",
    "subscribe": "tasks/resubscribe",
    "push": "tasks/pushNotificationConfig/get",
    "extended": "agent/getAuthenticatedExtendedCard",
    "send": "message/send",
    "stream": "message/stream",
}
_METHODS: Final[dict[str, dict[Operation, str]]] = {
    "1.0": {
        "get": "GetTask",
        "subscribe": "SubscribeToTask",
        "push": "ListTaskPushNotificationConfigs",
        "extended": "GetExtendedAgentCard",
        "send": "SendMessage",
        "stream": "SendStreamingMessage",
    },
    "0.3": _SLASHED,
    # Its extended card is got by HTTP, from a place that its text and its examples tell differently.
    "0.2": {name: method for name, method in _SLASHED.items() if name != "extended"},
    "0.1": {
        "get": "tasks/get",
        "subscribe": "tasks/resubscribe",
        "push": "tasks/pushNotification/get",
        "send": "tasks/send",
        "stream": "tasks/sendSubscribe",
    },
}
# SubscribeToTask is POST in the text of 1.0 and GET in its proto; GET says by itself that it changes nothing.
PATHS: Final[dict[tuple[str, Operation], tuple[str, str]]] = {
    ("1.0", "get"): ("GET", "/tasks/{id}"),
    ("1.0", "subscribe"): ("GET", "/tasks/{id}:subscribe"),
    ("1.0", "push"): ("GET", "/tasks/{id}/pushNotificationConfigs"),
    ("1.0", "extended"): ("GET", "/extendedAgentCard"),
    ("1.0", "send"): ("POST", "/message:send"),
    ("1.0", "stream"): ("POST", "/message:stream"),
    ("0.3", "get"): ("GET", "/v1/tasks/{id}"),
    ("0.3", "subscribe"): ("GET", "/v1/tasks/{id}:subscribe"),
    ("0.3", "push"): ("GET", "/v1/tasks/{id}/pushNotificationConfigs"),
    ("0.3", "extended"): ("GET", "/v1/card"),
}
# Which names are tried where those of the declared version are unknown.
OTHER: Final = {"1.0": "0.3", "0.3": "1.0", "0.2": "1.0", "0.1": "1.0"}
VERSIONS: Final = tuple(_METHODS)


def method_of(version: str, operation: Operation, call_id: str) -> str | None:
    """Return the JSON-RPC method of an operation; None where a version has none."""
    if operation == "unknown":
        return f"cardwright/no-such-method-{call_id}"
    return _METHODS.get(version, {}).get(operation)


def params_of(
    version: str, operation: Operation, new_id: Callable[[], str], tenant: str | None
) -> dict[str, Any] | None:
    """Return what an operation is asked with; None for nothing at all."""
    named = {"tenant": tenant} if tenant and version == "1.0" else {}
    match operation:
        case "get" | "subscribe":
            return {**named, "id": new_id()}
        case "push":
            return {**named, "taskId" if version == "1.0" else "id": new_id()}
        case "extended":
            return named if version == "1.0" else None
        case "send" | "stream":
            return {**named, **_message(version, new_id)}
        case _:
            return {}


def _message(version: str, new_id: Callable[[], str]) -> dict[str, Any]:
    if version == "1.0":
        return {"message": {"messageId": new_id(), "role": "ROLE_USER", "parts": [{"text": TEXT}]}}
    if version == "0.1":
        return {"id": new_id(), "message": {"role": "user", "parts": [{"type": "text", "text": TEXT}]}}
    parts = [{"kind": "text", "text": TEXT}]
    return {"message": {"kind": "message", "messageId": new_id(), "role": "user", "parts": parts}}
