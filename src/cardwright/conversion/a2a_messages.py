"""Messages of A2A 0.1, 0.2 and 0.3 to those of 1.0, and 1.0 to 0.3: the tables of fields, and what code converts.

The hub is the 1.0 form of the same document: a request stays a request, and a stream an array.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import older
from cardwright.conversion.notes import Notes, below
from cardwright.conversion.tables import Tables
from cardwright.errors import UnknownDialect
from cardwright_rules.a2a_operations import OPERATIONS
from cardwright_rules.detection import message_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.conversion.tables import Hand
    from cardwright_rules.a2a_operations import Operation

    Card = Callable[[dict[str, Any], Notes], dict[str, Any]]

HUB: Final = "a2a-messages-1.0"
_NEWEST: Final = "1.0"
# A stream, or the response to a message, has one of four kinds: `kind` tells it in 0.3, the field around it in 1.0.
_EVENTS: Final = {
    "Task": "task",
    "Message": "message",
    "TaskStatusUpdateEvent": "statusUpdate",
    "TaskArtifactUpdateEvent": "artifactUpdate",
}
_WRAPPERS: Final = {wrapper: name for name, wrapper in _EVENTS.items()}
# The states at which a stream of 0.3 ends (A2A 0.3 §6.3, §7.2.2).
_LAST: Final = ("completed", "failed", "canceled", "rejected", "input-required", "auth-required")
# The fields of a file in 0.3 and of a part in 1.0.
_FILE: Final = {"bytes": "raw", "uri": "url", "name": "filename", "mimeType": "mediaType"}
# The identifiers of 1.0 that 0.1 lacks, and what 0.1 says of an artifact and 1.0 of its event.
_IDENTIFIERS: Final = {"Message": "messageId", "Artifact": "artifactId"}
_FLAGS: Final = ("append", "lastChunk")
_WRAPPED: Final = "data_part_compat"
_ANY_OBJECT: Final = "data of A2A 0.3 is an object: a2a-sdk wraps other values so, and marks the part"


@dataclass(frozen=True, slots=True)
class Messages:
    """Messages of a version; those of 1.0 are the hub, and those of 0.1 are read, not written."""

    version: str

    def to_hub(self, document: Any, notes: Notes) -> Any:
        """Return the 1.0 form of a document."""
        return document if self.version == _NEWEST else _each(document, notes, self.version)

    def from_hub(self, hub: Any, notes: Notes) -> Any:
        """Return the form of this version of a document of A2A 1.0."""
        if self.version == "0.1":
            raise UnknownDialect("messages of A2A 0.1 are only read: convert to a2a-messages-0.3 or 1.0")
        return hub if self.version == _NEWEST else _each(hub, notes, _NEWEST)


def _each(document: Any, notes: Notes, version: str) -> Any:
    if type(document) is list:
        return [_message(one, f"/{index}", notes, version) for index, one in enumerate(document)]
    return _message(document, "", notes, version)


def _message(value: Any, at: str, notes: Notes, version: str) -> Any:
    """Return a request, a response or a payload, which has the same place in the other version."""
    if type(value) is not dict:
        return value
    if "jsonrpc" not in value:
        return _payload(value, at, notes, version, inside=bool(at))
    converted = _request(value, at, notes, version) if "method" in value else dict(value)
    if type(value.get("result")) in (dict, list):
        converted["result"] = _payload(value["result"], below(at, "result"), notes, version, inside=True)
    return converted


def _payload(value: Any, at: str, notes: Notes, version: str, *, inside: bool) -> Any:
    """Return what a request, a response or a stream carries; `inside` is true if it is in one of these."""
    if version == _NEWEST:
        return _from_hub_payload(value, at, notes, inside=inside)
    return _to_hub_payload(value, at, notes, version, inside=inside)


def _request(value: dict[str, Any], at: str, notes: Notes, version: str) -> dict[str, Any]:
    other = "0.3" if version == _NEWEST else _NEWEST
    converted = dict(value)
    operation = _operation(str(value["method"]), version)
    counterpart = OPERATIONS.get((other, operation.name)) if operation else None
    if operation is None or counterpart is None or counterpart.method is None:
        notes.lose(below(at, "method"), f"A2A {other} has no such method")
        return converted
    converted["method"] = counterpart.method
    # Each type of parameters has a table by its name in the older version; of two, the last one has the fields of both.
    name = (counterpart if version == _NEWEST else operation).params.rpartition(" ")[2]
    if "params" in value and name != "None":
        place = below(at, "params")
        params = _object(name, value["params"], place, place, notes, version)
        if version == "0.1" and operation.name == "get_push_config" and type(params) is dict:
            notes.move(below(place, "taskId"), below(place, "id"))
            params = {"taskId" if field == "id" else field: inner for field, inner in params.items()}
        converted["params"] = params
    elif counterpart.params != "None":
        converted.setdefault("params", {})
    return converted


@cache
def _operation(method: str, version: str) -> Operation | None:
    return next((one for (of, _), one in OPERATIONS.items() if of == version and one.method == method), None)


def _object(name: str, value: Any, source: str, result: str, notes: Notes, version: str) -> Any:
    """Return an object converted by its table; that of a webhook has one level less in 1.0."""
    if name == "TaskPushNotificationConfig" and type(value) is dict:
        if version == _NEWEST:
            return _nested(value, source, result, notes)
        return _flat(value, source, result, notes, version)
    if (
        name == "TaskStatusUpdateEvent"
        and version != _NEWEST
        and type(value) is dict
        and value.get("final") is _ends(value)
    ):
        # What the state tells is not lost.
        value = {field: inner for field, inner in value.items() if field != "final"}
    tables = _tables(version)
    return tables.object(value, name, source, result, notes) if name in tables else value


def _ends(event: dict[str, Any]) -> bool:
    """Return whether the state of an event of 0.3 is one at which its stream ends."""
    status = event.get("status")
    return type(status) is dict and status.get("state") in _LAST


def _to_hub_payload(value: Any, at: str, notes: Notes, version: str, *, inside: bool) -> Any:
    if type(value) is list:
        configs = [
            _object("TaskPushNotificationConfig", one, below(at, i), below(at, "configs", i), notes, version)
            for i, one in enumerate(value)
        ]
        return {"configs": configs}
    name = message_type(f"a2a-messages-{version}", value)
    if name == "AgentCard":
        return _card(value, at, notes, older.V0_3.to_hub)
    is_event = name in ("TaskStatusUpdateEvent", "TaskArtifactUpdateEvent")
    if name not in _EVENTS or not (inside or is_event):
        return _object(name, value, at, at, notes, version)
    wrapper = _EVENTS[name]
    notes.move(below(at, wrapper), at)
    if name == "Task" and at.endswith("/result"):
        why = "a response does not say what it answers: to GetTask and CancelTask, the task itself is the result"
        notes.assume(below(at, wrapper), wrapper, why)
    return {wrapper: _object(name, value, at, below(at, wrapper), notes, version)}


def _from_hub_payload(value: Any, at: str, notes: Notes, *, inside: bool) -> Any:
    name = message_type(HUB, value) if type(value) is dict else ""
    if inside and name == "SendMessageRequest":
        # A response with a message of the user, which is wrong, is not a request.
        name = "StreamResponse"
    if type(value) is not dict or name == "ListTasksResponse":
        notes.lose(at, "A2A 0.3 has no list of tasks")
        return value
    if name == "AgentCard":
        return _card(value, at, notes, older.V0_3.from_hub)
    if name == "ListTaskPushNotificationConfigsResponse" and type(value["configs"]) is list:
        return [
            _object("TaskPushNotificationConfig", one, below(at, "configs", i), below(at, i), notes, _NEWEST)
            for i, one in enumerate(value["configs"])
        ]
    if name == "StreamResponse":
        wrapper = next((one for one in _WRAPPERS if one in value), "")
        if not wrapper:
            return value
        for other in value.keys() - {wrapper}:
            notes.lose(below(at, other), f"the element is the value of {wrapper}")
        notes.move(at, below(at, wrapper))
        return _event(_WRAPPERS[wrapper], value[wrapper], below(at, wrapper), at, notes)
    if name in _EVENTS:
        return _event(name, value, at, at, notes)
    return _object(
        "MessageSendParams" if name == "SendMessageRequest" else name, value, at, at, notes, _NEWEST
    )


def _event(name: str, value: Any, source: str, result: str, notes: Notes) -> Any:
    event = _object(name, value, source, result, notes, _NEWEST)
    if name == "TaskStatusUpdateEvent" and type(event) is dict:
        event["final"] = _ends(event)
        notes.assume(below(result, "final"), event["final"], "true with a state at which a stream ends")
    return event


def _card(card: dict[str, Any], at: str, notes: Notes, convert: Card) -> Any:
    inner = Notes()
    converted = convert(card, inner)
    for pointer, why in inner.losses.items():
        notes.lose(at + pointer, why)
    for pointer, (value, why) in inner.assumptions.items():
        notes.assume(at + pointer, value, why)
    return converted


def _parts_to_hub(parts: Any, source: str, result: str, notes: Notes, *, tag: str = "kind") -> Any:
    if type(parts) is not list:
        return parts
    return [_part_to_hub(one, below(source, i), below(result, i), notes, tag) for i, one in enumerate(parts)]


def _part_to_hub(part: Any, source: str, result: str, notes: Notes, tag: str) -> Any:
    kind = part.get(tag) if type(part) is dict else None
    if kind not in ("text", "file", "data"):
        return part
    flat = {name: value for name, value in part.items() if name != tag}
    metadata = flat.get("metadata")
    if kind == "file" and type(part.get("file")) is dict:
        del flat["file"]
        for name, value in part["file"].items():
            if name in _FILE:
                notes.move(below(result, _FILE[name]), below(source, "file", name))
                flat[_FILE[name]] = value
            else:
                notes.lose(below(source, "file", name), "a part of A2A 1.0 has no file around its fields")
    elif kind == "data" and type(metadata) is dict and metadata.get(_WRAPPED) is True:
        inner = part.get("data")
        if type(inner) is dict and inner.keys() == {"value"}:
            flat["data"] = inner["value"]
            rest = {name: value for name, value in metadata.items() if name != _WRAPPED}
            flat = {**flat, "metadata": rest} if rest else {n: v for n, v in flat.items() if n != "metadata"}
    return flat


def _parts_from_hub(parts: Any, source: str, result: str, notes: Notes) -> Any:
    if type(parts) is not list:
        return parts
    return [_part_from_hub(one, below(source, i), below(result, i), notes) for i, one in enumerate(parts)]


def _part_from_hub(part: Any, source: str, result: str, notes: Notes) -> Any:
    if type(part) is not dict:
        return part
    content = [name for name in ("text", "raw", "url", "data") if name in part]
    if len(content) != 1:
        return part
    if content[0] in ("raw", "url"):
        named = {there: here for here, there in _FILE.items()}
        for name in part.keys() & named.keys():
            notes.move(below(result, "file", named[name]), below(source, name))
        file = {named[name]: value for name, value in part.items() if name in named}
        return {
            "kind": "file",
            "file": file,
            **{n: v for n, v in part.items() if n not in named and n != "kind"},
        }
    older = {"kind": content[0], **{name: value for name, value in part.items() if name != "kind"}}
    for name in ("mediaType", "filename"):
        if name in older:
            notes.lose(below(source, name), f"only a file has one in A2A 0.3, not {content[0]}")
            del older[name]
    if content[0] == "data" and type(part["data"]) is not dict:
        metadata = part.get("metadata")
        older["data"] = {"value": part["data"]}
        older["metadata"] = {**(metadata if type(metadata) is dict else {}), _WRAPPED: True}
        notes.assume(below(result, "metadata", _WRAPPED), value=True, why=_ANY_OBJECT)
    return older


def _negated(value: Any, *_: Any) -> Any:
    return not value if type(value) is bool else value


def _authentication_to_hub(value: Any, source: str, result: str, notes: Notes) -> Any:
    schemes = value.get("schemes") if type(value) is dict else None
    if type(schemes) is not list:
        return value
    for index in range(1, len(schemes)):
        notes.lose(below(source, "schemes", index), "a webhook of A2A 1.0 has one scheme")
    flat = {name: inner for name, inner in value.items() if name != "schemes"}
    if schemes:
        notes.move(below(result, "scheme"), below(source, "schemes", 0))
        return {"scheme": schemes[0], **flat}
    notes.lose(below(source, "schemes"), "a webhook of A2A 1.0 has one scheme, and this one has none")
    return flat


def _authentication_from_hub(value: Any, source: str, result: str, notes: Notes) -> Any:
    if type(value) is not dict or "scheme" not in value:
        return value
    notes.move(below(result, "schemes", 0), below(source, "scheme"))
    return {
        "schemes": [value["scheme"]],
        **{name: inner for name, inner in value.items() if name != "scheme"},
    }


def _flat(value: dict[str, Any], source: str, result: str, notes: Notes, version: str) -> Any:
    """Return the webhook of an older task as that of 1.0, whose fields are those of both levels."""
    inner = value.get("pushNotificationConfig")
    task = "id" if version == "0.1" else "taskId"
    outer = {
        "taskId" if name == task else name: one
        for name, one in value.items()
        if name != "pushNotificationConfig"
    }
    if type(inner) is not dict:
        return value
    at = below(source, "pushNotificationConfig")
    notes.move(below(result, "taskId"), below(source, task))
    flat = _object("PushNotificationConfig", inner, at, result, notes, version)
    for name in flat.keys() & outer.keys():
        notes.lose(below(at, name), f"the result has one field {name} for both levels")
    for name in flat:
        notes.move(below(result, name), below(at, name))
    return {**flat, **outer}


def _nested(value: dict[str, Any], source: str, result: str, notes: Notes) -> Any:
    outer = {name: value[name] for name in ("taskId",) if name in value}
    inner = {name: one for name, one in value.items() if name not in outer}
    there = below(result, "pushNotificationConfig")
    for name in inner:
        notes.move(below(there, name), below(source, name))
    return {
        **outer,
        "pushNotificationConfig": _object("PushNotificationConfig", inner, source, there, notes, _NEWEST),
    }


class _Numbered(Tables):
    """The tables of A2A 0.1, whose messages and artifacts have no identifiers: each gets one from its place or index."""

    def object(self, value: Any, name: str, source: str, result: str, notes: Notes) -> Any:
        is_event = name == "TaskArtifactUpdateEvent" and type(value) is dict
        artifact = value.get("artifact") if is_event else None
        if type(artifact) is dict:
            # The event has them in 1.0.
            flags = {flag: artifact[flag] for flag in _FLAGS if type(artifact.get(flag)) is bool}
            for flag in flags:
                notes.move(below(result, flag), below(source, "artifact", flag))
            rest = {field: inner for field, inner in artifact.items() if field not in flags}
            value = {**value, "artifact": rest, **flags}
        converted = super().object(value, name, source, result, notes)
        field = _IDENTIFIERS.get(name, "")
        if not field or type(converted) is not dict or field in converted:
            return converted
        *_, last = result.split("/")
        made = result.strip("/").replace("/", "-") or "message"
        if name == "Artifact":
            made = f"artifact-{last if last.isdigit() else 0}"
        notes.assume(below(result, field), made, "A2A 0.1 has no such identifier: this one tells the place")
        return {field: made, **converted}


def _artifact_id(index: Any, *_: Any) -> Any:
    return f"artifact-{index}" if type(index) is int else index


@cache
def _tables(version: str) -> Tables:
    if version == "0.1":
        oldest: dict[str, Hand] = {
            "parts": partial(_parts_to_hub, tag="type"),
            "index": _artifact_id,
            "authentication": _authentication_to_hub,
        }
        return _Numbered("a2a-messages-0.1", to_hub=True, hands=oldest)
    to_hub = version != _NEWEST
    hands: dict[str, Hand] = {
        "parts": _parts_to_hub if to_hub else _parts_from_hub,
        "blocking": _negated,
        "authentication": _authentication_to_hub if to_hub else _authentication_from_hub,
    }
    return Tables("a2a-messages-0.3", to_hub=to_hub, hands=hands)
