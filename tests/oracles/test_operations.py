"""The tables of operations and errors against a2a-sdk and the published schemas."""

from __future__ import annotations

import importlib
import json
import re
from typing import Any

import pytest

from cardwright_rules.a2a_operations import ERRORS, OPERATIONS, Operation
from tests.shared import shared


def rows(version: str) -> list[Operation]:
    return [row for (of, _), row in OPERATIONS.items() if of == version]


def routes_of_the_proto(descriptor: Any) -> dict[tuple[str, str], bool]:
    """Return whether each HTTP verb and path of a protobuf service streams."""
    pytest.importorskip("google.api.annotations_pb2")
    from google.api import annotations_pb2  # type: ignore[import-untyped] # it has no stubs

    found = {}
    for method in descriptor.services_by_name["A2AService"].methods:
        rule = method.GetOptions().Extensions[annotations_pb2.http]
        verb = rule.WhichOneof("pattern")
        found[verb.upper(), getattr(rule, verb)] = method.server_streaming
    return found


def shaped(path: str) -> str:
    """Return a path with every name of a resource as `*`."""
    return re.sub(r"\{\w+\}", "*", re.sub(r"\{\w+=([^}]*)\}", r"\1", path))


@pytest.mark.parametrize("version", ["1.0", "0.3"])
def test_paths_and_streams_are_those_of_the_protobuf_service(version: str) -> None:
    if version == "1.0":
        from a2a.types.a2a_pb2 import DESCRIPTOR
    else:
        from a2a.compat.v0_3.a2a_v0_3_pb2 import DESCRIPTOR
    published = {
        (verb, shaped(path)): streams for (verb, path), streams in routes_of_the_proto(DESCRIPTOR).items()
    }
    implemented = {
        (verb, shaped(row.path)): row.streams for row in rows(version) if row.path for verb in row.verbs
    }
    # 0.3's text has a list of tasks that its proto lacks; both texts post a subscription, which both protos get.
    beyond = {("GET", "/v1/tasks"), ("POST", "/v1/tasks/*:subscribe"), ("POST", "/tasks/*:subscribe")}
    assert {key: streams for key, streams in implemented.items() if key not in beyond} == published


def test_methods_are_those_that_the_sdk_serves() -> None:
    # Imported the other way round, they would import each other in a circle.
    dispatcher = importlib.import_module("a2a.server.routes.jsonrpc_dispatcher").JsonRpcDispatcher
    adapter = importlib.import_module("a2a.compat.v0_3.jsonrpc_adapter").JSONRPC03Adapter

    assert {row.method for row in rows("1.0")} == set(dispatcher.METHOD_TO_MODEL)
    assert {row.method for row in rows("0.3")} - {None} == set(adapter.METHOD_TO_MODEL)


def test_errors_are_those_of_the_sdk() -> None:
    from a2a.utils.errors import A2A_ERROR_MAPPING, JSON_RPC_ERROR_CODE_MAP, JSONParseError

    rows = {
        error.__name__: (JSON_RPC_ERROR_CODE_MAP[error], row.http_code, row.grpc_status, row.reason)
        for error, row in A2A_ERROR_MAPPING.items()
    }
    implemented = {
        error.names["1.0"]: (error.code, error.http, error.grpc, reason) for reason, error in ERRORS.items()
    }
    # The SDK has no status for a body that is not JSON.
    assert implemented.pop("JSONParseError")[0] == JSON_RPC_ERROR_CODE_MAP[JSONParseError]
    assert implemented == rows


@pytest.mark.parametrize("version", ["0.1.0", "0.2.6", "0.3.0"])
def test_names_codes_and_messages_of_errors_are_those_of_the_published_schemas(version: str) -> None:
    schema = json.loads(shared("spec", f"a2a-{version}.json").read_bytes())
    definitions = schema.get("definitions") or schema["$defs"]
    published = {
        name: (row["properties"]["code"]["const"], row["properties"]["message"]["default"])
        for name, row in definitions.items()
        if name.endswith("Error") and "const" in row.get("properties", {}).get("code", {})
    }
    implemented = {
        name: (error.code, error.message)
        for error in ERRORS.values()
        if (name := error.names.get(version[:3]))
    }
    if version == "0.1.0":
        # Only its text has this error (§8.2).
        assert implemented.pop("ContentTypeNotSupportedError")[0] == -32005
    assert implemented == published
