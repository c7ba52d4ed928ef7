"""Base classes of the generated models of settings files and of the gateway's API; fields keep their wire names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cardwright_models.base import WireModel
from pydantic import ConfigDict

if TYPE_CHECKING:
    from collections.abc import Iterator


class DocumentModel(WireModel):
    """A frozen, typed view of one JSON object; the JSON Schema that it is generated from validates it."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=None)

    @classmethod
    def from_wire(cls, value: object) -> Self:
        """Read a decoded JSON value that its schema has accepted.

        Raises:
            pydantic.ValidationError: If the value does not have the shape that the schema describes.
        """
        # Not strict: 1.0 is an integer of JSON Schema (2020-12 Core §4.2.3), and the schema has checked all types.
        return cls.model_validate(value, strict=False, by_alias=True, by_name=False)


class SettingsModel(DocumentModel):
    """A part of a settings file. Its `repr` shows no values, because some of them are secrets."""

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        return ((None, name) for name in sorted(self.model_fields_set))
