"""Approvals: a person is asked whether a tool may run, and the answer comes back by any channel."""

from cardwright.envelope.approvals.ledger import Approvals

__all__ = ["Approvals"]
