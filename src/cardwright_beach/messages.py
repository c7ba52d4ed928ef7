"""Envelopes as A2A messages, of 1.0 and of 0.3, and back; nothing is lost on the way.

A2A has no place for some of what an envelope says; that travels in metadata, under URIs, as A2A 1.0 §4.6.3
has it for extensions: which turn it is under Beach's, what only our form says under one of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from cardwright.conversion.extensions import BEACH_EXTENSION_URI
from cardwright.errors import BadArgument
from cardwright_beach.errors import BadEnvelope
from cardwright_beach.surfaces import MEDIA_TYPE
from cardwright_beach.validate import shape_violations
from cardwright_runtime.violation import JsonMapping, JsonObject, Violation

MessageVersion: TypeAlias = Literal["1.0", "0.3"]

CARRIED_URI: Final = "https://cardwright.dev/extensions/envelope/v1"
# A2A 1.0 §4.1.4, §4.1.5 (Role); A2A 0.3 §6.4.
_ROLES: Final = {"agent": "ROLE_AGENT", "user": "ROLE_USER"}
# A2A 1.0 §4.1.6: the members of a Part.
_MEMBERS: Final = ("text", "data", "raw", "url", "metadata", "filename", "mediaType")
# What a part is that a stranger sent and did not name (ours).
_BY_CONTENT: Final = {"text": "response", "data": "domain-data", "raw": "artifact", "url": "artifact"}


def to_message(
    envelope: JsonMapping, *, version: MessageVersion = "1.0", message_id: str | None = None
) -> JsonObject:
    """Return an envelope on the wire as an A2A message, as JSON.

    `slotKey`, `mergeStrategy` and all else that a part's metadata says stands in the metadata of the A2A part.

    Source: A2A 1.0 §4.1.4, §4.1.6; A2A 0.3 §6.4, §6.5; Beach protocol seed, Slot keys and merge strategy.

    Args:
        envelope: The envelope; it is not changed. See `to_wire`.
        version: The A2A version of the message.
        message_id: The message's id; that of the event where not given. Messages of one turn need different ones.

    Raises:
        BadArgument: If there is no such version.
        BadEnvelope: If it is no envelope, or a part of it is wrong; with every violation.
    """
    if version not in ("1.0", "0.3"):
        raise BadArgument("version", "A2A messages are written as 1.0 or 0.3")
    found = shape_violations("", envelope)
    if found:
        raise BadEnvelope(found)
    meta = envelope["meta"]
    rest = {name: value for name, value in envelope.items() if name not in ("role", "parts", "meta")}
    said: dict[str, Any] = {"meta": meta, **({"members": rest} if rest else {})}
    message: dict[str, Any] = {
        "messageId": message_id or meta["eventId"],
        "contextId": meta["sessionId"],
        "role": _ROLES[envelope["role"]] if version == "1.0" else envelope["role"],
        "parts": [_part_to_a2a(part, version) for part in envelope["parts"]],
        "metadata": {BEACH_EXTENSION_URI: said},
        "extensions": [BEACH_EXTENSION_URI],
    }
    return message if version == "1.0" else {"kind": "message", **message}


def from_message(message: JsonMapping) -> JsonObject:
    """Return an A2A message of either version as an envelope on the wire.

    A message that no Beach agent sent is read as well: its parts are called by what they hold (`response`,
    `domain-data`, `artifact`), its turn by its message, and it counts as settled.

    Args:
        message: The message as JSON; it is not changed.

    Raises:
        BadEnvelope: If it has not the shape of a message.
    """
    if not isinstance(message, Mapping):
        raise BadEnvelope([_no_message("an A2A message is an object")])
    parts = message.get("parts")
    role = message.get("role")
    roles = {written: name for name, written in _ROLES.items()} | {name: name for name in _ROLES}
    if (
        type(parts) is not list
        or type(role) is not str
        or role not in roles
        or not all(type(part) is dict for part in parts)
    ):
        raise BadEnvelope([_no_message("an A2A message has a role and a list of parts")])
    said = _object(_object(message.get("metadata")).get(BEACH_EXTENSION_URI))
    read = said if type(said.get("meta")) is dict else {"meta": _meta_of(message)}
    return {
        **_object(read.get("members")),
        "role": roles[role],
        "parts": [_part_from_a2a(part) for part in parts],
        "meta": read["meta"],
    }


def _no_message(told: str) -> Violation:
    return Violation("envelope/message", "error", "", told, "A2A 1.0 §4.1.4")


def _object(value: Any) -> dict[str, Any]:
    """Return what is an object; an empty one for anything else that a stranger may have put there."""
    return value if type(value) is dict else {}


def _meta_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return which turn a stranger's message is, as far as it says so."""
    event = _text(message.get("messageId")) or "unknown"
    return {
        "sessionId": _text(message.get("contextId")) or event,
        "eventId": event,
        "conversationState": "complete",
        # A message bears no time; the beginning of time says that none is known.
        "timestamp": "1970-01-01T00:00:00Z",
        "finalizedBy": "message",
    }


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _part_to_a2a(part: Mapping[str, Any], version: MessageVersion) -> dict[str, Any]:
    carried: dict[str, Any] = {}
    rest = {name: value for name, value in part.items() if name not in _MEMBERS}
    if rest:
        carried["members"] = rest
    metadata = dict(part["metadata"])
    if CARRIED_URI in metadata:
        # Somebody else's under our name: it comes back, and is not read as ours.
        carried["metadata"] = metadata.pop(CARRIED_URI)
    known = {name: value for name, value in part.items() if name in _MEMBERS and name != "metadata"}
    if known.get("mediaType") == MEDIA_TYPE and "mimeType" not in metadata:
        # A2UI 0.9, A2A extension: this is how its clients know a part of theirs.
        metadata["mimeType"] = MEDIA_TYPE
        carried["mirrored"] = ["mimeType"]
    if version == "0.3":
        known = _older(known, carried)
    if carried:
        metadata[CARRIED_URI] = carried
    return {**known, "metadata": metadata}


