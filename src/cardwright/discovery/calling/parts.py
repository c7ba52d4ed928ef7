"""What messages and replies consist of, whatever protocol carries them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from cardwright.errors import BadArgument
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright_runtime.violation import JsonValue

_NO_PART: Final = "must be a text, bytes, a dict, a Part, or a list of these, not {}"
Kind = Literal["text", "data", "raw", "url"]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a message or of an artifact (A2A 1.0 §4.1.6).

    Attributes:
        kind: Which of the four it is.
        value: The text, the JSON value, the bytes, or the URL of a file.
        filename: The file's name, or "".
        media_type: What it is, such as `image/png`, or "".
    """

    kind: Kind
    value: Any
    filename: str = ""
    media_type: str = ""

    @classmethod
    def of(cls, value: str | bytes | dict[str, Any] | Part) -> Part:
        """Return a text, bytes or a JSON object as a part; a part as it is.

        Raises:
            BadArgument: If it is none of these.
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
        """Return a part of A2A 1.0's JSON; None where it holds nothing that is known."""
        filename, media_type = wire.get("filename", ""), wire.get("mediaType", "")
        kinds: tuple[Kind, ...] = ("text", "raw", "url", "data")
        for kind in kinds:
            if kind in wire:
                value = _bytes(wire[kind]) if kind == "raw" else wire[kind]
                return cls(kind, value, filename, media_type)
        return None

    def to_wire(self) -> dict[str, Any]:
        """Return the part in A2A 1.0's JSON."""
        value = base64.b64encode(self.value).decode() if self.kind == "raw" else self.value
        named = {"filename": self.filename, "mediaType": self.media_type}
        return {self.kind: value, **{name: text for name, text in named.items() if text}}


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""


def parts_of(message: str | bytes | dict[str, Any] | Part | Iterable[Any]) -> tuple[Part, ...]:
    """Return the parts of a message; a dict is one part of data.

    Raises:
        BadArgument: If there is none, or something is no part.
    """
    if not isinstance(message, Iterable) or isinstance(message, (str, bytes, dict, Part)):
        return (Part.of(message),)
    items: Iterable[Any] = message
    parts = tuple(Part.of(one) for one in items)
    if not parts:
        raise BadArgument("message", "must have at least one part")
    return parts


def arguments_of(parts: tuple[Part, ...], tool: str, schema: JsonValue) -> dict[str, Any]:
    """Return a message as the arguments of an MCP tool: a dict as it is, a text by the tool's only text.

    Args:
        parts: One part of data, or texts.
        tool: The tool's name.
        schema: Its input schema, or None where that is not known.

    Raises:
        BadArgument: If it cannot be told which argument a text is, or the message is neither.
    """
    if len(parts) == 1 and parts[0].kind == "data" and isinstance(parts[0].value, dict):
        return parts[0].value
    if any(part.kind != "text" for part in parts):
        raise BadArgument("message", f"the MCP tool {quote(tool)} takes one dict of arguments, or text")
    text = "\n".join(part.value for part in parts)
    names = _texts(schema)
    if len(names) != 1:
        told = f"it takes {', '.join(map(quote, names))}" if names else "none of its arguments is a text"
        raise BadArgument("message", f"the MCP tool {quote(tool)} needs a dict of arguments: {told}")
    return {names[0]: text}


def _texts(schema: JsonValue) -> list[str]:
    """Return which arguments may be a text; of several only those that must be given."""
    if not isinstance(schema, dict):
        return []
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return []
    texts = [name for name, one in properties.items() if isinstance(one, dict) and _is_text(one.get("type"))]
    asked = [name for name in texts if isinstance(required, list) and name in required]
    return asked if len(texts) > 1 and asked else texts


def _is_text(kind: Any) -> bool:
    return kind == "string" or (isinstance(kind, list) and "string" in kind)
