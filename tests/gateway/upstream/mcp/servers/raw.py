"""A scripted MCP server of the handshake era that sends any lines.

`python raw.py SCRIPT`, where SCRIPT is a JSON object: `pages` of `tools/list` (each a list of tools), `info`,
`capabilities`, `copies` of each description's first letter, `blocks` of an answer, `ring` (the cursor of every page but the
last), and flags of what goes wrong: `hang`, `junk`, `exit`, `fails`, `restless`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

SCRIPT: dict[str, Any] = json.loads(sys.argv[1])
TOOL = {"name": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}
PAGES: list[list[Any]] = SCRIPT.get("pages", [[TOOL]])
if "copies" in SCRIPT:
    # Expanded, it is too long for a command line.
    for tool in PAGES[0]:
        tool["description"] = tool["description"][:1] * SCRIPT["copies"]


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(request: dict[str, Any]) -> dict[str, Any] | None:
    match request["method"]:
        case "initialize":
            return {
                "protocolVersion": "2025-06-18",
                "serverInfo": SCRIPT.get("info", {"name": "raw", "version": "1.0.0"}),
                "capabilities": SCRIPT.get("capabilities", {"tools": {}}),
            }
        case "tools/list":
            page = int(request.get("params", {}).get("cursor", "0"))
            more = page + 1 < len(PAGES)
            following = {"nextCursor": SCRIPT.get("ring", str(page + 1))} if more else {}
            if SCRIPT.get("restless"):
                say({"method": "notifications/tools/list_changed"})
            return {"tools": PAGES[page], **following}
        case "tools/call":
            return call(request["params"])
        case _:
            return None


def call(params: dict[str, Any]) -> dict[str, Any] | None:
    match params["name"]:
        case "pid":
            text = str(os.getpid())
        case "environment":
            text = json.dumps(dict(os.environ))
        case "die":
            os._exit(3)
        case "structured":
            return {"content": [], "structuredContent": params["arguments"]}
        case "grow":
            PAGES[:] = [[{**TOOL, "name": "grow"}, {**TOOL, "name": "grown"}]]
            say({"method": "notifications/tools/list_changed"})
            text = "grown"
        case "blocks":
            return {"content": SCRIPT["blocks"], "isError": bool(SCRIPT.get("fails"))}
        case "silent":
            sys.stderr.write("nothing is answered\n")
            sys.stderr.flush()
            return {}
        case _:
            text = str(params.get("arguments", {}).get("text"))
    return {"content": [{"type": "text", "text": text}]}


if SCRIPT.get("exit"):
    sys.stderr.write("no licence\n")
    sys.exit(1)
while SCRIPT.get("hang"):
    time.sleep(60)
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    if SCRIPT.get("junk"):
        sys.stdout.write("Listening … {not JSON\n\n[1, 2]\n")
    reply = answer(request)
    if reply is None:
        say({"id": request["id"], "error": {"code": -32601, "message": "no such method"}})
    elif reply:
        say({"id": request["id"], "result": reply})
