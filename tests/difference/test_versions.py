"""Version bumps: what two cards declare, and whether it is sufficient."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from cardwright.card import Card
from cardwright.difference import Comparison, compare
from tests.difference.patched_pairs import BASE, Operation, patched

BEACH = "/capabilities/extensions/1/params"


def compared(old: Any, new: Any) -> Comparison:
    return compare(Card.from_document(old), Card.from_document(new))


def with_versions(part: str, before: Any, after: Any, *edits: Operation) -> Comparison:
    """Compare the base card with an edited one, under these versions of one part."""
    sides = [copy.deepcopy(BASE), patched(BASE, list(edits))]
    for document, version in zip(sides, (before, after), strict=True):
        params = document["capabilities"]["extensions"][1]["params"]
        holder, name = {
            "agent": (document, "version"),
            "beach": (params, "version"),
            "schema": (params, "schemaVersion"),
        }[part]
        holder.pop(name, None)
        if version is not None:
            holder[name] = version
    return compared(*sides)


SKILL_GONE: Operation = {"op": "remove", "path": "/skills/1"}
STATE_GONE: Operation = {"op": "remove", "path": f"{BEACH}/turnStates/0"}
STATE_CAME: Operation = {"op": "add", "path": f"{BEACH}/turnStates/-", "value": "delegated"}
PART_GONE: Operation = {"op": "remove", "path": f"{BEACH}/envelopeParts/0"}
UNREADABLE: Operation = {"op": "replace", "path": "/defaultInputModes", "value": "text/plain"}

STEPS = [
    ("1.2.3", "1.2.3", "none"), ("1.2.3", "1.2.4", "patch"), ("1.2.3", "1.3.0", "minor"), ("1.2.3", "2.0.0", "major"),
    ("1.9.0", "1.10.0", "minor"), ("0.3.0", "0.4.0", "minor"), ("1.0", "1.1", "minor"), ("1.0", "1.0.0", "none"),
    ("1", "2", "major"), ("v1.0.0", "v1.0.1", "patch"), ("1.0.0+a", "1.0.0+b", "none"),
    ("1.2.3", "2.0.0-rc.1", "major"), ("2.0.0-rc.1", "2.0.0", "major"), ("2.1.0-rc.2", "2.1.0-rc.10", "minor"),
    ("2.1.1-alpha", "2.1.1-alpha.1", "patch"), ("1.0.0-1", "1.0.0-a", "major"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "bump"), STEPS)
@pytest.mark.parametrize("part", ["agent", "beach", "schema"])
def test_a_version_step_names_the_part_that_increased(part: Any, before: str, after: str, bump: str) -> None:
    one = with_versions(part, before, after).declared[part]

    assert one is not None
    assert (one.before, one.after, one.bump, one.note) == (before, after, bump, "")


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [
        ("1.2.3", "1.2.2", "goes backwards"), ("2.0.0", "1.9.9", "goes backwards"),
        ("1.0.0", "1.0.0-rc.1", "goes backwards"), ("1.0.0", "latest", "not a semantic version"),
        ("a2a-2025", "1.0.0", "not a semantic version"), ("2025-06-18", "2025-11-25", "not a semantic version"),
        ("1.0.0", "1.0.0.1", "not a semantic version"), ("1.0.0", 2, "not a semantic version"),
        (None, "1.0.0", "first time"), ("1.0.0", None, "no longer declared"),
        (None, None, "not declared by either card"), ("latest", "latest", ""),
    ],
)  # fmt: skip
def test_an_unusual_version_is_reported(before: Any, after: Any, note: str) -> None:
    one = with_versions("agent", before, after).declared["agent"]

    assert one is not None
    assert one.bump == "none"
    assert note in one.note
    assert bool(note) == bool(one.note)


@pytest.mark.parametrize(
    ("before", "after", "edits", "enough"),
    [
        ("1.0.0", "1.0.0", [], True), ("1.0.0", "1.9.0", [SKILL_GONE], False), ("1.0.0", "2.0.0", [SKILL_GONE], True),
        ("1.0.0", "0.9.0", [], False), ("1.0.0", "latest", [], True), ("1.0.0", "latest", [SKILL_GONE], False),
        ("latest", "latest", [SKILL_GONE], False), (None, "1.0.0", [SKILL_GONE], True),
        ("1.0.0", None, [SKILL_GONE], False), (None, None, [], True), (None, None, [SKILL_GONE], False),
    ],
)  # fmt: skip
def test_the_agent_version_covers_every_change(
    before: Any, after: Any, edits: list[Operation], *, enough: bool
) -> None:
    assert with_versions("agent", before, after, *edits).sufficient["agent"] is enough


@pytest.mark.parametrize(
    ("before", "after", "edits", "enough"),
    [
        ("1.0", "1.0", [SKILL_GONE, PART_GONE], True),
        ("1.0", "1.0", [STATE_GONE], False),
        ("1.0", "1.1", [STATE_GONE], False),
        ("1.0", "2.0", [STATE_GONE], True),
        ("1.0", "1.0", [STATE_CAME], False),
        ("1.0", "1.1", [STATE_CAME], True),
        (None, "1.0", [STATE_GONE], True),
        (None, None, [STATE_GONE], True),
        ("2.0", "1.0", [], False),
    ],
)
def test_the_beach_version_covers_its_block(
    before: Any, after: Any, edits: list[Operation], *, enough: bool
) -> None:
    assert with_versions("beach", before, after, *edits).sufficient["beach"] is enough


@pytest.mark.parametrize(
    ("before", "after", "edits", "enough"),
    [
        ("1.0", "1.0", [SKILL_GONE, STATE_GONE], True),
        ("1.0", "1.1", [UNREADABLE], False),
        ("1.0", "2.0", [UNREADABLE], True),
        ("1.1", "1.0", [], False),
    ],
)
def test_the_schema_version_covers_the_format(
    before: Any, after: Any, edits: list[Operation], *, enough: bool
) -> None:
    assert with_versions("schema", before, after, *edits).sufficient["schema"] is enough


def test_a_card_without_beach_needs_no_beach_version() -> None:
    plain = patched(BASE, [{"op": "remove", "path": "/capabilities/extensions/1"}])

    comparison = compared(plain, plain)

    assert (comparison.declared["schema"], comparison.declared["beach"]) == (None, None)
    assert comparison.sufficient == {"agent": True, "schema": True, "beach": True}


def test_a_change_without_a_beach_version_counts_for_the_agent_version() -> None:
    comparison = with_versions("beach", None, None, STATE_GONE)

    assert comparison.declared["beach"] is None
    assert comparison.sufficient == {"agent": False, "schema": True, "beach": True}
