"""`cardwright gateway deliveries`: webhook delivery results and redelivery of dead letters."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert, select

from cardwright_gateway.database.audit import Audit
from cardwright_gateway.database.tables import DELIVERIES, EVENTS, open_database

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.command_line import Run

CONFIG = """
base_url: https://agents.example.com
owners: {acme: {name: Acme}}
agents: {greeter: {card: {name: x}, owner: acme}}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration, and a store with one event that is dead and one that was delivered."""
    file = tmp_path / "gateway.yml"
    file.write_text(CONFIG, encoding="utf-8")
    place = str(tmp_path / "gateway.db")
    with closing(open_database(place, wait_seconds=1)) as database, database.writing() as connection:
        for name, state in (("1", "dead"), ("2", "delivered")):
            shared = {"task_id": "t", "config_id": "c", "agent_id": "greeter"}
            connection.execute(insert(EVENTS).values({
                    **shared, "id": f"evt_{name}", "owner": "o", "endpoint": "e", "media_type": "a/b", "state": state,
                    "attempts": 1, "created_at": 1.0, "ended_at": 2.0, "body": b"of the task", "unreadable": False, "partition": "ep",
                }))  # fmt: skip
            connection.execute(insert(DELIVERIES).values({
                    **shared, "id": f"dlv_{name}", "event_id": f"evt_{name}", "number": 1, "cause": "schedule",
                    "started_at": 1.0, "ended_at": 1.5, "outcome": "failed", "status": 503, "duration_ms": 500.0,
                    "response_bytes": 3,
                }))  # fmt: skip
    return file


def listed(run: Run, *arguments: str, config: Path) -> Any:
    result = run("gateway", "deliveries", *arguments, "--config", config, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_attempts_are_listed_by_the_state_of_their_event_without_a_body(run: Run, config: Path) -> None:
    assert [one["id"] for one in listed(run, "list", "greeter", config=config)["deliveries"]] == [
        "dlv_2",
        "dlv_1",
    ]
    dead = listed(run, "list", "--state", "dead", config=config)["deliveries"]
    assert [(one["id"], one["status"]) for one in dead] == [("dlv_1", 503)]
    assert "of the task" not in json.dumps([dead, listed(run, "show", "dlv_1", config=config)])
    table = run("gateway", "deliveries", "list", "--config", config)
    assert "503" in table.stdout


def test_a_dead_letter_is_queued_once_and_the_audit_names_the_actor(run: Run, config: Path) -> None:
    assert run("gateway", "deliveries", "redeliver", "dlv_1", "--config", config).exit_code == 0
    with closing(open_database(str(config.parent / "gateway.db"), wait_seconds=1)) as database:
        with database.reading() as connection:
            state = connection.execute(select(EVENTS.c.state).where(EVENTS.c.id == "evt_1")).scalar_one()
        entry = Audit(database).list()[0]
    assert state == "waiting"
    assert (entry.action, entry.subject, entry.actor.partition(":")[0]) == (
        "delivery.redeliver",
        "dlv_1",
        "cli",
    )
    assert entry.detail == {"owner_id": "acme"}
    again = run("gateway", "deliveries", "redeliver", "dlv_1", "--config", config)
    assert (again.exit_code, "not a dead letter" in again.stderr) == (2, True)


@pytest.mark.parametrize("arguments", [("show", "dlv_9"), ("redeliver", "dlv_2"), ("list", "--state", "x")])
def test_an_unknown_delivery_is_reported_without_a_traceback(
    run: Run, config: Path, arguments: tuple[str, ...]
) -> None:
    result = run("gateway", "deliveries", *arguments, "--config", config)
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr
