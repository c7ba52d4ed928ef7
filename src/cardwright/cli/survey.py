"""`cardwright survey`: what many cards have in common."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal
from urllib.parse import urlsplit

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import is_url, reach_of
from cardwright.cli.inputs import Source, read, sources
from cardwright.cli.option_groups import described
from cardwright.cli.outputs import write_report
from cardwright.cli.terminal import at_terminal, fail, legible, reason_of
from cardwright.errors import ConnectionDenied, MalformedDocument

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.checks import Checks
    from cardwright.survey import Survey

_FORMATS: Final = {"text": "survey:text", "json": "survey:contract", "html": "survey:html"}
_LIST: Final = ".txt"
_MAX_LIST: Final = 2**24

EXAMPLES: Final = (
    "cardwright survey cards/",
    "cardwright survey --format html --output survey.html cards/",
    "cardwright survey --format json --output survey.json urls.txt",
)


def command(
    paths: Annotated[list[str], described("survey FOLDER|LIST")],
    *,
    form: Annotated[Literal["text", "json", "html"], described("survey --format")] = "text",
    output: Annotated[str | None, described("survey --output")] = None,
    delay: Annotated[float, described("survey --delay")] = 1,
    checks: options.LimitedAndRules,
    allowed: options.Reachable,
) -> None:
    """Validate many cards and report versions, findings by rule, transports, authentication, and what can be fixed.

    Every JSON file of a folder is counted, also those that are not cards. URLs are requested one after the other, and
    the report names no file and no URL.

    Exit status: 0 the report was made, 2 nothing could be read.
    """
    from cardwright.survey import Survey

    named = [one for path in paths for one in _listed(path)]
    reach = reach_of(allowed, named)
    survey, pauses = Survey(), Pauses(delay)
    for source in _with_progress(sources(named, reach)):
        _add(survey, source, checks, pauses)
    if not survey.documents and not survey.unknown:
        fail("no document could be read: name a folder, files, or a list of URLs (*.txt)")
    write_report(output, form, _FORMATS, survey)


def _listed(path: str) -> Iterator[str]:
    """Yield the lines of a list, or the path itself."""
    if not path.endswith(_LIST) or is_url(path):
        yield path
        return
    try:
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(_MAX_LIST)
    except (OSError, ValueError) as error:
        fail(f"{legible(path)}: the list cannot be read: {reason_of(error)}")
    for line in text.splitlines():
        name = line.partition("#")[0].strip() if not is_url(line) else line.strip()
        if name:
            yield name


class Pauses:
    """Waits between two requests to one host."""

    def __init__(self, delay: float) -> None:
        """Set the time between two requests, in seconds."""
        self._delay = delay
        self._requested: dict[str, float] = {}

    def wait(self, url: str) -> None:
        """Wait until the host of a URL may be requested again."""
        last = self._requested.get(urlsplit(url).netloc, 0.0)
        time.sleep(max(0.0, last + self._delay - time.monotonic()))

    def note(self, url: str) -> None:
        """Note that the host of a URL has been requested."""
        self._requested[urlsplit(url).netloc] = time.monotonic()


def _add(survey: Survey, source: Source, checks: Checks, pauses: Pauses) -> None:
    fetches = is_url(source.name)
    if fetches:
        pauses.wait(source.name)
    try:
        body = read(source, checks.limits)
    except (ConnectionDenied, MalformedDocument) as error:
        survey.add_unreadable(error.rule)
        return
    finally:
        if fetches:
            pauses.note(source.name)
    survey.add(body, found_at=source.name, checks=checks)


def _with_progress(inputs: Sequence[Source]) -> Iterable[Source]:
    if not at_terminal(sys.stderr):
        return inputs
    from rich.console import Console
    from rich.progress import track

    return track(inputs, description="Surveying", console=Console(stderr=True), transient=True)
