"""Limits of the ids, integers and texts in a call that the gateway itself answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.http.problem import INVALID_PARAMS, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

# Ids are stored, and are part of keys and of log lines (project decision).
MAX_ID_CHARACTERS: Final = 512
# The SDK converts each value several times, 10 to 30 µs in all, on the event loop (project decision; the default of
# `max_body_values`).
MAX_MESSAGE_VALUES: Final = 5_000
# The SDK searches each text with a regular expression, which stops the event loop (project decision).
MAX_TEXT_CHARACTERS: Final = 1024 * 1024
# Fields with Base64, which is decoded quickly.
_FILES: Final = ("raw", "bytes")
# The integers of A2A's requests are int32 (A2A 1.0 §4, proto); a greater one fails inside protobuf.
_MAX_INTEGER: Final = 2**31 - 1
# As ProtoJSON accepts them: in camelCase, and by the names of the proto.
_IDS: Final = frozenset({
    "id", "messageId", "message_id", "contextId", "context_id", "taskId", "task_id",
    "pushNotificationConfigId", "push_notification_config_id", "configId", "config_id",
})  # fmt: skip
_LISTS: Final = ("referenceTaskIds", "reference_task_ids")
_INTEGERS: Final = ("historyLength", "history_length", "pageSize", "page_size")
# The objects in a request that have such fields; A2A 0.3 names the message of a REST request `request`.
_OBJECTS: Final = (
    "message", "request", "configuration", "config",
    "taskPushNotificationConfig", "task_push_notification_config",
    "pushNotificationConfig", "push_notification_config", "pushNotification", "push_notification",
)  # fmt: skip


def check_field_limits(params: Any) -> None:
    """Check the ids and integers in the parameters of a call: those of JSON-RPC, or the body of a REST request.

    Raises:
        HttpError: If an id is too long, or an integer is not an int32.
    """
    fault = next(_faults(params, ""), None)
    if fault is not None:
        pointer, message = fault
        raise refuse(
            INVALID_PARAMS, f"{pointer[1:].replace('/', '.')} {message}", faults=[(pointer, message)]
        )


def check_text(value: Any, pointer: str) -> None:
    """Check how much text a message has.

    Args:
        value: A JSON value.
        pointer: Its place, for the error.

    Raises:
        HttpError: If it has too much text.
    """
    if has_too_much_text(value):
        fault = f"must have at most {MAX_TEXT_CHARACTERS:,} characters of text; send a longer text as a file"
        raise refuse(INVALID_PARAMS, f"the message {fault}", faults=[(pointer, fault)])


def has_too_much_text(value: Any) -> bool:
    """Return whether the texts in a JSON value, except for the bytes of files, have too many characters."""
    left, stack = MAX_TEXT_CHARACTERS, [value]
    while stack:
        node = stack.pop()
        if type(node) is str:
            left -= len(node)
        elif type(node) is dict:
            left -= sum(map(len, node))
            stack.extend(inner for name, inner in node.items() if name not in _FILES)
        elif type(node) is list:
            stack.extend(node)
    return left < 0


def _faults(holder: Any, at: str) -> Iterator[tuple[str, str]]:
    if type(holder) is not dict:
        return
    for name in _IDS & holder.keys():
        if _is_too_long(holder[name]):
            yield f"{at}/{name}", f"must have at most {MAX_ID_CHARACTERS} characters"
    for name in _LISTS:
        ids = holder.get(name)
        for index, value in enumerate(ids if type(ids) is list else ()):
            if _is_too_long(value):
                yield f"{at}/{name}/{index}", f"must have at most {MAX_ID_CHARACTERS} characters"
    for name in _INTEGERS:
        if name in holder and not _is_int32(holder[name]):
            yield f"{at}/{name}", f"must be a whole number of at most {_MAX_INTEGER:,}"
    for name in _OBJECTS:
        if name in holder:
            yield from _faults(holder[name], f"{at}/{name}")


def _is_too_long(value: Any) -> bool:
    return type(value) is str and len(value) > MAX_ID_CHARACTERS


def _is_int32(value: Any) -> bool:
    """Return whether a value can be an int32; the SDK validates other types, which do not fail inside protobuf."""
    if type(value) is str and value.removeprefix("-").isdigit():
        # ProtoJSON accepts numbers as strings. The length limits the work.
        return len(value) <= len(str(_MAX_INTEGER)) + 1 and abs(int(value)) <= _MAX_INTEGER
    return not isinstance(value, (int, float)) or abs(value) <= _MAX_INTEGER
