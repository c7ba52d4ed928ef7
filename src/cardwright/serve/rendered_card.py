"""One card made ready: every view, form, media type and coding as bytes, before anyone asks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cardwright.conversion import to_hub
from cardwright.conversion.extensions import BEACH_EXTENSION_URI, params_of
from cardwright.errors import InvalidCard, UnsignableCard
from cardwright.http.negotiation import HTML, JSON, YAML
from cardwright.http.representation import Codings, coded, json_bytes, yaml_bytes
from cardwright.rewrite import with_base_url
from cardwright.serve.forms import Forms, forms_of
from cardwright.serve.pages import page
from cardwright.serve.sensitive import SensitiveCard, is_credential, sensitive
from cardwright.serve.settings import BadSettings, Settings
from cardwright.serve.views import AUDIENCES, Audience
from cardwright.signing import unsigned

if TYPE_CHECKING:
    from cardwright.card import Card


@dataclass(frozen=True, slots=True)
class RenderedCard:
    """What one audience sees of one card, as bytes: by form, media type and coding.

    Attributes:
        forms: The cards behind the bytes.
        contents: By the name of a form, the kind of media type, and the coding.
        modified: When the card was written, if it says so.
    """

    forms: Forms
    contents: dict[str, dict[str, Codings]]
    modified: datetime | None


@dataclass(frozen=True, slots=True)
class Published:
    """One card, as each audience sees it.

    Attributes:
        editions: None where an audience sees nothing.
        extended: Whether the card says that there is an extended card.
        differs: Whether audiences see different things.
    """

    editions: dict[Audience, RenderedCard | None]
    extended: bool
    differs: bool

    def offers(self, version: str) -> bool:
        """Whether any audience may have the form of a version."""
        return any(one is not None and version in one.forms.by_version for one in self.editions.values())


def published(name: str, card: Card, settings: Settings, told: str | None = None) -> Published:
    """Make one card ready to be served.

    Args:
        name: Its id.
        card: The card.
        settings: What the application says.
        told: The base URL that a trusted proxy tells, instead of the configured one.

    Raises:
        CardError: If the card has errors or tells what should not be told openly, a view or form is not
            possible, or something cannot be signed.
        OSError: If a signature cannot be kept.
    """
    if not settings.accept_errors:
        _check(card)
    placed = _placed(card, base_of(settings, told), settings)
    if settings.signing and told is not None and placed is not card:
        raise UnsignableCard(
            "a URL of the card was taken from a request, so whoever asks would choose what is signed:"
            " set the public URL, then sign"
        )
    views = settings.views_of(name)
    prefix = f"/{name}" if name else ""
    editions: dict[Audience, RenderedCard | None] = {"public": None}
    for audience in AUDIENCES if views else AUDIENCES[:1]:
        view = views.of(placed, audience, settings.checks)
        if view is not None and audience == "public":
            _check_openly(view, settings.publish_sensitive)
        shown = audience if views else None
        editions[audience] = None if view is None else render(view, settings, shown, prefix)
    capabilities = to_hub(card).document.get("capabilities")
    extended = type(capabilities) is dict and capabilities.get("extendedAgentCard") is True
    return Published(editions, extended, bool(views))


def _check(card: Card) -> None:
    """Refuse a card with errors, but for credentials, which may be told to those who authenticate."""
    if not all(is_credential(one.rule) for one in card.errors):
        raise InvalidCard(card.violations)


def _check_openly(card: Card, allowed: str | None) -> None:
    if allowed == "all":
        return
    findings = [one for one in sensitive(card) if not (allowed == "hosts" and one.internal_host)]
    if findings:
        raise SensitiveCard(findings)


def base_of(settings: Settings, told: str | None) -> str | None:
    """Return the public base URL: the one that is told, or the configured one."""
    return told or (settings.base_url if isinstance(settings.base_url, str) else None)


def _placed(card: Card, base: str | None, settings: Settings) -> Card:
    if base is None:
        return card
    placed = with_base_url(card, base)
    if placed is card or "signatures" not in card.document:
        return placed
    # Who signs here signs what is served here; what was signed elsewhere would not hold.
    if settings.signing:
        return unsigned(placed)
    raise BadSettings(
        "the card is signed, and the base URL would change what was signed:"
        " write the public URL into it and sign it again, or publish it with a key"
    )


def render(card: Card, settings: Settings, view: str | None = None, prefix: str = "") -> RenderedCard:
    """Return every form of a card as bytes, without a check of what it says.

    Args:
        card: The card, as its readers see it.
        settings: What the application says.
        view: Whose view it is, if views differ.
        prefix: The path below which the card is served.

    Raises:
        CardError: If a form is not possible.
        OSError: If a signature cannot be stored.
    """
    forms = forms_of(
        card,
        versions=settings.versions,
        default=settings.default,
        checks=settings.checks,
        signed=settings.signing.signed if settings.signing else None,
    )
    by_name: dict[str, Card] = {form.name: form.card for form in (*forms.by_version.values(), forms.default)}
    contents = {
        form: {
            JSON: coded(json_bytes(one.document)),
            YAML: coded(yaml_bytes(one.document)),
            HTML: coded(page(one, form, forms, view, prefix, settings)),
        }
        for form, one in by_name.items()
    }
    return RenderedCard(forms, contents, _modified(card, settings))


def _modified(card: Card, settings: Settings) -> datetime | None:
    """Return when the card was written; None where it does not say, or says a time to come."""
    kept = params_of(card.document, BEACH_EXTENSION_URI)
    said: Any = card.document.get("generatedAt", kept[1].get("generatedAt") if kept else None)
    try:
        moment = datetime.fromisoformat(said) if type(said) is str else None
    except ValueError:
        return None
    if moment is None or moment.tzinfo is None:
        return None
    # RFC 9110 §8.8.2.1: no later than the time of the answer.
    return moment.astimezone(UTC) if moment <= settings.clock() else None
