"""Laws of converting messages: what comes back is what was sent, and a loss is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright import ProtocolMessage, convert_message
from cardwright.jcs import canonical_bytes
from cardwright.testing.strategies import Cards
from cardwright_rules import MESSAGES
from tests.properties.test_conversion import at, leaves, listed

if TYPE_CHECKING:
    from cardwright.conversion import ConversionReport

EXAMPLES = {2_000: 10_000}.get(settings().max_examples, 50)
OLDER, NEWER = "a2a-messages-0.3", "a2a-messages-1.0"
# What stands alone, what streams and responses carry, and the method whose requests have parameters of a type.
ALONE = {
    OLDER: ("Task", "Message", "TaskStatusUpdateEvent", "TaskArtifactUpdateEvent"),
    NEWER: ("Task", "Message"),
}
EVENTS = {
    OLDER: ("Task", "Message", "TaskStatusUpdateEvent", "TaskArtifactUpdateEvent"),
    NEWER: ("StreamResponse",),
}
REQUESTS = {
    OLDER: {
        "message/send": "MessageSendParams",
        "tasks/get": "TaskQueryParams",
        "tasks/cancel": "TaskIdParams",
    },
    NEWER: {
        "SendMessage": "SendMessageRequest",
        "GetTask": "GetTaskRequest",
        "CancelTask": "CancelTaskRequest",
    },
}


def drawn(dialect: str, name: str) -> st.SearchStrategy[dict[str, Any]]:
    schema = MESSAGES[dialect].schema()
    return Cards({**schema["$defs"][name], "$defs": schema["$defs"]}).card()


def documents(dialect: str) -> st.SearchStrategy[Any]:
    """Return requests, responses and what they carry."""
    alone = st.one_of([drawn(dialect, name) for name in ALONE[dialect]])
    events = st.one_of([drawn(dialect, name) for name in EVENTS[dialect]])
    requests = [
        st.fixed_dictionaries(
            {
                "jsonrpc": st.just("2.0"),
                "id": st.just(1),
                "method": st.just(method),
                "params": drawn(dialect, name),
            }
        )
        for method, name in REQUESTS[dialect].items()
    ]
    responses = events.map(lambda result: {"jsonrpc": "2.0", "id": "1", "result": result})
    return st.one_of(alone, st.lists(events, max_size=2), responses, *requests)


def there_and_back(document: Any, dialect: str, other: str) -> tuple[Any, ConversionReport]:
    message = ProtocolMessage.from_document(document, dialect=dialect)
    converted, report = convert_message(message, to=other)
    assert canonical_bytes(message.document) == canonical_bytes(document)
    return convert_message(converted, to=dialect)[0].document, report


def unnamed(document: Any, back: Any, report: ConversionReport) -> list[str]:
    """Return the pointers of the values that did not come back and that the report does not list."""
    found = []
    for pointer, value in leaves(document):
        try:
            same = canonical_bytes(at(back, pointer)) == canonical_bytes(value)
        except (LookupError, TypeError):
            same = False
        if not same and not listed(pointer, report):
            found.append(pointer)
    return found


@settings(max_examples=EXAMPLES)
@given(documents(OLDER))
def test_a_message_of_0_3_comes_back_from_1_0(document: Any) -> None:
    back, report = there_and_back(document, OLDER, NEWER)

    assert not unnamed(document, back, report)
    assert report.losses or canonical_bytes(back) == canonical_bytes(document)


@settings(max_examples=EXAMPLES)
@given(documents(NEWER))
def test_a_message_of_1_0_loses_nothing_that_is_not_named(document: Any) -> None:
    back, report = there_and_back(document, NEWER, OLDER)

    assert not unnamed(document, back, report)


@pytest.mark.parametrize("dialect", [OLDER, NEWER])
def test_anything_is_converted_without_an_exception(dialect: str) -> None:
    other = NEWER if dialect == OLDER else OLDER
    wrong: list[Any] = [None, 1, "x", [], {}, [None], {"kind": "task"}]
    for name in (
        "result",
        "params",
        "task",
        "message",
        "configs",
        "parts",
        "artifact",
        "pushNotificationConfig",
    ):
        for value in wrong:
            request = {"jsonrpc": "2.0", "method": "message/send", name: value}
            for document in ({name: value}, request, {"jsonrpc": "2.0", "method": value}):
                message = ProtocolMessage.from_document(document, dialect=dialect)
                convert_message(message, to=other)[1].to_json()
