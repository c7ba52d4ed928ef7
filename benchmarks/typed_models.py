"""Typed models: the bytes of a card → a model, and a model → bytes; beside orjson and the types of a2a-sdk.

The cards are distinct; a2a-sdk's types of 0.3 and its protobuf messages of 1.0 read and write the same ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from a2a.compat.v0_3.types import AgentCard as SdkCard
from a2a.types import AgentCard as ProtobufCard
from google.protobuf.json_format import MessageToJson, Parse  # type: ignore[import-untyped] # it has no stubs

from benchmarks.documents import distinct
from benchmarks.measure import interleaved, machine
from cardwright_models import a2a_v0_3, a2a_v1_0

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COUNT = 40
SIZES = (3_000, 100_000)
# The maximum multiple of orjson.loads and of orjson.dumps.
PARSE, DUMP = 2.5, 2.0


def typed_models() -> None:
    """Print the table."""
    print(
        f"Typed models: {COUNT} distinct valid cards (medians, multiples of orjson; ! limit {PARSE:g} and {DUMP:g})\n"
    )
    print("| bytes | A2A | parse | a2a-sdk | dump | a2a-sdk |\n|---|---|---|---|---|---|")
    for size in SIZES:
        for version in ("0.3", "1.0"):
            _row(size, version)
    print()


def _row(size: int, version: str) -> None:
    bodies = [orjson.dumps(document) for document in distinct(f"a2a-{version}", size, COUNT)]
    model = (a2a_v0_3 if version == "0.3" else a2a_v1_0).AgentCard
    read: Callable[[bytes], Any] = SdkCard.model_validate_json
    write: Callable[[Any], Any] = _unset
    if version == "1.0":
        read, write = _parsed, MessageToJson
    if any(
        orjson.loads(model.model_validate_json(body).model_dump_json()) != orjson.loads(body)
        for body in bodies
    ):
        raise SystemExit("a measured card does not come back as it was")
    parsed = interleaved(
        {
            "orjson": _each(orjson.loads, bodies),
            "model": _each(model.model_validate_json, bodies),
            "sdk": _each(read, bodies),
        }
    )
    documents = [orjson.loads(body) for body in bodies]
    dumped = interleaved(
        {
            "orjson": _each(orjson.dumps, documents),
            "model": _each(model.model_dump_json, [model.model_validate_json(body) for body in bodies]),
            "sdk": _each(write, [read(body) for body in bodies]),
        }
    )
    cells = [
        _multiple(times, name, limit)
        for times, limit in ((parsed, PARSE), (dumped, DUMP))
        for name in ("model", "sdk")
    ]
    print(f"| {size:,} | {version} | {' | '.join(cells)} |")


def _multiple(times: dict[str, float], name: str, limit: float) -> str:
    ratio = times[name] / times["orjson"]
    return f"{ratio:.1f}{' !' if name == 'model' and ratio > limit else ''}"


def _each(call: Callable[[Any], object], values: Sequence[Any]) -> Callable[[], None]:
    """Return a call that goes through all values, so that none of them stays in a cache of the processor."""

    def run() -> None:
        for value in values:
            call(value)

    return run


def _unset(card: SdkCard) -> str:
    return card.model_dump_json(exclude_unset=True)


def _parsed(body: bytes) -> ProtobufCard:
    message: ProtobufCard = Parse(body, ProtobufCard(), ignore_unknown_fields=True)
    return message


if __name__ == "__main__":
    print(machine(), "\n")
    typed_models()
