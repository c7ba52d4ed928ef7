"""The A2A endpoint of managed agents, on the server of a2a-sdk.

a2a-sdk decorates its methods for spans, and keeps the wrappers when its spans are off. A call runs through about sixty of
them, which take a quarter of its time. So the modules are imported without the decorators, unless a2a-sdk has spans.
"""

from __future__ import annotations

from typing import Any

from a2a.utils import telemetry


def _unchanged(function: Any = None, **_: Any) -> Any:
    """Replace `trace_function`, which is used with and without arguments."""
    return (lambda decorated: decorated) if function is None else function


def _unchanged_class(*_: Any, **__: Any) -> Any:
    """Replace `trace_class`, which returns a decorator."""
    return lambda decorated: decorated


# The names are no interface of a2a-sdk: without them, it keeps its decorators.
if not (getattr(telemetry, "otel_installed", True) and getattr(telemetry, "otel_enabled", True)):
    telemetry.trace_function = _unchanged  # type: ignore[assignment] # its arguments are all options
    telemetry.trace_class = _unchanged_class
