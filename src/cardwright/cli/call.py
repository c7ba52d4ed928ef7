"""`cardwright call`: send a message to an agent and print its reply."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cardwright.cli import agents, options
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import emit, emit_json, emit_stderr, escaped_json, fail, reason_of
from cardwright_runtime.violation import clipped, escaped

if TYPE_CHECKING:
    from cardwright.cli.options import Allowed
    from cardwright.discovery.calling.parts import Part
    from cardwright.discovery.calling.reply import Reply

# A larger file belongs at a URL (project decision).
_MAX_FILE_BYTES: Final = 10 * 1024 * 1024
_STDIN: Final = "-"
# States in which the agent waits for its caller.
_WAITING: Final = frozenset({"input-required", "auth-required"})

EXAMPLES: Final = (
    'cardwright call https://agent.example.com "When is high water?"',
    'cardwright call --stream agent.example.com "Write a poem"',
    "cardwright call --task TASK agent.example.com Dover",
    "cardwright call --data order.json --file receipt.pdf agent.example.com",
)


def command(  # noqa: PLR0913 - one parameter per option
    url: Annotated[str, described("call URL")],
    text: Annotated[str | None, described("call TEXT")] = None,
    *,
    data: Annotated[list[str] | None, described("call --data")] = None,
    file: Annotated[list[str] | None, described("call --file")] = None,
    task: Annotated[str | None, described("call --task")] = None,
    context: Annotated[str | None, described("call --context")] = None,
    skill: Annotated[str | None, described("call --skill")] = None,
    stream: Annotated[bool, described("call --stream")] = False,
    no_wait: Annotated[bool, described("call --no-wait")] = False,
    as_json: Annotated[bool, described("call --json")] = False,
    output_dir: Annotated[str | None, described("call --output-dir")] = None,
    timeout: Annotated[float, described("call --timeout")] = 60,
    bearer: agents.Bearer = None,
    api_key: agents.ApiKey = None,
    allowed: options.Reachable,
) -> None:
    """Send a message to an A2A agent or MCP server and print its reply; the state of the task is on standard error.

    Exit status: 0 the agent replied, whatever the state of its task; 1 the call failed; 2 an argument is wrong or an
    address is not allowed; 3 the agent cannot be reached; 4 it needs other credentials; 5 the timeout is reached.
    """
    parts = _parts(text, data or (), file or ())
    folder = None if output_dir is None else Path(output_dir)
    shown = _Shown(streams=stream, as_json=as_json, folder=folder)
    full_url = agents.complete_url(url)
    sending = _send(
        full_url, parts, shown, allowed, bearer, api_key, task=task, context=context, skill=skill,
        waits=not no_wait, seconds=timeout,
    )  # fmt: skip
    try:
        raise typer.Exit(agents.run(full_url, sending))
    except KeyboardInterrupt:
        at = f"; the agent was asked to cancel task {shown.task_id}" if shown.task_id else ""
        emit_stderr(f"\nInterrupted{at}.\n")
        raise typer.Exit(130) from None


async def _send(  # noqa: PLR0913 - each argument is an independent option
    url: str,
    parts: list[Part],
    shown: _Shown,
    allowed: Allowed,
    bearer: str | None,
    api_key: str | None,
    *,
    task: str | None,
    context: str | None,
    skill: str | None,
    waits: bool,
    seconds: float,
) -> int:
    from cardwright.discovery.calling import call_agent

    async with agents.agent_at(url, allowed, bearer=bearer, api_key=api_key) as agent:
        reply = await call_agent(
            agent.card,
            parts,
            client=agent.client,
            credentials=agent.credentials,
            timeout_seconds=seconds,
            context_id=context,
            task_id=task,
            tool=skill,
            stream=None if shown.streams else False,
            wait=waits,
            on_event=shown.take,
        )
    shown.end(reply)
    if reply.state in _WAITING:
        emit_stderr(
            f"Continue with: cardwright call --task {clipped(reply.task_id or '')} {escaped(url)} TEXT\n"
        )
    return 0


class _Shown:
    """What is printed of a reply: all of it at its end or, with --stream, each event as it comes."""

    def __init__(self, *, streams: bool, as_json: bool, folder: Path | None) -> None:
        self.streams = streams
        self.task_id = ""
        self._as_json = as_json
        self._folder = folder
        # How many parts of each artifact were printed.
        self._printed: dict[str, int] = {}
        # The texts of messages, and of artifacts, as they came.
        self._messages: list[str] = []
        self._outputs: list[str] = []
        self._at_margin = True

    def take(self, event: dict[str, Any]) -> None:
        """Note an event, and print it with --stream."""
        update = event.get("statusUpdate") or event.get("artifactUpdate") or {}
        self.task_id = clipped(str(event.get("task", {}).get("id") or update.get("taskId") or self.task_id))
        if not self.streams:
            return
        if self._as_json:
            emit(escaped_json(json.dumps(event, ensure_ascii=False).encode()).decode() + "\n")
            return
        if "artifactUpdate" in event:
            artifact, appends = update.get("artifact", {}), bool(update.get("append"))
            key = str(artifact.get("artifactId"))
            before = self._printed.get(key, 0) if appends else 0
            self._printed[key] = before + len(artifact.get("parts", ()))
            self._pieces(artifact, continued=appends and before > 0)
        elif "task" in event:
            self._artifacts(event["task"])
        message = update.get("status", {}).get("message") if "statusUpdate" in event else event.get("message")
        if message:
            self._block(message)

    def end(self, reply: Reply) -> None:
        """Print the reply, or what was not printed of it, and the state of the task."""
        raw = reply.raw
        if self._as_json and not self.streams:
            emit_json(
                raw
                if reply.selection.interface.protocol == "mcp"
                else {"task" if reply.state else "message": raw}
            )
        elif not self._as_json:
            if not self.streams or reply.selection.interface.protocol == "mcp":
                for part in reply.parts:
                    self._line(agents.part_text(part.to_wire()))
            else:
                self._artifacts(raw)
            self._margin()
        if self._folder is not None:
            _save(reply.parts, self._folder)
        if reply.task_id and not (self._as_json and reply.state == "completed"):
            emit_stderr(f"{agents.task_line({**raw, 'id': reply.task_id})}\n")

    def _artifacts(self, task: dict[str, Any]) -> None:
        """Print the parts of a task's artifacts that were not printed before."""
        for artifact in task.get("artifacts", ()):
            key = str(artifact.get("artifactId"))
            rest = artifact.get("parts", [])[self._printed.get(key, 0) :]
            self._printed[key] = len(artifact.get("parts", ()))
            if rest:
                self._pieces({"parts": rest}, continued=False)

    def _pieces(self, artifact: dict[str, Any], *, continued: bool) -> None:
        """Print parts; the texts of one artifact follow each other."""
        if self._is_repeated(artifact, self._messages, self._outputs) and not continued:
            return
        if not continued:
            self._margin()
        for part in artifact.get("parts", ()):
            text = agents.part_text(part)
            if "text" not in part:
                self._line(text)
                continue
            emit(text)
            self._at_margin = text.endswith("\n") or (self._at_margin and not text)

    def _block(self, message: dict[str, Any]) -> None:
        if not self._is_repeated(message, self._outputs, self._messages):
            for part in message.get("parts", ()):
                self._line(agents.part_text(part))

    def _is_repeated(self, holder: dict[str, Any], before: list[str], kept: list[str]) -> bool:
        """Note the text of a message or an artifact, and return whether the last texts of the other kind are the same.

        google-adk and strands send a text in pieces as messages, and then all of it as an artifact.
        """
        parts = holder.get("parts", ())
        text = "".join(str(part.get("text", "")) for part in parts)
        kept.append(text)
        if not text.strip() or not all("text" in part for part in parts):
            return False
        pieces: list[str] = []
        size = 0
        for piece in reversed(before):
            pieces.append(piece)
            size += len(piece)
            if size >= len(text.strip()):
                break
        return "".join(reversed(pieces)).strip() == text.strip()

    def _line(self, text: str) -> None:
        self._margin()
        emit(f"{text}\n")

    def _margin(self) -> None:
        if not self._at_margin:
            emit("\n")
        self._at_margin = True


