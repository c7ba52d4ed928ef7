"""The states of stored tasks, by the names of the A2A 1.0 protobuf enum `TaskState`."""

from __future__ import annotations

from typing import Final

_PREFIX: Final = "TASK_STATE_"
# The gateway or the upstream agent works on the task.
RUNNING: Final = ("TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING")
TERMINAL: Final = (
    "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED",
)  # fmt: skip
# The task waits for its caller.
WAITING: Final = ("TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED")


def short_state(state: str) -> str:
    """Return a state as the HTTP API names it.

    >>> short_state("TASK_STATE_INPUT_REQUIRED")
    'input-required'
    """
    return state.removeprefix(_PREFIX).lower().replace("_", "-")


def full_state(state: str) -> str:
    """Return a state as it is stored.

    >>> full_state("input-required")
    'TASK_STATE_INPUT_REQUIRED'
    """
    return _PREFIX + state.upper().replace("-", "_")
