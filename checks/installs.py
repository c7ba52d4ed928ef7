"""What each install brings and can do: `python -m checks.installs [--wheel FOLDER] [EXTRA …]`, for CI.

Installs the wheels of FOLDER, or of `dist/`, with each extra into an environment of its own, runs there what the extra is
for, and prints how many packages and megabytes each has. Without an extra: the base install and every extra.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from cardwright.serve.listening import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

ROOT: Final = Path(__file__).parent.parent
EXAMPLES: Final = ROOT / "examples"
BASE: Final = "base"
# Beside cardwright and its models, pip and setuptools (project decision).
MAX_BASE_PACKAGES: Final = 20
_NOT_COUNTED: Final = frozenset({
    "cardwright", "cardwright-beach", "cardwright-gateway", "cardwright-models", "pip", "setuptools",
})  # fmt: skip
_START_SECONDS: Final = 60
_GATEWAY: Final = """\
agents:
  greeter:
    protocol: managed
    card: {card}
    backend:
      python: greeter:answer
store: "{store}"
"""
# An A2A agent of the standard library, called by its card through the guarded client.
_CALL_A2A: Final = """\
import asyncio, json, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from cardwright import Card, call_agent

class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "hello"}]}
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"message": message}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

server = HTTPServer(("127.0.0.1", 0), Agent)
threading.Thread(target=server.serve_forever, daemon=True).start()
document = json.load(open("a2a-1.0.card.json"))
url = f"http://127.0.0.1:{server.server_port}/"
document["supportedInterfaces"] = [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]
document.pop("signatures", None)
document["capabilities"]["streaming"] = False
reply = asyncio.run(call_agent(Card.from_document(document), "hi", allow=("127.0.0.0/8",)))
assert reply.text == "hello", reply
"""
_CALL_MCP: Final = """\
import asyncio, socket, subprocess, sys, time
from cardwright import Card, call_agent

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
server = subprocess.Popen([sys.executable, "gateway/weather.py", str(port)], stderr=subprocess.DEVNULL)
try:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    transport = {"protocol": "mcp", "endpoint": f"http://127.0.0.1:{port}/mcp", "transport": "http", "tool": "forecast"}
    card = Card.from_document({"schemaVersion": "1.0", "capabilities": [], "transports": [transport]})
    reply = asyncio.run(call_agent(card, "Dogger", allow=("127.0.0.0/8",), timeout_seconds=60))
    assert "west 4" in reply.text, reply
finally:
    server.terminate()
    server.wait()
