"""Base classes of the generated models of settings files and of the gateway's API; fields keep their wire names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from collections.abc import Iterator


class DocumentModel(BaseModel):
    """A frozen, typed view of one JSON object; the JSON Schema that it is generated from validates it."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        validate_by_name=True,
        validate_by_alias=False,
        serialize_by_alias=True,
        protected_namespaces=(),
    )

    @classmethod
    def from_wire(cls, value: object) -> Self:
        """Read a decoded JSON value that its schema has accepted.

        Raises:
            pydantic.ValidationError: If the value does not have the shape that the schema describes.
        """
        # Not strict: 1.0 is an integer of JSON Schema (2020-12 Core §4.2.3), and the schema has checked all types.
        return cls.model_validate(value, strict=False, by_alias=True, by_name=False)

    def to_wire(self) -> dict[str, Any]:
        """Return the JSON value, without absent fields."""
        return self.model_dump(mode="json", by_alias=True)


class SettingsModel(DocumentModel):
    """A part of a settings file. Its `repr` shows no values, because some of them are secrets."""

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        return ((None, name) for name in sorted(self.model_fields_set))
