"""The program of the README of `cardwright-models` works as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from cardwright import Card

README = Path(__file__).resolve().parents[2] / "generated" / "README.md"


def test_the_application_of_the_readme_publishes_a_valid_card_and_reads_one() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {"__name__": "readme"}
    exec(compile(program, str(README), "exec", dont_inherit=True), names)  # noqa: S102 - our own program
    client = TestClient(names["app"])

    card = client.get("/.well-known/agent-card.json").json()
    refused = client.post("/cards", json={**card, "skills": [{"id": 5}]})

    assert Card.from_document(card).valid
    assert client.post("/cards", json=card).json() == ["Berths"]
    assert refused.status_code == 422
    assert ["body", "skills", 0, "name"] in [fault["loc"] for fault in refused.json()["detail"]]
