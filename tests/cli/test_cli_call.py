"""`cardwright call` and `task`: against a gateway, and agents that misbehave."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import subprocess
from typing import TYPE_CHECKING, Any, Final

import pytest

from cardwright.cli.call import _Shown  # pyright: ignore[reportPrivateUsage] # what is printed of events
from cardwright.testing import LoopbackAgent
from tests.cli.command_line import EXAMPLES, process
from tests.discovery.calling.sdk_agents import mcp_application, serving
from tests.gateway.cli.test_run import running
from tests.gateway.gateways import CARD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.command_line import CommandResult, Run

pytestmark = pytest.mark.process
LOCAL: Final = "--allow-private"
# The key of the agent that needs one; the fixture issues it.
KEYS: Final[dict[str, str]] = {}
FUNCTIONS: Final = """
import asyncio
from cardwright_gateway import Part, Turn, TurnResult

def greet(message: str) -> str:
    return f"{len(message.split())} words"

def ask(turn: Turn):
    if not turn.earlier:
        return TurnResult(ending="input-required", message="In which port?")
    return f"High water in {turn.parts[0].value}."

async def pieces(message: str):
    for piece in ("one ", "two ", "three"):
        yield piece

def files(turn: Turn) -> TurnResult:
    given = turn.parts[0]
    return TurnResult((
        Part("text", "hostile \\x1b[31m text"), Part("data", {"kind": given.kind}),
        Part("raw", b"saved", "../../x.txt", "text/plain"),
    ))

async def slow(turn: Turn):
    await asyncio.Event().wait()
    return "late"
"""


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A gateway with functions, one of which needs a key."""
    folder = tmp_path_factory.mktemp("gateway")
    (folder / "called.py").write_text(FUNCTIONS)
    agents: dict[str, Any] = {
        name: {
            "card": CARD,
            "backend": {"python": f"called:{name}"},
            "owner": "acme",
            "access": "open",
            "tasks": "own",
        }
        for name in ("greet", "ask", "pieces", "files", "slow")
    }
    agents["kept"] = {**agents["greet"], "access": "keys"}
    config = folder / "gateway.json"
    config.write_text(
        json.dumps({"owners": {"acme": {"name": "Acme"}}, "agents": agents, "limits": {"requests": 0}})
    )
    issued = process("gateway", "keys", "issue", "kept", "--config", config)
    key, _ = issued.communicate()
    with running(folder, config) as (_, port, _):
        KEYS["kept"] = key.decode().strip()
        yield f"http://127.0.0.1:{port}/agents"


def call(run: Run, *arguments: object, stdin: bytes | None = None) -> CommandResult:
    return run("call", LOCAL, *arguments, stdin=stdin)


@pytest.mark.parametrize("options", [(), ("--stream",)])
def test_the_reply_is_on_standard_output_and_the_state_on_standard_error(
    run: Run, gateway: str, options: tuple[str, ...]
) -> None:
    result = call(run, *options, f"{gateway}/greet", "two words")
    assert (result.exit_code, result.stdout) == (0, "2 words\n")
    assert re.fullmatch(r"Task [0-9a-f-]+ \(context [0-9a-f-]+\): completed\n", result.stderr)


def test_pieces_of_a_stream_are_one_text(run: Run, gateway: str) -> None:
    assert call(run, "--stream", f"{gateway}/pieces", "go").stdout == "one two three\n"


def test_json_is_the_response_and_with_stream_one_event_per_line(run: Run, gateway: str) -> None:
    whole = json.loads(call(run, "--json", f"{gateway}/greet", "two words").stdout)
    assert whole["task"]["artifacts"][0]["parts"] == [{"text": "2 words"}]
    lines = call(run, "--json", "--stream", f"{gateway}/pieces", "go").stdout.splitlines()
    events = [json.loads(line) for line in lines]
    assert all(event.keys() <= {"task", "statusUpdate", "artifactUpdate"} for event in events)
    assert events[-1]["statusUpdate"]["status"]["state"] == "TASK_STATE_COMPLETED"


def test_a_task_that_waits_for_its_caller_is_continued(run: Run, gateway: str) -> None:
    first = call(run, f"{gateway}/ask", "When?")
    assert (first.exit_code, first.stdout) == (0, "In which port?\n")
    match = re.search(r"Continue with: cardwright call --task ([0-9a-f-]+) http", first.stderr)
    assert match
    second = call(run, "--task", match[1], f"{gateway}/ask", "Dover")
    assert (second.exit_code, second.stdout) == (0, "High water in Dover.\n")
    unknown = call(run, "--task", "t-none", f"{gateway}/ask", "Dover")
    assert unknown.exit_code == 1
    assert "TaskNotFound" in unknown.stderr


