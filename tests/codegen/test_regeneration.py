"""Changing a schema as the how-to says, in a copy of the repository: everything follows, and no other file is edited."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

REPOSITORY = Path(__file__).resolve().parents[2]
# The files that `git ls-files` gives need no environment, no history and no built files.
LEFT_OUT = (".git", ".venv*", "node_modules", "dist", "__pycache__", ".*_cache", ".hypothesis")
# Tests of what follows from schemas; the others do not read them.
FOLLOWING = (
    "tests/builder", "tests/conversion", "tests/models", "tests/view", "tests/beach/test_parts.py", "tests/docs/test_site.py",
    "tests/test_card.py", "tests/test_explanations_data.py", "tests/codegen/test_generated.py", "tests/difference/test_pairs.py",
    # The kit runs every case, so that the cases need no test of their own.
    "tests/conformance/test_coverage.py", "tests/conformance/test_kit.py",
)  # fmt: skip


def support_url(card: dict[str, Any]) -> None:
    """Add an optional field of A2A 1.0."""
    card["properties"]["supportUrl"] = {
        "title": "Support URL",
        "type": "string",
        "format": "uri",
        "description": "Page where people get help with the agent.",
        "x-spec": "A2A 1.0 §4.4.1",
        "x-presence": "optional",
    }
    card["examples"][0]["supportUrl"] = "https://harbour.example.com/help"


def most_seconds(capability: dict[str, Any]) -> None:
    """Add a field with a minimum to the capabilities of Beach."""
    capability["properties"]["mostSeconds"] = {
        "title": "Most seconds",
        "type": "integer",
        "minimum": 1,
        "description": "Seconds after which the agent gives a request up.",
        "x-spec": "Beach Agent Card, Capability entry",
    }
    capability["examples"][0]["mostSeconds"] = 30


def topic(transport: dict[str, Any]) -> None:
    """Add the field of a transport that requires it."""
    transport["properties"]["topic"] = {
        "title": "Topic",
        "type": "string",
        "description": "For `queue`: the topic of the messages.",
        "x-spec": "Beach Agent Card, Transport entry",
    }
    example = {"protocol": "queue", "endpoint": "https://harbour.example.com/queue", "topic": "berths"}
    transport["examples"].append(example)


def queue(transports: dict[str, Any]) -> None:
    """Add a transport that requires a field."""
    transports["entries"].append(
        {
            "name": "queue",
            "description": "Messages of a queue.",
            "spec": "Beach Agent Card, Transport entry",
            "requires": ["topic"],
            "deliveryClass": "buffered",
        }
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("regeneration") / "cardwright"
    shutil.copytree(REPOSITORY, target, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for path, change in (
        ("a2a/1.0/agent-card.schema.json", support_url),
        ("beach/1.0/capability.schema.json", most_seconds),
        ("beach/1.0/transport.schema.json", topic),
        ("vocabulary/transports.json", queue),
    ):
        _edit(target / "schemas" / path, change)
    return target


def _edit(file: Path, change: Callable[[dict[str, Any]], None]) -> None:
    document = json.loads(file.read_text(encoding="utf-8"))
    change(document)
    file.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _environment(copy: Path) -> dict[str, str]:
    """Return the environment of a program that imports the copy, without the variables of the tests that run here."""
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "COV_", "COVERAGE_", "CARDWRIGHT_CI"))
    }
    path = os.pathsep.join(str(copy / name) for name in (".", "src", "generated"))
    return variables | {"PYTHONPATH": path, "HYPOTHESIS_PROFILE": "dev"}


def _ran(copy: Path, *arguments: str) -> str:
    """Run a command of Python in the copy; return its output."""
    ran = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=copy,
        env=_environment(copy),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert ran.returncode == 0, f"{ran.stdout[-6000:]}\n{ran.stderr[-2000:]}"
    return ran.stdout


@pytest.fixture(scope="module")
def regenerated(copy: Path) -> str:
    return _ran(copy, "codegen", "--pin")


def test_what_is_generated_is_up_to_date_and_its_defaults_are_printed(copy: Path, regenerated: str) -> None:
    assert "default mapping: mappings/a2a-0.3.mapping.json: AgentCard.supportUrl: lost" in regenerated
    _ran(copy, "codegen", "--check")
    _ran(copy, "codegen.artifacts.published")


@pytest.mark.usefixtures("regenerated")
def test_the_tests_of_what_follows_pass_without_another_edit(copy: Path) -> None:
    _ran(copy, "pytest", "-p", "no:schemathesis", "--tier", "all", "-n", "2", "-q", *FOLLOWING)


@pytest.mark.usefixtures("regenerated")
@pytest.mark.parametrize(
    ("seconds", "entry", "found"),
    [
        (1, {"protocol": "queue", "topic": "berths"}, set()),
        (0, {"protocol": "queue", "topic": "berths"}, {("/capabilities/0/mostSeconds", "schema/minimum")}),
        (1, {"protocol": "queue"}, {("/transports/0/topic", "beach/transport-member")}),
    ],
)
def test_the_new_fields_are_validated(
    copy: Path, seconds: int, entry: dict[str, str], found: set[tuple[str, str]]
) -> None:
    card = json.loads((copy / "examples" / "beach-1.0.card.json").read_text("utf-8"))
    card["capabilities"][0]["mostSeconds"] = seconds
    card["transports"] = [{"endpoint": "https://harbour.example.com/queue", **entry}]
    code = (
        "import json, sys; from cardwright import Card;"
        "card = Card.from_document(json.load(sys.stdin));"
        "print(json.dumps([[one.pointer, one.rule] for one in card.violations if one.severity == 'error']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=_environment(copy),
        input=json.dumps(card),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert {tuple(one) for one in json.loads(ran.stdout)} == found
