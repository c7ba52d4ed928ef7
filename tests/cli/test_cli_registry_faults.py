"""The command line with forbidden addresses, broken databases and interrupts: one line, and a status."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from cardwright.store import CardStore
from tests.cli.command_line import process
from tests.discovery.test_hostile_peers import says, whole
from tests.discovery.test_registry import with_id
from tests.peers import raw_peer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.command_line import CommandResult, Run

REFUSALS = {
    "scheme": ("ftp://agent.example/card.json", "guard/scheme"),
    "port": ("http://agent.example:22/", "guard/port"),
    "spelling": ("http://0x7f.1/", "guard/host"),
    "digits": ("http://①②⑦.⓪.⓪.①/", "guard/host"),
    "password": ("https://u:kanarie@agent.example/", "guard/userinfo"),
    "blank": ("http://agent.example/a b", "guard/url"),
    "mapped": ("http://[::ffff:169.254.169.254]/", "guard/address"),
    "private": ("https://10.1.2.3/card.json?token=kanarie", "guard/address"),
    "name": ("http://localhost/", "guard/address"),
}
COMMANDS = {
    "check": ["check"],
    "show": ["show"],
    "convert": ["convert", "--to", "a2a-1.0"],
    "diff": ["diff", "{valid}"],
    "detect": ["detect"],
    "verify": ["verify"],
    "discover": ["discover"],
    "add": ["registry", "add"],
}


def refused(result: CommandResult) -> str:
    """Return the one line of a refusal."""
    assert result.exit_code == 2
    # A report has it as a row, everything else on standard error.
    [line] = [one for one in (result.stdout + result.stderr).splitlines() if "refused" in one]
    assert line.startswith("refused: ")
    assert "kanarie" not in result.stderr + result.stdout
    return line


@pytest.mark.parametrize("kind", REFUSALS)
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.process
def test_each_kind_of_refusal_is_one_line_that_names_the_rule(
    command: str, kind: str, here: Path, valid: str, run: Run
) -> None:
    url, rule = REFUSALS[kind]
    arguments = [one.format(valid=valid) for one in COMMANDS[command]]
    if kind == "name":
        # Only a lookup decides: the resolver of a machine knows its own name everywhere.
        arguments += ["--allow-port", "80"]
    assert refused(run(*arguments, url)).endswith(f"[{rule}]")
    if command == "add" and kind != "name":
        assert "http" not in run("registry", "list").stdout


def one_line(result: CommandResult) -> str:
    """Return the one line by which a command ends that cannot go on."""
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert line.startswith("cardwright: ")
    return line


@pytest.fixture
def store(here: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a database with one peer, and shorten the time that a writer waits for a lock."""
    monkeypatch.setattr(CardStore, "open", partial(CardStore.open, wait_seconds=0.05))
    assert run("registry", "add", "--no-refresh", "https://agent.example/").exit_code == 0
    return here / "agents.db"


READING = (["list"], ["list", "--format", "json"], ["search", "x"], ["show", "https://agent.example/"])
WRITING = (
    ["refresh"],
    ["add", "--no-refresh", "https://other.example/"],
    ["remove", "https://agent.example/"],
)


@pytest.mark.process
@pytest.mark.parametrize(
    "name", ["nothere.json", "cards/nothere.json", "./nothere", "/nothere/card", "~/a.yml"]
)
def test_a_missing_file_is_not_taken_for_a_host(name: str, here: Path, run: Run) -> None:
    result = run("registry", "add", name)

    assert result.exit_code == 2
    assert result.stderr.endswith(f"{name}: no such file; write a URL with https://\n")
    assert not list(here.glob("*.db"))


def test_a_damaged_database_ends_every_command_with_one_line(store: Path, run: Run) -> None:
    store.write_bytes(os.urandom(16_384))
    for command in (*READING, *WRITING, ["watch"], ["approve", "x"]):
        line = one_line(run("registry", *command))
        assert "agents.db is damaged or not a database" in line


