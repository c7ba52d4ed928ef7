"""The description of the gateway's own HTTP API, and bodies judged by it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, decode
from cardwright.errors import MalformedDocument
from cardwright.gateway.conditions import BAD_ARGUMENT
from cardwright.serve.problems import PARSE_ERROR, Condition, Problem, Refused, refuse
from cardwright_models.engine import compile_schema, load
from cardwright_models.explain import explain, once
from cardwright_models.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jsonschema_rs import Validator

# A body of this API is flat; what is said of an agent may hold its card (ours).
_DEPTH: Final = 64
_MEMBERS: Final = 65_536
# More faults than these nobody reads (ours).
_MOST_TOLD: Final = 64
_BAD_REQUEST: Final = "type.googleapis.com/google.rpc.BadRequest"


@dataclass(frozen=True)
class Faulty(Problem):
    """A problem that names the places where a request is wrong.

    Attributes:
        faults: JSON Pointers into the body, each with what is wrong there.
    """

    faults: tuple[tuple[str, str], ...] = field(default=())

    @property
    def details(self) -> list[dict[str, Any]]:
        """Return the `google.rpc.ErrorInfo`, and a `google.rpc.BadRequest` where places are known."""
        told = Problem(self.condition, self.message, self.metadata).details
        if not self.faults:
            return told
        named = [{"field": pointer, "description": message} for pointer, message in self.faults]
        return [*told, {"@type": _BAD_REQUEST, "fieldViolations": named}]


def faulty(
    faults: Iterable[tuple[str, str]],
    *,
    message: str = "the body breaks its schema, which /api/v1/openapi.json has",
    condition: Condition = BAD_ARGUMENT,
) -> Refused:
    """Return the refusal of a request that is wrong at some places, to be raised."""
    return Refused(Faulty(condition, message, faults=tuple(faults)[:_MOST_TOLD]))


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
        Refused: If it is no such object; every fault is named with its place.
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
