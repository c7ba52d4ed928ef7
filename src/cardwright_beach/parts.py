"""One part of an envelope: an A2A 1.0 part whose metadata says what it is."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright_beach.validate import PACKAGE, PART_LIMITS, data_definitions, judged

if TYPE_CHECKING:
    from collections.abc import Container

    from cardwright.canonical import Limits
    from cardwright_runtime.wire import WireModel

# Beach protocol seed, Slot keys and merge strategy.
MERGE_STRATEGIES: Final = ("replace", "append", "deep-merge")
# Members of the handler's form that are metadata on the wire.
_STAMPS: Final = ("partType", "slotKey", "mergeStrategy", "dataKind", "artifactId", "language")
# What a part's content may be called, on the wire and in the handler's form.
CONTENTS: Final = ("text", "data", "raw", "url")


@dataclass(frozen=True, slots=True)
class Part:
    """A part that its schema allows; frozen, unknown members kept.

    Attributes:
        document: The part on the wire (`schemas/beach/1.0/envelope-part.schema.json`). It must not be changed.

    >>> part = Part.of({"partType": "response", "text": "Here you are."})
    >>> part.type, part.document
    ('response', {'text': 'Here you are.', 'metadata': {'partType': 'response'}})
    """

    document: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        value: Part | Mapping[str, Any],
        *,
        types: Container[str] | None = None,
        limits: Limits = PART_LIMITS,
        index: int | None = None,
    ) -> Self:
        """Read a part in the wire's form, or in that of a handler, which has `partType` beside the content.

        Args:
            value: The part; it is copied and not changed.
            types: The part types that are known, a `PartTypeRegistry`; where not given, the canonical core and
                whatever is named as an application's own (`slug.type-name`).
            limits: How much of it is read.
            index: Which part of its turn it is, for the message.

        Raises:
            BadPart: If its type is unknown, its shape wrong, or it is cyclic or too large; with every violation.
        """
        document = value.document if isinstance(value, Part) else value
        if isinstance(document, Mapping) and "partType" in document:
            document = _on_the_wire(document)
        return cls(judged(document, types, limits, index))

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What the part says of itself."""
        metadata: Mapping[str, Any] = self.document["metadata"]
        return metadata

    @property
    def type(self) -> str:
        """The part type, such as `domain-data`."""
        return str(self.metadata["partType"])

    @property
    def content(self) -> str:
        """Which member its content is: `text`, `data`, `raw` or `url`."""
        return next(name for name in CONTENTS if name in self.document)

    @property
    def text(self) -> str | None:
        """The text, where its content is one."""
        return self.document.get("text")

    @property
    def data(self) -> Any:
        """The JSON value, where its content is one; None where it is not, or null."""
        return self.document.get("data")

    @property
    def url(self) -> str | None:
        """Where its content can be fetched, if that is all it says."""
        return self.document.get("url")

    @property
    def raw(self) -> bytes | None:
        """The bytes, where its content are these."""
        return b64decode(self.document["raw"]) if "raw" in self.document else None

    @property
    def slot_key(self) -> str | None:
        """The place it fills, or None."""
        return self.metadata.get("slotKey")

    @property
    def merge_strategy(self) -> str:
        """How it meets what is in its place: `replace`, `append` or `deep-merge`.

        Domain data that says neither slot nor strategy are an entry beside others: `deep-merge`.
        """
        entry = self.type == "domain-data" and self.slot_key is None
        return str(self.metadata.get("mergeStrategy", "deep-merge" if entry else "replace"))

    @property
    def data_kind(self) -> str | None:
        """The kind of its data, by which surface templates are found, or None."""
        return self.metadata.get("dataKind")

    def view(self) -> WireModel | None:
        """Return a typed view of its data, such as `ApprovalRequest`; None where its type has none.

        >>> Part.of({"partType": "progress", "data": {"completed": 3}}).view().completed
        3.0
        """
        name = data_definitions().get(self.type)
        if name is None or "data" not in self.document:
            return None
        model = getattr(import_module(f"{PACKAGE}.models"), name, None)
        if not (isinstance(model, type) and hasattr(model, "from_wire")):
            return None
        view: WireModel = model.from_wire(self.data)
        return view

    def with_data(self, data: Any) -> Self:
        """Return the part with other data; it is the caller's to give what the schema allows."""
        return type(self)({**self.document, "data": data})

    def stamped(self, **metadata: Any) -> Self:
        """Return the part with more metadata, by the names of the wire; what it says already is overwritten."""
        return type(self)({**self.document, "metadata": {**self.metadata, **metadata}})


def part(
    part_type: str,
    *,
    text: str | None = None,
    data: object = None,
    slot_key: str | None = None,
    merge_strategy: str | None = None,
    data_kind: str | None = None,
    types: Container[str] | None = None,
) -> Part:
    """Return a part of an agent's own making; its content is the text where there is one, else the data.

    Args:
        part_type: Its type, one of the registry.
        text: The text.
        data: A JSON value, which is copied, or one of the generated models.
        slot_key: The place it fills.
        merge_strategy: How it meets what is in its place.
        data_kind: The kind of the data, by which surface templates are found.
        types: The part types that are known, as `Part.of` takes them.

    >>> part("domain-data", data={"berths": 3}, slot_key="harbour.berths").slot_key
    'harbour.berths'

    Raises:
        BadPart: If it is none; with every violation.
    """
    stamps = {"slotKey": slot_key, "mergeStrategy": merge_strategy, "dataKind": data_kind}
    to_wire = getattr(data, "to_wire", None)
    value = to_wire() if callable(to_wire) else data
    content: dict[str, Any] = {"data": value} if text is None else {"text": text}
    metadata = {"partType": part_type, **{name: value for name, value in stamps.items() if value is not None}}
    return Part.of({**content, "metadata": metadata}, types=types)


def _on_the_wire(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a handler's part in the wire's form."""
    metadata = value.get("metadata", {})
    if not isinstance(metadata, Mapping):
        return {**value}
    stamps = {name: value[name] for name in _STAMPS if name in value}
    rest = {name: item for name, item in value.items() if name not in (*_STAMPS, "metadata")}
    return {**rest, "metadata": {**metadata, **stamps}}
