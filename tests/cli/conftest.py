"""The command line in process, and cards to give it."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cardwright.cli import app
from tests.cli.command_line import EXAMPLES, Checked, CommandResult, Run


@pytest.fixture
def run() -> Run:
    """Return a function that runs the command line and lets no exception pass but the exit."""

    def run(*arguments: object, stdin: bytes | None = None) -> CommandResult:
        command = [str(argument) for argument in arguments]
        return CliRunner().invoke(app, command, input=stdin, catch_exceptions=False)

    return run


@pytest.fixture
def checked(run: Run) -> Checked:
    """Return a function that runs `check --format json` and reads what it printed."""

    def checked(*arguments: object, stdin: bytes | None = None) -> Any:
        return json.loads(run("check", "--format", "json", *arguments, stdin=stdin).stdout)

    return checked


@pytest.fixture
def card() -> dict[str, Any]:
    """Return a valid A2A 1.0 card."""
    document: dict[str, Any] = json.loads((EXAMPLES / "a2a-1.0.card.json").read_bytes())
    return document


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def valid(here: Path, card: dict[str, Any]) -> str:
    """Write a valid card."""
    (here / "valid.json").write_text(json.dumps(card, indent=2))
    return "valid.json"


@pytest.fixture
def warned(here: Path, card: dict[str, Any]) -> str:
    """Write a card with one warning, which has a fix."""
    document = json.loads(json.dumps(card))
    document["supportedInterfaces"][0]["protocolBinding"] = "jsonrpc"
    (here / "warned.json").write_text(json.dumps(document, indent=2))
    return "warned.json"


@pytest.fixture
def invalid(here: Path, card: dict[str, Any]) -> str:
    """Write a card that lacks the tags of its first skill."""
    document = json.loads(json.dumps(card))
    del document["skills"][0]["tags"]
    (here / "invalid.json").write_text(json.dumps(document, indent=2))
    return "invalid.json"


@pytest.fixture
def broken(here: Path) -> str:
    """Write a file that is not JSON."""
    (here / "broken.json").write_text('{\n  "name":\n}\n')
    return "broken.json"
