"""Hosts that only their own network reaches, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.hosts import internal

INTERNAL = [
    # Every special range, first and last of some; nothing is bound to any.
    "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.1", "100.100.100.200", "127.0.0.1",  # noqa: S104 - read, not bound
    "127.255.255.254", "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.0.0.8", "192.0.0.171", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255",
    "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "[::]", "[::1]", "[fc00::1]", "[fdff::1]", "[fd00:ec2::254]", "[fe80::1]", "[fe80::1%25eth0]", "[febf::1]",
    "[fec0::9]", "[ff02::1]", "[100::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]", "[4000::1]",
    # IPv4 inside IPv6.
    "[::ffff:10.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[2002:7f00:1::]", "[2002:0a00:0001::1]",
    "[64:ff9b::10.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::127.0.0.1]", "[::ffff:0:192.168.0.1]",
    "[2001:0:4136:e378:8000:63bf:f5ff:fffe]",
    # Other spellings.
    "0x7f.0.0.1", "0x7f000001", "0177.0.0.1", "017700000001", "2130706433", "127.1", "127.0.1", "10.1",
    "0xa.0x0.0x0.0x1", "0xA9FEA9FE", "3232235777", "127.0.0.1.", "0x.0.0.0", "1", "0",
    # Names.
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "printer.local", "metadata.google.internal",
    "wiki.corp", "nas.home", "router.lan", "a.b.home.arpa", "billing.svc", "billing.ns.svc.cluster.local",
    "db.intranet", "x.private", "db", "internal-agent", "localhost.localdomain",
]  # fmt: skip
PUBLIC = [
    "example.com", "a.example", "1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1",
    "192.0.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "[2606:4700:4700::1111]", "[2002:0808:0808::1]",
    "[64:ff9b::8.8.8.8]", "0x08080808", "134744072", "local.example.com", "mylocal.io", "xn--bcher-kva.example",
    "agents.corp.example.com", "127.0.0.1.nip.example",
]  # fmt: skip


@pytest.mark.parametrize("host", INTERNAL)
def test_an_internal_host_is_reported(host: str) -> None:
    assert internal(host)


@pytest.mark.parametrize("host", PUBLIC)
def test_a_public_host_is_not_reported(host: str) -> None:
    assert internal(host) is None


@given(st.text(max_size=60))
def test_any_text_as_a_host_gives_a_result(host: str) -> None:
    assert internal(host) is None or internal(host)
