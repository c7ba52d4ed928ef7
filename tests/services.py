"""The services that some tests need: found, or started for one command and stopped after it.

`python -m tests.services COMMAND …` runs a command with PostgreSQL named in its environment. It is the one
of CARDWRIGHT_POSTGRESQL, else one that answers on this machine, else one that is started from the programs
that are installed, in a folder that is gone afterwards.
"""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

POSTGRESQL: Final = "CARDWRIGHT_POSTGRESQL"
REDIS: Final = "CARDWRIGHT_REDIS"
# Where a machine with PostgreSQL most likely has it.
USUAL: Final = "postgresql://postgres@127.0.0.1:5432/test"
USUAL_REDIS: Final = "redis://127.0.0.1:6379/0"
# Debian keeps the programs of a server out of PATH.
_PLACES: Final = "/usr/lib/postgresql/*/bin"


def redis_answers(url: str) -> bool:
    """Return whether a Redis answers at a URL and lets us in."""
    from redis import Redis, RedisError

    try:
        with Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2) as client:
            client.ping()
    except (RedisError, ValueError):
        return False
    return True


def redis_named() -> str | None:
    """Return the URL of the Redis that tests may use; None where none answers."""
    url = os.environ.get(REDIS, USUAL_REDIS)
    return url if redis_answers(url) else None


def answers(url: str) -> bool:
    """Return whether a PostgreSQL answers at a URL and lets us in."""
    import psycopg

    try:
        psycopg.connect(url, connect_timeout=3).close()
    except psycopg.Error:
        return False
    return True


@contextmanager
def started() -> Generator[str]:
    """Start a PostgreSQL of our own, on loopback, and yield its URL.

    Raises:
        RuntimeError: If it cannot be started; the message says why.
    """
    programs = _programs()
    # It refuses to run as root.
    user = "postgres" if os.geteuid() == 0 else getpass.getuser()
    folder = Path(tempfile.mkdtemp(prefix="cardwright-postgresql-"))
    try:
        if os.geteuid() == 0:
            try:
                shutil.chown(folder, user)
            except LookupError:
                msg = "PostgreSQL does not run as root, and there is no user postgres to run it as"
                raise RuntimeError(msg) from None
        port = _free_port()
        data = folder / "data"
        _as(user, programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync")
        options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
        _as(user, programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            _as(user, programs / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    places = sorted(Path("/").glob(_PLACES.lstrip("/")))
    if not places:
        msg = (
            f"no PostgreSQL answers at {USUAL}, and none is installed that could be started:"
            f" install it (Debian: apt-get install postgresql), or name one by {POSTGRESQL}"
        )
        raise RuntimeError(msg)
    return places[-1]


def _as(user: str, *command: object) -> None:
    words = [str(word) for word in command]
    if user != getpass.getuser():
        words = ["runuser", "-u", user, "--", *words]
    # pg_ctl hands its output on to the server: a pipe would stay open as long as that runs.
    done = subprocess.run(words, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if done.returncode:
        msg = f"PostgreSQL cannot be started: {Path(words[-1] if user == getpass.getuser() else words[4]).name} failed"
        raise RuntimeError(msg)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main(command: list[str]) -> int:
    """Run a command with its services, and return its exit status."""
    named = os.environ.get(POSTGRESQL, USUAL)
    if answers(named):
        return subprocess.run(command, check=False, env={**os.environ, POSTGRESQL: named}).returncode
    if POSTGRESQL in os.environ:
        sys.stderr.write(f"no PostgreSQL answers at the URL that {POSTGRESQL} names\n")
        return 2
    try:
        with started() as url:
            sys.stderr.write("started a PostgreSQL for this run\n")
            with suppress(KeyboardInterrupt):
                return subprocess.run(command, check=False, env={**os.environ, POSTGRESQL: url}).returncode
            return 130
    except RuntimeError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
