"""Who gets which part of an envelope, when, and why."""

from __future__ import annotations

from cardwright.envelope.delivery.ledger import Explanation
from cardwright.envelope.delivery.outgoing import Delivery, deliver
from cardwright.envelope.delivery.receiver import Receiver, Transport

__all__ = ["Delivery", "Explanation", "Receiver", "Transport", "deliver"]
