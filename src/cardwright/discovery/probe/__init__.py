"""Whether an agent does what its card says: asked of the agent itself, politely, changing nothing."""

from cardwright.discovery.probe.report import Check, Outcome, Report
from cardwright.discovery.probe.rules import RULES, SECTIONS, Rule
from cardwright.discovery.probe.run import MOST_REQUESTS, TIMEOUT_SECONDS, probe

__all__ = [
    "MOST_REQUESTS",
    "RULES",
    "SECTIONS",
    "TIMEOUT_SECONDS",
    "Check",
    "Outcome",
    "Report",
    "Rule",
    "probe",
]
