"""Parts of messages and replies, independent of the protocol."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

from cardwright.errors import BadArgument
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright_runtime.violation import JsonValue

_NO_PART: Final = "expected a text, bytes, a dict, a Part or a list of these, found {}"
Kind = Literal["text", "raw", "url", "data"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a message or of an artifact (A2A 1.0 §4.1.6).

    Attributes:
        kind: `text`, `data` (a JSON value), `raw` (bytes) or `url`.
        value: The text, the JSON value, the bytes, or the URL of a file.
        filename: The file's name, or "".
        media_type: The media type, such as `image/png`, or "".
        metadata: Its metadata, such as the `partType` of a Beach part.
    """

    kind: Kind
    value: Any
    filename: str = ""
    media_type: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)

    @classmethod
    def of(cls, value: str | bytes | dict[str, Any] | Part) -> Part:
        """Return a text, bytes or a JSON object as a part; a `Part` unchanged.

        Raises:
            BadArgument: If it has another form.
        """
        match value:
            case Part():
                return value
            case str():
                return cls("text", value)
            case bytes():
                return cls("raw", value)
            case dict():
                return cls("data", value)
            case _:
                raise BadArgument("message", _NO_PART.format(type(value).__name__))

    @classmethod
    def from_wire(cls, wire: dict[str, Any]) -> Self | None:
        """Return the part for A2A 1.0 JSON; None if it has no known content."""
        filename, media_type = wire.get("filename", ""), wire.get("mediaType", "")
        metadata = wire.get("metadata")
        for kind in KINDS:
            if kind in wire:
                value = _bytes(wire[kind]) if kind == "raw" else wire[kind]
                return cls(kind, value, filename, media_type, metadata if type(metadata) is dict else {})
        return None

    def to_wire(self) -> dict[str, Any]:
        """Return the part in A2A 1.0's JSON."""
        value = base64.b64encode(self.value).decode() if self.kind == "raw" else self.value
        file_fields = {"filename": self.filename, "mediaType": self.media_type}
        metadata = {"metadata": dict(self.metadata)} if self.metadata else {}
        return {self.kind: value, **{name: text for name, text in file_fields.items() if text}, **metadata}


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""


def parts_of(message: str | bytes | dict[str, Any] | Part | Iterable[Any]) -> tuple[Part, ...]:
    """Return the parts of a message; a dict is one data part.

    Raises:
        BadArgument: If the message has no parts or an invalid one.
    """
    if not isinstance(message, Iterable) or isinstance(message, (str, bytes, dict, Part)):
        return (Part.of(message),)
    items: Iterable[Any] = message
    parts = tuple(Part.of(item) for item in items)
    if not parts:
        raise BadArgument("message", "must have at least one part")
    return parts


def arguments_of(parts: tuple[Part, ...], tool: str, schema: JsonValue) -> dict[str, Any]:
    """Return a message as the arguments of an MCP tool: a dict unchanged, a text as the tool's only text argument.

    Args:
        parts: One data part, or texts.
        tool: The tool's name.
        schema: Its input schema, or None if unknown.

    Raises:
        BadArgument: If the message is neither, or the argument for a text is ambiguous.
    """
    if len(parts) == 1 and parts[0].kind == "data" and isinstance(parts[0].value, dict):
        return parts[0].value
    if any(part.kind != "text" for part in parts):
        raise BadArgument("message", f"the MCP tool {quote(tool)} takes one dict of arguments, or a text")
    text = "\n".join(part.value for part in parts)
    names = _texts(schema)
    if len(names) != 1:
        reason = (
            f"its text arguments are {', '.join(map(quote, names))}" if names else "it has no text argument"
        )
        raise BadArgument("message", f"the MCP tool {quote(tool)} needs a dict of arguments; {reason}")
    return {names[0]: text}


def _texts(schema: JsonValue) -> list[str]:
    """Return the arguments that may be a text; the required ones if there are several."""
    if not isinstance(schema, dict):
        return []
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return []
    texts = [
        name
        for name, argument in properties.items()
        if isinstance(argument, dict) and _is_text(argument.get("type"))
    ]
    required_texts = [name for name in texts if isinstance(required, list) and name in required]
    return required_texts if len(texts) > 1 and required_texts else texts


def _is_text(kind: Any) -> bool:
    return kind == "string" or (isinstance(kind, list) and "string" in kind)
