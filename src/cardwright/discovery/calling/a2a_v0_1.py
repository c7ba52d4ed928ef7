"""A2A 0.1 over JSON-RPC, translated to and from the JSON form of A2A 1.0.

The shapes are those of `specification/json/a2a.json` at tag v0.1.0: `TaskSendParams`, `Task`, `TaskStatusUpdateEvent`,
`TaskArtifactUpdateEvent` and what they hold. A response that does not have its shape is a `ValueError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.dates import rfc3339, rfc3339_time
from cardwright_rules.a2a_operations import OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION: Final = "0.1"
# The method of each operation that 0.1 has, by the method of 1.0.
_METHODS: Final = {
    row.method: (name, older.method)
    for (version, name), row in OPERATIONS.items()
    if version == "1.0" and (older := OPERATIONS.get((VERSION, name))) is not None
}
# How a2a-sdk marks data that is not an object, which versions before 1.0 do not allow.
_WRAPPED: Final = "data_part_compat"


@dataclass(frozen=True, slots=True)
class OlderCall:
    """A call of A2A 1.0 as one of A2A 0.1.

    Attributes:
        name: The operation, as `cardwright_rules.a2a_operations` names it.
        method: The JSON-RPC method of 0.1.
        params: Its params.
        context_id: The context of the message, which 0.1 calls a session; "" if unknown. Events do not repeat it.
    """

    name: str
    method: str
    params: dict[str, Any]
    context_id: str = ""

    @classmethod
    def of(cls, method: str, params: dict[str, Any]) -> Self | None:
        """Translate a call; None if 0.1 does not have the operation.

        Args:
            method: The method of A2A 1.0.
            params: Its params as JSON. A message must have a `taskId`: in 0.1 the client chooses it.
        """
        name, older = _METHODS.get(method, ("", None))
        if older is None:
            return None
        if name in ("send_message", "stream_message"):
            return cls(name, older, _send_params(params), params["message"].get("contextId", ""))
        if name == "create_push_config":
            return cls(name, older, {"id": params["taskId"], "pushNotificationConfig": _push(params)})
        task_id = params["taskId" if name == "get_push_config" else "id"]
        return cls(name, older, _present(id=task_id, historyLength=params.get("historyLength")))

    def result(self, value: Any) -> dict[str, Any]:
        """Translate the result of the call, or of one event of its stream.

        Raises:
            ValueError: If it does not have the shape of 0.1, or belongs to another task.
        """
        result = _object(value)
        task_id = self.params["id"]
        if result.get("id", task_id) != task_id:
            raise ValueError("the result belongs to another task")
        if self.name in ("create_push_config", "get_push_config"):
            return _push_config(task_id, _object(result.get("pushNotificationConfig")))
        if self.name in ("stream_message", "subscribe_to_task"):
            return self._event(result)
        task = {**self._ids("id", result), **_task_fields(result)}
        return {"task": task} if self.name == "send_message" else task

    def ends_with(self, value: Any) -> bool:
        """Return whether a result is the last event of the stream."""
        return _object(value).get("final") is True

    def _event(self, event: dict[str, Any]) -> dict[str, Any]:
        ids = {**self._ids("taskId", event), **_metadata(event)}
        if "artifact" not in event:
            return {"statusUpdate": {**ids, "status": _status(event.get("status"))}}
        artifact = _object(event["artifact"])
        flags = {name: True for name in ("append", "lastChunk") if artifact.get(name) is True}
        return {"artifactUpdate": {**ids, "artifact": _artifact(artifact, _index(artifact)), **flags}}

    def _ids(self, name: str, value: dict[str, Any]) -> dict[str, Any]:
        return _present(
            **{name: self.params["id"]}, contextId=value.get("sessionId") or self.context_id or None
        )


def _send_params(request: dict[str, Any]) -> dict[str, Any]:
    """Return the `TaskSendParams` for a `SendMessageRequest`."""
    message, configuration = request["message"], request.get("configuration", {})
    push = configuration.get("taskPushNotificationConfig")
    return _present(
        id=message["taskId"],
        sessionId=message.get("contextId"),
        message={
            "role": "agent" if message.get("role") == "ROLE_AGENT" else "user",
            "parts": [_older_part(part) for part in message.get("parts", [])],
            **_metadata(message),
        },
        pushNotification=_push(push) if push else None,
        historyLength=configuration.get("historyLength"),
        metadata=request.get("metadata"),
    )


def _older_part(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of 1.0 in the form of 0.1; a text loses its media type, which 0.1 has only for files."""
    metadata = _metadata(part)
    if "text" in part:
        return {"type": "text", "text": part["text"], **metadata}
    if "data" in part:
        data = part["data"]
        if type(data) is not dict:
            data, metadata = {"value": data}, {"metadata": {**metadata.get("metadata", {}), _WRAPPED: True}}
        return {"type": "data", "data": data, **metadata}
    file = _present(
        name=part.get("filename"), mimeType=part.get("mediaType"), bytes=part.get("raw"), uri=part.get("url")
    )
    return {"type": "file", "file": file, **metadata}


