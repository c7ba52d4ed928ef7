"""The states of stored tasks, by the names of the A2A 1.0 protobuf enum `TaskState`."""

from __future__ import annotations

from typing import Final

# The gateway or the upstream agent works on the task.
RUNNING: Final = ("TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING")
TERMINAL: Final = (
    "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED",
)  # fmt: skip
# The task waits for its caller.
WAITING: Final = ("TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED")
