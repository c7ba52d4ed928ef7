"""Pins of peers: the card or key that a peer must keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.discovery.signatures import Signatures
    from cardwright.store import PeerRecord


def pin_violation(record: PeerRecord, card: Card, old: Card | None, signatures: Signatures) -> str:
    """Return how a card violates its pin, as a sentence; "" if it does not."""
    pin = record.settings.pin
    if pin is None or (pin == "first" and record.version is None):
        return ""
    if pin.startswith("key:"):
        signed = any(each.thumbprint == pin[4:] for each in signatures.verdict.signatures if each.verified)
        return (
            ""
            if signed
            else "no signature of the card verifies with the pinned key; the card waits for approval"
        )
    # Equal values are the same card, whatever their bytes.
    if card.digest == (old.digest if pin == "first" and old is not None else pin):
        return ""
    return "the card does not match its pin; it waits for approval"
