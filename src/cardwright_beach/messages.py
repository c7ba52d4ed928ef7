"""Lossless conversion between envelopes and A2A messages of versions 1.0 and 0.3.

Envelope fields without an A2A counterpart are carried in metadata, under extension URIs (A2A 1.0 §4.6.3): the `meta`
of the turn under the Beach URI, other fields under the URI of this project.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from cardwright.errors import BadArgument
from cardwright.view.interfaces import BEACH_EXTENSION_URI
from cardwright_beach.errors import BadEnvelope
from cardwright_beach.surfaces import MEDIA_TYPE
from cardwright_beach.validate import shape_violations
from cardwright_runtime.violation import JsonMapping, JsonObject, Violation, quote

MessageVersion: TypeAlias = Literal["1.0", "0.3"]

CARRIED_URI: Final = "https://cardwright.dev/extensions/envelope/v1"
# A2A 1.0 §4.1.4, §4.1.5 (Role); A2A 0.3 §6.4.
_ROLES: Final = {"agent": "ROLE_AGENT", "user": "ROLE_USER"}
# A2A 1.0 §4.1.6: the fields of a Part.
_FIELDS: Final = ("text", "data", "raw", "url", "metadata", "filename", "mediaType")
# Part type by content, for messages from other agents without part types (project decision).
_BY_CONTENT: Final = {"text": "response", "data": "domain-data", "raw": "artifact", "url": "artifact"}


def to_message(
    envelope: JsonMapping, *, version: MessageVersion = "1.0", message_id: str | None = None
) -> JsonObject:
    """Return an envelope in wire form as an A2A message, as JSON.

    The metadata of a part (`slotKey`, `mergeStrategy` and so on) becomes the metadata of the A2A part.

    Source: A2A 1.0 §4.1.4, §4.1.6; A2A 0.3 §6.4, §6.5; Beach protocol seed, Slot keys and merge strategy.

    Args:
        envelope: The envelope, see `to_wire`; not changed.
        version: The A2A version of the message.
        message_id: The id of the message; default: the event id. Several messages of one turn need different ids.

    Raises:
        BadArgument: If the version is not supported.
        BadEnvelope: If the envelope or one of its parts is not valid; with every violation.
    """
    if version not in ("1.0", "0.3"):
        raise BadArgument("version", f"must be 1.0 or 0.3, not {quote(version)}")
    violations = shape_violations("", envelope)
    if violations:
        raise BadEnvelope(violations)
    meta = envelope["meta"]
    rest = {name: value for name, value in envelope.items() if name not in ("role", "parts", "meta")}
    extension: dict[str, Any] = {"meta": meta, **({"members": rest} if rest else {})}
    message: dict[str, Any] = {
        "messageId": message_id or meta["eventId"],
        "contextId": meta["sessionId"],
        "role": _ROLES[envelope["role"]] if version == "1.0" else envelope["role"],
        "parts": [_part_to_a2a(part, version) for part in envelope["parts"]],
        "metadata": {BEACH_EXTENSION_URI: extension},
        "extensions": [BEACH_EXTENSION_URI],
    }
    return message if version == "1.0" else {"kind": "message", **message}


def from_message(message: JsonMapping) -> JsonObject:
    """Return an A2A message of either version as an envelope in wire form.

    A message from an agent without Beach support is accepted: its part types follow from the content (`response`,
    `domain-data`, `artifact`), its ids come from the message, and its turn counts as settled.

    Args:
        message: The message as JSON; not changed.

    Raises:
        BadEnvelope: If it does not have the form of a message.
    """
    if not isinstance(message, Mapping):
        raise BadEnvelope([_invalid_message("an A2A message must be an object")])
    parts = message.get("parts")
    role = message.get("role")
    roles = {written: name for name, written in _ROLES.items()} | {name: name for name in _ROLES}
    if (
        type(parts) is not list
        or type(role) is not str
        or role not in roles
        or not all(type(part) is dict for part in parts)
    ):
        raise BadEnvelope(
            [_invalid_message("an A2A message needs a role (agent or user) and a list of parts")]
        )
    extension = _object(_object(message.get("metadata")).get(BEACH_EXTENSION_URI))
    turn = extension if type(extension.get("meta")) is dict else {"meta": _meta_of(message)}
    return {
        **_object(turn.get("members")),
        "role": roles[role],
        "parts": [_part_from_a2a(part) for part in parts],
        "meta": turn["meta"],
    }


def _invalid_message(message: str) -> Violation:
    return Violation("envelope/message", "error", "", message, "A2A 1.0 §4.1.4")


def _object(value: Any) -> dict[str, Any]:
    """Return the value if it is an object, else an empty object."""
    return value if type(value) is dict else {}


def _meta_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `meta` of a message from an agent without Beach support."""
    event = _text(message.get("messageId")) or "unknown"
    return {
        "sessionId": _text(message.get("contextId")) or event,
        "eventId": event,
        "conversationState": "complete",
        # A message has no timestamp; the epoch means unknown.
        "timestamp": "1970-01-01T00:00:00Z",
        "finalizedBy": "message",
    }


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _part_to_a2a(part: Mapping[str, Any], version: MessageVersion) -> dict[str, Any]:
    carried: dict[str, Any] = {}
    rest = {name: value for name, value in part.items() if name not in _FIELDS}
    if rest:
        carried["members"] = rest
    metadata = dict(part["metadata"])
    if CARRIED_URI in metadata:
        # Metadata that already uses this URI is carried inside, and restored later.
        carried["metadata"] = metadata.pop(CARRIED_URI)
    fields = {name: value for name, value in part.items() if name in _FIELDS and name != "metadata"}
    if fields.get("mediaType") == MEDIA_TYPE and "mimeType" not in metadata:
        # A2UI 0.9, A2A extension: A2UI clients recognise their parts by this field.
        metadata["mimeType"] = MEDIA_TYPE
        carried["mirrored"] = ["mimeType"]
    if version == "0.3":
        fields = _to_v0_3(fields, carried)
    if carried:
        metadata[CARRIED_URI] = carried
    return {**fields, "metadata": metadata}


