"""What every adapter in Python needs: the lines of the protocol, and servers. Only the standard library."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from typing import Any


class Unsupported(Exception):
    """The implementation does not do this at all; the message says what it lacks."""


def answer_lines(name: str, version: str, operations: dict[str, Any]) -> None:
    """Answer the lines of standard input until it ends.

    Args:
        name: The implementation.
        version: Its version.
        operations: A function for each operation: it takes the input of a case, and returns the result.
    """
    # What a library prints must not come between the answers.
    output, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        message = json.loads(line)
        if message["operation"] == "start":
            answer = {"protocol": 1, "name": name, "version": version, "language": "Python"}
            answer["operations"] = list(operations)
        else:
            answer = {"id": message["id"], **_answered(operations[message["operation"]], message["input"])}
        output.write(json.dumps(answer) + "\n")
        output.flush()
    for process in _STARTED:
        process.terminate()
        process.wait()


def _answered(operation: Any, given: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"result": operation(given)}
    except Unsupported as error:
        return {"unsupported": str(error)}
    except Exception as error:  # noqa: BLE001 - what a library raises is its answer
        return {"error": f"{type(error).__name__}: {error}"}


def only(given: dict[str, Any], *dialects: str) -> dict[str, Any]:
    """Return the document of a case of one of these dialects; others are not supported."""
    if given["dialect"] not in dialects:
        raise Unsupported(f"reads {', '.join(dialects)}")
    document: dict[str, Any] = given["document"]
    return document


def card_of(given: dict[str, Any]) -> dict[str, Any]:
    """Return the card of a conversion; messages are not supported."""
    if given["from"].startswith("a2a-messages"):
        raise Unsupported("converts cards")
    document: dict[str, Any] = given["document"]
    return document


def is_accepted(read: Any, document: Any) -> dict[str, Any]:
    """Return whether a function reads a document without an exception."""
    try:
        read(document)
    except Exception:  # noqa: BLE001 - any refusal
        return {"valid": False}
    return {"valid": True}


_STARTED: list[subprocess.Popen[bytes]] = []


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def _listening(port: int) -> dict[str, Any]:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return {"url": f"http://127.0.0.1:{port}"}
        time.sleep(0.05)
    raise TimeoutError("the server does not listen")


def serve_command(*command: str) -> dict[str, Any]:
    """Start a server by a command, whose argument PORT is replaced, instead of the one before."""
    for process in _STARTED:
        process.terminate()
        process.wait()
    port = _free_port()
    process = subprocess.Popen([part.replace("PORT", str(port)) for part in command], stdout=sys.stderr)
    _STARTED[:] = [process]
    return _listening(port)


def serve_asgi(app: Any) -> dict[str, Any]:
    """Serve an ASGI application from a thread that ends with the adapter."""
    import uvicorn

    port = _free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    return _listening(port)
