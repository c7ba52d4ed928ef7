"""What the README shows works as it is shown."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXTS = [README, *(page.read_text(encoding="utf-8") for page in sorted(ROOT.glob("docs/*.md")))]
BLOCKS = [block for text in TEXTS for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)]


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
@pytest.mark.process
def test_a_python_example_runs(block: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "a2a-1.0.card.json", tmp_path / "agent-card.json")
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    )
    for file in ROOT.glob("**/README.md"):
        if {".venv", "node_modules"} & set(file.parts):
            continue
        named = re.findall(r"`make ([a-z-]+)", file.read_text(encoding="utf-8"))
        assert set(named) <= targets, file


def test_every_link_leads_to_a_file() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
