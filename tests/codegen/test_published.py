"""What is published at an `$id` stays as it is, and the static tree has every `$id` at its path."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from codegen.__main__ import pin
from codegen.artifacts.published import changes, main
from codegen.sources import ID_BASE
from docs.sitegen.public import ForeignTree, build_public, public_files

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "schemas", tmp_path / "schemas")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_a_changed_schema_needs_another_version(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ("--root", str(project))
    file = project / "schemas" / "a2a" / "1.0" / "agent-card.schema.json"

    assert main([*root, "--write"]) == 0
    assert main([*root]) == 0
    file.write_text(file.read_text("utf-8").replace("A2A 1.0 agent card", "A2A 1.0 card", 1))
    pin(project / "schemas")
    assert main([*root]) == 1
    assert "a2a/1.0/agent-card.schema.json: changed\n" in capsys.readouterr().err
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text("utf-8").replace('\nversion = "', '\nversion = "9', 1))
    assert main([*root]) == 0


def test_a_schema_may_change_until_its_version_is_published(project: Path) -> None:
    file = project / "schemas" / "a2a" / "1.0" / "agent-card.schema.json"
    file.write_text(file.read_text("utf-8").replace("A2A 1.0 agent card", "A2A 1.0 card", 1))
    pin(project / "schemas")

    assert main(["--root", str(project)]) == 0


def test_a_removed_or_added_schema_is_a_change_too() -> None:
    before = {"version": "1", "files": {"a": "1", "b": "2"}}

    assert changes(before, {"version": "1", "files": {"b": "2", "c": "3"}}) == ["a: removed", "c: added"]
    assert changes(before, {"version": "2", "files": {}}) == []


def test_the_static_tree_has_each_schema_at_its_id_and_at_its_version() -> None:
    files = public_files(ROOT)
    versions = json.loads(files["schemas/versions.json"])
    base = ID_BASE.removesuffix("schemas/")

    listed = versions["versions"][versions["latest"]]
    for identifier, place in listed.items():
        here = files[identifier.removeprefix(base)]
        assert json.loads(here)["$id"] == identifier
        assert files[place["url"].removeprefix(base)] == here
    assert len(listed) >= 30
    assert any(path.startswith("conformance/") and path.endswith(".tar.gz") for path in files)


def test_a_folder_of_something_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "mine.txt").write_text("mine")
    (tmp_path / "site").mkdir()

    with pytest.raises(ForeignTree, match="has files of something else"):
        build_public(ROOT, tmp_path / "site", tmp_path / "target")

    assert (tmp_path / "target" / "mine.txt").read_text() == "mine"
