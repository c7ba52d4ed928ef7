"""The HTML pages of the gateway: the list of agents, the report of one agent, and the health page."""

from cardwright_gateway.pages.agents import AgentRow, Done, ReportFacts, catalogue_page, report_page

__all__ = ["AgentRow", "Done", "ReportFacts", "catalogue_page", "report_page"]
