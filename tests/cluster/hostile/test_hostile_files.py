"""The command line in random hostile folders ends in time, with a documented status, and touches no other file."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.cluster.hostile.length import SEED, seconds_of
from tests.cluster.replicas import ROOT, command_environ

if TYPE_CHECKING:
    from pathlib import Path


def test_commands_end_in_hostile_folders(tmp_path: Path) -> None:
    command = [
        sys.executable, "-m", "tests.cluster.hostile.commands", "--folder", str(tmp_path), "--seed", str(SEED),
    ]  # fmt: skip
    command += ["--seconds", str(seconds_of("files"))]
    output = subprocess.run(
        command, cwd=ROOT, env=command_environ(), stdout=subprocess.PIPE, check=True
    ).stdout
    report = json.loads(output)
    findings = report.pop("findings")
    print(f"\nseed {SEED}: {report}")  # noqa: T201 - the measurement, for `pytest -s`
    # To repeat one: python -m tests.cluster.hostile.commands --folder EMPTY --seconds 0 --seed … --first …
    assert not findings, "\n".join(findings)
    assert report["runs"], report
