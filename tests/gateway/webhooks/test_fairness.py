"""Concurrent deliveries per caller."""

from __future__ import annotations

from contextlib import ExitStack

from cardwright_gateway.webhooks.fairness import CallerSlots


def test_each_caller_has_a_concurrency_limit() -> None:
    shares = CallerSlots(2, clock=lambda: 0.0)
    with ExitStack() as stack:
        took = [stack.enter_context(shares.acquire(name)) for name in ("a", "a", "a", "b")]
    with shares.acquire("a") as room:
        pass
    assert (took, room) == ([True, True, False, True], True)


def test_the_wait_for_a_slot_grows_with_the_duration_of_attempts() -> None:
    now = [0.0]
    shares = CallerSlots(2, clock=lambda: now[0])
    with shares.acquire("a"):
        assert [shares.wait("a") for _ in range(3)] == [1.0] * 3
        with shares.acquire("a"):
            now[0] = 10.0
        # A delivery of ten seconds weighs a fifth of it; two run at once.
        assert [shares.wait("a") for _ in range(3)] == [2.0, 3.0, 4.0]
        assert shares.wait("b") == 1.0
