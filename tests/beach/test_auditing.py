"""Audit sinks: records, limits, errors, concurrent writers."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
import textwrap
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cardwright.errors import BadArgument, StoreError
from cardwright_beach.auditing import FileAudit, MemoryAudit
from cardwright_beach.parts import part

ROOT = Path(__file__).parents[2]
META = {"sessionId": "s-19", "eventId": "evt-204"}
TRACE = part("reasoning-trace", text="N4 is deep enough.")


def now() -> datetime:
    return datetime(2026, 5, 4, 6, 43, 10, tzinfo=UTC)


def records(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]


def test_the_memory_sink_keeps_the_newest_records() -> None:
    audit = MemoryAudit(max_records=2)
    for number in range(3):
        asyncio.run(audit.record(part("reasoning-trace", text=str(number)), META))

    assert [one.part["text"] for one in audit.records] == ["1", "2"]
    assert audit.records[0].meta == META


def test_a_file_has_one_record_per_line(tmp_path: Path) -> None:
    audit = FileAudit(tmp_path / "audit.jsonl", now=now)
    several = part("reasoning-trace", text="one\ntwo")

    asyncio.run(audit.record(TRACE, META))
    asyncio.run(audit.record(several, META))

    assert records(tmp_path / "audit.jsonl") == [
        {"at": "2026-05-04T06:43:10+00:00", "meta": META, "part": dict(one.document)}
        for one in (TRACE, several)
    ]


def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    asyncio.run(FileAudit(tmp_path / "audit.jsonl").record(TRACE, META))

    assert stat.S_IMODE((tmp_path / "audit.jsonl").stat().st_mode) == 0o600


def test_a_full_file_refuses_new_records_and_keeps_the_old(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    asyncio.run(FileAudit(file, now=now).record(TRACE, META))
    before = file.read_bytes()

    with pytest.raises(StoreError, match="move it away") as caught:
        asyncio.run(FileAudit(file, max_bytes=len(before) + 10, now=now).record(TRACE, META))

    assert caught.value.cause == "full"
    assert file.read_bytes() == before


def test_after_an_incomplete_line_the_next_record_starts_a_new_line(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    file.write_bytes(b'{"at": "2026-05')

    asyncio.run(FileAudit(file, now=now).record(TRACE, META))

    assert json.loads(file.read_bytes().split(b"\n")[1])["meta"] == META


def test_a_partial_write_is_reported_as_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda to, line: write(to, line[:5]))

    with pytest.raises(StoreError, match="disk is full"):
        asyncio.run(FileAudit(tmp_path / "audit.jsonl").record(TRACE, META))


def test_a_file_that_cannot_be_opened_is_reported_without_its_path(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written") as caught:
        asyncio.run(FileAudit(tmp_path / "none" / "audit.jsonl").record(TRACE, META))

    assert str(tmp_path) not in str(caught.value)


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "audit.jsonl").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StoreError):
        asyncio.run(FileAudit(tmp_path / "audit.jsonl").record(TRACE, META))
    assert not (tmp_path / "elsewhere").exists()


def test_meta_that_is_not_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match="meta"):
        asyncio.run(FileAudit(tmp_path / "audit.jsonl").record(TRACE, {"x": object()}))


def test_a_record_waits_for_the_lock_of_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "audit.jsonl"
    file.write_bytes(b'{"at": "2026')

    def other_ends(_descriptor: int, _operation: int) -> None:
        with file.open("ab") as other:
            other.write(b'-05-04"}\n')

    monkeypatch.setattr("cardwright_beach.auditing.flock", other_ends)
    asyncio.run(FileAudit(file, now=now).record(TRACE, META))

    lines = [json.loads(line)["at"] for line in file.read_bytes().splitlines()]
    assert lines == ["2026-05-04", "2026-05-04T06:43:10+00:00"]


WRITER = textwrap.dedent(
    """
    import asyncio, sys
    from cardwright_beach.auditing import FileAudit
    from cardwright_beach.parts import part
    audit = FileAudit(sys.argv[1])
    async def main():
        trace = part("reasoning-trace", text=sys.argv[2] * 50_000)
        await asyncio.gather(*(audit.record(trace, {"n": n}) for n in range(300)))
    asyncio.run(main())
    """
)


@pytest.mark.process
def test_records_of_several_processes_do_not_mix(tmp_path: Path) -> None:
    path = os.pathsep.join(str(ROOT / one) for one in ("", "src", "generated"))
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / "audit.jsonl"), letter],
            env={**os.environ, "PYTHONPATH": path},
        )
        for letter in "abcd"
    ]
    assert [writer.wait(60) for writer in writers] == [0] * 4

    lines = (tmp_path / "audit.jsonl").read_bytes().removesuffix(b"\n").split(b"\n")
    assert len(lines) == 1_200
    texts = sorted(json.loads(line)["part"]["text"] for line in lines)
    assert texts == [letter * 50_000 for letter in "abcd" for _ in range(300)]
