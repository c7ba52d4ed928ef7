"""`cardwright check --for`: whether platforms take the cards, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card, Document
from cardwright.cli.fetch_options import name_of
from cardwright.cli.inputs import read, yaml_as_json
from cardwright.cli.outputs import write_report
from cardwright.cli.terminal import fail, legible
from cardwright.errors import BadArgument, ConnectionDenied, MalformedDocument, UnknownDialect
from cardwright.profiles import objections, profile, profiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.cli.inputs import Source
    from cardwright.cli.project import Effective, Project
    from cardwright.profiles import Objection

ALL: Final = "all"
_FORMATS: Final = {"text": "platforms:text", "json": "platforms:contract"}


@dataclass(frozen=True, slots=True)
class PlatformRow:
    """What platforms say to one input.

    Attributes:
        source: The path as given.
        objections: The objections of each platform by its name; None if the input is not a card.
        reason: Why it is not a card; "" for a card.
        readable: Whether it could be read.
    """

    source: str
    objections: Mapping[str, tuple[Objection, ...]] | None
    reason: str = ""
    readable: bool = True


def check_platforms(
    inputs: Iterable[Source], project: Project, name: str, form: str, output: str | None
) -> int:
    """Print the report and return the exit status, as of `check`.

    Args:
        inputs: The documents; other JSON files of a folder are left out.
        project: The settings of the project, for the limits.
        name: The platform, or `all`.
        form: The format of the report: text or json.
        output: The file for the report; None for standard output.
    """
    if form not in _FORMATS:
        fail(f"--for prints {' or '.join(_FORMATS)}, not {form}")
    names = tuple(profiles()) if name == ALL else (_known(name),)
    rows = [row for source in inputs if (row := _row(source, project.of(source), names)) is not None]
    if not rows:
        fail("no agent card was found; name a file to check it as a card")
    write_report(output, form, _FORMATS, rows, names)
    if not all(row.readable for row in rows):
        return 2
    return 1 if any(row.objections is None or any(row.objections.values()) for row in rows) else 0


def _known(name: str) -> str:
    try:
        return profile(name).name
    except BadArgument as error:
        fail(f"--for: {error}, {ALL}")


def _row(source: Source, settings: Effective, names: tuple[str, ...]) -> PlatformRow | None:
    shown, is_other = legible(name_of(source.name)), source.found and not source.has_card_name
    try:
        body: Any = read(source, settings.checks.limits)
        body = yaml_as_json(body, settings.checks.limits) if source.is_yaml else body
        card = Document.from_bytes(
            body, dialect=settings.dialect, checks=settings.checks, found_at=source.name
        )
    except (ConnectionDenied, MalformedDocument) as error:
        return None if is_other else PlatformRow(shown, None, str(error), readable=False)
    except UnknownDialect as error:
        return None if is_other else PlatformRow(shown, None, str(error))
    if not isinstance(card, Card):
        return None if is_other else PlatformRow(shown, None, f"{card.dialect} is not an agent card")
    return PlatformRow(shown, {name: objections(card, name) for name in names})
