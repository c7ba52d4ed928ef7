"""`cardwright registry serve`: the search API of ARD over a registry's database."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cardwright.cli import options
from cardwright.cli import serving_options as serving
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import emit_stderr, fail, legible
from cardwright.extras import check_installed

if TYPE_CHECKING:
    from cardwright.search_api.application import SearchApplication


@dataclass(frozen=True, slots=True)
class Loader:
    """Factory of the application in each worker; all fields can be pickled."""

    store: str
    base_url: str
    name: str
    local_hosts: tuple[str, ...] | None
    referrals: dict[str, str] = field(default_factory=dict[str, str])

    def __call__(self) -> SearchApplication:
        """Return the application."""
        from cardwright.search_api.application import SearchApplication

        return SearchApplication(self.store, self.base_url, self.name, self.referrals, self.local_hosts)


def serve(
    *,
    store: Annotated[str, described("registry serve --store")] = options.STORE,
    host: serving.Host = "127.0.0.1",
    port: serving.Port = 8000,
    allow_host: serving.AllowHost = None,
    base_url: Annotated[str | None, described("registry serve --base-url")] = None,
    name: Annotated[str, described("registry serve --name")] = "cardwright registry",
    referral: Annotated[list[str] | None, described("registry serve --referral")] = None,
    workers: serving.Workers = 1,
) -> None:
    """Answer searches over HTTP, as an ARD registry: POST /search, POST /explore, GET /agents.

    No card is fetched: run `cardwright registry watch` beside it. Press Ctrl+C to stop.

    Exit status: 0 stopped, 1 the server could not start, 2 the database cannot be used or an option is wrong.
    """
    check_installed(("granian", "sqlalchemy"), extra="serve")
    from cardwright.errors import CardError
    from cardwright.hosts import is_loopback
    from cardwright.rewrite import BadBaseURL, check_base_url
    from cardwright.serve.listening import PortTaken, StartFailed, free_port
    from cardwright.serve.server import run
    from cardwright.store import CardStore

    if "://" not in store and not Path(store).exists():
        fail(f"{legible(store)}: no such registry; create one with `cardwright registry add URL`")
    try:
        base = check_base_url(base_url) if base_url else None
        with CardStore.open(store) as opened:
            count = opened.count().cards
        port = free_port(host, port)
    except BadBaseURL as error:
        fail(f"--base-url: {error}")
    except (PortTaken, CardError) as error:
        fail(str(error))
    shown = f"http://{f'[{host}]' if ':' in host else {'0.0.0.0': '127.0.0.1'}.get(host, host)}:{port}"  # noqa: S104 - compared, not bound
    local = (host, *(allow_host or ())) if is_loopback(host) else None
    loader = Loader(store, base or shown, name, local, dict(map(_referral, referral or ())))

    def announce() -> None:
        emit_stderr(f"{base or shown}/search answers searches over {count:,} cards\n")
        emit_stderr(f"{base or shown}/.well-known/ard.json announces the registry\n")
        emit_stderr("Press Ctrl+C to stop.\n")

    try:
        run(loader, host=host, port=port, workers=workers, started=announce)
    except StartFailed as error:
        fail(str(error), status=1)


def _referral(text: str) -> tuple[str, str]:
    name, _, url = text.partition("=")
    if not name or not url.startswith(("http://", "https://")):
        fail(
            f"--referral: {legible(text)}: expected NAME=URL, such as 'Public finder=https://finder.example.com'"
        )
    return name, url
