"""The services that some tests need: found, or started for one command and stopped after it.

`python -m tests.services COMMAND …` runs a command with PostgreSQL and Redis named in its environment. Each is
the one of CARDWRIGHT_POSTGRESQL or CARDWRIGHT_REDIS, else one that answers on this machine, else one that is
started from the programs that are installed, in a folder that is gone afterwards.
"""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
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


@dataclass(frozen=True)
class OwnPostgresql:
    """A PostgreSQL of our own, on loopback, that may be stopped and started again.

    Attributes:
        url: Where it answers.
    """

    url: str
    _user: str
    _programs: Path
    _folder: Path
    _port: int

    def start(self) -> None:
        """Start it, and wait until it answers.

        Raises:
            RuntimeError: If it cannot be started.
        """
        options = f"-h 127.0.0.1 -p {self._port} -k {self._folder} -c fsync=off"
        self._control("-w", "-l", self._folder / "log", "-o", options, "start")

    def stop(self) -> None:
        """End it at once, as one that crashes.

        Raises:
            RuntimeError: If it does not run.
        """
        self._control("-m", "immediate", "stop")

    def _control(self, *words: object) -> None:
        _as(self._user, self._programs / "pg_ctl", "-D", self._folder / "data", *words)


@contextmanager
def own_postgresql() -> Generator[OwnPostgresql]:
    """Start a PostgreSQL of our own; it is gone after the block.

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
        _as(user, programs / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "--no-sync")
        url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
        server = OwnPostgresql(url, user, programs, folder, port)
        server.start()
        try:
            yield server
        finally:
            # It may be stopped already.
            with suppress(RuntimeError):
                server.stop()
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
    with ExitStack() as stack:
        try:
            named = {POSTGRESQL: _postgresql(stack), REDIS: _redis(stack)}
        except RuntimeError as error:
            sys.stderr.write(f"{error}\n")
            return 2
        urls = {name: url for name, url in named.items() if url is not None}
        with suppress(KeyboardInterrupt):
            return subprocess.run(command, check=False, env={**os.environ, **urls}).returncode
        return 130


def _postgresql(stack: ExitStack) -> str:
    """Return the URL of a PostgreSQL that answers, started if none answers."""
    named = os.environ.get(POSTGRESQL, USUAL)
    if answers(named):
        return named
    if POSTGRESQL in os.environ:
        msg = f"no PostgreSQL answers at the URL that {POSTGRESQL} names"
        raise RuntimeError(msg)
    server = stack.enter_context(own_postgresql())
    sys.stderr.write("started a PostgreSQL for this run\n")
    return server.url


def _redis(stack: ExitStack) -> str | None:
    """Return the URL of a Redis that answers, started if none answers; None if none is installed."""
    named = redis_named()
    if named is not None:
        return named
    if REDIS in os.environ:
        msg = f"no Redis answers at the URL that {REDIS} names"
        raise RuntimeError(msg)
    if shutil.which("redis-server") is None:
        sys.stderr.write(
            "no Redis answers, and redis-server is not installed: tests that need one are skipped\n"
        )
        return None
    from tests.gateway.auth.redis_server import OwnRedis

    server = OwnRedis(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cardwright-redis-"))))
    stack.callback(server.kill)
    server.start()
    sys.stderr.write("started a Redis for this run\n")
    return server.url


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
