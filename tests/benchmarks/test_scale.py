"""The simulated day of a registry, with few peers."""

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
    """Simulate a short day in which a process dies."""
    folder: Path = tmp_path_factory.mktemp("scale")
    return asyncio.run(simulate(PEERS, HOURS, folder))


def test_hosts_have_one_request_in_flight_and_every_peer_is_checked_in_time(day: Day) -> None:
    assert broken(day, HOURS) == []


def test_a_violated_guarantee_is_reported(day: Day) -> None:
    url, peer = next(iter(day.network.peers.items()))
    hasty = SimulatedPeer(
        peer.number, peer.host, peer.lifetime, b"", b"", [peer.requested_at[0], peer.requested_at[0] + 59]
    )
    day.network.peers[url] = hasty
    try:
        problems = broken(day, HOURS)
    finally:
        day.network.peers[url] = peer
    assert [one.rpartition(" was ")[2] for one in problems][:1] == ["checked again after 59.0 s"]
    assert any("was not checked for" in one for one in problems)


def test_each_card_is_transferred_once_and_again_after_a_change(day: Day) -> None:
    # A peer with a lifetime of a day is not checked again after the change.
    changed = sum(
        peer.number % 50 == 13 and peer.lasts < HOURS / 2 * 3_600 for peer in day.network.peers.values()
    )
    dead = sum(peer.number % 100 == 7 for peer in day.network.peers.values())
    assert day.network.bodies == day.versions == PEERS - dead + changed


def test_an_expired_lease_of_a_dead_process_is_claimed_by_another(day: Day) -> None:
    assert 120 <= day.taken_over_seconds <= 120 + 2 * 15
