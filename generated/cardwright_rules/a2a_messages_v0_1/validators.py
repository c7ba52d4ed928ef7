"""A2A 0.1 messages: its rules and its validator.

Generated from schemas/a2a-messages/0.1/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import Spelling, spelling
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.streams import stream_end
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "message/base64": Rule(
        id="message/base64",
        severity="error",
        spec="A2A 0.1 §6.6; RFC 4648 §4",
        message="not base64 of the standard alphabet with padding, so clients cannot decode the file. Encode the bytes again",
    ),
    "message/empty-id": Rule(
        id="message/empty-id",
        severity="error",
        spec="A2A 0.1 §6",
        message="an empty identifier names nothing, and protobuf reads it as missing. Give it a value of its own, such as a UUID",
    ),
    "message/empty-parts": Rule(
        id="message/empty-parts",
        severity="warning",
        spec="A2A 0.1 §6.4, §6.7",
        message="without parts it has no content. Add one, or leave the object out",
    ),
    "message/file-content": Rule(
        id="message/file-content",
        severity="error",
        spec="A2A 0.1 §6.6",
        message="a file has either `bytes` or a `uri`, and this one has both or neither. Keep one",
    ),
    "message/final": Rule(
        id="message/final",
        severity="warning",
        spec="A2A 0.1 §7.2.2",
        message="`final` and the state disagree: it is true in the event that ends the stream, and in no other. After `final`, clients stop reading",
    ),
    "message/history-length": Rule(
        id="message/history-length",
        severity="error",
        spec="A2A 0.1 §7.1.1, §7.3.1",
        message="{value} is not a number of messages: it must be from 0 to 2,147,483,647",
    ),
    "message/media-type": Rule(
        id="message/media-type",
        severity="warning",
        spec="A2A 0.1 §6.6; RFC 6838 §4.2",
        message="{value} is not a media type. Write type and subtype, such as text/plain",
    ),
    "message/newer-form": Rule(
        id="message/newer-form",
        severity="warning",
        spec="A2A 0.1 §6.5, §6.6",
        message="a field of a later A2A, which agents of 0.1 ignore. Write `type` for `kind`, `mimeType` for `mediaType`, and `name` for `filename`",
    ),
    "message/sender-role": Rule(
        id="message/sender-role",
        severity="warning",
        spec="A2A 0.1 §7.1",
        message='the client sends the message, and this one says that the agent wrote it. Write "user"',
    ),
    "message/spelling": Rule(
        id="message/spelling",
        severity="warning",
        spec="A2A 0.1 §6",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "message/status-role": Rule(
        id="message/status-role",
        severity="warning",
        spec="A2A 0.1 §6.2",
        message='the message of a status is the agent\'s, and this one says that the user wrote it. Write "agent"',
    ),
    "message/stream-end": Rule(
        id="message/stream-end",
        severity="warning",
        spec="A2A 0.1 §7.2",
        message="{value} comes after the end of the stream: {first} ended the task. Clients have stopped reading. Send it before",
    ),
    "message/timestamp": Rule(
        id="message/timestamp",
        severity="warning",
        spec="A2A 0.1 §6.2; RFC 3339 §5.6",
        message="{value} is not a time with a zone, such as 2026-03-01T08:00:00Z: readers disagree by hours. Write the time in UTC",
    ),
    "message/url": Rule(
        id="message/url",
        severity="warning",
        spec="A2A 0.1 §6.6",
        message="{value} is not an absolute URL; the receiver does not know relative to what. Write the full URL",
    ),
    "message/webhook-url": Rule(
        id="message/webhook-url",
        severity="error",
        spec="A2A 0.1 §6.8",
        message="{value} is not an absolute http(s) URL, so the agent can deliver nothing there. Write the full URL",
    ),
}

SPELLINGS: Final = {
    "message/spelling": Spelling.of(
        {
            (
                "artifact",
                "artifacts",
                "final",
                "history",
                "id",
                "metadata",
                "pushNotificationConfig",
                "sessionId",
                "status",
            ): ("/[*]/result", "/result", "/[*]/result", "/result", "/[*]/result", "/result"),
            (
                "artifact",
                "artifacts",
                "error",
                "final",
                "history",
                "historyLength",
                "id",
                "jsonrpc",
                "message",
                "metadata",
                "method",
                "params",
                "parts",
                "pushNotification",
                "pushNotificationConfig",
                "result",
                "role",
                "sessionId",
                "status",
            ): ("/[*]", "", "/[*]", "", "/[*]", "", "/[*]", ""),
            ("message", "state", "timestamp"): (
                "/[*]/result/status",
                "/[*]/status",
                "/result/status",
                "/status",
            ),
            ("metadata", "parts", "role"): (
                "/[*]/params/message",
                "/[*]/result/status/message",
                "/[*]/result/history/[*]",
                "/[*]/message",
                "/[*]/status/message",
                "/[*]/history/[*]",
                "/params/message",
                "/result/status/message",
                "/result/history/[*]",
                "/message",
                "/status/message",
                "/history/[*]",
            ),
            ("data", "file", "metadata", "text", "type"): (
                "/[*]/params/message/parts/[*]",
                "/[*]/result/artifact/parts/[*]",
                "/[*]/result/status/message/parts/[*]",
                "/[*]/result/artifacts/[*]/parts/[*]",
                "/[*]/result/history/[*]/parts/[*]",
                "/[*]/message/parts/[*]",
                "/[*]/artifact/parts/[*]",
                "/[*]/parts/[*]",
                "/[*]/status/message/parts/[*]",
                "/[*]/artifacts/[*]/parts/[*]",
                "/[*]/history/[*]/parts/[*]",
                "/params/message/parts/[*]",
                "/result/artifact/parts/[*]",
                "/result/status/message/parts/[*]",
                "/result/artifacts/[*]/parts/[*]",
                "/result/history/[*]/parts/[*]",
                "/message/parts/[*]",
                "/artifact/parts/[*]",
                "/parts/[*]",
                "/status/message/parts/[*]",
                "/artifacts/[*]/parts/[*]",
                "/history/[*]/parts/[*]",
            ),
            ("append", "description", "index", "lastChunk", "metadata", "name", "parts"): (
                "/[*]/result/artifact",
                "/[*]/result/artifacts/[*]",
                "/[*]/artifact",
                "/[*]/artifacts/[*]",
                "/result/artifact",
                "/result/artifacts/[*]",
                "/artifact",
                "/artifacts/[*]",
            ),
        }
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    stream_end(violations, RULES["message/stream-end"], document)
    del vocabularies


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    spelling(violations, RULES["message/spelling"], document, SPELLINGS["message/spelling"])
    spelling(violations, RULES["message/spelling"], document, SPELLINGS["message/spelling"])
    spelling(violations, RULES["message/spelling"], document, SPELLINGS["message/spelling"])


VALIDATOR: Final = DialectValidator(__package__ or "", RULES, structural, names, schema=__package__ or "")
