"""Agents asked and answered at once, without a task: by REST here, and by MCP next door."""

from __future__ import annotations

from cardwright_gateway.api.invoke.endpoint import answer_invoke

__all__ = ["answer_invoke"]
