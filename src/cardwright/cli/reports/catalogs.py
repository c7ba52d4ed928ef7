"""The report of what the catalogues of an origin say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.cli.fetch_options import name_of
from cardwright.cli.reports.words import counted
from cardwright.cli.terminal import legible
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.discovery.catalogs import CatalogReading


def catalog_lines(name: str, reading: CatalogReading, fetched: int | None = None) -> Iterator[str]:
    """Yield a heading, the catalogues, the other kinds of entries and the findings.

    Args:
        name: What was read.
        reading: The result.
        fetched: The most agents whose cards are fetched; None for all.
    """
    count = len(reading.agents)
    only = f", cards of the first {fetched}" if fetched is not None and count > fetched else ""
    yield f"{legible(name_of(name))}: {counted(count, 'agent')} in {counted(len(reading.catalogs), 'catalogue')}{only}"
    for url in reading.catalogs:
        yield f"  catalogue {escaped(legible(name_of(url)))}"
    for media_type, number in sorted(reading.others.items()):
        yield f"  {counted(number, 'resource')} of another kind: {escaped(legible(media_type))}"
    for finding in reading.findings:
        yield f"  note: {escaped(legible(finding))}"
