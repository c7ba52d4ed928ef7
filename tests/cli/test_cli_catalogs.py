"""Catalogues on the command line."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.cli.command_line import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.command_line import Run

ENTRY: Final[dict[str, Any]] = {
    "identifier": "urn:air:seeds.example.com:agents:stock", "displayName": "Seed \u001b[31mBank",
    "type": "application/mcp-server+json", "url": "https://seeds.example.com/agent-card.json",
    "representativeQueries": ["Are there beans in store?", "Is there rye?", "Are there oats?", "Is there wheat?"],
}  # fmt: skip


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    file = tmp_path / ".well-known" / "ard.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"specVersion": "1.0", "entries": [ENTRY]}))
    return file


def test_the_place_of_a_catalogue_decides_its_dialect(run: Run, manifest: Path) -> None:
    result = run("check", str(manifest))
    assert result.exit_code == 0
    assert "ard-0.91, not sure: 2 warnings" in result.stdout
    assert "catalog/media-type-spelling" in result.stdout
    assert "1 fixable" in result.stdout


def test_a_folder_is_searched_for_catalogues_too(run: Run, manifest: Path) -> None:
    (manifest.parents[1] / "list.json").write_text('{"entries": [{"key": "value"}]}')
    (manifest.parents[1] / "ai-catalog.json").write_text('{"entries": [{"key": "value"}]}')
    result = run("check", str(manifest.parents[1]))
    assert result.exit_code == 1
    assert "2 documents: 1 valid, 1 invalid" in result.stdout
    assert "1 other JSON file skipped" in result.stderr


def test_a_catalogue_is_fixed_in_its_file(run: Run, manifest: Path) -> None:
    assert run("fix", "--write", "--safe-only", str(manifest)).exit_code == 0
    assert json.loads(manifest.read_text())["entries"][0]["type"] == "application/mcp-server-card+json"


def test_a_catalogue_is_shown_without_its_control_characters(run: Run, manifest: Path) -> None:
    shown = run("show", str(manifest)).stdout
    assert "\u001b[31m" not in shown
    assert "urn:air:seeds.example.com:agents:stock" in shown
    assert "Are there oats?" in shown
    assert "Is there wheat?" not in shown


def test_a_page_of_a_catalogue_has_no_facts_of_a_card(run: Run, manifest: Path) -> None:
    page = run("show", "--html", str(manifest)).stdout
    assert "<h1" in page
    assert "seeds.example.com" in page
    assert "Signatures" not in page
    keys = run("show", "--html", "--keys", "keys.json", str(manifest))
    assert keys.exit_code == 2
    assert "which this document is not" in keys.stderr


def test_catalogues_are_compared(run: Run, manifest: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer.json"
    newer.write_text(json.dumps({"specVersion": "1.0", "entries": []}))
    assert "[entry-removed]" in run("diff", str(manifest), str(newer)).stdout
    card = tmp_path / "card.json"
    card.write_text('{"name": "A", "supportedInterfaces": []}')
    refused = run("diff", str(manifest), str(card))
    assert refused.exit_code == 2
    assert "documents of two kinds cannot be compared" in refused.stderr


@pytest.mark.parametrize(
    "command",
    [("convert", "--to", "a2a-1.0"), ("canonicalize",), ("verify", "--jku", "https://seeds.example.com")],
)
def test_commands_for_cards_refuse_a_catalogue_by_name(
    run: Run, manifest: Path, command: tuple[str, ...]
) -> None:
    result = run(*command, str(manifest))
    assert result.exit_code == 2
    assert "not an agent card, but a catalogue (ARD 0.91 manifest)" in result.stderr


CARDS: Final = ("a2a-0.3", "a2a-1.0", "beach-1.0")


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    folder = tmp_path / "cards"
    folder.mkdir()
    for name in CARDS:
        shutil.copy(EXAMPLES / f"{name}.card.json", folder)
    (folder / "package.json").write_text('{"name": "x"}')
    return folder


def test_a_folder_of_cards_becomes_a_catalogue_and_is_restored(run: Run, cards: Path, tmp_path: Path) -> None:
    catalogue, folder = tmp_path / "c.json", tmp_path / "out"
    built = run(
        "catalog", "build", "--publisher", "example.com", "--to", "ai-catalog-1", "--output", catalogue, cards
    )
    assert built.exit_code == 0
    assert run("check", "--strict", catalogue).exit_code == 0
    assert run("catalog", "unpack", "-o", folder, catalogue).exit_code == 0
    for name in ("a2a-0.3.card.json", "a2a-1.0.card.json"):
        assert json.loads((folder / name).read_bytes()) == json.loads((EXAMPLES / name).read_bytes())
    assert json.loads((folder / "beach-1.0.json").read_bytes()) == json.loads(
        (cards / "beach-1.0.card.json").read_bytes()
    )
    again = run("catalog", "unpack", "-o", folder, catalogue)
    assert again.exit_code == 2
    assert "exists already" in again.stderr
    # A link that leads nowhere is a file, too.
    (folder / "a2a-0.3.card.json").unlink()
    (folder / "a2a-0.3.card.json").symlink_to(tmp_path / "elsewhere")
    assert run("catalog", "unpack", "-o", folder, catalogue).exit_code == 2
    assert not (tmp_path / "elsewhere").exists()


def test_entries_have_the_urls_of_their_cards(run: Run, cards: Path, tmp_path: Path) -> None:
    built = run(
        "catalog", "build", "--publisher", "example.com", "--base-url", "https://example.com/cards/", cards
    )
    value = json.loads(built.stdout)
    assert [entry["url"] for entry in value["entries"]] == [
        f"https://example.com/cards/{name}.card.json" for name in CARDS
    ]
    assert [entry["identifier"] for entry in value["entries"]] == [
        f"urn:air:example.com:agents:{name}" for name in CARDS
    ]
    assert [entry["type"].rpartition("/")[2] for entry in value["entries"]] == ["a2a-agent-card+json"] * 2 + [
        "json"
    ]
    (tmp_path / "ard.json").write_text(built.stdout)
    listed = run("catalog", "unpack", "-o", tmp_path / "out", "--dialect", "ard-0.91", tmp_path / "ard.json")
    assert "https://example.com/cards/a2a-1.0.card.json" in listed.stderr
    assert not (tmp_path / "out").exists()


def test_catalogues_are_merged(run: Run, cards: Path, manifest: Path) -> None:
    built = run("catalog", "build", "--publisher", "example.com", cards / "a2a-1.0.card.json", manifest)
    assert [entry["identifier"] for entry in json.loads(built.stdout)["entries"]] == [
        "urn:air:example.com:agents:a2a-1.0",
        ENTRY["identifier"],
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--publisher", "a b"), "is not a domain"),
        (("--publisher", "example.com", "--base-url", "example.com"), "--base-url: invalid base URL"),
    ],
)
def test_invalid_arguments_of_build_are_named(
    run: Run, cards: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = run("catalog", "build", *arguments, cards)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_an_invalid_card_and_a_repeated_identifier_are_refused(run: Run, cards: Path) -> None:
    repeated = run("catalog", "build", "--publisher", "example.com", cards, cards / "a2a-1.0.card.json")
    assert repeated.exit_code == 2
    assert "two entries have the identifier urn:air:example.com:agents:a2a-1.0" in repeated.stderr
    (cards / "wrong.card.json").write_text('{"name": "A", "supportedInterfaces": []}')
    wrong = run("catalog", "build", "--publisher", "example.com", cards)
    assert wrong.exit_code == 2
    assert "wrong.card.json: /capabilities:" in wrong.stderr
