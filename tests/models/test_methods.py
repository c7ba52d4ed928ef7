"""The types of parameters and results of each method, against the tables of a2a-sdk."""

from __future__ import annotations

import importlib
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from cardwright_models import a2a_v1_0
from cardwright_models.a2a_methods import METHODS
from cardwright_rules.a2a_operations import OPERATIONS


def names_of(kind: Any) -> set[str]:
    return {one.__name__ for one in get_args(kind) or (kind,) if one is not type(None)}


def test_each_method_of_a_version_has_its_types_and_streams_as_its_operation() -> None:
    operations = {(row.method, row.version): row.streams for row in OPERATIONS.values() if row.method}

    assert {key: method.streams for key, method in METHODS.items()} == operations


def test_parameters_are_those_that_a2a_sdk_reads() -> None:
    # Imported the other way round, they would import each other in a circle.
    dispatcher = importlib.import_module("a2a.server.routes.jsonrpc_dispatcher").JsonRpcDispatcher
    adapter = importlib.import_module("a2a.compat.v0_3.jsonrpc_adapter").JSONRPC03Adapter

    for method, model in dispatcher.METHOD_TO_MODEL.items():
        assert METHODS[method, "1.0"].params.__name__ == model.__name__
    for method, request in adapter.METHOD_TO_MODEL.items():
        field = request.model_fields.get("params")
        expected = names_of(field.annotation) if field is not None else set()
        params = METHODS[method, "0.3"].params
        assert (names_of(params) if params is not None else set()) == expected, method


@pytest.mark.parametrize("key", METHODS, ids=" ".join)
def test_a_type_adapter_reads_each_type(key: tuple[str, str]) -> None:
    for kind in METHODS[key][:2]:
        adapter: TypeAdapter[Any] = TypeAdapter(kind)
        with pytest.raises(ValidationError):
            adapter.validate_python("text")


def test_a_result_is_read_as_its_type() -> None:
    task = {"id": "t", "status": {"state": "TASK_STATE_WORKING"}}

    kind = METHODS["SendMessage", "1.0"].result
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    read = adapter.validate_python({"task": task})

    assert read == a2a_v1_0.SendMessageResponse(task=a2a_v1_0.Task.from_wire(task))
