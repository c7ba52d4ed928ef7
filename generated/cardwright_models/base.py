"""Base classes of the generated models; the generator copies this module to `cardwright_models`.

A field that is absent from the JSON object is None, and None is never written: not by `model_dump`, a `TypeAdapter`, a
model of yours with a field of these types, or FastAPI. What was read is what is written, unknown fields included.

Generated from codegen/base.py
by `make generate`. Do not edit: change it and generate again.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache, partial
from operator import is_
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from pydantic import AliasGenerator, BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError, core_schema

from cardwright_models.wire_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, SerializerFunctionWrapHandler
    from pydantic.fields import FieldInfo
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

# Marks a field in the generated text whose null means something else than its absence: a null that was read is written.
_NULLABLE: Final = "x-nullable"
# The value that a reader assumes for an absent field.
_DEFAULT: Final = "x-default"
# Marks a required field whose Python argument has a default: an object that is read must have the field.
_ARGUMENT: Final = "x-argument"
_NULL: Final = {"type": "null"}
# How alike two names are, from 0 to 1, if one is taken for a misspelling of the other.
_ALIKE: Final = 0.8


def _near(name: str, fields: Mapping[str, FieldInfo]) -> str | None:
    """Return the field that a name nearly is, or is in another case or with other underscores."""
    plain = {one.replace("_", "").casefold(): field for field in fields for one in (field, wire_name(field))}
    near = get_close_matches(name, fields, 1, _ALIKE)
    return plain.get(name.replace("_", "").casefold()) or next(iter(near), None)


def _unknown(model: type[BaseModel], name: str) -> str:
    near = _near(name, model.model_fields)
    hint = f"did you mean {near!r}?" if near else "model_extra has the fields that its schema does not have"
    return f"{model.__name__} has no field {name!r}; {hint}"


# In C, because pydantic calls it for each optional field that it writes.
_is_none: Final = partial(is_, None)


def _is_marked(field: FieldInfo, mark: str) -> bool:
    extra = field.json_schema_extra
    return isinstance(extra, dict) and mark in extra


def _inner(schema: Any, kind: str) -> Any:
    """Return the core schema of a kind that others wrap, such as those of validators."""
    while schema["type"] != kind and "schema" in schema:
        schema = schema["schema"]
    return schema


def _read_enums(schema: Any, handler: GetCoreSchemaHandler) -> None:
    """Read the enumerations of a field from plain strings, which a strict model refuses outside JSON (and FastAPI with it)."""
    if schema["type"] == "definition-ref":
        try:
            schema = handler.resolve_ref_schema(schema)
        except LookupError:
            return  # a model that refers to itself, which is not complete yet
    if schema["type"] == "enum":
        schema["strict"] = False
    elif schema["type"] in ("default", "nullable", "list", "dict", "union"):
        inner = [schema.get(key) for key in ("schema", "items_schema", "values_schema")]
        for one in [*inner, *schema.get("choices", ())]:
            if isinstance(one, dict):
                _read_enums(one, handler)


def _without_unset(nullable: frozenset[str]) -> Callable[[Any, SerializerFunctionWrapHandler], Any]:
    """Return a serializer that leaves out the fields whose null was not set."""

    def serialize(value: Any, handler: SerializerFunctionWrapHandler) -> Any:
        written = handler(value)
        for name in nullable - value.model_fields_set:
            if value.__dict__[name] is None:
                written.pop(name, None)
                written.pop(wire_name(name), None)
        return written

    return serialize


class WireModel(BaseModel):
    """A typed model of one JSON object.

    ``AgentCard(icon_url="…")`` builds by Python name and ``AgentCard.model_validate({"iconUrl": "…"})`` reads by wire name;
    each takes the other name too. `from_wire` reads wire names alone. An absent field is None and is not written. A null
    that the schema refuses is read as absent. Fields that the schema does not have are kept; assigning one is refused.
    """

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        loc_by_alias=True,
        alias_generator=AliasGenerator(alias=wire_name),
        protected_namespaces=(),
        use_attribute_docstrings=True,
    )

    if not TYPE_CHECKING:

        def __init__(self, /, **data: Any) -> None:
            fields = type(self).model_fields
            for name in data.keys() - fields.keys() - {wire_name(field) for field in fields}:
                if _near(name, fields):
                    raise TypeError(_unknown(type(self), name))
            for name, value in _filled(type(self)).items():
                if name not in data:
                    data.setdefault(wire_name(name), value)
            super().__init__(**data)

        # pydantic calls an overridden __init__ for nested values too, at the price of Python code for each; this marker of
        # pydantic says that this __init__ does not change validation.
        __init__.__pydantic_base_init__ = True

        def __setattr__(self, name: str, value: Any) -> None:
            own, extra = type(self), self.__pydantic_extra__ or {}
            is_private = name.startswith("_") and name not in map(wire_name, own.model_fields)
            if not (is_private or name in own.model_fields or name in extra or hasattr(own, name)):
                raise AttributeError(_unknown(own, name))
            super().__setattr__(name, value)

        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError:
                if name.startswith("__"):
                    raise
                raise AttributeError(_unknown(type(self), name)) from None

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        model = _inner(schema, "model")
        nullable = frozenset(name for name, field in cls.model_fields.items() if _is_marked(field, _NULLABLE))
        for name, field in _inner(schema, "model-fields").get("fields", {}).items():
            value = field["schema"]
            if value["type"] == "default" and _is_marked(cls.model_fields[name], _ARGUMENT):
                field["schema"] = value = value["schema"]
            if value["type"] == "default" and value.get("default", 0) is None and name not in nullable:
                field["serialization_exclude_if"] = _is_none
            _read_enums(value, handler)
        if nullable and "serialization" not in model:
            model["serialization"] = core_schema.wrap_serializer_function_ser_schema(_without_unset(nullable))
        return schema

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        absent = {name for name in type(self).model_fields if self.__dict__.get(name) is None}
        return ((name, value) for name, value in super().__repr_args__() if name not in absent)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the wire: an absent field has no default None, and may not be null."""
        schema = handler(core)
        resolved = handler.resolve_ref_schema(schema)
        fields = resolved.get("properties", {})
        # A constant is the default of its Python argument, and is required in the JSON object.
        constant = {name for name, field in fields.items() if "const" in field and field.pop("default", None)}
        required = [name for name in fields if name in {*resolved.get("required", ()), *constant}]
        if required:
            resolved["required"] = required
        for name, field in fields.items():
            field.pop("title", None)
            nullable = field.pop(_NULLABLE, False)
            assumed = field.pop(_DEFAULT, None)
            field.pop(_ARGUMENT, None)
            if name in required:
                continue
            if assumed is not None:
                field["default"] = assumed
            elif "default" in field and field["default"] is None:
                del field["default"]
            if not nullable and _NULL in field.get("anyOf", ()):
                arms = [arm for arm in field.pop("anyOf") if arm != _NULL]
                field.update(arms[0] if len(arms) == 1 else {"anyOf": arms})
        return schema

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


