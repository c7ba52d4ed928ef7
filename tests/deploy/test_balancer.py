"""The load balancer of `deploy/haproxy.cfg`, started with a certificate in front of a gateway."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

from cardwright.serve.listening import free_port
from tests.serve.server_process import HOST, listening

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

pytestmark = pytest.mark.process

CONFIGURATION: Final = (Path(__file__).parents[2] / "deploy/haproxy.cfg").read_text(encoding="utf-8")
PATIENCE_SECONDS: Final = 30
INTERNAL: Final = ("/metrics", "/health", "/healthz", "/readyz", "/metrics/", "//metrics", "/health?x=1")
# Other spellings, which the balancer lets through and the gateway refuses.
DISGUISED: Final = ("/%6detrics", "/./metrics", "/agents/../metrics", "/metrics%2f", "/Metrics", "/;/metrics")


class Balancer(NamedTuple):
    """The ports of the load balancer."""

    http: int
    https: int

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(HOST, self.https, timeout=PATIENCE_SECONDS, context=context)
        try:
            connection.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
            response = connection.getresponse()
            return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
        finally:
            connection.close()


class Echo(BaseHTTPRequestHandler):
    """Responds with the header fields of the request."""

    def do_GET(self) -> None:
        body = json.dumps([[name.lower(), value] for name, value in self.headers.items()]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name of the base class
        pass


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate and its key, as `deploy/README.md` creates them."""
    for program in ("haproxy", "openssl"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    folder = tmp_path_factory.mktemp("tls")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout key -out cert"
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    together = folder / "tls.pem"
    together.write_bytes((folder / "cert").read_bytes() + (folder / "key").read_bytes())
    return together


def changed(certificate: Path, backend: int, balancer: Balancer, **more: str) -> str:
    """Return the configuration with the paths and ports of this machine."""
    text = CONFIGURATION
    places = {
        "/usr/local/etc/haproxy/tls.pem": str(certificate),
        "bind :8080": f"bind {HOST}:{balancer.http}",
        "bind :8443": f"bind {HOST}:{balancer.https}",
        "gateway-1:4000": f"{HOST}:{backend}",
        "gateway-2:4000": f"{HOST}:1",
        **more,
    }
    for old, new in places.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@contextmanager
def balanced(folder: Path, certificate: Path, backend: int, **more: str) -> Generator[Balancer]:
    """Run HAProxy in front of a backend until the block ends."""
    balancer = Balancer(free_port(HOST, 0), free_port(HOST, 0))
    configuration, log = folder / "haproxy.cfg", folder / "haproxy.log"
    configuration.write_text(changed(certificate, backend, balancer, **more), encoding="utf-8")
    with log.open("wb") as kept:
        running = subprocess.Popen(["haproxy", "-db", "-f", str(configuration)], stdout=kept, stderr=kept)
    try:
        end = time.monotonic() + PATIENCE_SECONDS
        while not _responds(balancer):
            assert running.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield balancer
    finally:
        running.terminate()
        running.wait(PATIENCE_SECONDS)


def _responds(balancer: Balancer) -> bool:
    """Return whether the balancer has a gateway that is ready."""
    try:
        return balancer.get("/")[0] == 200
    except OSError:
        return False


@pytest.fixture(scope="module")
def echoed(certificate: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Balancer]:
    """A load balancer in front of a server that returns what it received; a request has one second."""
    server = HTTPServer((HOST, 0), Echo)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    shorter = {"timeout http-request 10s": "timeout http-request 1s"}
    try:
        with balanced(
            tmp_path_factory.mktemp("echo"), certificate, server.server_port, **shorter
        ) as balancer:
            yield balancer
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_haproxy_accepts_the_configuration(certificate: Path, tmp_path: Path) -> None:
    configuration = tmp_path / "haproxy.cfg"
    configuration.write_text(changed(certificate, 4000, Balancer(8080, 8443)), encoding="utf-8")
    done = subprocess.run(
        ["haproxy", "-c", "-f", str(configuration)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


def test_only_public_paths_reach_the_gateway(certificate: Path, tmp_path: Path) -> None:
    settings = tmp_path / "gateway.yml"
    settings.write_text("{agents: {}, store: ':memory:'}", encoding="utf-8")
    options = ("--config", str(settings), "--base-url", f"https://{HOST}")
    with listening("gateway", *options) as port, balanced(tmp_path, certificate, port) as balancer:
        assert balancer.get("/.well-known/ai-catalog.json")[0] == 200
        assert {path: balancer.get(path)[0] for path in INTERNAL} == dict.fromkeys(INTERNAL, 404)
        for path in DISGUISED:
            status, _, body = balancer.get(path)
            assert 400 <= status < 500, path
            assert b"cardwright_gateway_" not in body, path


def test_plain_http_is_redirected_to_https(echoed: Balancer) -> None:
    connection = http.client.HTTPConnection(HOST, echoed.http, timeout=PATIENCE_SECONDS)
    connection.request("POST", "/agents/travel?x=1", headers={"Host": "agents.example.com"})
    response = connection.getresponse()
    assert (response.status, response.getheader("Location")) == (
        308, "https://agents.example.com/agents/travel?x=1",
    )  # fmt: skip
    connection.close()


def test_the_gateway_gets_the_client_address_and_no_forged_header(echoed: Balancer) -> None:
    forged = {
        "X_Forwarded_For": "192.0.2.1", "Forwarded": "for=192.0.2.1", "X_Forwarded_Proto": "gopher",
        "X_Forwarded_Host": "evil.example", "X_Forwarded_Prefix": "/evil", "Host": "agents.example.com",
    }  # fmt: skip
    status, headers, body = echoed.get("/agents/travel", **forged)
    assert status == 200
    assert "strict-transport-security" in headers
    received = [(name, value) for name, value in json.loads(body) if "forwarded" in name]
    assert sorted(received) == [
        ("x-forwarded-for", HOST), ("x-forwarded-host", "agents.example.com"), ("x-forwarded-proto", "https"),
    ]  # fmt: skip


def test_a_slow_header_times_out(echoed: Balancer) -> None:
    with socket.create_connection((HOST, echoed.http), timeout=PATIENCE_SECONDS) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        response = b""
        while part := client.recv(4096):
            response += part
    assert response.startswith(b"HTTP/1.1 408")
