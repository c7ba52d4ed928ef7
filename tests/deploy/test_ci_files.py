"""The hooks of pre-commit, the action for GitHub, and the template for GitLab, run without their services."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples"
BIN: Final = Path(sys.executable).parent
HOOKS: Final[list[dict[str, Any]]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION: Final[dict[str, Any]] = yaml.safe_load((ROOT / "action.yml").read_text())
SCRIPT: Final = ROOT / "deploy/ci/check.sh"
GITLAB: Final[dict[str, Any]] = yaml.safe_load((ROOT / "deploy/ci/gitlab.yml").read_text())


def run(
    *command: str | Path, cwd: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    path = f"{cwd / 'bin'}{os.pathsep}{BIN}{os.pathsep}{os.environ['PATH']}"
    git_environment = {"PRE_COMMIT_HOME": str(cwd / ".home"), "GIT_CONFIG_GLOBAL": os.devnull}
    return subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env={**os.environ, "PATH": path, **git_environment, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with a valid card, one with an error, one whose name is like an option, and another file."""
    card: dict[str, Any] = json.loads((EXAMPLES / "a2a-1.0.card.json").read_text())
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/good.card.json").write_text(json.dumps(card, indent=2) + "\n")
    (tmp_path / "cards/wrong one.card.json").write_text(json.dumps({**card, "version": 1}, indent=2) + "\n")
    (tmp_path / "--output=stolen.card.json").write_text(json.dumps(card, indent=2) + "\n")
    (tmp_path / "package.json").write_text('{"name": "x"}\n')
    run("git", "init", "-q", ".", cwd=tmp_path)
    run("git", "add", ".", cwd=tmp_path)
    return tmp_path


@pytest.mark.process
def test_the_pre_commit_manifest_is_valid(tmp_path: Path) -> None:
    result = run("pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml", cwd=tmp_path)
    assert result.returncode == 0, result.stdout


