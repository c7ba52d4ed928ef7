"""Whose a task is, as the stores keep it."""

from __future__ import annotations


def owner_of(agent_id: str, name: str) -> str:
    """Return whose a task is: no two agents share an owner, and one without a name owns nothing that is listed.

    >>> owner_of("travel", "key:k1"), owner_of("travel", "")
    ('travel:key:k1', 'travel:')
    """
    return f"{agent_id}:{name}"
