"""`cardwright task`: read, list, cancel and watch tasks of an agent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cardwright.cli import agents, options
from cardwright.cli.option_groups import described, examples, grouped
from cardwright.cli.terminal import emit, emit_json, emit_stderr, escaped_json
from cardwright_runtime.violation import clipped

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.cli.options import Allowed
    from cardwright.discovery.calling.a2a_client import A2aClient

app = typer.Typer(no_args_is_help=True, help="Read, list, cancel and watch tasks of an A2A agent.")
Url = Annotated[str, described("task URL")]
Task = Annotated[str, described("task TASK")]
Json = Annotated[bool, described("task --json")]
# What `list` prints without --limit (project decision).
_LISTED: Final = 50


def get(
    url: Url,
    task: Task,
    *,
    as_json: Json = False,
    bearer: agents.Bearer = None,
    api_key: agents.ApiKey = None,
    allowed: options.Reachable,
) -> None:
    """Print a task: its state and its artifacts. Exit status as `cardwright call`."""

    async def read(client: A2aClient) -> None:
        _print(await client.get_task(task), as_json=as_json)

    _work(url, allowed, bearer, api_key, read)


def list_(
    url: Url,
    *,
    context: Annotated[str | None, described("task list --context")] = None,
    limit: Annotated[int, described("task list --limit")] = _LISTED,
    as_json: Json = False,
    bearer: agents.Bearer = None,
    api_key: agents.ApiKey = None,
    allowed: options.Reachable,
) -> None:
    """List your tasks, newest first; agents before A2A 1.0 cannot. Exit status as `cardwright call`."""

    async def read(client: A2aClient) -> None:
        page = await client.list_tasks(context_id=context or "", page_size=limit)
        if as_json:
            emit_json(page)
            return
        tasks = page.get("tasks", [])
        for one in tasks:
            emit(f"{agents.task_line(one).removeprefix('Task ')}\n")
        if not tasks:
            emit_stderr("No tasks.\n")

    _work(url, allowed, bearer, api_key, read)


def cancel(
    url: Url,
    task: Task,
    *,
    as_json: Json = False,
    bearer: agents.Bearer = None,
    api_key: agents.ApiKey = None,
    allowed: options.Reachable,
) -> None:
    """Cancel a task and print its state. Exit status as `cardwright call`."""

    async def ask(client: A2aClient) -> None:
        _print(await client.cancel_task(task), as_json=as_json)

    _work(url, allowed, bearer, api_key, ask)


def watch(
    url: Url,
    task: Task,
    *,
    as_json: Annotated[bool, described("task watch --json")] = False,
    bearer: agents.Bearer = None,
    api_key: agents.ApiKey = None,
    allowed: options.Reachable,
) -> None:
    """Print the events of a task until it ends. Exit status as `cardwright call`."""

    async def follow(client: A2aClient) -> None:
        from cardwright.discovery.calling.a2a import watch as events_of

        async for event in events_of(client, task):
            if as_json:
                emit(escaped_json(json.dumps(event, ensure_ascii=False).encode()).decode() + "\n")
            else:
                _event(event)

    _work(url, allowed, bearer, api_key, follow)


for _name, _command in (("get", get), ("list", list_), ("cancel", cancel), ("watch", watch)):
    _shown = f"cardwright task {_name} https://agent.example.com" + ("" if _name == "list" else " TASK")
    app.command(_name, epilog=examples(_shown))(grouped(_command))


def _work(
    url: str,
    allowed: Allowed,
    bearer: str | None,
    api_key: str | None,
    ask: Callable[[A2aClient], Awaitable[None]],
) -> None:
    full_url = agents.complete_url(url)

    async def work() -> int:
        from cardwright.discovery.calling.connected import connected

        async with (
            agents.agent_at(full_url, allowed, bearer=bearer, api_key=api_key) as agent,
            connected(agent.card, agent.client, credentials=agent.credentials) as client,
        ):
            await ask(client)
        return 0

    try:
        raise typer.Exit(agents.run(full_url, work()))
    except KeyboardInterrupt:
        # The task goes on.
        raise typer.Exit(130) from None


def _print(task: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        emit_json(task)
        return
    emit(f"{agents.task_line(task)}\n")
    _parts(task.get("status", {}).get("message") or {})
    for artifact in task.get("artifacts", ()):
        emit(f"\n{clipped(str(artifact.get('name') or artifact.get('artifactId') or 'artifact'))}:\n")
        _parts(artifact)


def _event(event: dict[str, Any]) -> None:
    if "task" in event:
        _print(event["task"], as_json=False)
    elif "statusUpdate" in event:
        update = event["statusUpdate"]
        emit(f"{agents.task_line({**update, 'id': update.get('taskId', '')})}\n")
        _parts(update.get("status", {}).get("message") or {})
    else:
        _parts(event.get("artifactUpdate", {}).get("artifact") or event.get("message") or {})


def _parts(holder: dict[str, Any]) -> None:
    for part in holder.get("parts", ()):
        emit(f"{agents.part_text(part)}\n")
