"""Invocations: a message and its reply, without a task."""

from __future__ import annotations

from cardwright_gateway.api.invoke.endpoint import Invocation, answer_invoke

__all__ = ["Invocation", "answer_invoke"]
