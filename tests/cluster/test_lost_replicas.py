"""Lost replicas, and replicas wrongly taken for lost: others notice, end their tasks, and go on."""

from __future__ import annotations

import asyncio
import signal
import time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from cardwright_gateway.database.tables import REPLICAS, open_database
from tests.cluster.replicas import COMPLETED, FAILED, Caller, Cluster, Replica, becomes, cluster, function

if TYPE_CHECKING:
    from pathlib import Path

# The configured time, the time for which a suspended process may hold row locks, and slack.
LOST_SECONDS = 45.0


async def a_killed_replica_s_tasks_fail(of: Cluster, one: Replica, other: Replica) -> float:
    caller = of.caller("forever")
    tasks = [(await caller.begun(one, str(number)))["id"] for number in range(5)]
    own = (await caller.begun(other, "own"))["id"]
    one.kill()

    async def failed() -> bool:
        return [await caller.state(other, task) for task in tasks] == [FAILED] * 5

    took = await becomes(failed, LOST_SECONDS)
    text = (await caller.task(other, tasks[0]))["status"]["message"]["parts"][0]["text"]
    assert "send the message again" in text
    # Its own work continues, and it takes more.
    assert await caller.state(other, own) != FAILED
    answers = of.caller("answer")
    assert (await answers.send(other, "two words"))["status"]["state"] == COMPLETED
    return took


async def a_stopped_replica_changes_nothing_when_it_comes_back(
    of: Cluster, zombie: Replica, other: Replica
) -> None:
    caller = of.caller("steps")
    task = (await caller.begun(zombie, "later"))["id"]
    zombie.send(signal.SIGSTOP)
    await caller.until(other, task, FAILED, LOST_SECONDS)
    stored = await caller.task(other, task)
    # The awaited result is available when it continues: it would complete the task.
    (of.folder / "later").touch()
    zombie.send(signal.SIGCONT)
    answers = of.caller("answer")
    assert (await answers.send(zombie, "two words"))["status"]["state"] == COMPLETED
    (of.folder / "again").touch()
    # A later turn of the same function has ended, and so has the resumed one.
    assert (await caller.send(zombie, "again"))["status"]["state"] == COMPLETED
    for at in (zombie, other):
        assert await caller.task(at, task) == stored
    await lives_again(caller, of, zombie, other)


async def lives_again(caller: Caller, of: Cluster, zombie: Replica, other: Replica) -> None:
    """Its new tasks are not taken for lost."""
    task = (await caller.begun(zombie, "anew"))["id"]
    later = of.caller("forever")
    lost = (await later.begun(other, "wait"))["id"]
    other.kill()
    await later.until(zombie, lost, FAILED, LOST_SECONDS)
    assert await caller.state(zombie, task) == "TASK_STATE_WORKING"
    (of.folder / "anew").touch()
    await caller.until(zombie, task, COMPLETED)


async def a_replica_that_ends_says_so(of: Cluster, one: Replica) -> None:
    """A replica that stops cleanly is not waited for: others recover its tasks at once."""
    caller = of.caller("forever")
    task = (await caller.begun(one, "wait"))["id"]
    await asyncio.to_thread(one.ended)
    database = open_database(of.store, wait_seconds=10)
    with database.reading() as connection:
        query = select(func.count()).where(REPLICAS.c.seen_at > time.time() - 4)
        alive = connection.execute(query).scalar_one()
    database.close()
    assert alive == 0
    await caller.until(await of.start(), task, FAILED, LOST_SECONDS)


async def test_lost_and_suspended_replicas(place: str, tmp_path: Path) -> None:
    agents = {name: function(name) for name in ("answer", "steps", "forever")}

    async with cluster(tmp_path, place, agents) as of:
        one, other, third = await asyncio.gather(of.start(), of.start(), of.start())
        took = await a_killed_replica_s_tasks_fail(of, one, other)
        print(f"tasks of a killed replica had failed after {took:.1f} s")  # noqa: T201 - a measure
        await a_stopped_replica_changes_nothing_when_it_comes_back(of, third, other)
        await a_replica_that_ends_says_so(of, third)
