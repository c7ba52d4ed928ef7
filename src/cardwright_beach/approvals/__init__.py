"""Approvals: a person decides whether a tool may run; the response may come from any channel."""

from cardwright_beach.approvals.actions import read_ui_action, ui_action
from cardwright_beach.approvals.ledger import Approvals
from cardwright_beach.approvals.mail import email_subject, read_email
from cardwright_beach.approvals.whatsapp import read_whatsapp, whatsapp_buttons

__all__ = [
    "Approvals",
    "email_subject",
    "read_email",
    "read_ui_action",
    "read_whatsapp",
    "ui_action",
    "whatsapp_buttons",
]
