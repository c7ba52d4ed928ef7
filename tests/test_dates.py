"""RFC 3339 times are read as they are written, and nothing else is taken for one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.dates import rfc3339, rfc3339_time


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-04T07:00:00Z", datetime(2026, 5, 4, 7, tzinfo=UTC)),
        ("2026-05-04t07:00:00z", datetime(2026, 5, 4, 7, tzinfo=UTC)),
        ("2026-05-04T09:30:00+02:30", datetime(2026, 5, 4, 7, tzinfo=UTC)),
        ("2026-05-04T07:00:00-00:00", datetime(2026, 5, 4, 7, tzinfo=UTC)),
        ("2026-05-04T07:00:00.5Z", datetime(2026, 5, 4, 7, 0, 0, 500_000, tzinfo=UTC)),
        ("2026-05-04T07:00:00.1234567899Z", datetime(2026, 5, 4, 7, 0, 0, 123_456, tzinfo=UTC)),
        ("1990-12-31T23:59:60Z", datetime(1990, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_a_time_is_read(text: str, moment: datetime) -> None:
    assert rfc3339_time(text) == moment


@pytest.mark.parametrize(
    "text",
    [
        None, 7, "", "2026-05-04", "2026-05-04T07:00Z", "2026-05-04T07:00:00", "2026-05-04 07:00:00Z",
        "20260504T070000Z", "2026-05-04T07:00:00.Z", "2026-05-04T07:00:00,5Z", "2026-05-04T07:00:00+0200",
        "2026-05-04T07:00:00+24:00", "2026-05-04T24:00:00Z", "2026-05-04T07:60:00Z", "2026-02-30T07:00:00Z",
        "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "2026-05-04T07:00:00Z\n", "٢٠٢٦-05-04T07:00:00Z",
        "2026-05-04T07:00:00." + "1" * 100 + "Z",
    ],
)  # fmt: skip
def test_a_text_that_is_no_rfc_3339_time_gives_none(text: object) -> None:
    assert rfc3339_time(text) is None


@given(
    st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)),  # noqa: DTZ001 # the strategy's way
    st.integers(-1_439, 1_439),
)
def test_a_written_time_is_read_back_equal(naive: datetime, minutes: int) -> None:
    moment = naive.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert rfc3339_time(rfc3339(moment)) == moment
