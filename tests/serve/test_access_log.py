"""The access log: one line per request, whatever its path contains."""

from __future__ import annotations

import copy
import io
import logging
import logging.config
import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from cardwright.serve.access_log import AccessLine, log_settings
from tests.serve.server_process import CARD, HOST, listening

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# As in a URL, and as it is logged.
PATHS = {
    "/a%0d%0aINFO:%20forged": "/a%0D%0AINFO:%20forged",
    "/x%1b%5d0;pwned%07%1b%5b2J": "/x%1B%5D0;pwned%07%1B%5B2J",
    "/n%00ul": "/n%00ul",
    "/%c2%9b2J%c2%85": "/%C2%9B2J%C2%85",
    "/%e2%80%ae%e2%80%a8": "/%E2%80%AE%E2%80%A8",
    '/%22%20200%20"': "/%22%20200%20%22",
    "/%255c%5c": "/%255c%5C",
    "/.well-known/agent-card.json": "/.well-known/agent-card.json",
}


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """What Granian's logger of requests writes, with our settings."""
    from granian.log import LOGGING_CONFIG

    stream, name = io.StringIO(), "test.granian.access"
    settings: dict[str, Any] = {**copy.deepcopy(LOGGING_CONFIG), **log_settings()}
    settings["handlers"] = {"access": {**settings["handlers"]["access"], "stream": stream}}
    settings["loggers"] = {name: settings["loggers"]["granian.access"]}
    logging.config.dictConfig(settings)
    yield stream
    logging.getLogger(name).handlers.clear()


@pytest.mark.parametrize(("path", "line"), PATHS.items())
def test_a_path_is_logged_as_in_a_url(logged: io.StringIO, path: str, line: str) -> None:
    fields = {"method": "GET", "path": unquote(path), "status": 404}
    logging.getLogger("test.granian.access").info('"%(method)s %(path)s" %(status)d', fields)
    assert logged.getvalue() == f'"GET {line}" 404\n'


def test_a_lone_surrogate_in_a_path_is_logged() -> None:
    record = logging.makeLogRecord({"msg": "%(path)s", "args": {"path": "/\udcff"}})
    assert AccessLine().format(record) == "/%ED%B3%BF"


@pytest.mark.process
@pytest.mark.parametrize("program", ["serve", "gateway"])
def test_the_commands_log_one_line_per_request_without_control_characters(
    program: str, tmp_path: Path
) -> None:
    settings = tmp_path / "gateway.yml"
    settings.write_text("{agents: {}, store: ':memory:'}", encoding="utf-8")
    what = [str(CARD)] if program == "serve" else ["--config", str(settings)]
    log = tmp_path / "log"
    with log.open("wb") as output, listening(program, *what, "--log-requests", stdout=output) as port:
        for path in PATHS:
            with socket.create_connection((HOST, port)) as connection:
                connection.sendall(f"GET {path} HTTP/1.0\r\nHost: {HOST}\r\n\r\n".encode())
                while connection.recv(65536):
                    pass
    lines = [line for line in log.read_text(encoding="ascii").split("\n") if line]
    assert len(lines) == len(PATHS)
    assert all(line.isprintable() for line in lines)
    for line, shown in zip(lines, PATHS.values(), strict=True):
        assert f'"GET {shown} HTTP/1"' in line
