"""Request smuggling: 22 ambiguous requests, sent raw to the server command."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from tests.serve.client import CARD_PATH
from tests.serve.server_process import HOST, served

if TYPE_CHECKING:
    from collections.abc import Iterator


LINE = f"GET {CARD_PATH} HTTP/1.1\r\n".encode()
NAMED = b"Host: 127.0.0.1\r\n"
GET = LINE + NAMED
CHUNKED = GET + b"Transfer-Encoding: chunked\r\n\r\n"
CASES = {
    "two lengths of the body": GET + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
    "an unknown coding": GET + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked is not the last coding": GET + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a blank before the colon": GET + b"Content-Length : 3\r\n\r\nabc",
    "two lengths": GET + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    "a length with a sign": GET + b"Content-Length: +1\r\n\r\na",
    "a length with an underscore": GET + b"Content-Length: 1_0\r\n\r\n0123456789",
    "lines that end in LF": GET.replace(b"\r\n", b"\n") + b"\n",
    "a CR in a value": GET + b"X-Text: a\rb\r\n\r\n",
    "a folded line": GET + b"X-Text: a\r\n b\r\n\r\n",
    "a NUL": GET + b"X-Text: a\0b\r\n\r\n",
    "a chunk size as in C": CHUNKED + b"0x1\r\na\r\n0\r\n\r\n",
    "a chunk that ends otherwise": CHUNKED + b"1\r\naXX0\r\n\r\n",
    "chunk lines that end in LF": CHUNKED + b"1\na\n0\n\n",
    "a chunk extension that ends in LF": CHUNKED + b"1;a\nb\r\na\r\n0\r\n\r\n",
    "no Host": LINE + b"\r\n",
    "two Hosts": GET + b"Host: other.example.com\r\n\r\n",
    "a malformed Host": LINE + b"Host: a b/@c\r\n\r\n",
    "a whole URL": GET.replace(b"GET /", b"GET http://other.example.com/") + b"\r\n",
    "chunks in HTTP/1.0": CHUNKED.replace(b"HTTP/1.1", b"HTTP/1.0") + b"0\r\n\r\n",
    "100 KB of header": GET + b"X-Text: " + b"a" * 100_000 + b"\r\n\r\n",
    "5,000 fields": GET + b"".join(b"X-%d: a\r\n" % number for number in range(5_000)) + b"\r\n",
}
# RFC 9112 §2.2 and §3.2.2: a server may take the one and must take the other, and no reader sees another end.
PLAIN = ("lines that end in LF", "a whole URL")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as place:
        yield place


def answers(port: int, request: bytes) -> tuple[list[int], bool]:
    """Return the statuses of the responses, and whether the connection is closed then."""
    received, closed = b"", False
    with socket.create_connection((HOST, port)) as connection:
        connection.settimeout(1)
        try:
            connection.sendall(request)
            while part := connection.recv(65_536):
                received += part
            closed = True
        except TimeoutError:
            pass
        except ConnectionError:
            closed = True
    lines = [line for line in received.split(b"\r\n") if line.startswith(b"HTTP/1.")]
    return [int(line.split()[1]) for line in lines], closed


@pytest.mark.parametrize("name", [name for name in CASES if name not in PLAIN])
def test_an_ambiguous_request_is_refused(port: int, name: str) -> None:
    statuses, _ = answers(port, CASES[name])

    assert statuses in ([400], [431])


@pytest.mark.parametrize("name", [name for name in CASES if "Host" not in name and name not in PLAIN])
def test_after_an_ambiguous_request_the_connection_is_closed(port: int, name: str) -> None:
    statuses, closed = answers(port, CASES[name] + GET + b"\r\n")

    assert closed
    assert len(statuses) <= 1


@pytest.mark.parametrize("name", PLAIN)
def test_an_unambiguous_request_gets_its_response(port: int, name: str) -> None:
    assert answers(port, CASES[name])[0] == [200]


def test_there_are_22_ambiguous_requests() -> None:
    assert len(CASES) == 22
