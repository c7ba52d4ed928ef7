"""The generated models as the type checkers see them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD_CARDS = Path(__file__).with_name("build_cards.py")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with the file, and with one that ignores an error where there is none."""
    folder = tmp_path_factory.mktemp("typing")
    shutil.copy(BUILD_CARDS, folder / "build_cards.py")
    text = BUILD_CARDS.read_text(encoding="utf-8")
    right = 'name="Harbour",'
    assert text.count(right) == 1
    line = f"{right}  # type: ignore[arg-type]"
    (folder / "build_cards_stale.py").write_text(text.replace(right, line), encoding="utf-8")
    return folder


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_mypy_takes_the_right_ways_and_refuses_the_wrong_ones(checked: Path) -> None:
    cache = f"--cache-dir={checked / 'cache'}"

    right = run("mypy", "--config-file", "pyproject.toml", cache, str(BUILD_CARDS))
    stale = run("mypy", "--config-file", "pyproject.toml", cache, str(checked / "build_cards_stale.py"))

    assert right.returncode == 0, right.stdout + right.stderr
    assert stale.returncode == 1
    assert stale.stdout.count("error:") == 1
    assert "unused-ignore" in stale.stdout


@pytest.mark.slow
def test_pyright_takes_the_right_ways_and_refuses_the_wrong_ones(checked: Path) -> None:
    pytest.importorskip("pyright")
    settings = checked / "pyrightconfig.json"
    paths = [str(REPOSITORY / "src"), str(REPOSITORY / "generated")]
    settings.write_text(json.dumps({"extraPaths": paths, "pythonVersion": "3.11"}), encoding="utf-8")

    both = run("pyright", "--project", str(settings), "--pythonpath", sys.executable)

    errors = [line for line in both.stdout.splitlines() if " - error: " in line]
    assert len(errors) == 1, both.stdout + both.stderr
    assert "build_cards_stale.py" in errors[0]
    assert "Unnecessary" in errors[0]
