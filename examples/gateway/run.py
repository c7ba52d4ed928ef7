"""Start the agents of this folder and a gateway for them; stop the agents when the gateway stops.

Run it with `python examples/gateway/run.py [PORT]`, or with `make run`.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listening(port: int) -> bool:
    """Whether something listens on a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def main() -> int:
    """Start everything, and return the exit code of the gateway."""
    port = sys.argv[1] if len(sys.argv) > 1 else "4000"
    tides, weather = free_port(), free_port()
    agents = [
        subprocess.Popen([sys.executable, str(HERE / "tides.py"), str(tides)]),
        subprocess.Popen([sys.executable, str(HERE / "weather.py"), str(weather)], stderr=subprocess.DEVNULL),
    ]
    try:
        deadline = time.monotonic() + 30
        while not (listening(tides) and listening(weather)):
            if time.monotonic() > deadline or any(agent.poll() is not None for agent in agents):
                print("an agent did not start", file=sys.stderr)
                return 1
            time.sleep(0.05)
        environ = {
            **os.environ,
            "TIDES_URL": f"http://127.0.0.1:{tides}",
            "WEATHER_URL": f"http://127.0.0.1:{weather}/mcp",
            "PYTHON": sys.executable,
        }
        command = [sys.executable, "-m", "cardwright", "gateway", "--config", str(HERE / "gateway.yml")]
        gateway = subprocess.Popen([*command, "--port", port, "--start-servers"], env=environ)
        # The gateway also receives Ctrl+C and stops by itself; SIGTERM is passed on.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: gateway.terminate())
        return gateway.wait()
    finally:
        for agent in agents:
            agent.terminate()
        for agent in agents:
            agent.wait()


if __name__ == "__main__":
    sys.exit(main())