def _parts(text: str | None, data: Any, files: Any) -> list[Part]:
    """Return the message; end the command if it has no part, or one cannot be read."""
    from cardwright.discovery.calling.parts import Part

    if [text, *data].count(_STDIN) > 1:
        fail("standard input can be read once: give - for the text or for one --data")
    parts = [] if text is None else [Part("text", _standard_input() if text == _STDIN else text)]
    parts += [Part("data", _json(value)) for value in data]
    parts += [_file(name) for name in files]
    if not parts:
        fail("nothing to send: give a TEXT, --data or --file")
    return parts


def _standard_input() -> str:
    if sys.stdin is None:
        fail("standard input is closed")
    return sys.stdin.buffer.read(_MAX_FILE_BYTES).decode("utf-8", "replace")


def _json(value: str) -> Any:
    from cardwright.canonical import Limits, decode
    from cardwright.errors import MalformedDocument

    limits = Limits(max_bytes=_MAX_FILE_BYTES, max_members=100_000, max_values=100_000)
    if value == _STDIN:
        body = _standard_input().encode()
    elif value.lstrip()[:1] in ("{", "[", '"'):
        body = value.encode()
    else:
        body = _bytes(value)
    try:
        return decode(body, limits)
    except MalformedDocument as error:
        fail(f"--data: {escaped(value[:80])}: {error}")


def _file(name: str) -> Part:
    import mimetypes

    from cardwright.discovery.calling.parts import Part

    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if name.startswith(("http://", "https://")):
        return Part("url", name, name.rpartition("/")[2], kind)
    return Part("raw", _bytes(name), Path(name).name, kind)


def _bytes(name: str) -> bytes:
    from cardwright.regular_file import read_regular_file

    try:
        body = read_regular_file(name, _MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        fail(f"{escaped(name)}: cannot be read: {reason_of(error)}")
    if len(body) > _MAX_FILE_BYTES:
        fail(f"{escaped(name)}: larger than {_MAX_FILE_BYTES:,} bytes; put it at a URL and send that")
    return body


def _save(parts: Any, folder: Path) -> None:
    """Write the files of a reply to new files of a folder; their names are the agent's, without its folders."""
    from cardwright.cli.outputs import write_output

    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        if part.kind != "raw":
            continue
        wanted = (
            "".join(c if c.isalnum() or c in "._- " else "_" for c in Path(part.filename).name).lstrip(".")
            or "file"
        )
        target = folder / wanted[-100:]
        number = 1
        while target.exists():
            number += 1
            target = folder / f"{Path(wanted[-100:]).stem}-{number}{Path(wanted).suffix}"
        write_output(str(target), part.value, "the file")
        emit_stderr(f"Saved {escaped(str(target))}\n")