def test_data_and_files_are_sent_and_files_are_saved_only_in_the_folder(
    run: Run, gateway: str, here: Path
) -> None:
    (here / "order.json").write_text('{"port": "Dover"}')
    for given in ("order.json", '{"port": "Dover"}'):
        assert '"kind": "data"' in call(run, "--data", given, f"{gateway}/files").stdout
    assert '"kind": "data"' in call(run, "--data", "-", f"{gateway}/files", stdin=b"[1]").stdout
    sent = call(run, "--file", "order.json", "--output-dir", "out", f"{gateway}/files")
    assert '"kind": "raw"' in sent.stdout
    assert "hostile \\u{1b}[31m text" in sent.stdout
    assert "[../../x.txt, text/plain, 5 bytes" in sent.stdout
    assert [path.relative_to(here).as_posix() for path in here.rglob("x*.txt")] == ["out/x.txt"]
    call(run, "--file", "order.json", "--output-dir", "out", f"{gateway}/files")
    assert (here / "out/x-2.txt").read_bytes() == b"saved"
    assert '"kind": "url"' in call(run, "--file", "https://a.example/x.png", f"{gateway}/files").stdout


def test_the_text_comes_from_standard_input(run: Run, gateway: str) -> None:
    assert call(run, f"{gateway}/greet", "-", stdin=b"three whole words").stdout == "3 words\n"


