"""A2A 0.3 messages: its rules and its validator.

Generated from schemas/a2a-messages/0.3/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import Spelling, same, spelling
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.streams import stream_chunks, stream_end
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "message/base64": Rule(
        id="message/base64",
        severity="error",
        spec="A2A 0.3 §6.6.1; RFC 4648 §4",
        message="not base64 of the standard alphabet with padding, so clients cannot decode the file. Encode the bytes again",
    ),
    "message/context-mismatch": Rule(
        id="message/context-mismatch",
        severity="warning",
        spec="A2A 0.3 §6.1",
        message="it names the context {value}, but is part of a task of the context {meant}. Correct the identifier, or leave it out",
    ),
    "message/empty-id": Rule(
        id="message/empty-id",
        severity="error",
        spec="A2A 0.3 §6",
        message="an empty identifier names nothing, and protobuf reads it as missing. Give it a value of its own, such as a UUID",
    ),
    "message/empty-parts": Rule(
        id="message/empty-parts",
        severity="warning",
        spec="A2A 0.3 §6.4, §6.7",
        message="without parts it has no content. Add one, or leave the object out",
    ),
    "message/file-content": Rule(
        id="message/file-content",
        severity="error",
        spec="A2A 0.3 §6.5.2",
        message="a file has either `bytes` or a `uri`, and this one has both. Keep one",
    ),
    "message/final": Rule(
        id="message/final",
        severity="warning",
        spec="A2A 0.3 §7.2.2",
        message="`final` and the state disagree: it is true in the event that ends the stream, and in no other. After `final`, clients stop reading",
    ),
    "message/history-length": Rule(
        id="message/history-length",
        severity="error",
        spec="A2A 0.3 §7.1.1, §7.3.1",
        message="{value} is not a number of messages: it must be from 0 to 2,147,483,647",
    ),
    "message/last-chunk": Rule(
        id="message/last-chunk",
        severity="warning",
        spec="A2A 0.3 §7.2.3",
        message="the artifact {value} {fault}. Clients that put the chunks together lose or repeat content",
    ),
    "message/media-type": Rule(
        id="message/media-type",
        severity="warning",
        spec="A2A 0.3 §6.6; RFC 6838 §4.2",
        message="{value} is not a media type. Write type and subtype, such as text/plain",
    ),
    "message/newer-form": Rule(
        id="message/newer-form",
        severity="warning",
        spec="A2A 0.3 §6.6",
        message="a field of A2A 1.0, which agents of 0.3 ignore. Write `mimeType` for `mediaType`, and `name` for `filename`",
    ),
    "message/sender-role": Rule(
        id="message/sender-role",
        severity="warning",
        spec="A2A 0.3 §7.1",
        message='the client sends the message, and this one says that the agent wrote it. Write "user"',
    ),
    "message/spelling": Rule(
        id="message/spelling",
        severity="warning",
        spec="A2A 0.3 §6",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "message/status-role": Rule(
        id="message/status-role",
        severity="warning",
        spec="A2A 0.3 §6.2",
        message='the message of a status is the agent\'s, and this one says that the user wrote it. Write "agent"',
    ),
    "message/stream-end": Rule(
        id="message/stream-end",
        severity="warning",
        spec="A2A 0.3 §7.2",
        message="{value} comes after the end of the stream: {first} ended the task. Clients have stopped reading. Send it before",
    ),
    "message/task-mismatch": Rule(
        id="message/task-mismatch",
        severity="warning",
        spec="A2A 0.3 §6.1",
        message="it names {value}, but is part of the task {meant}. Clients that sort messages by task lose it. Correct the identifier, or leave it out",
    ),
    "message/timestamp": Rule(
        id="message/timestamp",
        severity="warning",
        spec="A2A 0.3 §6.2; RFC 3339 §5.6",
        message="{value} is not a time with a zone, such as 2026-03-01T08:00:00Z: readers disagree by hours. Write the time in UTC",
    ),
    "message/url": Rule(
        id="message/url",
        severity="warning",
        spec="A2A 0.3 §6.6.2",
        message="{value} is not an absolute URL; the receiver does not know relative to what. Write the full URL",
    ),
    "message/webhook-url": Rule(
        id="message/webhook-url",
        severity="error",
        spec="A2A 0.3 §6.8",
        message="{value} is not an absolute http(s) URL, so the agent can deliver nothing there. Write the full URL",
    ),
}

SPELLINGS: Final = {
    "message/spelling": Spelling.of(
        {
            (
                "additionalInterfaces",
                "append",
                "artifact",
                "artifacts",
                "capabilities",
                "contextId",
                "defaultInputModes",
                "defaultOutputModes",
                "description",
                "documentationUrl",
                "extensions",
                "final",
                "history",
                "iconUrl",
                "id",
                "kind",
                "lastChunk",
                "messageId",
                "metadata",
                "name",
                "parts",
                "preferredTransport",
                "protocolVersion",
                "provider",
                "pushNotificationConfig",
                "referenceTaskIds",
                "role",
                "security",
                "securitySchemes",
                "signatures",
                "skills",
                "status",
                "supportsAuthenticatedExtendedCard",
                "taskId",
                "url",
                "version",
            ): (
                "/[*]/result",
                "/result",
                "/[*]/result",
                "/result",
                "/[*]/result",
                "/result",
                "/[*]/result",
                "/result",
            ),
            (
                "additionalInterfaces",
                "append",
                "artifact",
                "artifacts",
                "capabilities",
                "configuration",
                "contextId",
                "defaultInputModes",
                "defaultOutputModes",
                "description",
                "documentationUrl",
                "error",
                "extensions",
                "final",
                "history",
                "iconUrl",
                "id",
                "jsonrpc",
                "kind",
                "lastChunk",
                "message",
                "messageId",
                "metadata",
                "method",
                "name",
                "params",
                "parts",
                "preferredTransport",
                "protocolVersion",
                "provider",
                "pushNotificationConfig",
                "referenceTaskIds",
                "result",
                "role",
                "security",
                "securitySchemes",
                "signatures",
                "skills",
                "status",
                "supportsAuthenticatedExtendedCard",
                "taskId",
                "url",
                "version",
            ): ("/[*]", "", "/[*]", "", "/[*]", "", "/[*]", ""),
            ("message", "state", "timestamp"): (
                "/[*]/result/status",
                "/[*]/status",
                "/result/status",
                "/status",
            ),
            (
                "contextId",
                "extensions",
                "kind",
                "messageId",
                "metadata",
                "parts",
                "referenceTaskIds",
                "role",
                "taskId",
            ): (
                "/[*]/params/message",
                "/[*]/result/status/message",
                "/[*]/result/history/[*]",
                "/[*]/status/message",
                "/[*]/history/[*]",
                "/[*]/message",
                "/params/message",
                "/result/status/message",
                "/result/history/[*]",
                "/status/message",
                "/history/[*]",
                "/message",
            ),
            ("data", "file", "kind", "metadata", "text"): (
                "/[*]/params/message/parts/[*]",
                "/[*]/result/status/message/parts/[*]",
                "/[*]/result/artifacts/[*]/parts/[*]",
                "/[*]/result/history/[*]/parts/[*]",
                "/[*]/result/parts/[*]",
                "/[*]/result/artifact/parts/[*]",
                "/[*]/status/message/parts/[*]",
                "/[*]/artifacts/[*]/parts/[*]",
                "/[*]/history/[*]/parts/[*]",
                "/[*]/parts/[*]",
                "/[*]/artifact/parts/[*]",
                "/[*]/message/parts/[*]",
                "/params/message/parts/[*]",
                "/result/status/message/parts/[*]",
                "/result/artifacts/[*]/parts/[*]",
                "/result/history/[*]/parts/[*]",
                "/result/parts/[*]",
                "/result/artifact/parts/[*]",
                "/status/message/parts/[*]",
                "/artifacts/[*]/parts/[*]",
                "/history/[*]/parts/[*]",
                "/parts/[*]",
                "/artifact/parts/[*]",
                "/message/parts/[*]",
            ),
            ("artifactId", "description", "extensions", "metadata", "name", "parts"): (
                "/[*]/result/artifacts/[*]",
                "/[*]/result/artifact",
                "/[*]/artifacts/[*]",
                "/[*]/artifact",
                "/result/artifacts/[*]",
                "/result/artifact",
                "/artifacts/[*]",
                "/artifact",
            ),
        }
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    same(
        violations,
        RULES["message/context-mismatch"],
        document,
        ("[*]", "result"),
        (("contextId",), ("status", "message", "contextId"), ("history", "*", "contextId")),
    )
    same(
        violations,
        RULES["message/context-mismatch"],
        document,
        ("[*]",),
        (("contextId",), ("status", "message", "contextId"), ("history", "*", "contextId")),
    )
    same(
        violations,
        RULES["message/context-mismatch"],
        document,
        ("result",),
        (("contextId",), ("status", "message", "contextId"), ("history", "*", "contextId")),
    )
    same(
        violations,
        RULES["message/context-mismatch"],
        document,
        (),
        (("contextId",), ("status", "message", "contextId"), ("history", "*", "contextId")),
    )
    stream_chunks(violations, RULES["message/last-chunk"], document)
    stream_end(violations, RULES["message/stream-end"], document)
    same(
        violations,
        RULES["message/task-mismatch"],
        document,
        ("[*]", "result"),
        (("id",), ("status", "message", "taskId"), ("history", "*", "taskId")),
    )
    same(
        violations,
        RULES["message/task-mismatch"],
        document,
        ("[*]",),
        (("id",), ("status", "message", "taskId"), ("history", "*", "taskId")),
    )
    same(
        violations,
        RULES["message/task-mismatch"],
        document,
        ("result",),
        (("id",), ("status", "message", "taskId"), ("history", "*", "taskId")),
    )
    same(
        violations,
        RULES["message/task-mismatch"],
        document,
        (),
        (("id",), ("status", "message", "taskId"), ("history", "*", "taskId")),
    )
    del vocabularies


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    spelling(violations, RULES["message/spelling"], document, SPELLINGS["message/spelling"])
    spelling(violations, RULES["message/spelling"], document, SPELLINGS["message/spelling"])
    spelling(violations, RULES["message/spelling"], document, SPELLINGS["message/spelling"])
    spelling(violations, RULES["message/spelling"], document, SPELLINGS["message/spelling"])


VALIDATOR: Final = DialectValidator(__package__ or "", RULES, structural, names, schema=__package__ or "")
