"""The check of plain words, which `make lint` runs over the repository and the commit hook over subjects."""

from __future__ import annotations

import pytest

from checks.plain_words import faults_in_python, subject_faults


@pytest.mark.parametrize(
    "subject",
    [
        "webhooks: say once how a lease ends",
        "Fix it",
        "tests: fix it.",
        "cli: what is told",
        "a" * 200,
        "x: nobody",
    ],
)
def test_the_hook_refuses_a_subject_that_is_no_imperative_in_standard_terms(subject: str) -> None:
    assert subject_faults(subject)


@pytest.mark.parametrize(
    "subject",
    ["webhooks: stop the heartbeat before marking the replica dead", "Merge branch x", "ci: run it once"],
)
def test_the_hook_accepts_a_component_with_an_imperative(subject: str) -> None:
    assert subject_faults(subject) == []


def test_a_word_is_found_in_identifiers_comments_texts_and_columns() -> None:
    source = 'told = 1\nTellAll = 2  # it stands here\n"""whoever asks"""\nColumn("said", int)\nuntold = seldom = 3\n'

    assert sorted(faults_in_python("a.py", source)) == [
        "a.py:1: identifier told",
        "a.py:2: comment, stands here",
        "a.py:2: identifier TellAll",
        "a.py:3: whoever",
        "a.py:4: column said",
    ]