def test_keys_are_sent_in_the_header_that_the_card_names(
    run: Run, gateway: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = call(run, f"{gateway}/kept", "hi")
    assert refused.exit_code == 4
    assert "--bearer, --api-key or --header" in refused.stderr
    key = KEYS["kept"]
    for options in (("--api-key", key), ("--bearer", key), ("--header", f"X-Agent-API-Key: {key}")):
        assert call(run, *options, f"{gateway}/kept", "hi").stdout == "1 words\n"
    monkeypatch.setenv("CARDWRIGHT_API_KEY", key)
    assert call(run, f"{gateway}/kept", "hi").exit_code == 0
    # A2A 0.1 §5.5.3 has the header in a text.
    older = {"schemes": ["ApiKey"], "credentials": json.dumps({"in": "header", "name": "X-Agent-API-Key"})}
    document = json.loads((EXAMPLES / "a2a-0.1.card.json").read_bytes())
    with LoopbackAgent({**document, "url": f"{gateway}/kept", "authentication": older}) as agent:
        assert "names no header" not in call(run, agent.url, "hi").stderr
    with LoopbackAgent(replies=["x"]) as agent:
        result = call(run, agent.url, "hi")
        assert result.exit_code == 2
        assert "CARDWRIGHT_API_KEY: the card names no header for API keys" in result.stderr


def test_tasks_are_listed_read_watched_and_cancelled(run: Run, gateway: str) -> None:
    key = ("--api-key", KEYS["kept"])
    sent = call(run, *key, "--json", f"{gateway}/kept", "hi")
    task_id = json.loads(sent.stdout)["task"]["id"]
    shown = run("task", "get", LOCAL, *key, f"{gateway}/kept", task_id)
    assert shown.stdout.startswith(f"Task {task_id} (context ")
    assert shown.stdout.endswith(": completed\n\nresult-1:\n1 words\n")
    assert (
        json.loads(run("task", "get", "--json", LOCAL, *key, f"{gateway}/kept", task_id).stdout)["id"]
        == task_id
    )
    # A task that has ended has no stream (A2A 1.0 §3.1.6).
    assert run("task", "watch", LOCAL, *key, f"{gateway}/kept", task_id).stdout == shown.stdout
    listed = run("task", "list", LOCAL, *key, f"{gateway}/kept")
    assert f"{task_id} (context" in listed.stdout
    assert json.loads(run("task", "list", "--json", LOCAL, *key, f"{gateway}/kept").stdout)["tasks"][0]["id"]
    missing = run("task", "get", LOCAL, *key, f"{gateway}/kept", "t-none")
    assert (missing.exit_code, missing.stdout) == (1, "")
    started = call(run, "--no-wait", "--json", f"{gateway}/slow", "hi")
    slow_id = json.loads(started.stdout)["task"]["id"]
    assert ": working" in started.stderr
    cancelled = run("task", "cancel", LOCAL, f"{gateway}/slow", slow_id)
    assert cancelled.stdout.splitlines()[0].endswith(": canceled")
    again = run("task", "cancel", LOCAL, f"{gateway}/slow", slow_id)
    assert again.exit_code == 1
    assert "TaskNotCancelable" in again.stderr


def test_a_task_is_watched_until_it_ends(run: Run, gateway: str) -> None:
    slow_id = json.loads(call(run, "--no-wait", "--json", f"{gateway}/slow", "hi").stdout)["task"]["id"]
    watching = process("task", "watch", LOCAL, f"{gateway}/slow", slow_id)
    assert watching.stdout
    first = watching.stdout.readline().decode()
    assert first.startswith(f"Task {slow_id}")
    run("task", "cancel", LOCAL, f"{gateway}/slow", slow_id)
    rest, _ = watching.communicate(timeout=30)
    assert watching.returncode == 0
    assert rest.decode().splitlines()[-1].endswith(": canceled")


def test_control_c_cancels_the_task_and_says_which(run: Run, gateway: str) -> None:
    calling = process("call", "--stream", "--json", LOCAL, f"{gateway}/slow", "hi")
    assert calling.stdout
    task_id = json.loads(calling.stdout.readline())["task"]["id"]
    calling.send_signal(signal.SIGINT)
    _, stderr = calling.communicate(timeout=30)
    assert calling.returncode == 130
    assert f"Interrupted; the agent was asked to cancel task {task_id}." in stderr.decode()
    assert ": canceled" in run("task", "get", LOCAL, f"{gateway}/slow", task_id).stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((), 2, "nothing to send: give a TEXT, --data or --file"),
        (("--data", "{"), 2, "--data: {: the document is not JSON"),
        (("--data", "missing.json"), 2, "missing.json: cannot be read"),
        (("--file", "missing.pdf"), 2, "missing.pdf: cannot be read"),
        (("-", "--data", "-"), 2, "standard input can be read once"),
        (("hi", "--header", "nonsense"), 2, "--header: expected 'Name: value'"),
        (("hi", "--timeout", "0.5"), 5, "no complete response within 0.5 seconds"),
    ],
)
def test_each_failure_is_one_line_and_an_exit_code(
    run: Run, gateway: str, here: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    assert here
    done = call(run, f"{gateway}/slow", *arguments)
    assert (done.exit_code, done.stdout) == (status, "")
    assert message in done.stderr


def test_an_unreachable_agent_is_exit_code_3(run: Run, gateway: str) -> None:
    none = call(run, f"{gateway}/none", "hi")
    assert none.exit_code == 3
    assert "ai-catalog.json" in none.stderr
    assert call(run, "http://127.0.0.1:9/", "hi").exit_code == 3
    assert run("call", f"{gateway}/greet", "hi").exit_code == 2


def test_an_older_agent_is_called_and_cannot_list(run: Run) -> None:
    with LoopbackAgent(replies=["Good day"]) as agent:
        document = json.loads(agent.card_bytes())
        document["supportedInterfaces"] = document["supportedInterfaces"][1:]
        with LoopbackAgent(document, replies=[]) as older:
            assert call(run, older.url, "hi").stdout == "Good day\n"
            listed = run("task", "list", LOCAL, older.url)
            assert listed.exit_code == 1
            assert listed.stderr.startswith("cardwright: only A2A 1.0 can list tasks. The card has: a2a/0.3.")
            # Of an agent without streams the task is read.
            assert "no answer to tasks/get" in run("task", "watch", LOCAL, older.url, "t-none").stderr


async def test_the_tools_of_an_mcp_server_are_called_at_its_url(run: Run) -> None:
    async with serving(mcp_application(), lifespan="on") as origin:
        named = await asyncio.to_thread(call, run, "--skill", "ask_harbour", f"{origin}/mcp", "when?")
        assert (named.exit_code, named.stdout) == (
            0,
            'you asked when?\n{\n  "result": "you asked when?"\n}\n',
        )
        unnamed = await asyncio.to_thread(call, run, f"{origin}/mcp", "when?")
        assert (unnamed.exit_code, unnamed.stdout) == (2, "")
        assert unnamed.stderr.startswith(
            "cardwright: --skill: required: name the MCP tool to call; the server has"
        )


@pytest.mark.parametrize(
    ("pieces", "printed"),
    [
        (["Good ", "day", "Good day"], "Good \nday\n"),
        (["Good ", "day", "day"], "Good \nday\n"),
        (["Good day", "day"], "Good day\nday\n"),
        (["day", "Good day"], "day\nGood day\n"),
        (["1 2", "12"], "1 2\n12\n"),
    ],
)
def test_a_text_that_was_sent_in_pieces_is_not_printed_again(
    capsys: pytest.CaptureFixture[str], pieces: list[str], printed: str
) -> None:
    """As google-adk and strands do: messages, then one artifact with all of it."""
    shown = _Shown(streams=True, as_json=False, folder=None)
    *messages, whole = ([{"text": piece}] for piece in pieces)
    for parts in messages:
        shown.take({"statusUpdate": {"status": {"message": {"parts": parts}}}})
    shown.take({"artifactUpdate": {"artifact": {"artifactId": "1", "parts": whole}}})
    shown.take({"task": {"artifacts": [{"artifactId": "1", "parts": whole}]}})
    assert capsys.readouterr().out.rstrip("\n") == printed.rstrip("\n")


def test_a_reply_that_is_hostile_prints_no_control_character(run: Run) -> None:
    with LoopbackAgent(replies=["\x1b]0;title\x07\x9b31m\u202etxt\nnext line"]) as agent:
        for options in ((), ("--stream",)):
            result = call(run, *options, agent.url, "hi")
            assert result.exit_code == 0
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", result.stdout)
            assert result.stdout.endswith("\nnext line\n")


def test_a_broken_pipe_is_no_traceback(gateway: str) -> None:
    calling = process("call", LOCAL, f"{gateway}/greet", "hi", stdout=subprocess.PIPE)
    assert calling.stdout
    with contextlib.suppress(OSError):
        calling.stdout.close()
    _, stderr = calling.communicate(timeout=30)
    assert b"Traceback" not in stderr
