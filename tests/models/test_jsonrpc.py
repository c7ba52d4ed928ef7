"""Requests, responses and errors of JSON-RPC: what is read, and what a call in Python may leave out."""

from __future__ import annotations

from typing import Any

import pytest
from a2a.compat.v0_3 import types as sdk
from pydantic import ValidationError

from cardwright_models import a2a_v0_3, a2a_v1_0
from cardwright_models.a2a_methods import METHODS
from cardwright_rules.a2a_operations import ERRORS, ProtocolError

PACKAGES: dict[str, Any] = {"0.3": a2a_v0_3, "1.0": a2a_v1_0}
NAMED = [(version, error) for error in ERRORS.values() for version in PACKAGES if version in error.names]


@pytest.mark.parametrize(("version", "error"), NAMED, ids=lambda one: getattr(one, "reason", one))
def test_an_error_has_its_code_and_message_in_python_and_must_have_them_when_read(
    version: str, error: ProtocolError
) -> None:
    model = getattr(PACKAGES[version], error.names[version])
    document = {"code": error.code, "message": error.message}

    assert model().to_wire() == document
    assert model(message="Gone.").message == "Gone."
    assert PACKAGES[version].A2AError.model_validate({**document, "message": "m"}).root == model(message="m")
    for read in (model.from_wire, model.model_validate):
        with pytest.raises(ValidationError, match="message\n  Field required"):
            read({"code": error.code})
    for mode in ("validation", "serialization"):
        assert model.model_json_schema(mode=mode)["required"] == ["code", "message"]


def test_errors_have_the_messages_of_a2a_sdk() -> None:
    for name in (error.names["0.3"] for version, error in NAMED if version == "0.3"):
        assert getattr(a2a_v0_3, name)().to_wire() == getattr(sdk, name)().model_dump(exclude_none=True)


@pytest.mark.parametrize("key", [key for key in METHODS if key[1] in PACKAGES], ids=" ".join)
def test_a_request_is_read_by_its_method(key: tuple[str, str]) -> None:
    method, version = key
    requests = PACKAGES[version].A2ARequest
    document = {"jsonrpc": "2.0", "id": 1, "method": method, "params": 5}

    request = next(one for one in requests.model_fields["root"].annotation.__args__ if _method(one) == method)
    assert request.__name__.endswith("Request")
    if METHODS[key].params is not None:
        with pytest.raises(ValidationError) as refused:
            requests.model_validate(document)
        # Nothing about the other methods.
        assert {error["loc"][:2] for error in refused.value.errors()} == {(method, "params")}
    with pytest.raises(ValidationError, match="does not match any of the expected tags"):
        requests.model_validate({**document, "method": "tasks/none"})


def _method(request: Any) -> str:
    return str(request.model_fields["method"].default)


def test_a_request_of_the_extended_card_may_have_no_parameters() -> None:
    document = {"jsonrpc": "2.0", "id": 6, "method": "GetExtendedAgentCard"}

    assert a2a_v1_0.A2ARequest.model_validate(document).model_dump() == document


def test_a_response_of_1_0_is_a_result_or_an_error() -> None:
    result = {"message": {"messageId": "1", "role": "ROLE_AGENT", "parts": [{"text": "Yes."}]}}
    response = {"jsonrpc": "2.0", "id": "a", "result": result}
    error = {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32009, "message": "m", "data": [{"@type": "t"}]},
    }

    read = a2a_v1_0.JSONRPCSendMessageResponse
    sent = read.model_validate(response).root
    failed = read.model_validate(error).root

    assert isinstance(sent, a2a_v1_0.JSONRPCSendMessageSuccessResponse)
    assert sent.to_wire() == response
    assert isinstance(failed, a2a_v1_0.JSONRPCErrorResponse)
    assert isinstance(failed.error, a2a_v1_0.VersionNotSupportedError)
    assert failed.to_wire() == error


@pytest.mark.parametrize("version", PACKAGES)
def test_a_package_exports_each_class_of_its_modules(version: str) -> None:
    package = PACKAGES[version]

    assert len(package.__all__) == len(set(package.__all__))
    for name in package.__all__:
        assert getattr(package, name).__module__.startswith(f"{package.__name__}.")
