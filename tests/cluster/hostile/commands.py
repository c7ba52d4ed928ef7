"""A process that runs the command line in hostile folders: `python -m tests.cluster.hostile.commands`.

Each run is a copy of this process, in which cardwright is imported already, with limits of time and memory.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import socket
import sys
import time
import traceback
from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import yaml

from cardwright.cli import main as command_line
from tests.cluster.hostile.folders import CANARY, Entry, Folders
from tests.cluster.replicas import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

# What a run takes is a few hundred milliseconds and 100 MiB.
_SECONDS: Final = 25
_BYTES: Final = 512 * 1024 * 1024
# Commands, of a hook or not, that write nothing.
_READING: Final = ("check", "diff", "survey", "convert", "verify", "jwks")
_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\udc80-\udcff]"
)
_HOOKS: Final = [
    (*shlex.split(hook["entry"]), *hook["args"], "*") for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
]  # fmt: skip
_GITLAB: Final = yaml.safe_load((ROOT / "deploy/ci/gitlab.yml").read_text())["cardwright"]
_SCRIPTS: Final = (("sh", str(ROOT / "deploy/ci/check.sh")), ("sh", "-ec", "\n".join(_GITLAB["script"][1:])))
_PLAIN: Final = (
    *((f"check --format {name} .").split() for name in ("text", "json", "github", "gitlab", "sarif", "junit")),
    *(line.split() for line in ("check -v --strict -- *", "survey .", "catalog unpack -o out a.card.json",
      "catalog unpack -o sub agent-card.json", "catalog build --publisher example.com .", "diff a.card.json agent-card.json",
      "diff --format markdown agent-card.json a.card.json", "fix --write --unsafe .")),
)  # fmt: skip
_OF_SETTINGS: Final = tuple(
    line.split()
    for line in (
        "check .", "check --format json .", "survey .", "registry list", "gateway --config gateway.yml --port PORT",
        "gateway agents list --config gateway.yml", "catalog build --publisher example.com .",
        "gateway keys list a --config gateway.yml", "verify --keys keys.json a.card.json", "jwks keys.json",
        "convert --to a2a-1.0 --registries keys.json a.card.json", "convert --to a2a-1.0 a.card.json", "registry add http://x",
    )
)  # fmt: skip


class Commands:
    """Runs of the command line in folders of a base folder, beside files that no run may read or change.

    Args:
        base: An empty folder.
    """

    def __init__(self, base: Path) -> None:
        self._base = base
        self._case = base / "case"
        self._outside = base / "outside"
        self._outside.mkdir()
        card = json.loads((ROOT / "examples/a2a-1.0.card.json").read_text())
        (self._outside / "canary.card.json").write_text(json.dumps({**card, "name": CANARY, "url": CANARY}))
        (self._outside / "canary.txt").write_text(f"{CANARY}\n")
        self._before = self._stamps()
        # A gateway whose settings are valid finds its port taken.
        self._taken = socket.create_server(("127.0.0.1", 0))
        self.statuses: Counter[str] = Counter()
        self.slowest = (0.0, "")
        self.most_bytes = 0

    def command(self, random: Random, *, settings: bool) -> list[str]:
        """Return a random command; `settings`: one that reads settings."""
        if settings:
            port = str(self._taken.getsockname()[1])
            return [port if one == "PORT" else one for one in random.choice(_OF_SETTINGS)]
        if random.random() < 0.1:
            return list(random.choice(_SCRIPTS))
        return list(random.choice(_HOOKS) if random.random() < 0.3 else random.choice(_PLAIN))

    def findings(self, entries: Sequence[Entry], command: Sequence[str]) -> list[str]:
        """Run a command in a folder with entries, and return what is wrong."""
        shutil.rmtree(self._case, ignore_errors=True)
        self._case.mkdir()
        for entry in entries:
            entry.place(self._case)
        placed = self._placed()
        began = time.monotonic()
        status, output, used = self._run(command)
        took = time.monotonic() - began
        self.statuses[f"{command[0]} {status}"] += 1
        self.slowest = max(self.slowest, (took, shlex.join(command)))
        self.most_bytes = max(self.most_bytes, used)
        found = [] if status in (0, 1, 2) else [f"status {status} after {took:.0f} s"]
        found += [f"{used >> 20} MiB"] if used > _BYTES else []
        found += [
            f"output has {text}" for text in (CANARY, "Traceback", "root:x:0") if text.encode() in output
        ]
        if command[0] not in ("fix", "convert", "jwks") and (raw := _raw_controls(output)):
            found.append(f"control characters in the output: {raw}")
        if self._stamps() != self._before:
            found.append("a file outside was changed")
            self._before = self._stamps()
        if (command[0] in _READING or command[1] in _READING) and self._placed() != placed:
            found.append("a file of the folder was changed")
        return found and [*found, repr(output[-1_500:])]

    def smallest(self, entries: Sequence[Entry], command: Sequence[str], found: str) -> list[Entry]:
        """Return the entries without those that a finding does not need."""
        kept = list(entries)
        for entry in entries:
            fewer = [one for one in kept if one is not entry]
            if self.findings(fewer, command)[:1] == [found]:
                kept = fewer
        return kept

    def _run(self, command: Sequence[str]) -> tuple[int, bytes, int]:
        """Return the exit status, the output and the memory of a run."""
        output = self._base / "output"
        child = os.fork()
        if not child:
            os.setsid()
            os.chdir(self._case)
            kept = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for descriptor, to in ((os.open(os.devnull, os.O_RDONLY), 0), (kept, 1), (kept, 2)):
                os.dup2(descriptor, to)
            resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 1))
            resource.setrlimit(resource.RLIMIT_AS, (4 * _BYTES, 4 * _BYTES))
            resource.setrlimit(resource.RLIMIT_FSIZE, (_BYTES, _BYTES))
            signal.alarm(_SECONDS)
            _become(command)
        _, ended, used = os.wait4(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        return os.waitstatus_to_exitcode(ended), output.read_bytes(), used.ru_maxrss * 1024

    def _placed(self) -> list[tuple[str, int, int]]:
        """Return the names, times and sizes of the files in the folder."""
        files = [os.path.join(at, name) for at, _, names in os.walk(self._case) for name in names]  # noqa: PTH118 - no links
        return [(file, (status := os.lstat(file)).st_mtime_ns, status.st_size) for file in sorted(files)]

    def _stamps(self) -> dict[str, tuple[int, bytes]]:
        """Return the time and content of each file beside the folder."""
        files = [file for file in self._base.glob("*") if file.is_file() and file.name != "output"]
        files += self._outside.iterdir()
        return {str(file): (file.stat().st_mtime_ns, file.read_bytes()) for file in files}


def _become(command: Sequence[str]) -> None:
    """Run a command of this project, or a script, in this process, and end it."""
    if command[0] == "sh":
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        os.execvpe("sh", [*command], {**os.environ, **_GITLAB["variables"], "PATH": path})  # noqa: S606 - limited
    arguments = command[1:] if command[0] == "cardwright" else command
    names = sorted(entry.name for entry in os.scandir() if entry.is_file(follow_symlinks=False))
    # As pre-commit and a shell name the files.
    sys.argv = ["cardwright", *arguments] if arguments[-1] != "*" else ["cardwright", *arguments[:-1], *names]
    status: Any = 70
    try:
        command_line()
        status = 0
    except SystemExit as ended:
        status = ended.code or 0
    except BaseException:  # noqa: BLE001 - the last frame of this process
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _raw_controls(output: bytes) -> list[str]:
    """Return the control characters, the changes of direction and the bytes that are no text."""
    return sorted({repr(one) for one in _CONTROLS.findall(output.decode(errors="surrogateescape"))})


def main() -> None:
    """Run commands until the time ends, then print the results as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    import_module("cardwright_gateway.cli.run")
    commands, number = Commands(options.folder), options.first
    findings: dict[str, str] = {}
    until = time.monotonic() + options.seconds
    while time.monotonic() < until or number == options.first:
        random = Random(f"{options.seed}/{number}")  # noqa: S311 - no cryptography
        settings = random.random() < 0.5
        entries = Folders(random).settings() if settings else Folders(random).cards()
        command = commands.command(random, settings=settings)
        found = commands.findings(entries, command)
        # One of each kind.
        if found and (kind := f"{shlex.join(command)}: {found[0]}") not in findings:
            smallest = [repr(one)[:400] for one in commands.smallest(entries, command, found[0])]
            findings[kind] = f"--seed {options.seed} --first {number}: {found}: {smallest}"
        number += 1
    report = {"runs": number - options.first, "statuses": commands.statuses, "slowest": commands.slowest}
    listed = [f"{kind}: {how}" for kind, how in findings.items()]
    json.dump({**report, "MiB": commands.most_bytes >> 20, "findings": listed}, sys.stdout)


if __name__ == "__main__":
    main()
