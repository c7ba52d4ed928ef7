"""Push notifications that arrive: signed, tried again, and kept until they are delivered."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright.gateway.webhooks.records import Delivery, Event
    from cardwright.gateway.webhooks.verifying import verify_webhook
    from cardwright.gateway.webhooks.webhooks import Webhooks

__all__ = ["Delivery", "Event", "Webhooks", "verify_webhook"]

# Receivers verify with the standard library alone: nothing else is imported for them.
_ROOMS: Final = {
    "Delivery": "records",
    "Event": "records",
    "Webhooks": "webhooks",
    "verify_webhook": "verifying",
}


def __getattr__(name: str) -> Any:
    room = _ROOMS.get(name)
    if room is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(f"{__name__}.{room}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
