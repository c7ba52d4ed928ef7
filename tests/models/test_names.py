"""The names of classes and fields are those of a2a-sdk 0.3 and of `a2a.proto`.

A field that the installed SDK does not have yet is no fault: the schema may follow a newer specification.
"""

from __future__ import annotations

import inspect
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from a2a.compat.v0_3 import types as sdk
from a2a.types import a2a_pb2
from pydantic import BaseModel, RootModel
from pydantic_core import PydanticUndefined

from cardwright_models import a2a_v0_3, a2a_v1_0
from cardwright_models.wire_names import wire_name

if TYPE_CHECKING:
    from types import ModuleType

    from cardwright_models.base import WireModel


def models_of(module: ModuleType) -> dict[str, type[BaseModel]]:
    classes = {name: getattr(module, name) for name in dir(module) if name[0].isupper()}
    return {name: one for name, one in classes.items() if inspect.isclass(one) and issubclass(one, BaseModel)}


MESSAGES = dict(a2a_pb2.DESCRIPTOR.message_types_by_name)


def test_every_card_class_of_a2a_sdk_0_3_has_its_fields_and_what_it_requires() -> None:
    for name, model in models_of(a2a_v0_3).items():
        in_sdk = getattr(sdk, name, None)
        assert in_sdk is not None, name
        if issubclass(model, RootModel):
            assert issubclass(in_sdk, RootModel)
            continue
        fields = {field: one.is_required() for field, one in model.model_fields.items()}
        # a2a-sdk gives some fields that the specification requires a default, such as `protocolVersion`.
        assert set(fields) >= set(in_sdk.model_fields), name
        loose = {
            field for field, one in in_sdk.model_fields.items() if not one.is_required() and fields[field]
        }
        assert {f"{name}.{field}" for field in loose} <= {"AgentCard.protocol_version"}, name
        assert not {
            field for field, one in in_sdk.model_fields.items() if one.is_required() and not fields[field]
        }


def test_the_page_lists_every_default_and_class_of_a2a_sdk_that_differs() -> None:
    page = (Path(__file__).parents[2] / "docs/pages/how-to/typed-models.md").read_text("utf-8")
    card_classes = models_of(a2a_v0_3)
    differing = {
        field
        for name, model in card_classes.items()
        for field, one in getattr(sdk, name).model_fields.items()
        if one.default not in (None, PydanticUndefined) and one.default != model.model_fields[field].default
    }
    enums = {
        one.__name__: {member.name: member.value for member in one}
        for name in card_classes
        for field in getattr(sdk, name).model_fields.values()
        for one in (field.annotation, *get_args(field.annotation))
        if inspect.isclass(one) and issubclass(one, Enum)
    }

    assert differing == {"preferred_transport", "protocol_version"}
    own = {name: getattr(a2a_v0_3, name, ()) for name in enums}
    others = {name for name in enums if {one.name: one.value for one in own[name]} != enums[name]}
    assert others == {"In"}
    for name in (*differing, *others):
        assert f"| `{name}" in page


def test_every_message_of_a2a_proto_has_its_fields() -> None:
    for name, message in MESSAGES.items():
        fields = {field.name: field.json_name for field in message.fields}
        fields_here = getattr(a2a_v1_0, name).model_fields
        assert {field.rstrip("_"): wire_name(field) for field in fields_here}.items() >= fields.items(), name


def test_a_oneof_of_a2a_proto_is_a_choice() -> None:
    for name, message in MESSAGES.items():
        real = [one for one in message.oneofs if not one.name.startswith("_")]
        model: type[WireModel] = getattr(a2a_v1_0, name)
        schema: Any = model.model_config.get("json_schema_extra", {})
        arms = [arm["required"][0] for arm in schema.get("oneOf", ())]
        assert arms == [field.json_name for one in real for field in one.fields], name


def test_every_enumeration_of_a2a_proto_has_its_members() -> None:
    for name, enum in a2a_pb2.DESCRIPTOR.enum_types_by_name.items():
        assert [one.name for one in getattr(a2a_v1_0, name)] == [one.name for one in enum.values]
