"""Settings files that would exhaust the reader: nesting is counted before any value exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardwright.canonical import Limits
from cardwright.discovery.configuration import read_agents_file
from cardwright.errors import BadConfiguration, MalformedDocument
from cardwright.settings_file import yaml_value
from cardwright_gateway.settings.config import GatewayConfig

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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


def test_the_deepest_document_that_json_may_have_is_read() -> None:
    assert yaml_value(b"[" * 16 + b"1" + b"]" * 16, Limits(max_depth=16))
    with pytest.raises(MalformedDocument, match="16 levels"):
        yaml_value(b"[" * 17 + b"]" * 17, Limits(max_depth=16))
    assert yaml_value(b"[[], [], {a: [1]}]" * 1, Limits(max_depth=3)) == [[], [], {"a": [1]}]
