"""`cardwright probe`: ask an agent whether it does what its card says."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import reach_of, refuse
from cardwright.cli.keyfiles import trusted
from cardwright.cli.option_groups import option
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


def command(
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="An agent, whose well-known places are asked; or the URL of its card."
        ),
    ],
    *,
    send: Annotated[
        bool, option("--send", "Send one small message, and a streamed one; open and end sessions of MCP.")
    ] = False,
    keys: options.Keys = None,
    form: options.CheckFormat = "text",
    strict: Annotated[bool, option("--strict", "Count warnings as untrue, too.")] = False,
    timeout: Annotated[
        float, option("--timeout", "Ask nothing more after so long.", "SECONDS", min=1, max=3600)
    ] = 60,
    allowed: options.Reachable,
) -> None:
    """Ask an agent whether it does what its card says. Nothing is changed there unless --send is given.

    At most 60 requests, one after another. Exits with 0 if all is true, 1 if something is not, 2 if it
    could not be asked, or not all of it.
    """
    # A host alone means https, and headers go to one origin: both have to see the same URL.
    named = url if "://" in url else f"https://{url}"
    reach = reach_of(allowed, [named])
    try:
        with _progress() as progress:
            probed = asyncio.run(_probed(named, reach, trusted(keys), progress, send=send, seconds=timeout))
    except ConnectionDenied as error:
        refuse(error)
    except PeerError as error:
        fail(f"it could not be asked: {error}")
    report(form, {**_FORMATS, "junit": lambda found: _junit(found, strict=strict)}, probed)
    untrue = not probed.true or (strict and bool(probed.of("warning")))
    raise typer.Exit(1 if untrue else 0 if probed.complete else 2)


async def _probed(
    url: str, reach: Reach, keys: KeySet, progress: Callable[[str], None], *, send: bool, seconds: float
) -> Report:
    from importlib.metadata import version

    from cardwright.discovery.probe import probe
    from cardwright.guard import GuardedClient

    agent = f"cardwright-probe/{version('cardwright')}"
    async with GuardedClient(reach.guard, user_agent=agent, concurrency=1) as client:
        return await probe(
            url,
            client=client,
            headers=reach.headers,
            send=send,
            keys=keys,
            timeout_seconds=seconds,
            progress=progress,
        )


@contextmanager
def _progress() -> Generator[Callable[[str], None]]:
    """Give what is told what is looked at; it is shown where a person is looking."""
    if not at_terminal(sys.stderr):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status("Asking") as status:
        yield lambda words: status.update(f"Asking: {escape(words)}")


def _junit(probed: Report, *, strict: bool) -> bytes:
    from cardwright.cli.reports.junit import document
    from cardwright.cli.reports.probing import cases

    return document(list(cases(probed, strict=strict)))
