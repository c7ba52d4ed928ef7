"""The conformance kit: its archive, its cases, and this project's answers to them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cardwright.conformance import LEVELS, OPERATIONS, Kit, read_kit
from cardwright.errors import BadConfiguration
from conformance.build import build, kit_files

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "conformance"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("kit"))


@pytest.fixture(scope="module")
def kit(archive: Path) -> Kit:
    return read_kit(archive)


def test_the_archive_is_the_same_each_time(archive: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == archive.read_bytes()


def test_an_archive_and_its_folder_are_one_kit(archive: Path, kit: Kit, tmp_path: Path) -> None:
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()

    assert read_kit(folder) == kit
    assert {path.name for path in folder.iterdir()} >= {
        "README.md",
        "LICENSE",
        "cases.schema.json",
        "adapters",
    }


def test_each_operation_and_level_has_cases_and_no_id_is_used_twice(kit: Kit) -> None:
    counts = Counter(case.operation for case in kit.cases)

    assert set(counts) == set(OPERATIONS)
    assert {case.level for case in kit.cases} == set(LEVELS)
    assert len({case.id for case in kit.cases}) == len(kit.cases)
    assert len(kit.cases) >= 2000


def test_the_readme_is_one_page() -> None:
    assert len((FOLDER / "README.md").read_text("utf-8").splitlines()) <= 80


def test_adapters_are_short() -> None:
    for file in (FOLDER / "adapters").iterdir():
        if file.suffix in (".py", ".mjs") and file.stem != "adapter":
            assert len(file.read_text("utf-8").splitlines()) <= 80, file.name


def test_the_files_of_a_kit_name_no_path_of_this_machine() -> None:
    for path, body in kit_files().items():
        assert str(ROOT).encode() not in body, path


@pytest.mark.process
def test_this_project_gives_the_expected_results_of_its_kit(archive: Path) -> None:
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "cardwright", "conformance", "--kit", str(archive), "--format", "json"),
            *("--expected", str(FOLDER / "expected" / "cardwright.txt"), "--timeout", "60", "--"),
            *(sys.executable, str(FOLDER / "adapters" / "cardwright_adapter.py")),
        ],
        capture_output=True,
        check=False,
        timeout=300,
    )
    report: dict[str, Any] = json.loads(ran.stdout)

    assert ran.returncode == 0, (report["unexpected_failures"], report["unexpected_passes"])
    assert report["summary"]["unsupported"] == 0


@pytest.mark.process
def test_the_adapter_of_the_readme_runs_in_ten_lines_of_javascript(archive: Path, tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    (code,) = re.findall(r"```js\n(.*?)```", (FOLDER / "README.md").read_text("utf-8"), re.DOTALL)
    (tmp_path / "adapter.mjs").write_text(code)
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "cardwright", "conformance", "--kit", str(archive), "--level", "MUST"),
            *("--operation", "validate", "--", "node", str(tmp_path / "adapter.mjs")),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert len(code.splitlines()) <= 10
    assert ran.returncode == 1
    last = ran.stdout.splitlines()[-1]
    assert re.fullmatch(r"accept-all 1: [\d,]+ of [\d,]+ cases passed; [\d,]+ failed", last), last
    # The guide shows such a line for all operations; the numbers follow from the schemas.
    shown = (ROOT / "docs" / "pages" / "how-to" / "conformance-kit.md").read_text("utf-8")
    assert re.search(r"accept-all 1: [\d,]+ of [\d,]+ cases passed, \d+ unsupported; [\d,]+ failed", shown)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "it has no kit.json"),
        ({"kit.json": "{}", "cases/a.json": "[]"}, "a case file is not valid"),
        (
            {"kit.json": '{"version": "1"}', "cases/a.json": '{"cases": [{"id": "a"}]}'},
            "a case file is not valid",
        ),
        (
            {
                "kit.json": '{"version": "1"}',
                "cases/a.json": '{"cases": [{"id": "x/a", "operation": "x", "level": "MUST"}]}',
            },
            "x/a: unknown operation or level",
        ),
    ],
)
def test_a_folder_that_is_no_kit_is_refused_with_the_reason(
    files: dict[str, str], message: str, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    with pytest.raises(BadConfiguration, match=message):
        read_kit(tmp_path)


def test_a_file_that_is_no_archive_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "kit.tar.gz").write_bytes(b"no archive")

    with pytest.raises(BadConfiguration, match="is not a tar archive"):
        read_kit(tmp_path / "kit.tar.gz")