def _to_v0_3(fields: dict[str, Any], carried: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a 0.3 part; put fields that 0.3 does not have into `carried` (A2A 0.3 §6.5)."""
    if "text" in fields or "data" in fields:
        aside = {name: fields[name] for name in ("mediaType", "filename") if name in fields}
        if aside:
            carried["part"] = aside
        if "text" in fields:
            return {"kind": "text", "text": fields["text"]}
        data = fields["data"]
        if type(data) is dict:
            return {"kind": "data", "data": data}
        # A2A 0.3 §6.5.3: data must be an object.
        carried["wrapped"] = True
        return {"kind": "data", "data": {"value": data}}
    file = {"bytes": fields["raw"]} if "raw" in fields else {"uri": fields["url"]}
    optional = {"mimeType": fields.get("mediaType"), "name": fields.get("filename")}
    return {
        "kind": "file",
        "file": {**file, **{n: value for n, value in optional.items() if value is not None}},
    }


def _part_from_a2a(part: Mapping[str, Any]) -> dict[str, Any]:
    metadata = dict(_object(part.get("metadata")))
    carried = _object(metadata.pop(CARRIED_URI, None))
    if carried.get("mirrored") == ["mimeType"]:
        metadata.pop("mimeType", None)
    fields = {name: value for name, value in part.items() if name != "metadata"}
    if fields.get("kind") in ("text", "data", "file"):
        fields = _from_v0_3(fields, carried)
    content = next((name for name in _BY_CONTENT if name in fields), "data")
    metadata.setdefault("partType", _BY_CONTENT[content])
    if "metadata" in carried:
        metadata[CARRIED_URI] = carried["metadata"]
    aside = {**_object(carried.get("part")), **_object(carried.get("members"))}
    return {**aside, **fields, "metadata": metadata}


def _from_v0_3(fields: dict[str, Any], carried: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a 0.3 part as fields of a 1.0 part."""
    kind = fields["kind"]
    rest = {name: value for name, value in fields.items() if name not in ("kind", kind)}
    if kind != "file":
        value = fields.get(kind)
        wrapped = carried.get("wrapped") is True and type(value) is dict and "value" in value
        return {**rest, kind: value["value"] if wrapped and value is not None else value}
    file = _object(fields.get("file"))
    names = {"bytes": "raw", "uri": "url", "mimeType": "mediaType", "name": "filename"}
    return {**rest, **{names.get(name, name): value for name, value in file.items()}}
