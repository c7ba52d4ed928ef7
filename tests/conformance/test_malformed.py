"""Malformed bytes, each refused by its own rule, and bytes that are nearly malformed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.canonical import decode
from cardwright.errors import MalformedDocument
from cardwright.jcs import canonical_bytes
from tests.conformance.case_files import Body, bodies

if TYPE_CHECKING:
    from pathlib import Path

BODIES = bodies()

# Rules about a value or a file rather than about bytes; the tests below hold them.
BESIDE_BYTES = {"decode/no-canonical-form", "decode/missing", "decode/no-documents", "decode/unreadable"}


@pytest.mark.parametrize("body", [body for body in BODIES if body.rule], ids=str)
def test_a_malformed_document_is_refused_by_its_rule(body: Body) -> None:
    with pytest.raises(MalformedDocument) as caught:
        decode(body.body)

    assert caught.value.rule == body.rule
    assert body.pointer in (None, caught.value.pointer)


@pytest.mark.parametrize("body", [body for body in BODIES if body.rule is None], ids=str)
def test_a_nearly_malformed_document_is_read_and_unchanged(body: Body) -> None:
    assert decode(body.body) == json.loads(body.body)


def test_every_decode_rule_has_a_document(root: Path) -> None:
    sources = (root / "src" / "cardwright").rglob("*.py")
    named = {
        rule for source in sources for rule in re.findall(r'"(decode/[a-z-]+)"', source.read_text("utf-8"))
    }

    assert named == {body.rule for body in BODIES if body.rule} | BESIDE_BYTES


def test_a_value_without_canonical_bytes_is_refused() -> None:
    with pytest.raises(MalformedDocument) as caught:
        canonical_bytes({"n": float("nan")})

    assert caught.value.rule == "decode/no-canonical-form"


@pytest.mark.process
def test_the_command_line_refuses_malformed_documents(tmp_path: Path) -> None:
    for index, body in enumerate(BODIES):
        (tmp_path / f"{index:05}.card.json").write_bytes(body.body)

    status, results = _checked(str(tmp_path))

    assert status == 2
    refused = {index: result["violations"][0]["rule"] for index, result in enumerate(results)}
    assert {index: rule for index, rule in refused.items() if rule.startswith("decode/")} == {
        index: body.rule for index, body in enumerate(BODIES) if body.rule
    }


@pytest.mark.process
def test_the_command_line_names_a_path_that_is_no_file(tmp_path: Path) -> None:
    missing, empty, pipe = tmp_path / "none.json", tmp_path / "empty", tmp_path / "pipe"
    empty.mkdir()
    os.mkfifo(pipe)

    status, results = _checked(str(missing), str(empty), str(pipe))

    rules = [result["violations"][0]["rule"] for result in results]
    assert (status, rules) == (2, ["decode/missing", "decode/no-documents", "decode/unreadable"])


def _checked(*paths: str) -> tuple[int, list[dict[str, Any]]]:
    arguments = [sys.executable, "-m", "cardwright", "check", "--format", "json", *paths]
    ran = subprocess.run(arguments, capture_output=True, check=False, timeout=120)
    results: list[dict[str, Any]] = json.loads(ran.stdout)["results"]
    return ran.returncode, results