@pytest.mark.process
def test_pre_commit_checks_and_fixes_committed_cards(repository: Path) -> None:
    # The installed cardwright, instead of an environment that pre-commit makes of this repository.
    local = [{**hook, "language": "system"} for hook in HOOKS]
    config = {"repos": [{"repo": "local", "hooks": local}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    checked = run("pre-commit", "run", "cardwright-check", "--all-files", cwd=repository)
    assert checked.returncode == 1
    assert "cards/wrong one.card.json:" in checked.stdout
    assert "3 documents: 2 valid, 1 invalid" in checked.stdout
    fixed = run("pre-commit", "run", "cardwright-fix", "--all-files", cwd=repository)
    assert fixed.returncode == 1
    assert "files were modified by this hook" in fixed.stdout
    assert run("pre-commit", "run", "--all-files", cwd=repository).returncode == 0
    assert not (repository / "stolen.card.json").exists()


@pytest.mark.parametrize(
    ("name", "matches"),
    [
        ("agent-card.json", True), ("a/my-agent-card.json", True), ("x.card.json", True),
        (".well-known/agent.json", True), ("package.json", False), ("card.json", False), ("agent.json", False),
    ],
)  # fmt: skip
def test_pre_commit_selects_files_named_like_cards(name: str, *, matches: bool) -> None:
    assert all(bool(re.search(hook["files"], name)) is matches for hook in HOOKS)


def test_the_action_uses_its_inputs_only_in_the_environment() -> None:
    steps = ACTION["runs"]["steps"]
    used = set(re.findall(r"inputs\.([a-z]+)", json.dumps(steps)))
    assert used == set(ACTION["inputs"])
    assert all("${{" not in step.get("run", "") for step in steps)
    script = next(step["run"] for step in steps if step.get("name") == "Check")
    assert (ROOT / script.strip('"').replace("$GITHUB_ACTION_PATH/", "")).samefile(SCRIPT)


@pytest.mark.process
def test_shellcheck_finds_no_fault_in_the_action_script() -> None:
    result = run("shellcheck", SCRIPT, cwd=ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.process
def test_the_script_annotates_and_writes_sarif_and_a_summary(repository: Path) -> None:
    summary = repository / "summary.md"
    (repository / "cards.sarif").symlink_to("package.json")
    completed = run(SCRIPT, cwd=repository, environment={"GITHUB_STEP_SUMMARY": str(summary), "CARDS": "."})
    assert (repository / "package.json").read_text() == '{"name": "x"}\n'
    assert completed.returncode == 1
    assert "::error file=cards/wrong one.card.json,line=20,col=3,title=schema/type::" in completed.stdout
    (sarif,) = json.loads((repository / "cards.sarif").read_text())["runs"]
    assert [result["ruleId"] for result in sarif["results"]] == ["schema/type"]
    assert summary.read_text().startswith(
        "### Agent cards: not valid\n\n~~~text\n ✓ --output=stolen.card.json"
    )
    assert "1 other JSON file skipped" in summary.read_text()


@pytest.mark.process
def test_the_script_takes_names_with_spaces_and_options(repository: Path) -> None:
    one = run(
        SCRIPT, cwd=repository, environment={"CARDS": "cards/wrong one.card.json\ncards/good.card.json"}
    )
    assert (one.returncode, one.stdout.splitlines()[-1]) == (
        1,
        "2 documents: 1 valid, 1 invalid, 0 unreadable",
    )
    ignored = run(
        SCRIPT, cwd=repository, environment={"OPTIONS": "--ignore\nschema/type", "SARIF": "x.sarif"}
    )
    assert ignored.returncode == 0
    assert (repository / "x.sarif").exists()
    unknown = run(SCRIPT, cwd=repository, environment={"CARDS": "missing.json"})
    assert unknown.returncode == 2


@pytest.mark.process
def test_the_script_comments_only_on_request(repository: Path) -> None:
    (repository / "bin").mkdir()
    fake = repository / "bin/gh"
    fake.write_text('#!/bin/sh\nprintf "%s\\n" "$*" > gh.txt\nfor last; do :; done\ncp "$last" comment.md\n')
    fake.chmod(0o755)
    assert run(SCRIPT, cwd=repository, environment={"PR": "7"}).returncode == 1
    assert not (repository / "gh.txt").exists()
    assert run(SCRIPT, cwd=repository, environment={"PR": "7", "COMMENT": "true"}).returncode == 1
    assert (
        (repository / "gh.txt")
        .read_text()
        .startswith("pr comment 7 --edit-last --create-if-none --body-file")
    )
    assert (repository / "comment.md").read_text().startswith("### Agent cards: not valid")
    fake.write_text("#!/bin/sh\nexit 1\n")
    refused = run(SCRIPT, cwd=repository, environment={"PR": "7", "COMMENT": "true"})
    assert "::warning title=cardwright::the summary could not be put into a comment" in refused.stdout


@pytest.mark.process
def test_the_text_of_a_card_cannot_close_the_code_block_of_the_summary(repository: Path) -> None:
    (repository / "x.card.json").write_text('{"name": "x", "~~~": 1, "a\\n~~~\\n# Heading": 2, "url": 1}')
    summary = repository / "summary.md"
    run(SCRIPT, cwd=repository, environment={"GITHUB_STEP_SUMMARY": str(summary), "CARDS": "x.card.json"})
    lines = summary.read_text().splitlines()
    fences = [index for index, line in enumerate(lines) if line.startswith("~~~")]
    assert fences == [2, len(lines) - 1]


@pytest.mark.process
def test_the_job_of_gitlab_writes_its_report_and_fails(repository: Path) -> None:
    job = GITLAB["cardwright"]
    install, *commands = job["script"]
    assert install.startswith("python -m pip install")
    script = "\n".join(["set -e", *commands])
    environment = {**job["variables"], "CARDS": "--output=stolen.card.json cards"}
    (repository / job["artifacts"]["reports"]["codequality"]).symlink_to("package.json")
    result = run("sh", "-c", script, cwd=repository, environment=environment)
    assert (repository / "package.json").read_text() == '{"name": "x"}\n'
    assert result.returncode == 1
    assert "2 valid, 1 invalid" in result.stdout
    report = json.loads((repository / job["artifacts"]["reports"]["codequality"]).read_text())
    assert [one["check_name"] for one in report] == ["schema/type"]
    (repository / "cards/wrong one.card.json").unlink()
    assert run("sh", "-c", script, cwd=repository, environment=environment).returncode == 0
