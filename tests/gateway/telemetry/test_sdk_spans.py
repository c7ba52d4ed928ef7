"""Methods of a2a-sdk are wrapped for its spans only if it has spans."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import cardwright_gateway.a2a_server.endpoint
from a2a.server.events.event_queue_v2 import EventQueueSource
from a2a.server.request_handlers.default_request_handler_v2 import DefaultRequestHandlerV2
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher

for method in (
    EventQueueSource.enqueue_event,
    DefaultRequestHandlerV2.on_message_send,
    JsonRpcDispatcher.handle_requests,
):
    print(method.__code__.co_filename.endswith("telemetry.py"))
"""


@pytest.mark.process
@pytest.mark.parametrize(("spans", "wrapped"), [("true", "True"), ("false", "False")])
def test_methods_are_wrapped_only_for_spans(spans: str, wrapped: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OTEL_INSTRUMENTATION_A2A_SDK_ENABLED": spans},
    )
    assert set(done.stdout.split()) == {wrapped}, done.stdout
