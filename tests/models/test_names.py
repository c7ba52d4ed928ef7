"""The names of classes and fields are those of a2a-sdk 0.3 and of `a2a.proto`.

A field that the installed SDK does not have yet is no fault: the schema may follow a newer specification.
"""

from __future__ import annotations

import inspect
import json
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from a2a.compat.v0_3 import types as sdk
from a2a.types import a2a_pb2
from pydantic import BaseModel, RootModel
from pydantic_core import PydanticUndefined

from cardwright_models import a2a_v0_3, a2a_v1_0
from cardwright_models.wire_names import wire_name
from tests.shared import shared

if TYPE_CHECKING:
    from types import ModuleType

    from cardwright_models.base import WireModel


def models_of(module: ModuleType) -> dict[str, type[BaseModel]]:
    classes = {name: getattr(module, name) for name in dir(module) if name[0].isupper()}
    return {name: one for name, one in classes.items() if inspect.isclass(one) and issubclass(one, BaseModel)}


MESSAGES = dict(a2a_pb2.DESCRIPTOR.message_types_by_name)


# Names of `a2a.types` that have no class here, with the reason.
WITHOUT_CLASS = {
    "A2A": "the root of the schema file, with no field of its own",
    "FileBase": "the common fields of two classes",
    "PartBase": "the common fields of three classes",
    "SecuritySchemeBase": "the common field of five classes",
    "In": "a Literal, so that a type checker accepts the text",
    "TransportProtocol": "transports are open strings (A2A 0.3 §5.5.5); `a2a_facts.DEFAULT_TRANSPORT` is the default one",
}


def test_every_class_of_a2a_sdk_0_3_exists_but_for_a_list() -> None:
    of_sdk = {
        name for name, one in vars(sdk).items() if inspect.isclass(one) and one.__module__ == sdk.__name__
    }
    names = {name for name in of_sdk if "[" not in name}

    assert names - set(dir(a2a_v0_3)) == set(WITHOUT_CLASS)


def test_every_class_of_0_3_has_the_fields_of_a2a_sdk_and_what_the_published_schema_requires() -> None:
    document = json.loads(shared("spec", "a2a-0.3.0.json").read_bytes())["definitions"]
    for name, model in models_of(a2a_v0_3).items():
        in_sdk = getattr(sdk, name, None)
        assert in_sdk is not None, name
        if issubclass(model, RootModel):
            assert issubclass(in_sdk, RootModel)
            continue
        assert set(model.model_fields) >= set(in_sdk.model_fields), name
        schema = model.model_json_schema()
        assert set(schema["properties"]) >= set(document[name]["properties"]), name
        assert set(schema.get("required", ())) == set(document[name].get("required", ())), name


def test_the_page_lists_every_default_and_class_of_a2a_sdk_that_differs() -> None:
    page = (Path(__file__).parents[2] / "docs/pages/how-to/typed-models.md").read_text("utf-8")
    card_classes = models_of(a2a_v0_3)
    differing = {
        field
        for name, model in card_classes.items()
        for field, one in getattr(sdk, name).model_fields.items()
        if one.default not in (None, PydanticUndefined)
        and one.default != model.model_fields[field].default
        and not name.endswith("Error")
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
