"""Delivery: which receiver gets which part of an envelope, when, and why."""

from __future__ import annotations

from cardwright_beach.delivery.outcomes import Explanation
from cardwright_beach.delivery.outgoing import Delivery, deliver
from cardwright_beach.delivery.receiver import Receiver, Transport

__all__ = ["Delivery", "Explanation", "Receiver", "Transport", "deliver"]
