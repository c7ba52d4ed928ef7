"""The page of one card."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import quote as shell_quoted
from typing import TYPE_CHECKING, Final

from cardwright.outline import outline
from cardwright.page.credentials import credentials_of
from cardwright.page.facts import PageFacts
from cardwright.page.findings import findings_view
from cardwright.page.links import web
from cardwright.page.render import rendered
from cardwright.page.schemas import SchemaView, schema_view
from cardwright.page.signatures import signatures_view
from cardwright.page.snippets import snippets
from cardwright.page.source import pretty

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.outline import Extension, Skill

_NO_FACTS: Final = PageFacts()


@dataclass(frozen=True, slots=True)
class SkillView:
    """A skill and its schemas for a page."""

    skill: Skill
    schemas: tuple[SchemaView, ...]


def card_page(card: Card, *, facts: PageFacts = _NO_FACTS) -> bytes:
    """Return the page of a card, valid or not, as UTF-8 HTML.

    It has no external resources, and one script of this package; send it with `CONTENT_SECURITY_POLICY`. Equal cards
    and facts give equal bytes.
    """
    summary, printable = outline(card), facts.printable()
    credentials = credentials_of(card)
    return rendered(
        "card.html.jinja",
        thing="card",
        outline=summary,
        dialect=str(card.dialect),
        digest=card.digest,
        skills=[SkillView(skill, _schemas(skill)) for skill in summary.skills],
        extensions=[_extension(extension) for extension in summary.extensions],
        interfaces=[(one, snippets(one, summary, credentials)) for one in summary.interfaces],
        credentials=credentials,
        needs_login=credentials is None,
        findings=findings_view(card.violations),
        signing=signatures_view(card, facts.signatures, own_key=facts.own_key),
        home=printable.home,
        facts=printable,
        curl=_curl(printable.url),
        source=pretty(card.document),
    )


def _schemas(skill: Skill) -> tuple[SchemaView, ...]:
    schemas = (("Input", skill.input_schema), ("Output", skill.output_schema))
    return tuple(schema_view(label, schema) for label, schema in schemas if schema is not None)


def _extension(extension: Extension) -> tuple[Extension, str]:
    return extension, pretty(extension.params) if extension.params else ""


def _curl(url: str | None) -> str:
    """Return the shell command that fetches the card, or "" if the URL is not http(s)."""
    return f"curl --header 'Accept: application/json' {shell_quoted(url)}" if url and web(url) else ""
