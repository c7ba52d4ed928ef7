"""Webhooks (A2A push notifications): signed, retried, and stored until they are delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.lazy import lazy_exports

if TYPE_CHECKING:
    from cardwright_gateway.webhooks.rows import Delivery, Event
    from cardwright_gateway.webhooks.service import Webhooks
    from cardwright_gateway.webhooks.verification import verify_webhook

__all__ = ["Delivery", "Event", "Webhooks", "verify_webhook"]

# Lazy: a receiver that only verifies needs nothing but the standard library.

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Delivery": "cardwright_gateway.webhooks.rows",
        "Event": "cardwright_gateway.webhooks.rows",
        "Webhooks": "cardwright_gateway.webhooks.service",
        "verify_webhook": "cardwright_gateway.webhooks.verification",
    },
)
