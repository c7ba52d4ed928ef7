"""The programs of the page on webhooks accept what the gateway signs, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from functools import cache
from typing import TYPE_CHECKING

import pytest

from cardwright_gateway.webhooks.signatures import Secret, signed_fields
from tests.docs.page_sessions import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGE = ROOT / "docs" / "pages" / "how-to" / "webhooks.md"
# What a program needs, and how it runs.
RUNTIMES = {
    "verify.py": ((), [sys.executable]),
    "verify.mjs": (("node",), ["node"]),
    "verify.go": (("go",), ["go", "run"]),
    "verify.sh": (("sh", "openssl"), ["sh"]),
}
SECRET = "a-secret-of-32-random-characters"  # noqa: S105 - of this test alone
BODY = b'{"task":{"id":"t-1","name":"\xc3\xa4 \\u0000"}}\n\n'
RECENT = 100


def signature(body: bytes = BODY, *secrets: str, age: int = 0) -> str:
    keys = [Secret(standard=False, key=secret.encode()) for secret in secrets or (SECRET,)]
    return signed_fields("evt_1", int(time.time()) - age, body, keys)["X-BeeOS-Signature"]


@cache
def recipes() -> dict[str, str]:
    """Return the programs of the page by name."""
    return dict(
        re.findall(r'^```\w+ title="(verify\.\w+)"\n(.*?)^```$', PAGE.read_text(), re.DOTALL | re.MULTILINE)
    )


def accepts(name: str, folder: Path, sent: str, body: bytes = BODY) -> bool:
    """Run a program of the page on one request."""
    needed, command = RUNTIMES[name]
    missing = [one for one in needed if shutil.which(one) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)}, which the program needs, is not installed")
    program = folder / name
    program.write_text(recipes()[name])
    done = subprocess.run(
        [*command, str(program), sent],
        input=body,
        env={"WEBHOOK_SECRET": SECRET, "PATH": os.environ["PATH"], "HOME": str(folder)},
        capture_output=True,
        check=False,
    )
    assert not done.stdout
    return done.returncode == 0


def test_there_is_a_program_for_each_language() -> None:
    assert recipes().keys() == RUNTIMES.keys()


@pytest.mark.parametrize("name", RUNTIMES)
@pytest.mark.process
def test_a_program_accepts_what_the_gateway_signs(name: str, tmp_path: Path) -> None:
    assert accepts(name, tmp_path, signature())
    assert accepts(name, tmp_path, signature(BODY, "another secret", SECRET, age=RECENT))
    assert accepts(name, tmp_path, signature(b""), b"")


@pytest.mark.parametrize("name", RUNTIMES)
@pytest.mark.process
def test_a_program_refuses_anything_else(name: str, tmp_path: Path) -> None:
    right = signature()
    wrong = [
        signature(BODY, "another secret"), signature(BODY + b"x"), signature(age=400), signature(age=-400), "", "v1=",
        right.partition(",")[2], right.partition(",")[0], right.replace("t=", "t=x"), right.replace("v1=", "v1=0"),
        "t=1,v1=zz",
    ]  # fmt: skip

    assert [sent for sent in wrong if accepts(name, tmp_path, sent)] == []
