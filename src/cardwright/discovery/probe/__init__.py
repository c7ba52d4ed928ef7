"""Probe an agent: check that it behaves as its card declares, without changing anything."""

from cardwright.discovery.probe.report import Check, Outcome, Report
from cardwright.discovery.probe.rules import RULES, SECTIONS, Rule
from cardwright.discovery.probe.run import MAX_REQUESTS, TIMEOUT_SECONDS, probe

__all__ = [
    "MAX_REQUESTS",
    "RULES",
    "SECTIONS",
    "TIMEOUT_SECONDS",
    "Check",
    "Outcome",
    "Report",
    "Rule",
    "probe",
]