def _push(config: dict[str, Any]) -> dict[str, Any]:
    """Return the `PushNotificationConfig` for a configuration of 1.0, which has one scheme."""
    authentication = config.get("authentication")
    if authentication is not None:
        schemes = [authentication["scheme"]] if "scheme" in authentication else []
        authentication = _present(schemes=schemes, credentials=authentication.get("credentials"))
    return _present(url=config.get("url", ""), token=config.get("token"), authentication=authentication)


def _push_config(task_id: str, config: dict[str, Any]) -> dict[str, Any]:
    authentication = config.get("authentication")
    if authentication is not None:
        schemes = _list(_object(authentication).get("schemes"))
        scheme = schemes[0] if schemes else None
        authentication = _present(scheme=scheme, credentials=authentication.get("credentials"))
    return _present(
        taskId=task_id, url=config.get("url"), token=config.get("token"), authentication=authentication
    )


def _task_fields(task: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a task besides its ids."""
    return {
        "status": _status(task.get("status")),
        "artifacts": _artifacts(task.get("artifacts")),
        "history": [_message(message) for message in _list(task.get("history"))],
        **_metadata(task),
    }


def _status(value: Any) -> dict[str, Any]:
    status = _object(value)
    state = status.get("state")
    if type(state) is not str:
        raise ValueError("the status has no state")
    known = "unspecified" if state == "unknown" else state
    message = status.get("message")
    return _present(
        state=f"TASK_STATE_{known.upper().replace('-', '_')}",
        message=None if message is None else _message(message),
        timestamp=_timestamp(status.get("timestamp")),
    )


def _timestamp(value: Any) -> str | None:
    """Return a time in UTC. One without a zone is read as UTC: agents in Python send it so. None if it is no time."""
    moment = rfc3339_time(value) or rfc3339_time(f"{value}Z")
    return rfc3339(moment) if moment else None


def _message(value: Any) -> dict[str, Any]:
    """Return a message; it has no id, as 0.1 has none."""
    message = _object(value)
    role = "ROLE_USER" if message.get("role") == "user" else "ROLE_AGENT"
    return {"role": role, "parts": _each(_part, message.get("parts")), **_metadata(message)}


def _artifacts(value: Any) -> list[dict[str, Any]]:
    """Return the artifacts of a task, each with an id of its own.

    An artifact is identified by its index, 0 by default. Agents also list the chunks of a stream, as they were sent:
    with `append` a chunk belongs to the artifact before it with the same index.
    """
    artifacts: dict[int, dict[str, Any]] = {}
    highest = -1
    for item in _list(value):
        older = _object(item)
        index = _index(older)
        before = artifacts.get(index)
        if before is not None and older.get("append") is True:
            before["parts"] += _each(_part, older.get("parts"))
            continue
        if before is not None:
            index = highest + 1
        highest = max(highest, index)
        artifacts[index] = _artifact(older, index)
    return list(artifacts.values())


def _artifact(older: dict[str, Any], index: int) -> dict[str, Any]:
    return _present(
        artifactId=f"artifact-{index}",
        name=older.get("name"),
        description=older.get("description"),
        parts=_each(_part, older.get("parts")),
        metadata=older.get("metadata"),
    )


def _index(artifact: dict[str, Any]) -> int:
    index = artifact.get("index")
    if index is None:
        return 0
    if type(index) is not int:
        raise ValueError("the index of an artifact is not an integer")
    return index


def _part(value: Any) -> dict[str, Any]:
    """Return a part in the form of 1.0; `type` is redundant, and ignored."""
    part = _object(value)
    metadata = _metadata(part)
    if "file" in part:
        file = _object(part["file"])
        content = _present(raw=file.get("bytes"), url=file.get("uri"))
        return {**content, **_present(filename=file.get("name"), mediaType=file.get("mimeType")), **metadata}
    if "data" in part:
        if metadata.get("metadata", {}).get(_WRAPPED) is not True:
            return {"data": part["data"], **metadata}
        rest = {name: value for name, value in metadata["metadata"].items() if name != _WRAPPED}
        return {"data": _object(part["data"]).get("value"), **({"metadata": rest} if rest else {})}
    return {**_present(text=part.get("text")), **metadata}


def _metadata(holder: dict[str, Any]) -> dict[str, Any]:
    metadata = holder.get("metadata")
    return {} if metadata is None else {"metadata": _object(metadata)}


def _present(**fields: Any) -> dict[str, Any]:
    """Return the fields that have a value: agents send null for those that they leave out."""
    return {name: value for name, value in fields.items() if value is not None}


def _each(read: Callable[[Any], dict[str, Any]], value: Any) -> list[dict[str, Any]]:
    return [read(item) for item in _list(value)]


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    if type(value) is not list:
        raise ValueError("expected an array")
    return value


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise ValueError("expected an object")
    return value