@pytest.mark.process
def test_a_locked_database_ends_writing_commands_with_one_line_and_can_be_read(store: Path, run: Run) -> None:
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for command in WRITING:
            assert "agents.db is locked by another process" in one_line(run("registry", *command))
        assert "agent.example" in run("registry", "list").stdout
        other.execute("ROLLBACK")


@pytest.fixture
def full() -> Iterator[None]:
    """Let no database grow, as on a full disk."""

    def say(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA max_page_count = 1")

    event.listen(Engine, "connect", say)
    yield
    event.remove(Engine, "connect", say)


@pytest.mark.process
def test_a_full_disk_ends_writing_commands_with_one_line(store: Path, full: None, run: Run) -> None:
    urls = [f"https://agent.example/{number}/{'x' * 900}" for number in range(300)]
    assert "agents.db is full, and this was not stored" in one_line(
        run("registry", "add", "--no-refresh", *urls)
    )
    assert run("registry", "list").stdout.count("https://") == 1
    del store, full


@pytest.mark.process
def test_a_folder_in_place_of_the_database_is_named(here: Path, run: Run) -> None:
    (here / "agents.db").mkdir()
    for command in ("list", "refresh"):
        assert "agents.db" in one_line(run("registry", command))


@pytest.mark.parametrize("command", ["refresh", "watch"])
@pytest.mark.process
async def test_an_interrupt_ends_promptly_and_keeps_finished_results(command: str, here: Path) -> None:
    hanging = asyncio.Event()
    hang = says(b"", then="wait")

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hanging.set()
        await hang(reader, writer)

    def run_command(*arguments: object) -> tuple[int, str, str]:
        started = process("registry", *arguments)
        out, err = started.communicate(timeout=60)
        return started.returncode, out.decode(), err.decode()

    async with (
        # One peer of a host is requested at a time: the quick one was checked, and not yet written, when the
        # slow one is requested.
        raw_peer(says(whole(with_id("quick"))), host="127.0.3.1") as quick,
        raw_peer(slow, host="127.0.3.1") as late,
    ):
        await asyncio.to_thread(
            run_command, "add", "--no-refresh", "--allow-private", quick.origin, late.origin
        )
        running = process("registry", command, "--allow-private")
        await asyncio.wait_for(hanging.wait(), 60)
        running.send_signal(signal.SIGINT)
        out, err = await asyncio.to_thread(running.communicate, timeout=60)
        shown = (out + err).decode()
        assert "Traceback" not in shown
        assert running.returncode == (0 if command == "watch" else 130), shown
        _, listed, _ = await asyncio.to_thread(run_command, "list")
        assert any(line.startswith(f"quick  {quick.origin}") for line in listed.splitlines()), listed
    with closing(sqlite3.connect(here / "agents.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_file_that_was_found_may_not_send_a_variable_of_the_environment(
    here: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDWRIGHT_TEST_SECRET", "kanarie")
    (here / "agents.yml").write_text(
        "peers:\n- {url: 'http://127.0.0.1:9/card.json', headers: {X: '${CARDWRIGHT_TEST_SECRET}'}}\n"
    )

    result = run("registry", "refresh")

    assert result.exit_code == 2
    assert (
        "agents.yml: /peers/0/headers/X uses the environment variable CARDWRIGHT_TEST_SECRET" in result.stderr
    )
    assert "name it with --config" in result.stderr
    assert not (here / "agents.db").exists()
    # Nothing is sent: the header is not read.
    assert run("registry", "list").exit_code == 0
    # Named, it may: only the connection fails.
    named = run("registry", "refresh", "--config", "agents.yml")
    assert "environment variable" not in named.stderr
    assert "kanarie" not in named.stderr


def test_a_file_that_was_found_may_not_write_into_another_programs_database(here: Path, run: Run) -> None:
    place = here / "other.sqlite"
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    before = place.read_bytes()
    (here / "agents.yml").write_text("store: other.sqlite\npeers: []\n")

    result = run("registry", "list")

    assert result.exit_code == 2
    assert "tables of another program, such as 'notes'" in result.stderr
    assert place.read_bytes() == before
