"""Operations of the probe in each version of A2A (A2A 1.0 §9, §11; 0.3 §7; 0.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from cardwright_rules.a2a_operations import OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Callable

# All but the last two change nothing: they name a method or a task that does not exist, or read a card.
Operation = Literal["unknown", "get", "subscribe", "push", "extended", "send", "stream"]

# The text message of the probe.
TEXT: Final = "This is a connection test by cardwright. No action is needed."

# Names of the operations in `cardwright_rules.a2a_operations`.
_NAMES: Final[dict[Operation, str]] = {
    "get": "get_task",
    "subscribe": "subscribe_to_task",
    "push": "list_push_configs",
    "extended": "get_extended_card",
    "send": "send_message",
    "stream": "stream_message",
}
# The version to try if the interface does not know the declared one.
OTHER: Final = {"1.0": "0.3", "0.3": "1.0", "0.2": "1.0", "0.1": "1.0"}
VERSIONS: Final = tuple(OTHER)


def method_of(version: str, operation: Operation, call_id: str) -> str | None:
    """Return the JSON-RPC method of an operation; None if the version has none."""
    if operation == "unknown":
        return f"cardwright/no-such-method-{call_id}"
    # Before 1.0 push settings are requested by task id: servers of 0.2 and 0.1 have no list method.
    older_push = operation == "push" and version != "1.0"
    row = OPERATIONS.get((version, "get_push_config" if older_push else _NAMES[operation]))
    return row.method if row else None


def path_of(version: str, operation: Operation) -> tuple[str, str] | None:
    """Return the HTTP verb and the path template of an operation; None if the version has none.

    Of two verbs the probe takes GET, which changes nothing by definition.
    """
    if version == "0.3" and operation in ("send", "stream"):
        # Servers of 0.3 read protobuf JSON here, although the specification's text has the fields of JSON-RPC.
        return None
    row = OPERATIONS.get((version, _NAMES.get(operation, "")))
    return (row.verbs[0], row.path) if row and row.path else None


def params_of(
    version: str, operation: Operation, new_id: Callable[[], str], tenant: str | None
) -> dict[str, Any] | None:
    """Return the parameters of an operation; None for no parameters."""
    tenant_param = {"tenant": tenant} if tenant and version == "1.0" else {}
    match operation:
        case "get" | "subscribe":
            return {**tenant_param, "id": new_id()}
        case "push":
            return {**tenant_param, "taskId" if version == "1.0" else "id": new_id()}
        case "extended":
            return tenant_param if version == "1.0" else None
        case "send" | "stream":
            return {**tenant_param, **_message(version, new_id)}
        case _:
            return {}


def _message(version: str, new_id: Callable[[], str]) -> dict[str, Any]:
    if version == "1.0":
        return {"message": {"messageId": new_id(), "role": "ROLE_USER", "parts": [{"text": TEXT}]}}
    if version == "0.1":
        return {"id": new_id(), "message": {"role": "user", "parts": [{"type": "text", "text": TEXT}]}}
    parts = [{"kind": "text", "text": TEXT}]
    return {"message": {"kind": "message", "messageId": new_id(), "role": "user", "parts": parts}}
