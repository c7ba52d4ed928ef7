"""The OpenAPI description of the gateway's own HTTP API, and the validation of request bodies."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cardwright.canonical import decode
from cardwright.errors import MalformedDocument
from cardwright.http.problem import PARSE_ERROR, refuse
from cardwright_gateway.a2a.calls import LIMITS
from cardwright_gateway.a2a.problems import faulty
from cardwright_gateway_models.documents_base import DocumentModel
from cardwright_runtime.engine import compile_schema, load
from cardwright_runtime.messages import explain
from cardwright_runtime.unions import explainable
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from jsonschema_rs import Validator

_PATH_PARAMETER: Final = re.compile(r"\{\w+\}")
_Model = TypeVar("_Model", bound=DocumentModel)


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the gateway's own HTTP API; callers must not change it."""
    document: dict[str, Any] = load("cardwright_gateway_models.api", "gateway.json")
    return document


def parameter_schema(name: str) -> Any:
    """Return the schema of a parameter of the API, by the name of its component."""
    return description()["components"]["parameters"][name]["schema"]


def query_parameters(method: str, path: str) -> frozenset[str]:
    """Return the names of the query parameters of an operation, by its path with any names of path parameters."""
    document = description()
    paths = {_PATH_PARAMETER.sub("{}", name): item for name, item in document["paths"].items()}
    operation = paths.get(_PATH_PARAMETER.sub("{}", path), {}).get(method.lower(), {})
    listed = [one["$ref"].rpartition("/")[2] for one in operation.get("parameters", [])]
    parameters = [document["components"]["parameters"][name] for name in listed]
    return frozenset(one["name"] for one in parameters if one["in"] == "query")


def read_model(body: bytes, model: type[_Model]) -> _Model:
    """Return a request body as the model of a component, whose schema validates it.

    Args:
        body: The body as it was received.
        model: A class of `cardwright_gateway_models.api.gateway`; it is named after its component.

    Raises:
        HttpError: If it is invalid; every fault has its JSON Pointer.
    """
    try:
        value = decode(body, LIMITS)
    except MalformedDocument as error:
        raise refuse(PARSE_ERROR, f"the body is not valid JSON ({error.rule})") from None
    validator = _validator(model.__name__)
    if not validator.is_valid(value):
        faults = [
            (pointer_of(path), message)
            for _, path, message, _ in map(explain, explainable(list(validator.iter_errors(value))))
        ]
        raise faulty(sorted(faults))
    return model.from_wire(value)


@cache
def _validator(component: str) -> Validator:
    components = {"schemas": description()["components"]["schemas"]}
    return compile_schema({"$ref": f"#/components/schemas/{component}", "components": components})
