"""What an agent answered to a JSON-RPC request, validated as a message of the version of the request."""

from __future__ import annotations

import json
from typing import Any

from cardwright import Checks, Document, Limits, MalformedDocument, UnknownDialect
from cardwright_rules import MESSAGES

CHECKS = Checks(limits=Limits(max_bytes=2**24))


def check_answer(request: bytes, media_type: str, body: bytes) -> None:
    """Assert that the answer to a valid request is valid.

    Args:
        request: The body of the request; one that is no message, or not valid, is left out.
        media_type: The media type of the answer, with or without parameters.
        body: The body of the answer: one JSON value, or a stream.
    """
    try:
        sent = Document.from_bytes(request, checks=CHECKS)
    except (MalformedDocument, UnknownDialect):
        return
    dialect = str(sent.dialect)
    if dialect not in MESSAGES or not sent.valid or "jsonrpc" not in sent.document or not body:
        return
    if not media_type.startswith(("application/json", "text/event-stream")):
        return
    answered = Document.from_bytes(body, dialect=dialect, checks=CHECKS)
    document: Any = answered.document
    answers = document if isinstance(document, list) else [document]
    # What refuses a caller before its request is read is not of the protocol, and a text is a result that a test made up.
    if not all("jsonrpc" in one and not isinstance(one.get("result"), str) for one in answers):
        return
    errors = [f"{one.pointer}: {one.message}" for one in answered.errors]
    assert not errors, (errors, json.dumps(document)[:2_000])
