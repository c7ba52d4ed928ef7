"""Invocations: a message and its reply, without a task."""

from __future__ import annotations

from cardwright_gateway.api.invoke.endpoint import answer_invoke

__all__ = ["answer_invoke"]
