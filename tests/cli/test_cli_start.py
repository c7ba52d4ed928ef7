"""The start of `cardwright check`: what it imports, and options whose values typer converts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.command_line import EXAMPLES

pytestmark = pytest.mark.process

_CARD = str(EXAMPLES / "a2a-1.0.card.json")
_IMPORTED = """
import sys
from cardwright.cli import main
sys.argv = ["cardwright", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    assert end.code in (0, None), end.code
print(*sorted(sys.modules))
"""


@pytest.mark.parametrize("options", [(), ("--strict", "--select", "url", "-q", "--dialect", "a2a-1.0")])
def test_a_check_imports_neither_pydantic_nor_an_http_client(options: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", _IMPORTED, "check", *options, _CARD]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {name.partition(".")[0] for name in run.stdout.splitlines()[-1].split()}
    assert imported & {"pydantic", "pydantic_core", "aiohttp", "rich", "sqlalchemy", "asyncio"} == set()
    assert {"cardwright", "jsonschema_rs", "orjson", "typer"} <= imported


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--max-bytes", "0"), "max-bytes"),
        (("--max-bytes", "many"), "max-bytes"),
        (("--format", "xml"), "format"),
        (("--dialect", "a2a-9"), "dialect"),
    ],
)
def test_a_wrong_value_is_refused_as_before(options: tuple[str, ...], message: str) -> None:
    command = [sys.executable, "-m", "cardwright", "check", *options, _CARD]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr
