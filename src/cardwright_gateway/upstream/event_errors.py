"""Errors in event streams, rebuilt for the caller like all errors of an agent, and the last event of a broken stream."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import decode
from cardwright.errors import MalformedDocument
from cardwright.guard.message_limits import A2A_MESSAGES, each_event
from cardwright.http.problem import INTERNAL_ERROR
from cardwright.http.representation import json_bytes
from cardwright_gateway.upstream.errors import OTHER, rest_error, rpc_error

if TYPE_CHECKING:
    from cardwright.http.problem import Problem

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
# An error has this field, or an event of this name. A letter of the field may be escaped.
_MENTIONS_ERROR: Final = re.compile(rb"error|\\u00(?:65|72|6[fF])")
_DATA: Final = re.compile(rb"(?:^|[\r\n])data[:\r\n]")
_BOM: Final = b"\xef\xbb\xbf"
# C1 control characters, and the line ends beyond ASCII: some clients end a line of an event there.
_UNPRINTABLE: Final = re.compile(rb"\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]")
_NAME: Final = b"event: error\n"


class EventErrors(ABC):
    """Rebuilds the errors in the events of a stream; all other events are passed on byte by byte."""

    def rebuilt(self, events: bytes) -> bytes:
        """Return complete events, as `EventBuffer.cut` returns them, for the caller.

        Raises:
            BadResponse: If an event that may be an error has too many values.
        """
        # Most events are never parsed.
        if not _MENTIONS_ERROR.search(events):
            return events
        return b"".join(map(self._event, each_event(events)))

    @abstractmethod
    def failed(self, problem: Problem) -> bytes:
        """Return the last event of a broken stream."""

    @abstractmethod
    def _error_event(self, value: Any, *, named: bool) -> bytes:
        """Return the event for an error of the agent."""

    def _event(self, event: bytes) -> bytes:
        if not _MENTIONS_ERROR.search(event):
            return event
        data = _data(event)
        named = any(
            line.partition(b":")[2].strip() == b"error"
            for line in _lines(event)
            if line.startswith(b"event:")
        )
        if not data and not named:
            # A comment, which no client reads.
            return b""
        try:
            value = decode(data, A2A_MESSAGES.decoding)
        except MalformedDocument as error:
            if error.rule == "decode/too-many-values":
                raise A2A_MESSAGES.too_many_values("") from None
            return self._error_event({}, named=named) if named or _has_error(data) else event
        is_error = type(value) is not dict or value.get("error") is not None
        return self._error_event(value, named=named) if named or is_error else event


class RpcEventErrors(EventErrors):
    """Errors in a stream of JSON-RPC responses.

    Args:
        call_id: The id of the call.
    """

    def __init__(self, call_id: Any) -> None:
        self._call_id = call_id

    def failed(self, problem: Problem) -> bytes:
        """Return the last event of a broken stream."""
        return event_of(problem.to_rpc(self._call_id))

    def _error_event(self, value: Any, *, named: bool) -> bytes:
        error = rpc_error(value.get("error") if type(value) is dict else None)
        unknown = {"code": INTERNAL_ERROR.code, "message": OTHER}
        response = {"jsonrpc": "2.0", "id": self._call_id, "error": error or unknown}
        return (_NAME if named else b"") + event_of(response)


class RestEventErrors(EventErrors):
    """Errors in a stream of HTTP+JSON of A2A 1.0: events named `error`, with the error of a response (§11.6)."""

    def failed(self, problem: Problem) -> bytes:
        """Return the last event of a broken stream."""
        return _NAME + event_of(problem.to_json())

    def _error_event(self, value: Any, *, named: bool) -> bytes:
        return (_NAME if named else b"") + event_of(_rest_value(value))


class OlderRestEventErrors(EventErrors):
    """Errors in a stream of HTTP+JSON of A2A 0.3, which defines none.

    The client of a2a-sdk 0.3 ends with an exception of protobuf at an event that is not a `StreamResponse`, and ignores
    the names of events; other clients raise an error at the name `error`. So the event has this name, and is the final
    update of the task, whose state is unknown to the gateway, with the message and the reason of the error
    (project decision).

    Args:
        task_id: The id of the task, if the request names it.
    """

    def __init__(self, task_id: str = "") -> None:
        self._task_id = task_id
        self._context_id = ""
        self._is_first = True

    def rebuilt(self, events: bytes) -> bytes:
        """Return complete events for the caller, and note the ids of the first one.

        Raises:
            BadResponse: As `EventErrors.rebuilt`.
        """
        self.note(events)
        return super().rebuilt(events)

    def note(self, events: bytes) -> None:
        """Note the ids of the task in the first event of the stream."""
        if not self._is_first:
            return
        self._is_first = False
        try:
            value = decode(_data(next(iter(each_event(events)), b"")), A2A_MESSAGES.decoding)
        except MalformedDocument:
            return
        for name, field in (("task", "id"), ("statusUpdate", "taskId"), ("artifactUpdate", "taskId")):
            payload = value.get(name) if type(value) is dict else None
            if type(payload) is dict:
                task_id, context_id = payload.get(field), payload.get("contextId")
                self._task_id = task_id if type(task_id) is str else self._task_id
                self._context_id = context_id if type(context_id) is str else ""

    def failed(self, problem: Problem) -> bytes:
        """Return the last event of a broken stream."""
        return self._update(problem.to_json()["error"])

    def _error_event(self, value: Any, *, named: bool) -> bytes:
        del named
        error = _rest_value(value)
        return self._update(error.get("error", error))

    def _update(self, error: dict[str, Any]) -> bytes:
        reasons = [detail["reason"] for detail in error.get("details", ()) if "reason" in detail]
        reason = reasons[0] if reasons else error.get("reason")
        code = error.get("code")
        metadata = {name: one for name, one in (("code", code), ("reason", reason)) if one is not None}
        message = {
            "messageId": f"{self._task_id}-error",
            "taskId": self._task_id,
            "contextId": self._context_id,
            "role": "ROLE_AGENT",
            "content": [{"text": error.get("message") or OTHER}],
        }
        update = {
            "taskId": self._task_id,
            "contextId": self._context_id,
            "status": {"state": "TASK_STATE_UNSPECIFIED", "message": message},
            "final": True,
            "metadata": metadata,
        }
        return _NAME + event_of({"statusUpdate": update})


def _rest_value(value: Any) -> dict[str, Any]:
    return rest_error(value) or {"error": {"code": 500, "status": "INTERNAL", "message": OTHER}}


def _lines(event: bytes) -> list[bytes]:
    return _LINE_END.split(event.removeprefix(_BOM))


def event_errors(version: str, *, rpc: bool, call_id: Any = None, task_id: str = "") -> EventErrors:
    """Return the errors of the streams of a binding and a version.

    Args:
        version: The version of A2A.
        rpc: Whether the binding is JSON-RPC; else it is HTTP+JSON.
        call_id: The id of a JSON-RPC call.
        task_id: The id of the task, if the request names it.
    """
    if rpc:
        return RpcEventErrors(call_id)
    return OlderRestEventErrors(task_id) if version == "0.3" else RestEventErrors()


def has_data(events: bytes) -> bool:
    """Return whether an event has data: others are not dispatched (HTML, Server-sent events §9.2.6)."""
    return _DATA.search(events) is not None


def message_in(body: bytes) -> bytes:
    """Return the message in a body that is labelled as a stream: the body, if it is JSON, or the data of its last event."""
    if body.removeprefix(_BOM).lstrip().startswith(b"{"):
        return body
    return next(filter(None, map(_data, reversed(list(each_event(body))))), body)


def _data(event: bytes) -> bytes:
    lines = [line[5:].removeprefix(b" ") for line in _lines(event) if line.startswith(b"data:")]
    return b"\n".join(lines).removeprefix(_BOM)


def _has_error(data: bytes) -> bool:
    """Return whether data that `decode` refuses may be an error: an object with one to some client, or no event of A2A.

    Of two fields with one name, some clients use the first, and others the last.
    """
    try:
        fields = json.loads(data, object_pairs_hook=tuple, parse_int=float)  # noqa: TID251 - of two fields with one name, both count; the event has limits
    except (ValueError, RecursionError):
        return True
    return type(fields) is not tuple or any(name == "error" for name, _ in fields)


def event_of(value: Any) -> bytes:
    """Return the data of an event with a JSON value, without characters that end a line anywhere."""
    data = _UNPRINTABLE.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), json_bytes(value))
    return b"data: " + data + b"\n\n"
