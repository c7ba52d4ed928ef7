"""Rate limits counted by one process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from cardwright.http.problem import HttpError
from cardwright_gateway.auth import Limiter
from cardwright_gateway.auth.memory_limiter import SHARED, MemoryWindows
from cardwright_gateway.auth.principal import ANONYMOUS, Principal, Quota
from cardwright_gateway_models.settings.gateway import LimitSettings

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = Principal("key", "key:one", "ada", "one")


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def passed(
    limiter: Limiter, times: int, caller: Principal = KEY, agent: str = "a", at: str = ""
) -> int:
    """Return how many of some requests pass."""
    count = 0
    for _ in range(times):
        try:
            await limiter.admit(agent, caller, at)
        except HttpError:
            continue
        count += 1
    return count


def retry_after(limiter: Limiter, caller: Principal = KEY) -> int:
    with pytest.raises(HttpError) as refused:
        asyncio.run(limiter.admit("a", caller, ""))
    assert refused.value.problem.error_code.reason == "RATE_LIMITED"
    assert refused.value.problem.error_code.status == 429
    return int(dict(refused.value.problem.headers)[b"retry-after"])


def test_sixty_requests_a_minute_pass_and_no_more(clock: Clock) -> None:
    assert asyncio.run(passed(Limiter(LimitSettings(), clock), 200)) == 60


async def test_any_window_of_a_minute_admits_at_most_sixty(clock: Clock) -> None:
    limiter = Limiter(LimitSettings(), clock)
    admitted: list[float] = []

    for _ in range(2000):
        if await passed(limiter, 1):
            admitted.append(clock.now)
        clock.now += 0.13
    assert len(admitted) > 200
    assert all(later - earlier >= 60 for earlier, later in zip(admitted, admitted[60:], strict=False))


async def test_many_requests_at_once_are_counted_exactly(clock: Clock) -> None:
    limiter = Limiter(LimitSettings(), clock)

    assert sum(await asyncio.gather(*(passed(limiter, 5) for _ in range(200)))) == 60


@pytest.mark.parametrize("pause", [0.0, 12.4, 59.5])
def test_retry_after_is_right_to_a_second_and_never_early(clock: Clock, pause: float) -> None:
    limiter = Limiter(LimitSettings(), clock)
    asyncio.run(passed(limiter, 60))
    clock.now += pause
    wait_seconds = retry_after(limiter)
    assert 60 - pause <= wait_seconds <= 61 - pause
    clock.now += wait_seconds
    assert asyncio.run(passed(limiter, 1)) == 1


async def test_keys_agents_and_addresses_have_separate_windows(clock: Clock) -> None:
    limiter = Limiter(LimitSettings(requests=3), clock)
    other = Principal("key", "key:two", "ada", "two")

    assert [
        await passed(limiter, 5),
        await passed(limiter, 5, other),
        await passed(limiter, 5, agent="b"),
        await passed(limiter, 5, ANONYMOUS, at="192.0.2.1"),
        await passed(limiter, 5, ANONYMOUS, at="192.0.2.2"),
    ] == [3] * 5


@pytest.mark.parametrize(
    ("one", "other"), [("2001:db8::1", "2001:db8::ffff:2"), ("192.0.2.1", "::ffff:192.0.2.1"), ("", "")]
)
def test_equivalent_addresses_count_as_one_caller(clock: Clock, one: str, other: str) -> None:
    limiter = Limiter(LimitSettings(requests=3), clock)
    assert asyncio.run(passed(limiter, 3, ANONYMOUS, at=one)) == 3
    assert asyncio.run(passed(limiter, 3, ANONYMOUS, at=other)) == 0


def test_the_networks_of_one_site_share_a_limit(clock: Clock) -> None:
    limiter = Limiter(LimitSettings(requests=3), clock)
    networks = [asyncio.run(passed(limiter, 9, ANONYMOUS, at=f"2001:db8:0:{one:x}::1")) for one in range(20)]
    assert networks == [3] * 16 + [0] * 4
    assert asyncio.run(passed(limiter, 3, ANONYMOUS, at="2001:db8:1::1")) == 3


def test_the_quota_of_a_key_overrides_the_limit(clock: Clock) -> None:
    limiter = Limiter(LimitSettings(requests=3), clock)
    more = Principal("key", "key:more", "ada", "more", Quota(10, 5))
    assert asyncio.run(passed(limiter, 50, more)) == 10
    assert retry_after(limiter, more) in (5, 6)
    clock.now += 5.001
    assert asyncio.run(passed(limiter, 50, more)) == 10


@pytest.mark.parametrize("caller", [KEY, Principal("key", "key:x", "", "x", Quota(0, 1))])
def test_zero_means_no_rate_limit(clock: Clock, caller: Principal) -> None:
    limiter = Limiter(LimitSettings(requests=0 if caller is KEY else 1), clock)
    assert asyncio.run(passed(limiter, 500, caller)) == 500


def test_windows_of_inactive_callers_are_deleted(clock: Clock) -> None:
    windows = MemoryWindows(clock)
    for index in range(5000):
        windows.add(f"c{index}", 60, 60)
    clock.now += 61
    for _ in range(1700):
        windows.add("still here", 60, 60)
    assert len(windows) == 1


def test_the_number_of_windows_is_limited_and_no_caller_gets_more(clock: Clock) -> None:
    windows = MemoryWindows(clock, max_callers=10)

    def took(caller: str, requests: int) -> bool:
        if windows.wait(caller, requests, 60):
            return False
        windows.add(caller, requests, 60)
        return True

    for index in range(20_000):
        took(f"c{index}", 3)
    assert len(windows) <= 10 + SHARED
    # A caller with a window keeps it, and a new caller gets no more than the others.
    assert [took("c0", 3) for _ in range(4)] == [True, True, False, False]
    assert sum(took("c19999", 3) for _ in range(10)) <= 3


def test_a_refusal_names_neither_caller_nor_key(clock: Clock) -> None:
    limiter = Limiter(LimitSettings(requests=0), clock)
    caller = Principal("key", "key:canary", "canary", "canary", Quota(1, 60))
    asyncio.run(limiter.admit("a", caller, "canary"))
    with pytest.raises(HttpError) as refused:
        asyncio.run(limiter.admit("a", caller, "canary"))
    assert "canary" not in str(refused.value.problem)


def test_without_redis_the_limiter_status_is_ok(clock: Callable[[], float]) -> None:
    assert Limiter(LimitSettings(), clock).status() == "ok"


def test_the_rate_limit_has_the_remaining_requests(clock: Clock) -> None:
    limiter = Limiter(LimitSettings(requests=2, seconds=60), clock)
    first = asyncio.run(limiter.admit("a", KEY, ""))
    clock.now += 20
    second = asyncio.run(limiter.admit("a", KEY, ""))
    with pytest.raises(HttpError) as refused:
        asyncio.run(limiter.admit("a", KEY, ""))
    clock.now += 40.5
    third = asyncio.run(limiter.admit("a", KEY, ""))

    assert first is not None
    assert second is not None
    assert third is not None
    assert first.fields[0] == (b"ratelimit-policy", b'"calls";q=2;w=60')
    states = [first.fields[1], second.fields[1], refused.value.problem.headers[2], third.fields[1]]
    # The first request leaves the window after 60 seconds, the second one 20 seconds later.
    assert [value for _, value in states] == [
        b'"calls";r=1;t=61', b'"calls";r=0;t=41', b'"calls";r=0;t=41', b'"calls";r=0;t=20',
    ]  # fmt: skip


def test_a_large_request_reduces_the_remaining_requests(clock: Clock) -> None:
    limiter = Limiter(LimitSettings(requests=5, seconds=60), clock)
    asyncio.run(limiter.admit("a", KEY, ""))
    charged = asyncio.run(limiter.charge("a", KEY, "", 2))
    full = asyncio.run(limiter.charge("a", KEY, "", 100))

    assert charged is not None
    assert full is not None
    assert (charged.remaining, full.remaining) == (2, 0)


def test_without_a_limit_there_are_no_rate_limit_fields(clock: Clock) -> None:
    limiter = Limiter(LimitSettings(requests=0), clock)

    assert asyncio.run(limiter.admit("a", KEY, "")) is None
    assert asyncio.run(limiter.charge("a", KEY, "", 2)) is None
    assert asyncio.run(limiter.admit_change("ada")) is None
