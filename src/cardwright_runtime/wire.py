"""Base class of every generated model: built by Python name, read and written by wire name.

An unknown keyword argument is refused; an unknown field of the JSON object is kept.
An absent field has the default of its schema, or else `pydantic.MISSING`, and stays absent in JSON. `MISSING` is
true in a condition (PEP 661: a sentinel cannot be changed or subclassed), so compare with `is MISSING`.
Null stays null where the schema allows it, and URLs and times stay strings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pydantic import AliasGenerator, BaseModel, ConfigDict

from cardwright_runtime.wire_names import wire_name


class WireModel(BaseModel):
    """A typed model of one JSON object of a card.

    A field without a value is its default in the schema, or else `pydantic.MISSING`, which is true in a condition.
    `card.view` has neither: it is the same for every dialect, with all defaults applied.

    ``AgentCard(icon_url="…")`` builds by Python name; ``AgentCard.from_wire({"iconUrl": "…"})``
    reads a decoded JSON value; ``to_wire()`` returns the same JSON value, including unknown fields.
    """

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        # Frozen, so that assigning to a misspelt name fails; `model_copy(update=…)` returns a changed copy.
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
        # by Python name; this marker of pydantic says that this __init__ does not change validation.
        __init__.__pydantic_base_init__ = True

        def model_dump(self, *, exclude_unset: bool = True, **options: Any) -> dict[str, Any]:
            """Return the fields that were read or given; an absent one has its default only in Python."""
            return super().model_dump(exclude_unset=exclude_unset, **options)

        def model_dump_json(self, *, exclude_unset: bool = True, **options: Any) -> str:
            """Return the same as JSON."""
            return super().model_dump_json(exclude_unset=exclude_unset, **options)

    @classmethod
    def from_wire(cls, value: object) -> Self:
        """Read a decoded JSON value by wire names only.

        Raises:
            pydantic.ValidationError: If the value does not have the shape that the schema requires.
        """
        return cls.model_validate(value, by_alias=True, by_name=False)

    def to_wire(self) -> dict[str, Any]:
        """Return the JSON value, by wire names, without absent fields."""
        return self.model_dump(mode="json", by_alias=True)
