"""The A2A endpoint of an agent that speaks no A2A itself, on the server of a2a-sdk."""

from __future__ import annotations

from cardwright.gateway.bridge.endpoint import Bridge
from cardwright.gateway.bridge.functions import FunctionBackend, load_function
from cardwright.gateway.bridge.queue import QueueBackend, queue_endpoint
from cardwright.gateway.bridge.shared_queue import SharedQueueBackend

__all__ = [
    "Bridge",
    "FunctionBackend",
    "QueueBackend",
    "SharedQueueBackend",
    "load_function",
    "queue_endpoint",
]
