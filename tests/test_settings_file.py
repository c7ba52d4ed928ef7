"""Settings files that would exhaust the reader: nesting is counted before any value exists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cardwright.canonical import Limits
from cardwright.discovery.configuration import keys_of, read_agents_file
from cardwright.errors import BadConfiguration, MalformedDocument
from cardwright.registries_file import read_registries
from cardwright.settings_file import read_settings, toml_value, yaml_value
from cardwright_gateway.settings.config import GatewayConfig

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("read", [read_agents_file, GatewayConfig.from_file], ids=["registry", "gateway"])
@pytest.mark.parametrize(
    "text",
    [
        "agents: " + "[" * 50_000 + "]" * 50_000,
        "agents: " + "{a: " * 50_000 + "}" * 50_000,
        "- " * 50_000 + "a",
        "agents: " + "[" * 50_000,
    ],
    ids=["flow", "mappings", "block", "open"],
)
def test_deep_nesting_is_refused_with_its_line(
    tmp_path: Path, text: str, read: Callable[[Path], object]
) -> None:
    file = tmp_path / "agents.yml"
    file.write_text(f"# a comment\n{text}\n", encoding="utf-8")

    with pytest.raises(
        BadConfiguration, match=r"agents\.yml: .*line 2: the document has more than \d+ levels"
    ):
        read(file)


def test_a_key_of_toml_with_many_parts_is_refused_before_it_takes_memory() -> None:
    for text in (
        "a." * 30_000 + "a = 1",
        "x = {" + '"a" . ' * 30_000 + "a = 1}",
        "[" + "a." * 30_000 + "a]",
        r'"\"".' * 30_000 + "a = 1",
    ):
        with pytest.raises(MalformedDocument, match="more than 64 parts"):
            toml_value(text.encode())
    with pytest.raises(MalformedDocument, match="not valid TOML"):
        toml_value(b"a = " + b"9" * 5_000)
    assert toml_value(b'a.b.c = "' + b"www." * 60 + b'"')["a"]["b"]["c"].startswith("www.")


@pytest.mark.parametrize("read", [read_agents_file, GatewayConfig.from_file, read_registries])
@pytest.mark.parametrize("text", ["ghp_secret1234", "-----BEGIN PRIVATE KEY-----\nsecret1234"])
def test_a_file_that_is_something_else_is_not_quoted(
    tmp_path: Path, text: str, read: Callable[[Path], object]
) -> None:
    file = tmp_path / "agents.yml"
    file.write_text(text)

    with pytest.raises(BadConfiguration, match="expected an object, found a text") as caught:
        read(file)
    assert "secret1234" not in str(caught.value)
    assert "BEGIN" not in str(caught.value)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_a_device_without_end_is_refused() -> None:
    limits = Limits(max_bytes=1024)
    with pytest.raises(BadConfiguration):
        read_settings(Path("/dev/zero"), limits)
    with pytest.raises(BadConfiguration):
        keys_of(["/dev/zero"])


def test_the_deepest_document_that_json_may_have_is_read() -> None:
    assert yaml_value(b"[" * 16 + b"1" + b"]" * 16, Limits(max_depth=16))
    with pytest.raises(MalformedDocument, match="16 levels"):
        yaml_value(b"[" * 17 + b"]" * 17, Limits(max_depth=16))
    assert yaml_value(b"[[], [], {a: [1]}]" * 1, Limits(max_depth=3)) == [[], [], {"a": [1]}]
