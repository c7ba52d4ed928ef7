"""The path of an agent below the public URL of the gateway."""

from __future__ import annotations

from typing import Final

# First path segments with `compat`: an agent with such an id has no short path. The gateway's own are no valid ids.
_OTHER: Final = frozenset({"oauth", "tasks"})


def agent_path(agent_id: str, *, short: bool) -> str:
    """Return the path of an agent in its card.

    >>> agent_path("travel", short=False), agent_path("travel", short=True), agent_path("tasks", short=True)
    ('/agents/travel', '/travel', '/agents/tasks')
    """
    return f"/{agent_id}" if short and agent_id not in _OTHER else f"/agents/{agent_id}"