"""


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment with the project and nothing else but one extra.

    Attributes:
        folder: Where it is.
        work: A folder for the files of the checks.
    """

    folder: Path
    work: Path

    @property
    def python(self) -> Path:
        """The interpreter."""
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> list[str]:
        """The names of the installed packages that count."""
        listed = subprocess.check_output([_uv(), "pip", "list", "--format", "json", "--python", self.python])
        return [one["name"] for one in json.loads(listed) if one["name"] not in _NOT_COUNTED]

    @property
    def megabytes(self) -> float:
        """The size of the installed files, cardwright's own included."""
        files = (self.folder / "lib").rglob("*")
        return (
            sum(file.stat().st_size for file in files if file.is_file() and "__pycache__" not in file.parts)
            / 1e6
        )

    def run(self, *arguments: str | Path, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a command of cardwright in the folder of examples, and check how it exits."""
        done = subprocess.run(
            [self.python, "-m", "cardwright", *arguments],
            cwd=EXAMPLES, env=_environment(), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        shown = " ".join(map(str, arguments))
        assert done.returncode == status, f"cardwright {shown} exits with {done.returncode}:\n{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def script(self, code: str) -> None:
        """Run Python code in the folder of examples."""
        done = subprocess.run(
            [self.python, "-c", code],
            cwd=EXAMPLES,
            env=_environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def names(self, extra: str, *arguments: str | Path) -> None:
        """Check that a command prints nothing but the line that installs an extra, and exits with 2."""
        done = self.run(*arguments, status=2)
        line = f'install it with: pip install "cardwright[{extra}]"\n'
        assert done.stdout == "", done.stdout
        assert done.stderr.startswith("cardwright: "), done.stderr
        assert done.stderr.endswith(line), done.stderr
        assert done.stderr.count("\n") == 1, done.stderr

    @contextmanager
    def serving(self, *arguments: str | Path, path: str) -> Generator[str]:
        """Run a command that serves on loopback until a path answers, and give the origin."""
        port = free_port("127.0.0.1", 0)
        log = self.work / f"{port}.log"
        with log.open("wb") as output:
            server = subprocess.Popen(
                [self.python, "-m", "cardwright", *arguments, "--port", str(port)],
                cwd=EXAMPLES, env=_environment(), stdout=output, stderr=output,
            )  # fmt: skip
        origin = f"http://127.0.0.1:{port}"
        try:
            deadline = time.monotonic() + _START_SECONDS
            while _status(f"{origin}{path}") != 200:
                ended = server.poll() is not None or time.monotonic() > deadline
                assert not ended, f"{path} does not answer:\n{log.read_text()}"
                time.sleep(0.2)
            yield origin
        finally:
            server.terminate()
            server.wait()


def base(env: Environment) -> None:
    """Run every command of the base, and check that all others name their install."""
    import_all = "import cardwright\nassert cardwright.__version__\n"
    absent = {"AgentRegistry", "call_agent", "fetch_card"}
    env.script(f"{import_all}for name in set(cardwright.__all__) - {absent!r}: getattr(cardwright, name)")
    cards = sorted(EXAMPLES.glob("*.card.json"))
    env.run("--help")
    env.run("--version")
    env.run("check", *cards)
    env.run("detect", *cards)
    for file in cards:
        env.run("show", "--html", file, "--output", env.work / "card.html")
    env.run("show", cards[0])
    env.run("fix", cards[0])
    env.run("diff", cards[0], cards[0])
    converted = env.work / "converted.json"
    converted.write_text(env.run("convert", "a2a-0.3.card.json", "--to", "a2a-1.0").stdout)
    env.run("check", converted)
    texts = ("--name", "Tides", "--description", "Tells the tides.", "--url", "https://tides.example.com")
    env.run("init", env.work / "new.json", *texts, "--skill", "tides: Tells when the water is high. #tides")
    env.run("canonicalize", "a2a-1.0.card.json")
    env.run("explain", "url/https")
    env.run("schema", "list")
    env.run("schema", "show", "a2a-1.0")
    for command in ("serve", "discover", "registry", "probe", "keygen", "sign", "verify", "jwks", "gateway"):
        env.run(command, "--help")
    card = "a2a-1.0.card.json"
    env.names("sign", "keygen", "--alg", "ES256", "--kid", "k", "--out", env.work / "none.json")
    env.names("serve", "serve", card)
    env.names("gateway", "gateway", "--config", "gateway/gateway.yml")
    env.names("gateway", "gateway", "agents", "list", "--config", "gateway/gateway.yml")
    for words in (["discover"], ["check"], ["probe"], ["show"], ["registry", "add"]):
        env.names("discovery", *words, "https://agent.example.com")
    count = len(env.packages)
    assert count <= MAX_BASE_PACKAGES, f"the base installs {count} packages: {', '.join(env.packages)}"


def sign(env: Environment) -> None:
    """Make a key, sign a card, and verify it."""
    card, key, keys, signed = (
        "a2a-1.0.card.json",
        *(env.work / f"{name}.json" for name in ("key", "keys", "signed")),
    )
    env.run("keygen", "--alg", "ES256", "--kid", "k", "--out", key)
    keys.write_text(env.run("jwks", key).stdout)
    signed.write_text(env.run("sign", card, "--key", key, "--alg", "ES256", "--kid", "k").stdout)
    env.run("verify", signed, "--keys", keys)
    env.run("show", "--html", signed, "--keys", keys)


def serve(env: Environment) -> None:
    """Serve a card, signed."""
    sign(env)
    with env.serving("serve", "a2a-1.0.card.json", path="/.well-known/agent-card.json"):
        pass
    env.names("discovery", "check", "https://agent.example.com")


_ON_UVLOOP: Final = """
import asyncio
from cardwright.cli.event_loop import run

async def loop():
    return type(asyncio.get_running_loop()).__module__

assert run(loop()) == "uvloop"
"""


def discovery(env: Environment) -> None:
    """Fetch a card from a server on this machine, and keep a registry."""
    with _file_server(env) as origin:
        url = f"{origin}/a2a-1.0.card.json"
        allowed = ("--allow-private", "--allow-port", origin.rpartition(":")[2])
        env.run("discover", url, *allowed)
        env.run("check", url, *allowed)
        env.run("registry", "add", url, "--store", env.work / "agents.db", *allowed)
    env.run("registry", "list", "--store", env.work / "agents.db")
    env.script("from cardwright import AgentRegistry, fetch_card, call_agent")
    env.names("serve", "serve", "a2a-1.0.card.json")


def a2a(env: Environment) -> None:
    """Call an A2A agent."""
    env.script(_CALL_A2A)


def mcp(env: Environment) -> None:
    """Call a tool of an MCP server."""
    env.script(_CALL_MCP)


def gateway(env: Environment) -> None:
    """Start a gateway, and do what the extras in it are for."""
    serve_config = env.work / "gateway.yml"
    for name in ("greeter.py", "greeter.card.json"):
        (env.work / name).write_bytes((EXAMPLES / "gateway" / name).read_bytes())
    serve_config.write_text(_GATEWAY.format(card="greeter.card.json", store=":memory:"))
    with env.serving("gateway", "--config", serve_config, path="/healthz"):
        pass
    sign(env)
    a2a(env)
    mcp(env)


def fast(env: Environment) -> None:
    """Keep a registry, on uvloop."""
    discovery(env)
    env.script(_ON_UVLOOP)


def everything(env: Environment) -> None:
    """Do what the gateway does, and import what else is there."""
    gateway(env)
    env.script(_ON_UVLOOP)
    for extra in ("anthropic", "grpc", "postgresql", "redis", "telemetry", "testing"):
        IMPORTS[extra](env)


def _imports(code: str) -> Callable[[Environment], None]:
    return lambda env: env.script(code)


IMPORTS: Final = {
    "anthropic": _imports("import anthropic; from cardwright_beach import AnthropicTranslator"),
    "beach": _imports("from cardwright_beach import validate"),
    "grpc": _imports(
        "import grpc.aio\n"
        "from a2a.client.transports.grpc import GrpcTransport\n"
        "from a2a.compat.v0_3.grpc_transport import CompatGrpcTransport"
    ),
    "postgresql": _imports("import psycopg; from cardwright.store import CardStore"),
    "redis": _imports("import redis.asyncio, limits.aio.storage"),
    "telemetry": _imports(
        "from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter"
    ),
    "testing": _imports("from cardwright.testing import agent_cards; agent_cards('a2a-1.0')"),
}
CHECKS: Final[dict[str, Callable[[Environment], None]]] = {
    BASE: base,
    "sign": sign,
    "serve": serve,
    "discovery": discovery,
    "fast": fast,
    "a2a": a2a,
    "mcp": mcp,
    "gateway": gateway,
    **IMPORTS,
    "all": everything,
}


def main(arguments: list[str]) -> int:
    """Install, check and print a table."""
    parser = argparse.ArgumentParser(prog="python -m checks.installs")
    parser.add_argument(
        "--wheel",
        type=Path,
        metavar="FOLDER",
        default=ROOT / "dist",
        help="the wheels to install; default: dist/",
    )
    parser.add_argument("extras", nargs="*", metavar="EXTRA")
    options = parser.parse_args(arguments)
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    extras = ["base", *tool["hatch"]["metadata"]["hooks"]["custom"]["optional-dependencies"]]
    assert set(extras) == set(CHECKS), "an extra has no check, or a check no extra"
    faults: list[str] = []
    print(
        f"{platform.machine()} {platform.system()}, Python {platform.python_version()}, {os.cpu_count()} cores\n"
    )
    print("| extra | packages | MB | installed in s |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for extra in options.extras or extras:
            env, seconds = _installed(Path(folder) / extra, wheel_of(options.wheel), extra)
            print(f"| {extra} | {len(env.packages)} | {env.megabytes:.0f} | {seconds:.1f} |")
            try:
                CHECKS[extra](env)
            except AssertionError as error:
                faults.append(f"{extra}: {error}")
    print("\n" + ("\n".join(faults) or "Every install does what it is for."))
    return bool(faults)


def _installed(folder: Path, wheel: Path, extra: str) -> tuple[Environment, float]:
    started = time.monotonic()
    work = folder / "work"
    subprocess.run([_uv(), "venv", "--quiet", "--python", sys.executable, folder / "venv"], check=True)
    env = Environment(folder / "venv", work)
    named = str(wheel) if extra == BASE else f"{wheel}[{extra}]"
    source = ("--find-links", wheel.parent)
    subprocess.run([_uv(), "pip", "install", "--quiet", "--python", env.python, *source, named], check=True)
    work.mkdir()
    return env, time.monotonic() - started


def wheel_of(folder: Path) -> Path:
    """Return the one wheel of a folder."""
    (wheel,) = folder.glob("cardwright-*.whl")
    return wheel


def _uv() -> str:
    from uv import find_uv_bin

    return find_uv_bin()


def _environment() -> dict[str, str]:
    """Return the environment of a command: nothing of it leads to the project's sources."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def _status(url: str) -> int:
    try:
        with build_opener(ProxyHandler({})).open(url, timeout=5) as response:
            return int(response.status)
    except (URLError, OSError) as error:
        return int(getattr(error, "code", 0))


@contextmanager
def _file_server(env: Environment) -> Generator[str]:
    """Serve the folder of examples with the standard library, and give the origin."""
    port = free_port("127.0.0.1", 0)
    command: list[Any] = [env.python, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    server = subprocess.Popen(command, cwd=EXAMPLES, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + _START_SECONDS
        while _status(f"http://127.0.0.1:{port}/") != 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
