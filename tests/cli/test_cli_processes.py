"""`cardwright check` of many files: several processes, the report of one."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import typer

from cardwright.cli import processes
from cardwright.cli.processes import in_processes
from tests.cli.command_line import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


def _process_of(number: int) -> tuple[int, int]:
    return number, os.getpid()


def _refuse(number: int) -> int:
    raise ValueError(f"number {number}")


def test_results_are_in_order_and_few_inputs_need_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_cores", lambda: 2)

    assert list(in_processes(_process_of, range(500))) == [(number, os.getpid()) for number in range(500)]

    many = list(in_processes(_process_of, range(501)))
    assert [number for number, _ in many] == list(range(501))
    assert os.getpid() not in {process for _, process in many}
    assert not multiprocessing.active_children()


def test_an_error_of_a_process_is_raised_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_cores", lambda: 2)
    with pytest.raises(ValueError, match="number 0"):
        list(in_processes(_refuse, range(501)))


def _die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_killed_process_ends_the_command_with_a_message(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(processes, "_cores", lambda: 2)
    with pytest.raises(typer.Exit) as ended:
        list(in_processes(_die, range(501)))
    assert ended.value.exit_code == 2
    assert "was killed" in capfd.readouterr().err


def test_many_files_have_the_report_that_few_have(tmp_path: Path) -> None:
    names = [EXAMPLES / "a2a-1.0.card.json", EXAMPLES / "a2a-0.3.card.json"]
    many, few = tmp_path / "many", tmp_path / "few"
    for folder, count in ((many, 502), (few, 4)):
        folder.mkdir()
        for number in range(count):
            shutil.copy(names[number % 2], folder / f"{number:03}.card.json")
        (folder / "000.card.json").write_text('{"name": 7, "supportedInterfaces": []}', encoding="utf-8")

    def lines(folder: Path) -> list[str]:
        command = [sys.executable, "-m", "cardwright", "check", "."]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (1, "")
        return run.stdout.splitlines()

    of_many, of_few = lines(many), lines(few)
    assert "502 documents: 501 valid, 1 invalid, 0 unreadable" in of_many
    findings = [line for line in of_few if "000.card.json" in line]
    assert len(findings) > 1
    assert [line for line in of_many if "000.card.json" in line] == findings
    assert len([line for line in of_many if ".card.json" in line]) == len(findings) + 501
