"""Every A2A operation over each binding and version as plain requests, and the responses without their ids."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass, field
from typing import Any

import httpx

# The value of a broken stream, as some SDKs end streams without events.
BROKEN = "the stream broke"
_SSE = "text/event-stream"
_UNSETTLED = ("submitted", "working")
_QUERIED = ("contextId", "historyLength", "pageSize")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(Z|\+00:00)")
_NEWER = {
    "send": "SendMessage",
    "stream": "SendStreamingMessage",
    "get": "GetTask",
    "list": "ListTasks",
    "cancel": "CancelTask",
    "subscribe": "SubscribeToTask",
    "push set": "CreateTaskPushNotificationConfig",
    "push get": "GetTaskPushNotificationConfig",
    "push list": "ListTaskPushNotificationConfigs",
    "push delete": "DeleteTaskPushNotificationConfig",
}
_OLDER = {
    "send": "message/send",
    "stream": "message/stream",
    "get": "tasks/get",
    "cancel": "tasks/cancel",
    "subscribe": "tasks/resubscribe",
    "push set": "tasks/pushNotificationConfig/set",
    "push get": "tasks/pushNotificationConfig/get",
    "push list": "tasks/pushNotificationConfig/list",
    "push delete": "tasks/pushNotificationConfig/delete",
}


@dataclass(frozen=True)
class Answer:
    """One response: its status, its media type, and the JSON of its body or of each event."""

    request: str
    status: int
    kind: str
    value: Any


@dataclass
class Transcript:
    """Calls one agent over one binding and version, and records its responses.

    Attributes:
        url: The endpoint of JSON-RPC, or what REST's paths stand behind.
        answers: The responses in order; ids and times are what they are by their order of appearance.
    """

    http: httpx.AsyncClient
    url: str
    binding: str
    version: str
    answers: list[Answer] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    async def everything(self) -> list[Answer]:
        """Call every operation."""
        await self.ask("send", self.message("good day"))
        task_id = await self._settled(task_of(await self.ask("send", self.message("task"))))
        await self.ask("get", self.task(task_id))
        await self.ask("get", {**self.task(task_id), "historyLength": 1})
        streamed = await self.ask("stream", self.message("task"))
        if self.version == "1.0":
            context = context_of(streamed)
            await self.ask("list", context)
            await self.ask("list", {**context, "pageSize": 1})
        waiting = await self._settled(task_of(await self.ask("send", self.message("ask"))))
        await self._notifications(waiting)
        await self.ask("send", self.message("Cuxhaven", waiting))
        given_up = task_of(await self.ask("stream", self.message("ask")))
        await self.ask("cancel", self.task(given_up))
        await self.ask("cancel", self.task(given_up))
        await self.ask("subscribe", self.task(given_up))
        for name in ("get", "cancel", "subscribe"):
            await self.ask(name, self.task("none"))
        await self.ask("send", self.message("good day", "none"))
        await self.ask("send", {"message": {"role": "captain"}})
        if self.binding == "JSONRPC":
            await self._call("Sail" if self.version == "1.0" else "ship/sail", {})
        return self.answers

    async def _settled(self, task_id: str) -> str:
        """Return the id of a task when it no longer works: a2a-sdk 0.3 answers over REST before."""
        names, answers = dict(self._names), list(self.answers)
        async with asyncio.timeout(60):
            while state_of(await self.ask("get", self.task(task_id))) in _UNSETTLED:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.02)
        self._names, self.answers = names, answers
        return task_id

    async def _notifications(self, task_id: str) -> None:
        receiver = {"url": "https://hooks.example.com/tides", "token": "t-1"}
        if self.version == "1.0":
            await self.ask("push set", {"taskId": task_id, "id": "c-1", **receiver})
            one = {"taskId": task_id, "id": "c-1"}
            everyone = {"taskId": task_id}
        else:
            given = {"id": "c-1", **receiver}
            await self.ask("push set", {"taskId": task_id, "pushNotificationConfig": given})
            one = {"id": task_id, "pushNotificationConfigId": "c-1"}
            everyone = {"id": task_id}
        await self.ask("push get", one)
        await self.ask("push list", everyone)
        await self.ask("push delete", one)
        await self.ask("push get", one)

    def message(self, text: str, task_id: str = "") -> dict[str, Any]:
        """The parameters of a message."""
        body: dict[str, Any] = {"messageId": "m-1", **({"taskId": task_id} if task_id else {})}
        if self.version == "1.0":
            return {"message": {**body, "role": "ROLE_USER", "parts": [{"text": text}]}}
        if self.binding == "JSONRPC":
            parts = [{"kind": "text", "text": text}]
            return {"message": {**body, "kind": "message", "role": "user", "parts": parts}}
        # REST of 0.3 has the JSON of its protobuf.
        return {"message": {**body, "role": "ROLE_USER", "content": [{"text": text}]}}

    def task(self, task_id: str) -> dict[str, Any]:
        """The parameters that name a task."""
        return {"id": task_id}

    async def ask(self, name: str, params: dict[str, Any]) -> Answer:
        """Call one operation; return the unchanged response."""
        if self.binding == "JSONRPC":
            return await self._call((_NEWER if self.version == "1.0" else _OLDER)[name], params)
        return await self._request(name, params)

    async def _call(self, method: str, params: dict[str, Any]) -> Answer:
        body = {"jsonrpc": "2.0", "id": len(self.answers), "method": method, "params": params}
        return await self._kept("POST", self.url, body, method)

    async def _request(self, name: str, params: dict[str, Any]) -> Answer:
        task_id = params.get("taskId") or params.get("id", "")
        config_id = params.get("pushNotificationConfigId") or params.get("id", "")
        config_path = f"tasks/{task_id}/pushNotificationConfigs"
        query = {key: str(value) for key, value in params.items() if key in _QUERIED}
        method, path, body = {
            "send": ("POST", "message:send", params),
            "stream": ("POST", "message:stream", params),
            "get": ("GET", f"tasks/{task_id}", None),
            "list": ("GET", "tasks", None),
            "cancel": ("POST", f"tasks/{task_id}:cancel", {}),
            "subscribe": ("GET", f"tasks/{task_id}:subscribe", None),
            "push set": ("POST", config_path, _push_config(params, self.version)),
            "push get": ("GET", f"{config_path}/{config_id}", None),
            "push list": ("GET", config_path, None),
            "push delete": ("DELETE", f"{config_path}/{config_id}", None),
        }[name]
        prefix = "" if self.version == "1.0" else "v1/"
        query_string = "&".join(f"{key}={value}" for key, value in query.items())
        return await self._kept(
            method,
            f"{self.url.rstrip('/')}/{prefix}{path}{'?' * bool(query_string)}{query_string}",
            body,
            name,
        )

    async def _kept(self, method: str, url: str, body: Any, name: str) -> Answer:
        headers = {"A2A-Version": "1.0"} if self.version == "1.0" else {}
        try:
            answer = await self.http.request(method, url, json=body, headers=headers)
        except httpx.RemoteProtocolError:
            self.answers.append(Answer(name, 200, _SSE, BROKEN))
            return self.answers[-1]
        kind = answer.headers.get("content-type", "").partition(";")[0]
        plain = _read(answer.text, kind)
        same = _read(self._known(answer.text), kind)
        self.answers.append(Answer(name, answer.status_code, kind, same))
        return Answer(name, answer.status_code, kind, plain)

    def _known(self, text: str) -> str:
        """Return a text with its ids and times replaced by numbers."""
        named = _UUID.sub(lambda found: self._names.setdefault(found[0], f"id-{len(self._names)}"), text)
        return _TIME.sub("then", named)


def _push_config(params: dict[str, Any], version: str) -> dict[str, Any]:
    if version == "1.0":
        return params
    config = params.get("pushNotificationConfig", {})
    return {
        "parent": f"tasks/{params.get('taskId')}",
        "configId": config.get("id"),
        "config": {"name": "c-1", "pushNotificationConfig": config},
    }


def _read(text: str, kind: str) -> Any:
    if kind == _SSE:
        events = re.split(r"\r?\n\r?\n", text.strip())
        return [json.loads(_data(event)) for event in events if _data(event)]
    return json.loads(text) if text and kind.endswith("json") else text


def _data(event: str) -> str:
    # One of 0.3 has its JSON on several lines.
    lines = [line for line in event.splitlines() if line.startswith("data:")]
    return "\n".join(line.removeprefix("data:") for line in lines)


def task_of(answer: Answer) -> str:
    """Return the id of the task that an answer has."""
    first = answer.value[0] if isinstance(answer.value, list) else answer.value
    result = first.get("result", first)
    found = str(result.get("task", result)["id"])
    assert found
    return found


def state_of(answer: Answer) -> str:
    """Return the state of the task that an answer has."""
    result = answer.value.get("result", answer.value)
    return str(result["status"]["state"]).lower().removeprefix("task_state_")


def context_of(answer: Answer) -> dict[str, str]:
    """Return the parameter that names the conversation of a stream."""
    first = answer.value[0]
    return {"contextId": str(first.get("result", first)["task"]["contextId"])}
