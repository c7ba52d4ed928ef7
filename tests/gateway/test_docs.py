"""The page on monitoring lists the metrics of the gateway; the settings and the HTTP API are generated."""

from __future__ import annotations

import re
from pathlib import Path

from tests.gateway.api.test_routes import ask

PAGE = Path(__file__).parents[2] / "docs" / "pages" / "how-to" / "monitor.md"


def test_every_metric_is_documented_and_no_other() -> None:
    documented = set(
        re.findall(r"^\| `(cardwright_gateway_\w+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    )
    counted = set(
        re.findall(r"^# TYPE (cardwright_gateway_\w+)", ask("GET", "/metrics").body.decode(), re.MULTILINE)
    )

    assert documented == {name for name in counted if not name.endswith("_created")}
