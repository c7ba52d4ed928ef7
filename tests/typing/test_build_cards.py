"""The generated models and the builder as the type checkers see them."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
# Each file with a right line of it, which an ignore makes wrong.
FILES = {"build_cards.py": 'name="Harbour",', "build_agent_card.py": 'id="harbour",'}

# Without `init_forbid_extra` the plugin lets pass every keyword, because a model keeps unknown fields.
PLUGIN = """\
[mypy]
strict = True
mypy_path = src:generated
explicit_package_bases = True
plugins = pydantic.mypy
[pydantic-mypy]
init_typed = True
init_forbid_extra = True
"""


@dataclass(frozen=True)
class Checked:
    """A folder with a copy of a file, and with one that ignores an error that does not exist."""

    folder: Path
    right: Path
    stale: str


@pytest.fixture(scope="module", params=FILES)
def checked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Checked:
    folder = tmp_path_factory.mktemp("typing")
    source = Path(__file__).with_name(request.param)
    shutil.copy(source, folder / source.name)
    text = source.read_text(encoding="utf-8")
    right = FILES[request.param]
    assert text.count(right) == 1
    line = f"{right}  # type: ignore[arg-type]"
    stale = f"{source.stem}_stale.py"
    (folder / stale).write_text(text.replace(right, line), encoding="utf-8")
    return Checked(folder, source, stale)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("plugin", [False, True], ids=["mypy", "mypy with pydantic's plugin"])
def test_mypy_accepts_valid_calls_and_refuses_invalid_ones(checked: Checked, *, plugin: bool) -> None:
    settings = checked.folder / "mypy.ini"
    settings.write_text(PLUGIN)
    config = str(settings) if plugin else "pyproject.toml"
    cache = checked.folder.parent / f"mypy-{plugin}"

    both = run(
        *("mypy", "--config-file", config, f"--cache-dir={cache}"),
        *(str(checked.right), str(checked.folder / checked.stale)),
    )

    assert both.stdout.count("error:") == 1, both.stdout + both.stderr
    assert f"{checked.stale}:" in both.stdout
    assert "unused-ignore" in both.stdout


def test_pyright_accepts_valid_calls_and_refuses_invalid_ones(checked: Checked) -> None:
    pytest.importorskip("pyright")
    settings = checked.folder / "pyrightconfig.json"
    paths = [str(REPOSITORY / "src"), str(REPOSITORY / "generated")]
    settings.write_text(json.dumps({"extraPaths": paths, "pythonVersion": "3.11"}), encoding="utf-8")

    both = run("pyright", "--project", str(settings), "--pythonpath", sys.executable)

    errors = [line for line in both.stdout.splitlines() if " - error: " in line]
    assert len(errors) == 1, both.stdout + both.stderr
    assert checked.stale in errors[0]
    assert "Unnecessary" in errors[0]
