"""Start a gateway with an agent that has an owner, issue an API key, and call the agent from another platform.

Run it with `python examples/federation/run.py`.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
GATEWAY = [sys.executable, "-m", "cardwright", "gateway"]


def free_port() -> int:
    """Return a free local port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(gateway: subprocess.Popen[bytes], base: str) -> None:
    """Wait until the gateway is ready."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and gateway.poll() is None:
        try:
            with urllib.request.urlopen(f"{base}/readyz") as response:  # noqa: S310 - a local address
                assert json.load(response)["status"] == "ready"
                return
        except urllib.error.URLError:
            time.sleep(0.05)
    raise SystemExit("the gateway did not start")


def main() -> int:
    """Run the example and return the exit code of the client."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        # The gateway stores its database beside its settings file.
        for name in ("gateway.yml", "issues.py", "issues.card.json"):
            shutil.copy(HERE / name, folder)
        config = str(Path(folder) / "gateway.yml")
        # The owner issues a key, which is printed once ...
        command = [*GATEWAY, "keys", "issue", "issues", "--name", "their platform", "--config", config]
        key = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
        print(f"a key for the agent issues: {key[:8]}…", flush=True)
        gateway = subprocess.Popen(
            [*GATEWAY, "--config", config, "--port", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(gateway, base)
            # ... and gives it to the callers.
            client = [sys.executable, str(HERE / "client.py"), f"{base}/agents/issues", key]
            return subprocess.run(client, check=False).returncode
        finally:
            gateway.terminate()
            gateway.wait()


if __name__ == "__main__":
    sys.exit(main())
