"""Read cards into a library's types and write them in each way; count what comes back as it was."""

from __future__ import annotations

import importlib
import json
import sys
import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

warnings.simplefilter("ignore")


def ways_of_models(module: str) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield each way of reading a card into a class of pydantic and writing it."""
    from fastapi import FastAPI
    from fastapi.testclient import TestClient
    from pydantic import BaseModel, create_model

    card: type[BaseModel] = importlib.import_module(module).AgentCard
    holder = create_model("Holder", item=(card, ...))
    written: dict[str, dict[str, bool]] = {
        "model_dump": {},
        "exclude_none": {"exclude_none": True},
        "exclude_unset": {"exclude_unset": True},
    }
    yield "read", lambda document: card.model_validate(document) and document
    for name, options in written.items():
        yield (
            name,
            lambda document, options=options: card.model_validate(document).model_dump(
                mode="json", by_alias=True, **options
            ),
        )
    yield (
        "in a model, exclude_unset",
        lambda document: holder.model_validate({"item": document}).model_dump(
            mode="json", by_alias=True, exclude_unset=True
        )["item"],
    )
    application = FastAPI()
    client = TestClient(application)
    for path, unset in (("/", False), ("/unset", True)):

        def echo(item: Any) -> Any:
            return item

        echo.__annotations__ = {"item": card, "return": card}
        application.post(path, response_model_exclude_unset=unset)(echo)
        name = "FastAPI, exclude_unset" if unset else "FastAPI"
        yield name, lambda document, path=path: client.post(path, json=document).raise_for_status().json()


def ways_of_protobuf() -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield the ways of a2a-sdk 1.x, whose types are protobuf messages; their options leave unknown fields out."""
    from a2a.types import AgentCard
    from google.protobuf.json_format import MessageToDict, ParseDict

    def read(document: Any) -> Any:
        return ParseDict(document, AgentCard(), ignore_unknown_fields=True)

    yield "read", lambda document: (read(document), document)[1]
    yield "MessageToDict", lambda document: MessageToDict(read(document))


def main() -> None:
    given = json.load(sys.stdin)
    module = given["module"]
    ways = ways_of_models(module) if module else ways_of_protobuf()
    counts: Counter[str] = Counter()
    for way, through in ways:
        counts[way] = 0
        for document in given["cards"]:
            try:
                counts[way] += through(document) == document
            except Exception:  # noqa: BLE001, S112 - a refused card does not come back
                continue
    sys.stdout.write(json.dumps(counts))


if __name__ == "__main__":
    main()