@cache
def _filled(model: type[BaseModel]) -> dict[str, Any]:
    """Return the values of the required fields that a call in Python may leave out."""
    return {name: one.default for name, one in model.model_fields.items() if _is_marked(one, _ARGUMENT)}


class OneOf(WireModel):
    """A model of which exactly one field is set of those that `oneOf` in its schema requires, as in a `oneof` of protobuf."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        # Not by attribute: that of a deprecated field warns.
        values, choices = self.__dict__, _choices(type(self))
        found = [
            choice.wire
            for choice in choices
            if values[choice.name] is not None or (choice.nullable and choice.name in self.model_fields_set)
        ]
        if len(found) != 1:
            message = "exactly one of {names} must be set, not {found}"
            names = ", ".join(choice.wire for choice in choices)
            raise PydanticCustomError(
                "one_of", message, {"names": names, "found": " and ".join(found) or "none"}
            )
        return self


class _Choice(NamedTuple):
    """A field of which exactly one is set: its Python name, its wire name, and whether its null counts as set."""

    name: str
    wire: str
    nullable: bool


@cache
def _choices(model: type[WireModel]) -> tuple[_Choice, ...]:
    schema: Any = model.model_config.get("json_schema_extra")
    by_wire = {
        wire_name(name): (name, _is_marked(field, _NULLABLE)) for name, field in model.model_fields.items()
    }
    names = [name for arm in schema["oneOf"] for name in arm["required"]]
    return tuple(_Choice(by_wire[name][0], name, by_wire[name][1]) for name in names)
