"""A2A 0.3 messages to and from those of A2A 1.0.

Generated from schemas/mappings/a2a-messages-0.3.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="a2a-messages-0.3",
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
            "rejected": "TASK_STATE_REJECTED",
            "auth-required": "TASK_STATE_AUTH_REQUIRED",
            "unknown": "TASK_STATE_UNSPECIFIED",
        },
        "Role": {"user": "ROLE_USER", "agent": "ROLE_AGENT"},
    },
    objects={
        "Task": ObjectMap(
            hub="Task",
            fields={
                "id": FieldMap(("id",)),
                "contextId": FieldMap(("contextId",)),
                "metadata": FieldMap(("metadata",)),
                "status": FieldMap(("status",), "object", "TaskStatus"),
                "artifacts": FieldMap(("artifacts",), "items", "Artifact"),
                "history": FieldMap(("history",), "items", "Message"),
                "kind": FieldMap(("kind",), "constant", "task"),
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
                "messageId": FieldMap(("messageId",)),
                "taskId": FieldMap(("taskId",)),
                "contextId": FieldMap(("contextId",)),
                "referenceTaskIds": FieldMap(("referenceTaskIds",)),
                "extensions": FieldMap(("extensions",)),
                "metadata": FieldMap(("metadata",)),
                "role": FieldMap(("role",), "values", "Role"),
                "parts": FieldMap(("parts",), "hand", "parts"),
                "kind": FieldMap(("kind",), "constant", "message"),
            },
        ),
        "Artifact": ObjectMap(
            hub="Artifact",
            fields={
                "artifactId": FieldMap(("artifactId",)),
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "extensions": FieldMap(("extensions",)),
                "metadata": FieldMap(("metadata",)),
                "parts": FieldMap(("parts",), "hand", "parts"),
            },
        ),
        "TaskStatusUpdateEvent": ObjectMap(
            hub="TaskStatusUpdateEvent",
            fields={
                "taskId": FieldMap(("taskId",)),
                "contextId": FieldMap(("contextId",)),
                "metadata": FieldMap(("metadata",)),
                "status": FieldMap(("status",), "object", "TaskStatus"),
                "final": FieldMap(
                    ("final",), "lost", "A2A 1.0 has no such field: the stream ends with the state"
                ),
                "kind": FieldMap(("kind",), "constant", "status-update"),
            },
        ),
        "TaskArtifactUpdateEvent": ObjectMap(
            hub="TaskArtifactUpdateEvent",
            fields={
                "taskId": FieldMap(("taskId",)),
                "contextId": FieldMap(("contextId",)),
                "append": FieldMap(("append",)),
                "lastChunk": FieldMap(("lastChunk",)),
                "metadata": FieldMap(("metadata",)),
                "artifact": FieldMap(("artifact",), "object", "Artifact"),
                "kind": FieldMap(("kind",), "constant", "artifact-update"),
            },
        ),
        "MessageSendParams": ObjectMap(
            hub="SendMessageRequest",
            fields={
                "message": FieldMap(("message",), "object", "Message"),
                "configuration": FieldMap(("configuration",), "object", "MessageSendConfiguration"),
                "metadata": FieldMap(("metadata",)),
            },
            beyond={
                "tenant": "A2A 0.3 has no tenants in messages",
            },
        ),
        "MessageSendConfiguration": ObjectMap(
            hub="SendMessageConfiguration",
            fields={
                "acceptedOutputModes": FieldMap(("acceptedOutputModes",)),
                "historyLength": FieldMap(("historyLength",)),
                "blocking": FieldMap(("returnImmediately",), "hand", "blocking"),
                "pushNotificationConfig": FieldMap(
                    ("taskPushNotificationConfig",), "object", "PushNotificationConfig"
                ),
            },
        ),
        "PushNotificationConfig": ObjectMap(
            hub="TaskPushNotificationConfig",
            fields={
                "id": FieldMap(("id",)),
                "url": FieldMap(("url",)),
                "token": FieldMap(("token",)),
                "authentication": FieldMap(("authentication",), "hand", "authentication"),
            },
            beyond={
                "tenant": "A2A 0.3 has no tenants in messages",
                "taskId": "the message names the task",
            },
        ),
        "TaskPushNotificationConfig": ObjectMap(
            hub="TaskPushNotificationConfig",
            fields={
                "taskId": FieldMap(("taskId",)),
                "pushNotificationConfig": FieldMap(("pushNotificationConfig",), "hand", "flat"),
            },
            beyond={
                "tenant": "A2A 0.3 has no tenants in messages",
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
                "tenant": "A2A 0.3 has no tenants in messages",
            },
        ),
        "TaskIdParams": ObjectMap(
            hub="CancelTaskRequest",
            fields={
                "id": FieldMap(("id",)),
                "metadata": FieldMap(("metadata",)),
            },
            beyond={
                "tenant": "A2A 0.3 has no tenants in messages",
            },
        ),
        "GetTaskPushNotificationConfigParams": ObjectMap(
            hub="GetTaskPushNotificationConfigRequest",
            fields={
                "id": FieldMap(("taskId",)),
                "pushNotificationConfigId": FieldMap(("id",)),
                "metadata": FieldMap(("metadata",), "lost", "A2A 1.0 has no metadata in this request"),
            },
            beyond={
                "tenant": "A2A 0.3 has no tenants in messages",
            },
        ),
        "ListTaskPushNotificationConfigParams": ObjectMap(
            hub="ListTaskPushNotificationConfigsRequest",
            fields={
                "id": FieldMap(("taskId",)),
                "metadata": FieldMap(("metadata",), "lost", "A2A 1.0 has no metadata in this request"),
            },
            beyond={
                "tenant": "A2A 0.3 has no tenants in messages",
                "pageSize": "A2A 0.3 has no pages",
                "pageToken": "A2A 0.3 has no pages",
            },
        ),
        "DeleteTaskPushNotificationConfigParams": ObjectMap(
            hub="DeleteTaskPushNotificationConfigRequest",
            fields={
                "id": FieldMap(("taskId",)),
                "pushNotificationConfigId": FieldMap(("id",)),
                "metadata": FieldMap(("metadata",), "lost", "A2A 1.0 has no metadata in this request"),
            },
            beyond={
                "tenant": "A2A 0.3 has no tenants in messages",
            },
        ),
    },
)
