"""Invocations: a message and its reply, without a task."""

from __future__ import annotations

from cardwright_gateway.api.invoke.endpoint import JSON, Invocation, answer_invoke, reply_to
from cardwright_gateway.api.invoke.streaming import EVENT_STREAM

__all__ = ["EVENT_STREAM", "JSON", "Invocation", "answer_invoke", "reply_to"]
