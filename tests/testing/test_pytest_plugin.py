"""The pytest plugin, run as its users do."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.command_line import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", *arguments,
    ]  # fmt: skip
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    """A folder with a valid card, one with a warning, and one with an error."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "cards").mkdir()
    card: dict[str, Any] = json.loads((EXAMPLES / "a2a-1.0.card.json").read_text())
    for name, more in (("good", {}), ("warned", {"defaultInputModes": ["text"]}), ("wrong", {"version": 1})):
        (tmp_path / f"cards/{name}.json").write_text(json.dumps({**card, **more}))
    return tmp_path


def test_card_files_are_tests_with_their_violations(cards: Path) -> None:
    result = run(cards, "--cardwright-cards", "cards/*.json")
    assert result.returncode == 1
    assert "1 failed, 2 passed" in result.stdout
    assert "cards/wrong.json is not valid (a2a-1.0, 1 violations):" in result.stdout
    assert "error: /version: expected a string, found the number 1" in result.stdout
    assert "Traceback" not in result.stdout
    strict = run(cards, "--cardwright-cards", "cards/*.json", "--cardwright-strict")
    assert "2 failed, 1 passed" in strict.stdout


def test_card_files_are_collected_once_and_beside_other_tests(cards: Path) -> None:
    (cards / "test_x.py").write_text("def test_one(): pass\n")
    assert "1 failed, 3 passed" in run(cards, ".", "--cardwright-cards", "cards/*.json").stdout
    assert "1 failed, 3 passed" in run(cards, "-n", "2", "--cardwright-cards", "cards/*.json", ".").stdout
    assert "1 passed" in run(cards, ".").stdout


def test_a_pattern_without_a_file_is_an_error(cards: Path) -> None:
    result = run(cards, "--cardwright-cards", "card/*.json")
    assert result.returncode == 4
    assert "matches 'card/*.json'" in result.stderr


def test_the_fixtures_validate_and_serve_cards(cards: Path) -> None:
    (cards / "test_x.py").write_text(
        "import json, urllib.request\n"
        "def test_good(agent_card):\n"
        "    assert agent_card('cards/good.json').valid\n"
        "def test_wrong(agent_card):\n"
        "    agent_card('cards/wrong.json')\n"
        "def test_served(agent_card, serve_agent):\n"
        "    agent = serve_agent(replies=['hi'])\n"
        "    other = serve_agent(json.load(open('cards/good.json')))\n"
        "    assert agent.url != other.url\n"
        "    assert agent_card(urllib.request.urlopen(other.card_url).read()).valid\n"
    )
    result = run(cards)
    assert "1 failed, 2 passed" in result.stdout
    assert "cards/wrong.json is not valid" in result.stdout


def test_a_run_that_does_not_use_it_imports_neither_cards_nor_the_runtime(cards: Path) -> None:
    (cards / "test_x.py").write_text(
        "import sys\n"
        "def test_light():\n"
        "    heavy = ('cardwright.card', 'cardwright.testing', 'cardwright_rules', 'cardwright_models', 'jsonschema_rs', 'hypothesis.strategies')\n"
        "    assert not [name for name in heavy if name in sys.modules]\n"
    )
    assert "1 passed" in run(cards, "-p", "no:hypothesispytest").stdout
