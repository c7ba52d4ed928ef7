"""The golden responses of ACTS, which every client must read, and its requests: validated as messages of A2A 1.0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from cardwright import ProtocolMessage, UnknownDialect, convert_message
from cardwright_models import a2a_v1_0
from tests.shared import shared

if TYPE_CHECKING:
    from collections.abc import Iterator

# What ACTS sends although A2A 1.0 requires more: the field, and why a client may still read it.
KNOWN = {
    "messageId": "A2A 1.0 §4.1.4 requires it; ACTS leaves it out of messages whose identifier no step reads",
    "parts": "ACTS writes a file as `file`, which no version of 1.0 has: §4.1.6 has `raw` and `url`",
}


def messages(node: Any) -> Iterator[dict[str, Any]]:
    """Yield each object of JSON-RPC in a document of ACTS."""
    if isinstance(node, dict):
        if "jsonrpc" in node and ("result" in node or "method" in node):
            yield node
        else:
            for value in node.values():
                yield from messages(value)
    elif isinstance(node, list):
        for value in node:
            yield from messages(value)


@pytest.fixture(scope="module")
def recorded() -> list[ProtocolMessage]:
    """Return every message of ACTS of a method that A2A has."""
    found = []
    for file in sorted(shared("oracles", "acts").glob("*.acts.yaml")):
        for document in messages(yaml.safe_load(file.read_text(encoding="utf-8"))):
            try:
                found.append(ProtocolMessage.from_document(document))
            except UnknownDialect:
                # A method that no version has, or a pattern for a result.
                continue
    return found


def test_a_message_of_acts_is_valid_but_for_what_is_known(recorded: list[ProtocolMessage]) -> None:
    unknown = [
        (error.pointer, error.message)
        for message in recorded
        for error in message.errors
        if not any(name in error.pointer.rsplit("/", 2) for name in KNOWN)
    ]

    assert len(recorded) >= 12
    assert {str(message.dialect) for message in recorded} == {"a2a-messages-1.0"}
    assert unknown == []


def test_a_golden_response_is_read_by_the_classes_and_comes_back(recorded: list[ProtocolMessage]) -> None:
    for message in recorded:
        result = message.document.get("result")
        if message.valid and isinstance(result, dict):
            name = "StreamResponse" if {"task", "message"} & set(result) else "Task"
            model = getattr(a2a_v1_0, name).model_validate(result)
            assert model.model_dump() == result


def test_a_message_of_acts_comes_back_from_0_3(recorded: list[ProtocolMessage]) -> None:
    for message in recorded:
        older, report = convert_message(message, to="a2a-messages-0.3")
        back, _ = convert_message(older)
        # The result of GetTask is a task itself, which a response of 0.3 does not tell from that of SendMessage.
        wrapped = {**message.document, "result": {"task": message.document.get("result")}}
        assert report.losses or back.document in (message.document, wrapped)