def _older(known: dict[str, Any], carried: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a 0.3 part; what it has no member for is put aside (A2A 0.3 §6.5)."""
    if "text" in known or "data" in known:
        aside = {name: known[name] for name in ("mediaType", "filename") if name in known}
        if aside:
            carried["part"] = aside
        if "text" in known:
            return {"kind": "text", "text": known["text"]}
        data = known["data"]
        if type(data) is dict:
            return {"kind": "data", "data": data}
        # A2A 0.3 §6.5.3: data is an object.
        carried["wrapped"] = True
        return {"kind": "data", "data": {"value": data}}
    file = {"bytes": known["raw"]} if "raw" in known else {"uri": known["url"]}
    named = {"mimeType": known.get("mediaType"), "name": known.get("filename")}
    return {"kind": "file", "file": {**file, **{n: value for n, value in named.items() if value is not None}}}


def _part_from_a2a(part: Mapping[str, Any]) -> dict[str, Any]:
    metadata = dict(_object(part.get("metadata")))
    carried = _object(metadata.pop(CARRIED_URI, None))
    if carried.get("mirrored") == ["mimeType"]:
        metadata.pop("mimeType", None)
    known = {name: value for name, value in part.items() if name != "metadata"}
    if known.get("kind") in ("text", "data", "file"):
        known = _newer(known, carried)
    content = next((name for name in _BY_CONTENT if name in known), "data")
    metadata.setdefault("partType", _BY_CONTENT[content])
    if "metadata" in carried:
        metadata[CARRIED_URI] = carried["metadata"]
    aside = {**_object(carried.get("part")), **_object(carried.get("members"))}
    return {**aside, **known, "metadata": metadata}


def _newer(known: dict[str, Any], carried: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a 1.0 part of those of a 0.3 part."""
    kind = known["kind"]
    rest = {name: value for name, value in known.items() if name not in ("kind", kind)}
    if kind != "file":
        value = known.get(kind)
        wrapped = carried.get("wrapped") is True and type(value) is dict and "value" in value
        return {**rest, kind: value["value"] if wrapped and value is not None else value}
    said = _object(known.get("file"))
    names = {"bytes": "raw", "uri": "url", "mimeType": "mediaType", "name": "filename"}
    return {**rest, **{names.get(name, name): value for name, value in said.items()}}
