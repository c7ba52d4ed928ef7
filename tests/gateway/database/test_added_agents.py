"""Stored agents: added, changed and removed with optimistic locking, and only by their owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardwright_gateway.database.agents import AddedAgent, AddedAgents
from cardwright_gateway.database.audit import Audit
from cardwright_gateway.errors import ChangedMeanwhile

if TYPE_CHECKING:
    from cardwright.store.database import Database


def actions(database: Database) -> list[tuple[str, object]]:
    """Return what the audit has, the oldest first."""
    return [(row.action, row.detail.get("owner_id")) for row in reversed(Audit(database).list("a"))]


def test_adding_an_existing_agent_does_not_replace_it(database: Database) -> None:
    agents = AddedAgents(database)
    agents.put("a", {"url": "https://one.example"}, at=1.0, actor="one")
    with pytest.raises(ChangedMeanwhile):
        agents.put("a", {"url": "https://other.example"}, at=2.0, actor="other")
    assert agents.one("a") == AddedAgent({"url": "https://one.example"}, 1.0)
    assert actions(database) == [("agent.add", None)]


def test_a_change_of_a_removed_agent_is_not_stored(database: Database) -> None:
    agents = AddedAgents(database)
    first = agents.put("a", {"url": "https://one.example"}, at=1.0, actor="one")
    agents.put("a", {"url": "https://two.example"}, before=first, at=2.0, actor="one")
    with pytest.raises(ChangedMeanwhile):
        agents.put("a", {"url": "https://three.example"}, before=first, at=3.0, actor="other")
    with pytest.raises(ChangedMeanwhile):
        agents.drop("a", before=first, at=3.0, actor="other")
    assert agents.all() == {"a": AddedAgent({"url": "https://two.example"}, 2.0)}
    agents.drop("a", before=2.0, at=3.0, actor="one")
    with pytest.raises(ChangedMeanwhile):
        agents.put("a", {"url": "https://three.example"}, before=2.0, at=3.0, actor="other")
    assert agents.one("a") is None
    assert [action for action, _ in actions(database)] == ["agent.add", "agent.update", "agent.remove"]


def test_two_changes_at_the_same_time_are_both_recorded(database: Database) -> None:
    agents = AddedAgents(database)
    first = agents.put("a", {}, at=1_800_000_000.0, actor="one")
    second = agents.put("a", {}, before=first, at=1_800_000_000.0, actor="one")
    assert first != second
    assert agents.changed() == {"a": second}
    with pytest.raises(ChangedMeanwhile):
        agents.drop("a", before=first, at=1_800_000_000.0, actor="one")


def test_the_audit_names_the_owner_of_an_agent(database: Database) -> None:
    agents = AddedAgents(database)
    first = agents.put("a", {"owner": "ada"}, at=1.0, actor="one")
    agents.put("a", {"owner": "bo"}, before=first, at=2.0, actor="one")
    agents.drop("a", before=2.0, at=3.0, actor="one", owner_id="bo")
    assert actions(database) == [("agent.add", "ada"), ("agent.update", "bo"), ("agent.remove", "bo")]


def test_an_agent_of_a_file_is_dropped_without_a_row(database: Database) -> None:
    agents = AddedAgents(database)
    agents.put("a", {}, at=1.0, actor="one")
    agents.drop("a", at=2.0, actor="operator")
    assert agents.changed() == {"a": 1.0}
    assert [action for action, _ in actions(database)] == ["agent.add", "agent.remove"]
