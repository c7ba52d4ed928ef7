"""Folding of A2UI messages."""

from __future__ import annotations

import copy
import time
import tracemalloc
from typing import Any

from hypothesis import given

from cardwright_beach.surfaces import SurfaceFolder, fold_surface
from tests.beach.surfaces.samples import MESSAGES, Message, components, create, data, delete, rendered, text

# State of a renderer before the first message.
EARLIER: dict[str, Any] = {"quay": {"components": {"old": text("old")}, "data": {"a": [1, {"b": 2}]}}}


def created_first(messages: list[Message]) -> list[Message]:
    """Leave out messages without effect: for missing surfaces, and repeated creations."""
    there = set(EARLIER)
    effective: list[Message] = []
    for message in messages:
        ((kind, body),) = ((name, value) for name, value in message.items() if name != "version")
        if (kind == "createSurface") == (body["surfaceId"] not in there):
            effective.append(message)
            there ^= {body["surfaceId"]} if kind in ("createSurface", "deleteSurface") else set()
    return effective


@given(MESSAGES)
def test_folded_messages_have_the_same_result(messages: list[Message]) -> None:
    effective = created_first(messages)

    assert rendered(fold_surface([], effective), EARLIER) == rendered(effective, EARLIER)


@given(MESSAGES, MESSAGES)
def test_folding_in_two_steps_equals_folding_once(first: list[Message], second: list[Message]) -> None:
    effective = created_first([*first, *second])
    middle = len(created_first(first))

    twice = fold_surface(fold_surface([], effective[:middle]), effective[middle:])

    assert rendered(twice, EARLIER) == rendered(effective, EARLIER)


@given(MESSAGES)
def test_folding_changes_neither_input_nor_earlier_output(messages: list[Message]) -> None:
    before = copy.deepcopy(messages)
    folder = SurfaceFolder().add(messages)
    given_out = folder.messages()
    effective = copy.deepcopy(given_out)

    folder.add([data("/a/b", value=1), data("/a/0", value=2, name="quay")])

    assert messages == before
    assert given_out == effective


def test_a_surface_has_one_message_of_each_kind() -> None:
    many = [
        create(),
        *(components(text("root", str(number))) for number in range(5)),
        *(data("/berths/n4", value=number) for number in range(5)),
    ]

    assert fold_surface([], many) == [
        create(),
        components(text("root", "4")),
        data("/", value={"berths": {"n4": 4}}),
    ]


def test_a_deleted_surface_leaves_no_messages() -> None:
    assert fold_surface([create(), components(text()), data("/a", value=1)], [delete()]) == []


def test_the_deletion_of_an_earlier_surface_is_kept() -> None:
    assert fold_surface([components(text())], [delete()]) == [delete()]


def test_an_earlier_surface_that_is_created_again_is_deleted_first() -> None:
    assert fold_surface([delete(), create()], [components(text())]) == [
        delete(),
        create(),
        components(text()),
    ]
    assert fold_surface([delete(), create()], [delete()]) == [delete()]


def test_an_absent_value_removes_and_null_sets() -> None:
    made = [create(), data(value={"a": 1, "b": 2, "c": 3})]

    folded = fold_surface(made, [data("/a"), data("/b", value=None)])

    assert folded == [create(), data("/", value={"b": None, "c": 3})]


def test_an_escaped_step_is_a_name_with_a_slash() -> None:
    assert fold_surface([create()], [data("/a~1b", value=1)]) == [create(), data("/", value={"a/b": 1})]


def test_a_folder_keeps_only_the_final_state() -> None:
    def news(number: int) -> list[Message]:
        return [components(text("root", str(number))), data("/log/last", value="x" * 1_000 + str(number))]

    folder = SurfaceFolder().add([create()])
    folder.add(news(0))
    tracemalloc.start()
    for number in range(5_000):
        folder.add(news(number))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 64 * 1024


def seconds_to_fold(count: int) -> float:
    many = [data(f"/berths/n{number % 7}/{number}", value=number) for number in range(count)]
    begun = time.process_time()
    SurfaceFolder().add(many).messages()
    return time.process_time() - begun


def test_many_updates_of_an_earlier_surface_take_linear_time() -> None:
    # Comparing each with all earlier ones would take 64 times as long.
    assert min(seconds_to_fold(8_000) for _ in range(3)) < 30 * min(seconds_to_fold(1_000) for _ in range(3))


def test_a_too_deep_update_stays_a_message() -> None:
    deep = "/a" * 5_000

    folded = fold_surface([create()], [data(deep, value=1), data(deep, value=2), data("/b", value=3)])

    assert folded == [create(), data("/", value={"b": 3}), data(deep, value=2)]


def test_a_long_path_takes_little_time() -> None:
    path = "/a" * 500_000
    tracemalloc.start()
    folder = SurfaceFolder().add([data(path, value=1)])
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 10 * len(path)
    assert folder.messages() == [data(path, value=1)]
