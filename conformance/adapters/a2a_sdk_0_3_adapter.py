"""a2a-sdk 0.3: its model of cards, its signatures, and the server's route."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from a2a.server.apps import A2AStarletteApplication
from a2a.types import AgentCard
from adapter import answer_lines, is_accepted, only, serve_asgi


def validate(given: dict[str, Any]) -> dict[str, Any]:
    return is_accepted(AgentCard.model_validate, only(given, "a2a-0.3"))


def serve(given: dict[str, Any]) -> dict[str, Any]:
    card = AgentCard.model_validate(only(given, "a2a-0.3"))
    handler: Any = None
    return serve_asgi(A2AStarletteApplication(card, handler).build())


if __name__ == "__main__":
    answer_lines("a2a-sdk", version("a2a-sdk"), {"validate": validate, "serve": serve})
