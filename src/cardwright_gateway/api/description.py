"""The description of the gateway's own HTTP API, and bodies judged by it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, decode
from cardwright.errors import MalformedDocument
from cardwright.http.problem import PARSE_ERROR, refuse
from cardwright_gateway.a2a.problems import faulty
from cardwright_runtime.engine import compile_schema, load
from cardwright_runtime.messages import explain, once
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from jsonschema_rs import Validator

# A body of this API is flat; what is said of an agent may hold its card (ours).
_DEPTH: Final = 64
_MEMBERS: Final = 65_536


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the gateway's own HTTP API; callers must not change it."""
    found: dict[str, Any] = load("cardwright_models.api", "gateway.json")
    return found


def judged(body: bytes, schema: str, max_bytes: int) -> dict[str, Any]:
    """Return the object that a body holds, read strictly and judged by a component schema.

    Args:
        body: As it came.
        schema: The name of the schema in the description.
        max_bytes: How many bytes are read.

    Raises:
        HttpError: If it is no such object; every fault is named with its place.
    """
    try:
        value = decode(body, Limits(max_bytes=max_bytes, max_depth=_DEPTH, max_members=_MEMBERS))
    except MalformedDocument as error:
        raise refuse(PARSE_ERROR, f"the body is no JSON that may be read ({error.rule})") from None
    judge = _judge(schema)
    if not judge.is_valid(value):
        found = [
            (pointer_of(path), message)
            for _, path, message, _ in map(explain, once(list(judge.iter_errors(value))))
        ]
        raise faulty(sorted(found))
    if type(value) is not dict:
        raise faulty([("", "an object stands here")])
    return value


@cache
def _judge(schema: str) -> Validator:
    components = {"schemas": description()["components"]["schemas"]}
    return compile_schema({"$ref": f"#/components/schemas/{schema}", "components": components})
