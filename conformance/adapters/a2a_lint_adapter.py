"""a2a-lint: its findings at the level error."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from a2a_lint.validator import validate_card
from adapter import answer_lines, only


def validate(given: dict[str, Any]) -> dict[str, Any]:
    document = only(given, "a2a-0.2", "a2a-0.3")
    return {"valid": not any(finding["level"] == "error" for finding in validate_card(document))}


if __name__ == "__main__":
    answer_lines("a2a-lint", version("a2a-lint"), {"validate": validate})
