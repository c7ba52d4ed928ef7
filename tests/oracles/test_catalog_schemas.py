"""The schema and rules of ARD against the published schema, card by card, and the official conformance tool."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright.card import Document
from cardwright_rules import CATALOGS
from tests.cli.command_line import EXAMPLES, process
from tests.properties.strategies import Cards, mutated
from tests.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

ARD = "ard-0.91"
# Rules of the text of ARD that the published schema does not express.
BEYOND = {"ard/publisher", "catalog/url-absolute"}
# Documents that no catalogue has: neither format has them without an array of entries.
NO_ENTRIES = {"ard/003.json", "ai-catalog/001.json", "ai-catalog/003.json"}


@cache
def published() -> jsonschema_rs.Validator:
    schema = json.loads(shared("spec", "ard", "v0.91", "ard-entry.schema.json").read_text(encoding="utf-8"))
    return jsonschema_rs.Draft202012Validator({**schema, "$ref": "#/$defs/ArdManifest"})


def agree(document: Any) -> None:
    validated = Document.of_parts(document, ARD)
    valid = not [
        one for one in validated.errors if one.rule not in BEYOND and not one.rule.startswith("secrets/")
    ]
    assert valid == published().is_valid(document), [(one.pointer, one.rule) for one in validated.errors]


def corpus() -> dict[str, Path]:
    return {
        f"{folder}/{file.name}": file
        for folder in ("ard", "ai-catalog")
        for file in sorted(shared("corpus", folder).glob("*.json"))
    }


def test_every_real_catalogue_has_the_published_validity() -> None:
    for file in corpus().values():
        agree(json.loads(file.read_bytes()))


def test_every_real_catalogue_is_detected() -> None:
    for name, file in corpus().items():
        if name not in NO_ENTRIES:
            assert str(Document.from_bytes(file.read_bytes()).dialect) in CATALOGS, name


@st.composite
def changed(draw: st.DrawFn, whole: st.SearchStrategy[Any]) -> Any:
    document = draw(whole)
    for _ in range(draw(st.integers(0, 2))):
        document = mutated(draw, document)
    return document


@pytest.mark.bulk
def test_generated_catalogues_have_the_published_validity() -> None:
    shared("spec")
    words = {
        "identifier": [
            "urn:air:example.com:agents:a",
            "urn:air:example.com:agents:b",
            "urn:ai:example.com:a",
        ],
        "url": ["https://example.com/agent-card.json", "/agent-card.json"],
    }
    drawn = Cards(CATALOGS[ARD].schema(), words=words, keys=["a", "b"]).card()

    @settings(max_examples=max(settings().max_examples, 300))
    @given(changed(drawn))
    def same(document: Any) -> None:
        agree(document)

    same()


@pytest.mark.process
def test_fixed_real_manifests_pass_the_official_tool(tmp_path: Path) -> None:
    tool = shared("oracles", "ard", "v0.91", "conformance", "bin", "conformance-test")
    from cardwright import fix

    passed = 0
    for name, file in corpus().items():
        if name in NO_ENTRIES:
            continue
        better, _ = fix(Document.of_parts(json.loads(file.read_bytes()), ARD))
        target = tmp_path / name.replace("/", "-")
        target.write_text(json.dumps(better.document))
        ran = subprocess.run(
            [sys.executable, str(tool), "manifest", str(target)], capture_output=True, text=True, check=False
        )
        beyond = [one for one in better.errors if one.rule in BEYOND]
        assert (ran.returncode == 0) == (len(better.errors) == len(beyond)), (name, ran.stdout[-800:])
        passed += ran.returncode == 0
    assert passed >= 12


@pytest.mark.process
def test_the_registry_passes_the_official_tool(tmp_path: Path) -> None:
    tool = shared("oracles", "ard", "v0.91", "conformance", "bin", "conformance-test")
    store = tmp_path / "agents.db"
    for example in ("a2a-1.0", "beach-1.0"):
        with process("registry", "add", "--store", store, EXAMPLES / f"{example}.card.json") as added:
            added.communicate()
            assert added.returncode == 0
    with process("registry", "serve", "--store", store, "--port", "0") as server:
        try:
            assert server.stderr is not None
            base = server.stderr.readline().decode().partition("/search")[0]
            ran = subprocess.run(
                [sys.executable, str(tool), "registry", base], capture_output=True, text=True, check=False
            )
        finally:
            server.terminate()
    assert ran.returncode == 0, ran.stdout
    assert "0 critical specification errors and 0 warnings" in ran.stdout
