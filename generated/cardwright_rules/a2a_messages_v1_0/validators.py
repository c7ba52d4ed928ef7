"""A2A 1.0 messages: its rules and its validator.

Generated from schemas/a2a-messages/1.0/dialect.json
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
        spec="A2A 1.0 §4.1.6; ProtoJSON",
        message="not base64, so clients cannot decode the file. Encode the bytes",
    ),
    "message/base64-form": Rule(
        id="message/base64-form",
        severity="warning",
        spec="A2A 1.0 §4.1.6; RFC 4648 §4",
        message="base64 of the URL-safe alphabet or without padding: protobuf reads it, most other decoders do not. Encode with the standard alphabet and padding",
    ),
    "message/context-mismatch": Rule(
        id="message/context-mismatch",
        severity="warning",
        spec="A2A 1.0 §3.4.1",
        message="it names the context {value}, but is part of a task of the context {meant}. Correct the identifier, or leave it out",
    ),
    "message/empty-id": Rule(
        id="message/empty-id",
        severity="error",
        spec="A2A 1.0 §4.1, §4.2",
        message="an empty identifier names nothing, and protobuf reads it as missing. Give it a value of its own, such as a UUID",
    ),
    "message/history-length": Rule(
        id="message/history-length",
        severity="error",
        spec="A2A 1.0 §3.2.4",
        message="{value} is not a number of messages: it must be from 0 to 2,147,483,647",
    ),
    "message/last-chunk": Rule(
        id="message/last-chunk",
        severity="warning",
        spec="A2A 1.0 §4.2.2",
        message="the artifact {value} {fault}. Clients that put the chunks together lose or repeat content",
    ),
    "message/media-type": Rule(
        id="message/media-type",
        severity="warning",
        spec="A2A 1.0 §4.1.6; RFC 6838 §4.2",
        message="{value} is not a media type. Write type and subtype, such as text/plain",
    ),
    "message/older-form": Rule(
        id="message/older-form",
        severity="warning",
        spec="A2A 1.0 Appendix A",
        message="a field of A2A 0.3, which agents of 1.0 refuse or ignore. Remove it: 1.0 tells the kind by the field's name; `returnImmediately` is the opposite of `blocking`",
    ),
    "message/page-size": Rule(
        id="message/page-size",
        severity="error",
        spec="A2A 1.0 §3.1.4",
        message="{value} is not a page size: it must be from 1 to 100",
    ),
    "message/sender-role": Rule(
        id="message/sender-role",
        severity="warning",
        spec="A2A 1.0 §3.2.1",
        message='the client sends the message, and this one says that the agent wrote it. Write "ROLE_USER"',
    ),
    "message/spelling": Rule(
        id="message/spelling",
        severity="warning",
        spec="A2A 1.0 §5.5",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "message/status-role": Rule(
        id="message/status-role",
        severity="warning",
        spec="A2A 1.0 §4.1.2",
        message='the message of a status is the agent\'s, and this one says that the user wrote it. Write "ROLE_AGENT"',
    ),
    "message/stream-end": Rule(
        id="message/stream-end",
        severity="warning",
        spec="A2A 1.0 §3.1.2, §3.5",
        message="{value} comes after the end of the stream: {first} ended the task. Clients have stopped reading. Send it before",
    ),
    "message/task-mismatch": Rule(
        id="message/task-mismatch",
        severity="warning",
        spec="A2A 1.0 §4.1.1",
        message="it names {value}, but is part of the task {meant}. Clients that sort messages by task lose it. Correct the identifier, or leave it out",
    ),
    "message/timestamp": Rule(
        id="message/timestamp",
        severity="error",
        spec="A2A 1.0 §5.6.1; RFC 3339 §5.6",
        message="{value} is not a time with a zone, such as 2026-03-01T08:00:00Z: protobuf refuses it. Write the time in UTC",
    ),
    "message/unspecified": Rule(
        id="message/unspecified",
        severity="error",
        spec="A2A 1.0 §4.1.3, §4.1.5",
        message="{value} is how protobuf says that the field is missing. Write the true value",
    ),
    "message/url": Rule(
        id="message/url",
        severity="warning",
        spec="A2A 1.0 §4.1.6",
        message="{value} is not an absolute URL; the receiver does not know relative to what. Write the full URL",
    ),
    "message/webhook-url": Rule(
        id="message/webhook-url",
        severity="error",
        spec="A2A 1.0 §4.3.1",
        message="{value} is not an absolute http(s) URL, so the agent can deliver nothing there. Write the full URL",
    ),
}

SPELLINGS: Final = {
    "message/spelling": Spelling.of(
        {
            ("artifacts", "contextId", "history", "id", "metadata", "status"): (
                "/[*]/result/task",
                "/[*]/result/tasks/[*]",
                "/[*]/task",
                "/[*]/tasks/[*]",
                "/result/task",
                "/result/tasks/[*]",
                "/task",
                "/tasks/[*]",
            ),
            (
                "artifactUpdate",
                "artifacts",
                "authentication",
                "capabilities",
                "configs",
                "contextId",
                "defaultInputModes",
                "defaultOutputModes",
                "description",
                "documentationUrl",
                "history",
                "iconUrl",
                "id",
                "message",
                "metadata",
                "name",
                "nextPageToken",
                "pageSize",
                "provider",
                "securityRequirements",
                "securitySchemes",
                "signatures",
                "skills",
                "status",
                "statusUpdate",
                "supportedInterfaces",
                "task",
                "taskId",
                "tasks",
                "tenant",
                "token",
                "totalSize",
                "url",
                "version",
            ): ("/[*]/result", "/result"),
            (
                "append",
                "artifact",
                "artifactUpdate",
                "artifacts",
                "authentication",
                "capabilities",
                "configs",
                "configuration",
                "contextId",
                "defaultInputModes",
                "defaultOutputModes",
                "description",
                "documentationUrl",
                "error",
                "extensions",
                "history",
                "iconUrl",
                "id",
                "jsonrpc",
                "lastChunk",
                "message",
                "messageId",
                "metadata",
                "method",
                "name",
                "nextPageToken",
                "pageSize",
                "params",
                "parts",
                "provider",
                "referenceTaskIds",
                "result",
                "role",
                "securityRequirements",
                "securitySchemes",
                "signatures",
                "skills",
                "status",
                "statusUpdate",
                "supportedInterfaces",
                "task",
                "taskId",
                "tasks",
                "tenant",
                "token",
                "totalSize",
                "url",
                "version",
            ): ("/[*]", "", "/[*]", "", "/[*]", "", "/[*]", ""),
            ("message", "state", "timestamp"): (
                "/[*]/result/task/status",
                "/[*]/result/statusUpdate/status",
                "/[*]/result/tasks/[*]/status",
                "/[*]/result/status",
                "/[*]/task/status",
                "/[*]/statusUpdate/status",
                "/[*]/status",
                "/[*]/tasks/[*]/status",
                "/result/task/status",
                "/result/statusUpdate/status",
                "/result/tasks/[*]/status",
                "/result/status",
                "/task/status",
                "/statusUpdate/status",
                "/status",
                "/tasks/[*]/status",
            ),
            (
                "contextId",
                "extensions",
                "messageId",
                "metadata",
                "parts",
                "referenceTaskIds",
                "role",
                "taskId",
            ): (
                "/[*]/params/message",
                "/[*]/result/task/status/message",
                "/[*]/result/task/history/[*]",
                "/[*]/result/message",
                "/[*]/result/statusUpdate/status/message",
                "/[*]/result/tasks/[*]/status/message",
                "/[*]/result/tasks/[*]/history/[*]",
                "/[*]/result/status/message",
                "/[*]/result/history/[*]",
                "/[*]/message",
                "/[*]/task/status/message",
                "/[*]/task/history/[*]",
                "/[*]/statusUpdate/status/message",
                "/[*]/status/message",
                "/[*]/tasks/[*]/status/message",
                "/[*]/tasks/[*]/history/[*]",
                "/[*]/history/[*]",
                "/params/message",
                "/result/task/status/message",
                "/result/task/history/[*]",
                "/result/message",
                "/result/statusUpdate/status/message",
                "/result/tasks/[*]/status/message",
                "/result/tasks/[*]/history/[*]",
                "/result/status/message",
                "/result/history/[*]",
                "/message",
                "/task/status/message",
                "/task/history/[*]",
                "/statusUpdate/status/message",
                "/status/message",
                "/tasks/[*]/status/message",
                "/tasks/[*]/history/[*]",
                "/history/[*]",
            ),
            ("data", "filename", "mediaType", "metadata", "raw", "text", "url"): (
                "/[*]/params/message/parts/[*]",
                "/[*]/result/task/status/message/parts/[*]",
                "/[*]/result/task/artifacts/[*]/parts/[*]",
                "/[*]/result/task/history/[*]/parts/[*]",
                "/[*]/result/message/parts/[*]",
                "/[*]/result/statusUpdate/status/message/parts/[*]",
                "/[*]/result/artifactUpdate/artifact/parts/[*]",
                "/[*]/result/tasks/[*]/status/message/parts/[*]",
                "/[*]/result/tasks/[*]/artifacts/[*]/parts/[*]",
                "/[*]/result/tasks/[*]/history/[*]/parts/[*]",
                "/[*]/result/status/message/parts/[*]",
                "/[*]/result/artifacts/[*]/parts/[*]",
                "/[*]/result/history/[*]/parts/[*]",
                "/[*]/message/parts/[*]",
                "/[*]/task/status/message/parts/[*]",
                "/[*]/task/artifacts/[*]/parts/[*]",
                "/[*]/task/history/[*]/parts/[*]",
                "/[*]/statusUpdate/status/message/parts/[*]",
                "/[*]/artifactUpdate/artifact/parts/[*]",
                "/[*]/status/message/parts/[*]",
                "/[*]/artifact/parts/[*]",
                "/[*]/parts/[*]",
                "/[*]/tasks/[*]/status/message/parts/[*]",
                "/[*]/tasks/[*]/artifacts/[*]/parts/[*]",
                "/[*]/tasks/[*]/history/[*]/parts/[*]",
                "/[*]/artifacts/[*]/parts/[*]",
                "/[*]/history/[*]/parts/[*]",
                "/params/message/parts/[*]",
                "/result/task/status/message/parts/[*]",
                "/result/task/artifacts/[*]/parts/[*]",
                "/result/task/history/[*]/parts/[*]",
                "/result/message/parts/[*]",
                "/result/statusUpdate/status/message/parts/[*]",
                "/result/artifactUpdate/artifact/parts/[*]",
                "/result/tasks/[*]/status/message/parts/[*]",
                "/result/tasks/[*]/artifacts/[*]/parts/[*]",
                "/result/tasks/[*]/history/[*]/parts/[*]",
                "/result/status/message/parts/[*]",
                "/result/artifacts/[*]/parts/[*]",
                "/result/history/[*]/parts/[*]",
                "/message/parts/[*]",
                "/task/status/message/parts/[*]",
                "/task/artifacts/[*]/parts/[*]",
                "/task/history/[*]/parts/[*]",
                "/statusUpdate/status/message/parts/[*]",
                "/artifactUpdate/artifact/parts/[*]",
                "/status/message/parts/[*]",
                "/artifact/parts/[*]",
                "/parts/[*]",
                "/tasks/[*]/status/message/parts/[*]",
                "/tasks/[*]/artifacts/[*]/parts/[*]",
                "/tasks/[*]/history/[*]/parts/[*]",
                "/artifacts/[*]/parts/[*]",
                "/history/[*]/parts/[*]",
            ),
            ("artifactId", "description", "extensions", "metadata", "name", "parts"): (
                "/[*]/result/task/artifacts/[*]",
                "/[*]/result/artifactUpdate/artifact",
                "/[*]/result/tasks/[*]/artifacts/[*]",
                "/[*]/result/artifacts/[*]",
                "/[*]/task/artifacts/[*]",
                "/[*]/artifactUpdate/artifact",
                "/[*]/artifact",
                "/[*]/tasks/[*]/artifacts/[*]",
                "/[*]/artifacts/[*]",
                "/result/task/artifacts/[*]",
                "/result/artifactUpdate/artifact",
                "/result/tasks/[*]/artifacts/[*]",
                "/result/artifacts/[*]",
                "/task/artifacts/[*]",
                "/artifactUpdate/artifact",
                "/artifact",
                "/tasks/[*]/artifacts/[*]",
                "/artifacts/[*]",
            ),
            ("contextId", "metadata", "status", "taskId"): (
                "/[*]/result/statusUpdate",
                "/[*]/statusUpdate",
                "/result/statusUpdate",
                "/statusUpdate",
            ),
            ("append", "artifact", "contextId", "lastChunk", "metadata", "taskId"): (
                "/[*]/result/artifactUpdate",
                "/[*]/artifactUpdate",
                "/result/artifactUpdate",
                "/artifactUpdate",
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
        ("[*]", "result", "task"),
        (("contextId",), ("status", "message", "contextId"), ("history", "*", "contextId")),
    )
    same(
        violations,
        RULES["message/context-mismatch"],
        document,
        ("[*]", "result", "tasks", "[*]"),
        (("contextId",), ("status", "message", "contextId"), ("history", "*", "contextId")),
    )
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
        ("[*]", "task"),
        (("contextId",), ("status", "message", "contextId"), ("history", "*", "contextId")),
    )
    same(
        violations,
        RULES["message/context-mismatch"],
        document,
        ("[*]", "tasks", "[*]"),
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
        ("result", "task"),
        (("contextId",), ("status", "message", "contextId"), ("history", "*", "contextId")),
    )
    same(
        violations,
        RULES["message/context-mismatch"],
        document,
        ("result", "tasks", "[*]"),
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
        ("task",),
        (("contextId",), ("status", "message", "contextId"), ("history", "*", "contextId")),
    )
    same(
        violations,
        RULES["message/context-mismatch"],
        document,
        ("tasks", "[*]"),
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
        ("[*]", "result", "task"),
        (("id",), ("status", "message", "taskId"), ("history", "*", "taskId")),
    )
    same(
        violations,
        RULES["message/task-mismatch"],
        document,
        ("[*]", "result", "tasks", "[*]"),
        (("id",), ("status", "message", "taskId"), ("history", "*", "taskId")),
    )
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
        ("[*]", "task"),
        (("id",), ("status", "message", "taskId"), ("history", "*", "taskId")),
    )
    same(
        violations,
        RULES["message/task-mismatch"],
        document,
        ("[*]", "tasks", "[*]"),
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
        ("result", "task"),
        (("id",), ("status", "message", "taskId"), ("history", "*", "taskId")),
    )
    same(
        violations,
        RULES["message/task-mismatch"],
        document,
        ("result", "tasks", "[*]"),
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
        ("task",),
        (("id",), ("status", "message", "taskId"), ("history", "*", "taskId")),
    )
    same(
        violations,
        RULES["message/task-mismatch"],
        document,
        ("tasks", "[*]"),
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


VALIDATOR: Final = DialectValidator(__package__ or "", RULES, structural, names, schema=__package__ or "")
