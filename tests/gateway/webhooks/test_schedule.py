"""The retry schedule of deliveries."""

from __future__ import annotations

import pytest
from a2a.types.a2a_pb2 import TaskState

from cardwright_gateway.webhooks.attempts import wait_after
from cardwright_gateway.webhooks.events import NOTIFIED_STATES
from cardwright_gateway_models.settings.gateway import WebhookSettings

HOUR = 3600.0
SCHEDULE = WebhookSettings().schedule_seconds


def test_six_attempts_in_fourteen_hours_and_thirty_six_minutes() -> None:
    waits = [wait_after(SCHEDULE, number, spread=lambda: 0.0) for number in range(1, 7)]
    assert waits == [60, 300, 1800, 7200, 43200, None]
    assert sum(one for one in waits if one) == 14 * HOUR + 36 * 60


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0])
def test_the_jitter_is_at_most_a_tenth(spread: float) -> None:
    assert wait_after(SCHEDULE, 1, spread=lambda: spread) == pytest.approx(60 * (1 + spread / 10))


@pytest.mark.parametrize(
    ("requested", "waits"),
    [(None, 60.0), (0.0, 60.0), (59.0, 60.0), (61.0, 61.0), (86400.0, 86400.0), (1e9, 86400.0)],
)
def test_the_longer_of_schedule_and_retry_after_applies_up_to_a_day(
    requested: float | None, waits: float
) -> None:
    assert wait_after(SCHEDULE, 1, retry_after=requested, spread=lambda: 0.0) == waits


def test_there_is_no_retry_after_the_last_attempt_despite_retry_after() -> None:
    assert wait_after(SCHEDULE, 6, retry_after=10.0) is None
    assert wait_after((), 1) is None


def test_published_states_are_states_of_a2a() -> None:
    assert set(TaskState.keys()) >= NOTIFIED_STATES
    on_the_way = {"TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"}
    assert set(TaskState.keys()) - NOTIFIED_STATES == on_the_way
