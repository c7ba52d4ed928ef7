"""Extras: which install a missing module names, on the command line and in the library."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cardwright
from cardwright.cli import app
from cardwright.errors import MissingPackage
from cardwright.extras import EXTRAS, INCLUDED, check_extra, missing_extra, requires_extra

ROOT = Path(__file__).parent.parent
HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["metadata"]["hooks"]["custom"]
DECLARED = HOOK["optional-dependencies"]


def includes(extra: str) -> set[str]:
    """Return the extras that an extra of pyproject.toml installs as well."""
    named = [
        one.partition("[")[2].partition("]")[0] for one in DECLARED[extra] if one.startswith("cardwright[")
    ]
    direct = {name.strip() for names in named for name in names.split(",")}
    return direct.union(*map(includes, direct))


def test_every_module_names_an_extra_that_is_declared() -> None:
    assert set(EXTRAS.values()) <= set(DECLARED)


@pytest.mark.parametrize("extra", sorted(INCLUDED))
def test_an_extra_includes_what_pyproject_says(extra: str) -> None:
    assert INCLUDED[extra] == includes(extra)


def test_all_includes_every_extra() -> None:
    assert includes("all") == set(DECLARED) - {"all"}


@pytest.mark.parametrize(
    "arguments",
    [["gateway"], ["gateway", "keys", "list", "x", "--config", "y"], ["convert", "--from-mcp", "https://a.example", "--to", "a2a-1.0"]],
)  # fmt: skip
def test_an_absent_gateway_is_named(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    done = CliRunner().invoke(app, arguments)
    line = 'cardwright-gateway is not installed; install it with: pip install "cardwright[gateway]"'
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"cardwright: {line}\n")


@pytest.mark.parametrize(
    ("arguments", "module", "line"),
    [
        (["serve", "card.json"], "granian", 'granian is not installed; install it with: pip install "cardwright[serve]"'),
        (["discover", "https://a.example"], "aiohttp", 'aiohttp is not installed; install it with: pip install "cardwright[discovery]"'),
        (["check", "https://a.example"], "aiohttp", 'aiohttp is not installed; install it with: pip install "cardwright[discovery]"'),
        (["gateway", "--config", "x.yml"], "prometheus_client", 'prometheus-client is not installed; install it with: pip install "cardwright[gateway]"'),
        (["gateway", "--config", "x.yml"], "granian", 'granian is not installed; install it with: pip install "cardwright[gateway]"'),
    ],
)  # fmt: skip
def test_a_command_without_its_extra_prints_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], module: str, line: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    done = CliRunner().invoke(app, arguments)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"cardwright: {line}\n")


def test_an_import_error_without_an_extra_is_unchanged() -> None:
    assert missing_extra(ModuleNotFoundError("No module named 'x'", name="x")) is None
    with pytest.raises(ModuleNotFoundError, match="cardwright_unknown"), requires_extra("sign"):
        __import__("cardwright_unknown")


def test_a_library_error_is_named_for_the_extra_that_the_caller_needs() -> None:
    inner = missing_extra(ModuleNotFoundError("", name="aiohttp.client"))
    assert inner is not None
    inner.__cause__ = ModuleNotFoundError("", name="aiohttp.client")
    assert 'cardwright[gateway]"' in str(missing_extra(inner, extra="gateway"))
    assert 'cardwright[discovery]"' in str(missing_extra(inner, extra="serve"))


def test_check_extra_imports_nothing_and_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    check_extra("gateway")
    monkeypatch.setitem(sys.modules, "joserfc", None)
    with pytest.raises(MissingPackage, match=r"joserfc is not installed; .*cardwright\[serve\]"):
        check_extra("serve")


def test_the_version_is_that_of_the_package() -> None:
    assert (
        cardwright.__version__ == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    )
