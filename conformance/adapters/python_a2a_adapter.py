"""python-a2a: its model of cards and its list of violations."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from adapter import answer_lines, only
from python_a2a import AgentCard


def validate(given: dict[str, Any]) -> dict[str, Any]:
    document = only(given, "a2a-0.3")
    try:
        return {"valid": not AgentCard.from_dict(document).validate_a2a_protocol()}
    except Exception:  # noqa: BLE001 - any refusal
        return {"valid": False}


if __name__ == "__main__":
    answer_lines("python-a2a", version("python-a2a"), {"validate": validate})
