"""JSON on standard output: no character of a card changes what a terminal shows, and none is lost."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.cli.terminal import escaped_json
from cardwright.signing import canonical_form

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.command_line import Run

# C1 with CSI and NEL, DEL, overrides and isolates of the direction, marks, separators, tag characters.
UNSAFE = "\x7f\x80\x85\x9b31m\x9f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\U000e0001\U000e0041"
FOUND = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
SAFE = "Ebbe in Föhr, 潮汐, مد, 🌊 and a\u200djoiner"


@pytest.fixture
def hidden(here: Path, card: dict[str, Any]) -> str:
    """Write a card with such characters, and a null that a safe fix removes."""
    document = {**card, "description": f"{SAFE} {UNSAFE}", UNSAFE: {"a": 1}, "iconUrl": None}
    (here / "hidden.json").write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return "hidden.json"


@pytest.mark.parametrize(
    "command",
    [
        ["convert", "--to", "a2a-0.3", "--carry"],
        ["fix"],
        ["fix", "--safe-only"],
        ["fix", "--format", "json"],
        ["check", "--format", "json"],
        ["detect", "--format", "json"],
        ["check", "--format", "sarif"],
    ],
    ids=" ".join,
)
def test_a_json_output_has_no_character_that_changes_a_terminal(
    hidden: str, run: Run, command: list[str]
) -> None:
    result = run(*command, hidden)

    assert not FOUND.search(result.stdout)
    assert json.loads(result.stdout)


def test_the_card_is_the_same(hidden: str, run: Run, here: Path) -> None:
    before = json.loads((here / hidden).read_text(encoding="utf-8"))
    del before["iconUrl"]

    assert json.loads(run("fix", "--safe-only", hidden).stdout) == before
    assert SAFE in run("fix", "--safe-only", hidden).stdout


def test_each_character_is_escaped_and_read_back() -> None:
    body = json.dumps({UNSAFE: UNSAFE}, ensure_ascii=False).encode()
    text = escaped_json(body)

    assert not FOUND.search(text.decode())
    assert json.loads(text) == {UNSAFE: UNSAFE}
    assert b"\\u009b31m" in text
    assert b"\\udb40\\udc41" in text


def test_a_difference_is_exact_in_a_pipe_and_safe_on_a_terminal(
    hidden: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert UNSAFE in run("fix", "--diff", "--safe-only", hidden).stdout
    monkeypatch.setattr("cardwright.cli.fix.at_terminal", lambda _: True)
    assert not FOUND.search(run("fix", "--diff", "--safe-only", hidden).stdout)


def test_canonical_bytes_are_exact_and_refused_on_a_terminal(
    hidden: str, run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cardwright import Card

    exact = canonical_form(Card.from_bytes((here / hidden).read_bytes()), profile="as-received")
    assert run("canonicalize", "--profile", "as-received", hidden).stdout == exact.decode()

    monkeypatch.setattr("cardwright.cli.canonicalize.at_terminal", lambda _: True)
    result = run("canonicalize", "--profile", "as-received", hidden)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "write it into a file" in result.stderr
