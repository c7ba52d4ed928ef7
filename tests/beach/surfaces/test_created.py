"""Created surfaces: once each, by one slot."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright_beach.errors import SurfaceFailed
from cardwright_beach.surfaces import CreatedSurfaces
from tests.beach.surfaces.samples import MESSAGES, Message, components, create, data, delete, text

MADE = [create(), components(text())]


def test_a_second_creation_from_the_same_slot_is_left_out() -> None:
    created = CreatedSurfaces()

    assert created.pruned(MADE, "a") == MADE
    assert created.pruned(MADE, "a") == MADE[1:]


def test_two_creations_in_one_part_become_one() -> None:
    assert CreatedSurfaces().pruned([create(), *MADE], "a") == MADE


def test_a_deletion_before_each_creation_keeps_all_creations() -> None:
    created = CreatedSurfaces()
    anew = [delete(), *MADE]

    assert [created.pruned(anew, "a") for _ in range(3)] == [anew] * 3


def test_a_deleted_surface_is_created_again() -> None:
    created = CreatedSurfaces()
    created.pruned(MADE, "a")

    assert created.pruned([delete()], "a") == [delete()]
    assert created.pruned(MADE, "a") == MADE


def test_a_deleted_surface_may_be_created_from_another_slot() -> None:
    created = CreatedSurfaces()
    created.pruned([*MADE, delete()], "a")

    assert created.pruned(MADE, "b") == MADE


def test_a_surface_of_another_slot_is_refused_without_a_change() -> None:
    created = CreatedSurfaces()
    created.pruned(MADE, "a")

    with pytest.raises(SurfaceFailed, match='"berth-list" creates the surface "berths" of another slot'):
        created.pruned([create("quay"), create()], "b", kind="berth-list")

    assert created.pruned([create("quay")], "c") == [create("quay")]
    assert created.pruned(MADE, "a") == MADE[1:]


def test_without_a_kind_the_error_names_the_slot() -> None:
    created = CreatedSurfaces()
    created.pruned(MADE, "a")

    with pytest.raises(SurfaceFailed, match=r'"harbour.quays" creates'):
        created.pruned(MADE, "harbour.quays")


def test_updates_of_a_surface_created_elsewhere_are_kept() -> None:
    updates = [components(text()), data(value=1), delete()]

    assert CreatedSurfaces().pruned(updates, "a") == updates


def test_only_existing_surfaces_are_remembered() -> None:
    created = CreatedSurfaces()
    for number in range(100):
        created.pruned([create(f"s-{number}"), delete(f"s-{number}"), delete(f"never-{number}")], "a")
    created.pruned([create()], "a")

    assert len(created) == 1


@given(st.lists(st.tuples(st.sampled_from("ab"), MESSAGES), max_size=6))
def test_every_surface_is_created_exactly_once(turns: list[tuple[str, list[Message]]]) -> None:
    created = CreatedSurfaces()
    there: dict[str, str] = {}
    for slot, messages in turns:
        before = copy.deepcopy(messages)
        expected, trial = list[Message](), dict(there)
        foreign = False
        for message in messages:
            ((kind, body),) = ((name, value) for name, value in message.items() if name != "version")
            name = body["surfaceId"]
            foreign = foreign or (kind == "createSurface" and trial.get(name, slot) != slot)
            if kind != "createSurface" or name not in trial:
                expected.append(message)
            if kind == "createSurface":
                trial.setdefault(name, slot)
            elif kind == "deleteSurface":
                trial.pop(name, None)
        if foreign:
            with pytest.raises(SurfaceFailed):
                created.pruned(messages, slot)
        else:
            assert created.pruned(messages, slot) == expected
            there = trial
        assert messages == before
        assert len(created) == len(there)
