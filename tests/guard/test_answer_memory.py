"""The memory that the answers of agents take together."""

from __future__ import annotations

import pytest

from cardwright.errors import BadResponse
from cardwright.guard.answer_memory import AnswerMemory

KIB = 1024
FREE = 64 * KIB


def test_responses_for_one_caller_take_at_most_half_of_the_memory() -> None:
    memory = AnswerMemory(1024 * KIB)
    one = memory.hold("acme")
    one.add(FREE + 512 * KIB)
    with pytest.raises(BadResponse, match="too many large responses"):
        memory.hold("acme").add(FREE + 1)
    other = memory.hold("other")
    other.add(FREE + 512 * KIB)
    with pytest.raises(BadResponse):
        memory.hold("third").add(FREE + 1)


def test_a_small_response_is_never_refused() -> None:
    memory = AnswerMemory(KIB)
    for _ in range(100):
        memory.hold("acme").add(FREE)
    assert memory.taken == 0


def test_released_memory_can_be_taken_again() -> None:
    memory = AnswerMemory(1024 * KIB)
    held = memory.hold("acme")
    for size in (FREE, 256 * KIB, 256 * KIB):
        held.add(size)
    held.resize(FREE + 1)
    assert memory.taken == 1
    held.release()
    held.release()
    assert memory.taken == 0
    memory.hold("acme").add(FREE + 512 * KIB)


def test_a_refused_response_is_not_counted() -> None:
    memory = AnswerMemory(1024 * KIB)
    held = memory.hold("acme")
    with pytest.raises(BadResponse):
        held.add(1024 * KIB)
    held.release()
    assert memory.taken == 0
