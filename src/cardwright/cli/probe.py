"""`cardwright probe`: check whether an agent does what its card declares."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.agents import complete_url
from cardwright.cli.fetch_options import reach_of, refuse
from cardwright.cli.keyfiles import trusted
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import at_terminal, fail, report
from cardwright.errors import ConnectionDenied, PeerError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cardwright.cli.fetch_options import Reach
    from cardwright.discovery.probe import Report
    from cardwright.signing import KeySet

_FORMATS: Final = {
    "text": "probing:piped",
    "terminal": "probing_terminal:report",
    "json": "probing:contract",
    "sarif": "probing:sarif",
}


EXAMPLES: Final = (
    "cardwright probe https://agent.example.com",
    "cardwright probe --send --strict --format junit https://agent.example.com",
)


def command(
    url: Annotated[str, described("probe URL")],
    *,
    send: Annotated[bool, described("probe --send")] = False,
    keys: options.Keys = None,
    form: options.CheckFormat = "text",
    strict: Annotated[bool, described("probe --strict")] = False,
    timeout: Annotated[float, described("probe --timeout")] = 60,
    allowed: options.Reachable,
) -> None:
    """Check whether an agent does what its card declares. Only --send changes anything at the agent.

    At most 60 requests are sent, one after another.

    Exit status: 0 all checks passed, 1 a check failed, 2 the agent could not be reached or not all checks were run.
    """
    # Complete the URL first, since the header fields apply to its origin.
    full_url = complete_url(url)
    reach = reach_of(allowed, [full_url])
    try:
        with _progress() as progress:
            probed = asyncio.run(_probe(full_url, reach, trusted(keys), progress, send=send, seconds=timeout))
    except ConnectionDenied as error:
        refuse(error)
    except PeerError as error:
        fail(f"the agent could not be probed: {error}")
    report(form, {**_FORMATS, "junit": lambda results: _junit(results, strict=strict)}, probed)
    untrue = not probed.true or (strict and bool(probed.of("warning")))
    raise typer.Exit(1 if untrue else 0 if probed.complete else 2)


async def _probe(
    url: str, reach: Reach, keys: KeySet, progress: Callable[[str], None], *, send: bool, seconds: float
) -> Report:
    from importlib.metadata import version

    from cardwright.discovery.mcp_servers import explained
    from cardwright.discovery.probe import probe
    from cardwright.guard import GuardedClient

    agent = f"cardwright-probe/{version('cardwright')}"
    async with GuardedClient(reach.guard, user_agent=agent, concurrency=1) as client:
        try:
            return await probe(
                url,
                client=client,
                headers=reach.headers,
                send=send,
                keys=keys,
                timeout_seconds=seconds,
                progress=progress,
            )
        except PeerError as error:
            raise await explained(error, client, url, reach.headers) from None


@contextmanager
def _progress() -> Generator[Callable[[str], None]]:
    """Yield a function that displays the current check, if standard error is a terminal."""
    if not at_terminal(sys.stderr):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status("Probing") as status:
        yield lambda check: status.update(f"Probing: {escape(check)}")


def _junit(probed: Report, *, strict: bool) -> bytes:
    from cardwright.cli.reports.junit import document
    from cardwright.cli.reports.probing import cases

    return document(list(cases(probed, strict=strict)))
