"""A2A 0.1 messages to those of A2A 1.0.

Generated from schemas/mappings/a2a-messages-0.1.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import Assumed, FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="a2a-messages-0.1",
    root="Task",
    hub="a2a-messages-1.0",
    values={
        "TaskState": {
            "submitted": "TASK_STATE_SUBMITTED",
            "working": "TASK_STATE_WORKING",
            "input-required": "TASK_STATE_INPUT_REQUIRED",
            "completed": "TASK_STATE_COMPLETED",
            "canceled": "TASK_STATE_CANCELED",
            "failed": "TASK_STATE_FAILED",
            "unknown": "TASK_STATE_UNSPECIFIED",
        },
        "Role": {"user": "ROLE_USER", "agent": "ROLE_AGENT"},
    },
    objects={
        "Task": ObjectMap(
            hub="Task",
            fields={
                "id": FieldMap(("id",)),
                "sessionId": FieldMap(("contextId",)),
                "status": FieldMap(("status",), "object", "TaskStatus"),
                "artifacts": FieldMap(("artifacts",), "items", "Artifact"),
                "history": FieldMap(("history",), "items", "Message"),
                "metadata": FieldMap(("metadata",)),
            },
        ),
        "TaskStatus": ObjectMap(
            hub="TaskStatus",
            fields={
                "state": FieldMap(("state",), "values", "TaskState"),
                "message": FieldMap(("message",), "object", "Message"),
                "timestamp": FieldMap(("timestamp",)),
            },
        ),
        "Message": ObjectMap(
            hub="Message",
            fields={
                "role": FieldMap(("role",), "values", "Role"),
                "parts": FieldMap(("parts",), "hand", "parts"),
                "metadata": FieldMap(("metadata",)),
            },
            beyond={
                "messageId": "A2A 0.1 has no identifiers of messages",
                "contextId": "the task names its session",
                "taskId": "the task has its messages",
                "extensions": "A2A 0.1 has no extensions",
                "referenceTaskIds": "A2A 0.1 has no references to tasks",
            },
        ),
        "Artifact": ObjectMap(
            hub="Artifact",
            fields={
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "parts": FieldMap(("parts",), "hand", "parts"),
                "index": FieldMap(("artifactId",), "hand", "index"),
                "append": FieldMap(
                    ("append",), "lost", "a task of A2A 1.0 has whole artifacts: only an event appends"
                ),
                "lastChunk": FieldMap(
                    ("lastChunk",), "lost", "a task of A2A 1.0 has whole artifacts: only an event has chunks"
                ),
                "metadata": FieldMap(("metadata",)),
            },
            beyond={
                "extensions": "A2A 0.1 has no extensions",
            },
        ),
        "TaskStatusUpdateEvent": ObjectMap(
            hub="TaskStatusUpdateEvent",
            fields={
                "id": FieldMap(("taskId",)),
                "status": FieldMap(("status",), "object", "TaskStatus"),
                "final": FieldMap(
                    ("final",), "lost", "A2A 1.0 has no such field: the stream ends with the state"
                ),
                "metadata": FieldMap(("metadata",)),
            },
            beyond={
                "contextId": "events of A2A 0.1 do not name their session",
            },
            assume=(Assumed("contextId", "events of A2A 0.1 do not name their session", source="taskId"),),
        ),
        "TaskArtifactUpdateEvent": ObjectMap(
            hub="TaskArtifactUpdateEvent",
            fields={
                "id": FieldMap(("taskId",)),
                "artifact": FieldMap(("artifact",), "object", "Artifact"),
                "metadata": FieldMap(("metadata",)),
            },
            beyond={
                "contextId": "events of A2A 0.1 do not name their session",
            },
            assume=(Assumed("contextId", "events of A2A 0.1 do not name their session", source="taskId"),),
        ),
        "TaskSendParams": ObjectMap(
            hub="SendMessageRequest",
            fields={
                "message": FieldMap(("message",), "object", "Message"),
                "id": FieldMap(("message", "taskId")),
                "sessionId": FieldMap(("message", "contextId")),
                "pushNotification": FieldMap(
                    ("configuration", "taskPushNotificationConfig"), "object", "PushNotificationConfig"
                ),
                "historyLength": FieldMap(("configuration", "historyLength")),
                "metadata": FieldMap(("metadata",)),
            },
            beyond={
                "tenant": "A2A 0.1 has no tenants",
            },
        ),
        "PushNotificationConfig": ObjectMap(
            hub="TaskPushNotificationConfig",
            fields={
                "url": FieldMap(("url",)),
                "token": FieldMap(("token",)),
                "authentication": FieldMap(("authentication",), "hand", "authentication"),
            },
            beyond={
                "tenant": "A2A 0.1 has no tenants",
                "id": "a task of A2A 0.1 has one webhook",
                "taskId": "the message names the task",
            },
        ),
        "TaskPushNotificationConfig": ObjectMap(
            hub="TaskPushNotificationConfig",
            fields={
                "id": FieldMap(("taskId",)),
                "pushNotificationConfig": FieldMap(("pushNotificationConfig",), "hand", "flat"),
            },
            beyond={
                "tenant": "A2A 0.1 has no tenants",
                "id": "a task of A2A 0.1 has one webhook",
            },
        ),
        "TaskQueryParams": ObjectMap(
            hub="GetTaskRequest",
            fields={
                "id": FieldMap(("id",)),
                "historyLength": FieldMap(("historyLength",)),
                "metadata": FieldMap(("metadata",), "lost", "A2A 1.0 has no metadata in this request"),
            },
            beyond={
                "tenant": "A2A 0.1 has no tenants",
            },
        ),
        "TaskIdParams": ObjectMap(
            hub="CancelTaskRequest",
            fields={
                "id": FieldMap(("id",)),
                "metadata": FieldMap(("metadata",)),
            },
            beyond={
                "tenant": "A2A 0.1 has no tenants",
            },
        ),
    },
)
