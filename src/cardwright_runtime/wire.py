"""The root of every generated model: built by Python name, read and written by wire name.

A keyword that no field has is refused; a member that the schema does not know is kept.
Absent members stay absent (`pydantic.MISSING`), null stays null where the schema allows it,
and URLs and times stay the strings they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pydantic import AliasGenerator, BaseModel, ConfigDict

from cardwright_runtime.wire_names import wire_name


class WireModel(BaseModel):
    """A typed view of one JSON object of a card.

    ``AgentCard(icon_url="…")`` builds by Python name; ``AgentCard.from_wire({"iconUrl": "…"})``
    reads what was on the wire; ``to_wire()`` gives the same JSON value back, unknown members
    included.
    """

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        # A view is a value: `model_copy(update=…)` gives a changed one, and a typo changes nothing.
        frozen=True,
        validate_by_name=True,
        validate_by_alias=False,
        serialize_by_alias=True,
        alias_generator=AliasGenerator(validation_alias=wire_name),
        protected_namespaces=(),
    )

    if not TYPE_CHECKING:

        def __init__(self, **data: Any) -> None:
            unknown = sorted(set(data) - set(type(self).model_fields))
            if unknown:
                names = ", ".join(sorted(type(self).model_fields))
                msg = f"{type(self).__name__} has no field {unknown[0]!r}; its fields are {names}"
                raise TypeError(msg)
            super().__init__(**data)

        # pydantic calls an overridden __init__ for nested values too, which would read wire JSON
        # by Python name; this mark (pydantic's own) says that ours adds nothing to validation.
        __init__.__pydantic_base_init__ = True

    @classmethod
    def from_wire(cls, value: object) -> Self:
        """Read a decoded JSON value by wire names only.

        Raises:
            pydantic.ValidationError: where the value has not the shape that the schema asks for.
        """
        return cls.model_validate(value, by_alias=True, by_name=False)

    def to_wire(self) -> dict[str, Any]:
        """Return the JSON value, by wire names, without what is absent."""
        return self.model_dump(mode="json", by_alias=True)
