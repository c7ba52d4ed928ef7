"""The HTML pages of the gateway: its agents, the report of one of them, and its health."""

from cardwright_gateway.pages.agents import AgentRow, Done, ReportFacts, catalogue_page, report_page

__all__ = ["AgentRow", "Done", "ReportFacts", "catalogue_page", "report_page"]
