"""The survey of many cards: each document counts once, and the report names none."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cardwright.cli import app
from cardwright.survey import Survey

EXAMPLES = Path(__file__).parents[1] / "examples"
VALID: dict[str, Any] = json.loads((EXAMPLES / "a2a-1.0.card.json").read_bytes())


def survey_of(*documents: Any) -> Survey:
    survey = Survey()
    for document in documents:
        survey.add(document if isinstance(document, bytes) else json.dumps(document).encode())
    return survey


def test_documents_are_counted_by_dialect_and_validity() -> None:
    invalid = {name: value for name, value in VALID.items() if name != "capabilities"}
    hopeless: dict[str, Any] = {"supportedInterfaces": [], "skills": []}
    spelled = VALID | {"iconUrl": None}
    survey = survey_of(VALID, VALID | {"defaultInputModes": ["text"]}, invalid, hopeless, spelled)

    group = survey.groups["a2a-1.0"]
    assert (survey.documents, survey.valid, group.with_warnings) == (5, 2, 1)
    # One fix is a guess, the other is safe.
    assert (survey.fixable, group.fixable_safely) == (2, 1)


def test_a_rule_counts_once_for_a_document_and_has_its_worst_severity() -> None:
    survey = survey_of(VALID | {"defaultInputModes": ["text", "file"]}, VALID | {"skills": 7, "version": 7})

    assert survey.rules["modes/media-type"] == 1
    assert survey.rules["schema/type"] == 1
    assert (survey.severities["modes/media-type"], survey.severities["schema/type"]) == ("warning", "error")


def test_transports_and_authentication_are_those_of_the_cards() -> None:
    scheme = {"key": {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}}
    interface = {"url": "https://a.example", "protocolVersion": "1.0"}
    both = [interface | {"protocolBinding": name} for name in ("JSONRPC", "JSONRPC", "https://own.example/x")]
    plain = {name: value for name, value in VALID.items() if not name.startswith("security")}
    survey = survey_of(
        plain | {"supportedInterfaces": both},
        plain | {"supportedInterfaces": [], "securitySchemes": scheme, "securityRequirements": [{"schemes": {"key": {}}}]},
        plain | {"signatures": [{"protected": "e30", "signature": "AA"}]},
    )  # fmt: skip

    assert survey.transports["JSONRPC"] == 2
    assert (survey.transports["other"], survey.transports["none"]) == (1, 1)
    assert survey.authentication == {"none": 2, "apiKey": 1}
    assert survey.signed == 1


def test_documents_that_are_no_cards_are_counted_separately() -> None:
    survey = survey_of({"a": 1}, b"{", b"", b"[]")

    assert (survey.documents, survey.unknown) == (0, 2)
    assert survey.unreadable == {"decode/not-json": 1, "decode/empty": 1}


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["survey", *arguments])
    return done.exit_code, done.stdout, done.stderr


def test_a_folder_and_a_list_of_its_files_are_one_survey(tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text(
        "".join(f"{file}  # an example\n" for file in sorted(EXAMPLES.glob("*.card.json"))) + "\n"
    )

    of_list = run("--format", "json", str(listed))
    of_files = run("--format", "json", *(str(file) for file in EXAMPLES.glob("*.card.json")))

    assert of_list == of_files
    report = json.loads(of_list[1])
    assert (of_list[0], report["documents"], report["valid"]) == (0, 8, 8)
    assert report["dialects"]["a2a-0.3"]["documents"] == 2


def test_the_page_has_pictures_and_names_no_document(tmp_path: Path) -> None:
    secret = tmp_path / "secret-agent.card.json"
    secret.write_text(json.dumps(VALID | {"name": "Secret agent", "skills": 7}))
    status, _, _ = run("--format", "html", "--output", str(tmp_path / "page.html"), str(tmp_path))

    page = (tmp_path / "page.html").read_text("utf-8")
    assert status == 0
    assert page.count("<svg") >= 5
    assert "secret" not in page.lower()
    assert "schema/type" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no-such-folder",), "no document could be read"),
        (("no-such-list.txt",), "no-such-list.txt: the list cannot be read"),
    ],
)
def test_an_empty_input_is_reported(arguments: tuple[str, ...], message: str) -> None:
    status, output, error = run(*arguments)

    assert (status, output) == (2, "")
    assert message in error


def test_urls_of_one_host_are_requested_with_a_pause(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from cardwright.cli import inputs

    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(inputs, "body_of", lambda *_: json.dumps(VALID).encode())
    listed = tmp_path / "urls.txt"
    listed.write_text("https://a.example/1\nhttps://b.example/1\nhttps://a.example/2#x\n")

    status, output, _ = run("--delay", "2", "--format", "json", str(listed))

    assert (status, json.loads(output)["valid"]) == (0, 3)
    assert slept == [0.0, 0.0, 2.0]
