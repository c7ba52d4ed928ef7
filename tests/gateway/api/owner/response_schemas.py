"""Validates responses of the owner API with the schemas of its OpenAPI description."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import orjson

from cardwright_gateway.api.description import description
from cardwright_runtime.engine import compile_schema

if TYPE_CHECKING:
    from jsonschema_rs import Validator

    from tests.serve.client import Reply


def check_described(method: str, path: str, reply: Reply) -> None:
    """Assert that an answer has a schema, if its path is described, and is valid under it."""
    template = next(
        (one for one in description()["paths"] if _pattern(one).fullmatch(path.partition("?")[0])), None
    )
    operation = description()["paths"].get(template, {}).get(method.lower())
    if operation is None or not reply.body or reply.headers["content-type"] == "text/event-stream":
        return
    assert str(reply.status) in operation["responses"], f"{method} {template} answers {reply.status}"
    faults = [
        str(one)
        for one in _validator(template, method.lower(), str(reply.status)).iter_errors(
            orjson.loads(reply.body)
        )
    ]
    assert not faults, f"{method} {template} {reply.status}: {faults}"


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]{1,256}", re.escape(template)))


@cache
def _validator(template: str, method: str, status: str) -> Validator:
    components: dict[str, Any] = description()["components"]
    response = description()["paths"][template][method]["responses"][status]
    if "$ref" in response:
        response = components["responses"][response["$ref"].rpartition("/")[2]]
    schema = response["content"]["application/json"]["schema"]
    return compile_schema({**schema, "components": components}, formats=True)
