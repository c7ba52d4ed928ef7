"""Envelope part: an A2A 1.0 part with its part type in the metadata."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright_beach.validate import PACKAGE, PART_LIMITS, data_definitions, validated

if TYPE_CHECKING:
    from collections.abc import Container

    from cardwright.canonical import Limits
    from cardwright_models.base import WireModel

# Beach protocol seed, Slot keys and merge strategy.
MERGE_STRATEGIES: Final = ("replace", "append", "deep-merge")
# Fields of the handler's form that are metadata in wire form.
_STAMPS: Final = ("partType", "slotKey", "mergeStrategy", "dataKind", "artifactId", "language")
# Content fields of a part, in wire form and in the handler's form.
CONTENTS: Final = ("text", "data", "raw", "url")


@dataclass(frozen=True, slots=True)
class Part:
    """Validated part of an envelope; frozen, unknown fields are kept.

    Attributes:
        document: The part in wire form (`schemas/beach/1.0/envelope-part.schema.json`). Do not change it.

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
        """Validate and copy a part in wire form, or in the handler's form with `partType` beside the content.

        Args:
            value: The part; not changed.
            types: Known part types, a `PartTypeRegistry`; default: the canonical core and every name of the form
                of an application's own type (`slug.type-name`).
            limits: Size limits.
            index: Position of the part in its turn, for the error message.

        Raises:
            BadPart: If its type is unknown, its form is wrong, or it is cyclic or too large; with every violation.
        """
        document = value.document if isinstance(value, Part) else value
        if isinstance(document, Mapping) and "partType" in document:
            document = _on_the_wire(document)
        return cls(validated(document, types, limits, index))

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata of the part."""
        metadata: Mapping[str, Any] = self.document["metadata"]
        return metadata

    @property
    def type(self) -> str:
        """The part type, such as `domain-data`."""
        return str(self.metadata["partType"])

    @property
    def content(self) -> str:
        """The name of its content field: `text`, `data`, `raw` or `url`."""
        return next(name for name in CONTENTS if name in self.document)

    @property
    def text(self) -> str | None:
        """The text, or None."""
        return self.document.get("text")

    @property
    def data(self) -> Any:
        """The JSON value; None if the content is not data, or is null."""
        return self.document.get("data")

    @property
    def url(self) -> str | None:
        """The URL of its content, or None."""
        return self.document.get("url")

    @property
    def raw(self) -> bytes | None:
        """The bytes, or None."""
        return b64decode(self.document["raw"]) if "raw" in self.document else None

    @property
    def slot_key(self) -> str | None:
        """The slot of its data, or None."""
        return self.metadata.get("slotKey")

    @property
    def merge_strategy(self) -> str:
        """How its data is merged into its slot: `replace`, `append` or `deep-merge`.

        The default is `deep-merge` for domain data without a slot, else `replace`.
        """
        entry = self.type == "domain-data" and self.slot_key is None
        return str(self.metadata.get("mergeStrategy", "deep-merge" if entry else "replace"))

    @property
    def data_kind(self) -> str | None:
        """The kind of its data, which selects a surface template; or None."""
        return self.metadata.get("dataKind")

    def view(self) -> WireModel | None:
        """Return a typed view of its data, such as `ApprovalRequest`; None if its type has no model.

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
        """Return a copy with other data, which is not validated."""
        return type(self)({**self.document, "data": data})

    def stamped(self, **metadata: Any) -> Self:
        """Return a copy with more metadata, by wire names; existing values are overwritten."""
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
    """Create a part; its content is the text if given, else the data.

    Args:
        part_type: A part type of the registry.
        text: The text.
        data: A JSON value, which is copied, or a generated model.
        slot_key: The slot of the data.
        merge_strategy: How the data is merged into its slot.
        data_kind: The kind of the data, which selects a surface template.
        types: Known part types, see `Part.of`.

    >>> part("domain-data", data={"berths": 3}, slot_key="harbour.berths").slot_key
    'harbour.berths'

    Raises:
        BadPart: If the part is not valid; with every violation.
    """
    stamps = {"slotKey": slot_key, "mergeStrategy": merge_strategy, "dataKind": data_kind}
    to_wire = getattr(data, "to_wire", None)
    value = to_wire() if callable(to_wire) else data
    content: dict[str, Any] = {"data": value} if text is None else {"text": text}
    metadata = {"partType": part_type, **{name: value for name, value in stamps.items() if value is not None}}
    return Part.of({**content, "metadata": metadata}, types=types)


def _on_the_wire(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part from the handler's form in wire form."""
    metadata = value.get("metadata", {})
    if not isinstance(metadata, Mapping):
        return {**value}
    stamps = {name: value[name] for name in _STAMPS if name in value}
    rest = {name: item for name, item in value.items() if name not in (*_STAMPS, "metadata")}
    return {**rest, "metadata": {**metadata, **stamps}}
