"""fasta2a 2: the model that its client reads cards with."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from adapter import answer_lines, is_accepted, only
from fasta2a.schema import agent_card_ta


def validate(given: dict[str, Any]) -> dict[str, Any]:
    return is_accepted(agent_card_ta.validate_python, only(given, "a2a-1.0"))


if __name__ == "__main__":
    answer_lines("fasta2a", version("fasta2a"), {"validate": validate})
