"""The simulated day: what must hold of many peers holds of a few."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from benchmarks.scale import SimulatedPeer, broken, simulate

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.scale import Day

PEERS, HOURS = 300, 2.5


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Day:
    """A short one, with a process that dies in it."""
    folder: Path = tmp_path_factory.mktemp("scale")
    return asyncio.run(simulate(PEERS, HOURS, folder))


def test_no_host_has_two_in_flight_no_peer_is_missed_and_none_is_asked_below_the_floor(day: Day) -> None:
    assert broken(day, HOURS) == []


def test_a_broken_promise_is_told(day: Day) -> None:
    url, peer = next(iter(day.network.peers.items()))
    hasty = SimulatedPeer(
        peer.number, peer.host, peer.lifetime, b"", b"", [peer.asked[0], peer.asked[0] + 59]
    )
    day.network.peers[url] = hasty
    try:
        problems = broken(day, HOURS)
    finally:
        day.network.peers[url] = peer
    assert [one.rpartition(" was ")[2] for one in problems][:1] == ["checked again after 59.0 s"]
    assert any("was not checked for" in one for one in problems)


def test_each_card_moves_once_and_once_more_where_it_changed(day: Day) -> None:
    # Who answers for a day is not asked again after the change.
    changed = sum(
        peer.number % 50 == 13 and peer.lasts < HOURS / 2 * 3_600 for peer in day.network.peers.values()
    )
    dead = sum(peer.number % 100 == 7 for peer in day.network.peers.values())
    assert day.network.bodies == day.versions == PEERS - dead + changed


def test_what_a_dead_process_held_is_looked_at_when_its_lease_is_over(day: Day) -> None:
    assert 120 <= day.taken_over_seconds <= 120 + 2 * 15
