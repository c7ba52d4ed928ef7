"""Rendering of a card: every view, form, media type and coding as bytes, before the first request."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from cardwright.conversion import to_hub
from cardwright.conversion.extensions import params_of
from cardwright.errors import InvalidCard, UnsignableCard
from cardwright.http.negotiation import HTML, JSON, YAML
from cardwright.http.representation import Codings, coded, json_bytes, yaml_bytes
from cardwright.rewrite import with_base_url
from cardwright.serve.forms import Form, Forms, forms_of
from cardwright.serve.pages import page
from cardwright.serve.sensitive import SensitiveCard, is_credential, sensitive
from cardwright.serve.settings import BadSettings, Settings
from cardwright.serve.views import AUDIENCES, Audience
from cardwright.signing import unsigned
from cardwright.view import flag
from cardwright.view.interfaces import BEACH_EXTENSION_URI

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card

# The bytes of a form by the kind of media type and the coding.
Contents: TypeAlias = dict[str, Codings]

# The maximum size of a card in JSON that is rendered as YAML: 1.5 s for each megabyte (measured; project decision).
_MAX_YAML_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class RenderedCard:
    """One view of a card as bytes, by form, media type and coding.

    Attributes:
        forms: The forms of the card.
        render_form: Returns a form as bytes, by the kind of media type and the coding.
        modified: When the card was written, if it declares that.
        contents: The bytes of the forms that are rendered, by the name of the form.
    """

    forms: Forms
    render_form: Callable[[Form], Contents]
    modified: datetime | None
    contents: dict[str, Contents]

    def content(self, form: Form) -> Contents:
        """Return a form as bytes; one that was not requested before is rendered now."""
        contents = self.contents.get(form.name)
        if contents is None:
            contents = self.contents[form.name] = self.render_form(form)
        return contents


@dataclass(frozen=True, slots=True)
class Published:
    """One card, rendered for each audience.

    Attributes:
        rendered: The card by audience; None if an audience does not see the card.
        extended: Whether the card declares an extended card.
        differs: Whether audiences see different views.
        internal: Whether the public view names internal hosts, which web pages of other origins must not read.
    """

    rendered: dict[Audience, RenderedCard | None]
    extended: bool
    differs: bool
    internal: bool = False

    def offers(self, version: str) -> bool:
        """Return whether the form of a version is offered to any audience."""
        return any(card is not None and version in card.forms.by_version for card in self.rendered.values())


def published(name: str, card: Card, settings: Settings, proxy_url: str | None = None) -> Published:
    """Render one card for each audience.

    Args:
        name: Its id.
        card: The card.
        settings: The settings of the application.
        proxy_url: The base URL from a trusted proxy, instead of the configured one.

    Raises:
        CardError: If the card has errors, its public view is sensitive, a view or form is not possible, or it cannot
            be signed.
        OSError: If a signature cannot be stored.
    """
    if not settings.accept_errors:
        _check(card)
    rebased = _rebased(card, base_of(settings, proxy_url), settings)
    if settings.signing and proxy_url is not None and rebased is not card:
        raise UnsignableCard(
            "the URL of the card comes from a request, so a caller could choose what is signed; set base_url to the"
            " public URL to sign the card"
        )
    views = settings.views_of(name)
    prefix = f"/{name}" if name else ""
    rendered: dict[Audience, RenderedCard | None] = {"public": None}
    internal = False
    for audience in AUDIENCES if views else AUDIENCES[:1]:
        view = views.of(rebased, audience, settings.checks)
        if view is not None and audience == "public":
            internal = _names_internal_hosts(view, settings.publish_sensitive)
        view_name = audience if views else None
        rendered[audience] = None if view is None else render(view, settings, view_name, prefix)
    return Published(rendered, flag(to_hub(card).document, "extendedAgentCard"), bool(views), internal)


def _check(card: Card) -> None:
    """Raise if a card has errors other than credentials, which a view may hide from the public."""
    if not all(is_credential(error.rule) for error in card.errors):
        raise InvalidCard(card.violations)


def _names_internal_hosts(card: Card, allowed: str | None) -> bool:
    """Return whether a public view names internal hosts.

    Raises:
        SensitiveCard: If it is sensitive, and that is not allowed.
    """
    found = sensitive(card)
    findings = [finding for finding in found if not (allowed == "hosts" and finding.internal_host)]
    if findings and allowed != "all":
        raise SensitiveCard(findings)
    return any(finding.internal_host for finding in found)


def base_of(settings: Settings, proxy_url: str | None) -> str | None:
    """Return the public base URL: from a trusted proxy, or from the settings."""
    return proxy_url or (settings.base_url if isinstance(settings.base_url, str) else None)


def _rebased(card: Card, base: str | None, settings: Settings) -> Card:
    if base is None:
        return card
    rebased = with_base_url(card, base)
    if rebased is card or "signatures" not in card.document:
        return rebased
    # The existing signatures are no longer valid for the new URLs; the card is signed again below.
    if settings.signing:
        return unsigned(rebased)
    raise BadSettings(
        "the base URL would make the signatures of the card invalid; write the public URL into the card and sign it"
        " again, or serve it with a signing key"
    )


def render(card: Card, settings: Settings, view: str | None = None, prefix: str = "") -> RenderedCard:
    """Render the forms of a card, without checking it: the default, and those of its interfaces' versions.

    Args:
        card: The card.
        settings: The settings of the application.
        view: The audience of this view, if views differ.
        prefix: The path below which the card is served.

    Raises:
        CardError: If a form is not possible.
        OSError: If a signature cannot be stored.
    """
    forms = forms_of(
        card,
        default=settings.default,
        checks=settings.checks,
        signed=settings.signing.signed if settings.signing else None,
    )

    def render_form(form: Form) -> Contents:
        body = json_bytes(form.card.document)
        # JSON is YAML, too (YAML 1.2 §1.3); with a line end, so that its ETag is another one.
        as_yaml = yaml_bytes(form.card.document) if len(body) <= _MAX_YAML_BYTES else body + b"\n"
        return {
            JSON: coded(body),
            YAML: coded(as_yaml),
            HTML: coded(page(form.card, form.name, forms, view, prefix, settings)),
        }

    named = {form.name: form for form in (*forms.by_version.values(), forms.default)}
    contents: dict[str, Contents] = {name: render_form(form) for name, form in named.items()}
    return RenderedCard(forms, render_form, _modified(card, settings), contents)


def _modified(card: Card, settings: Settings) -> datetime | None:
    """Return when the card was written, or None if it does not declare that or declares a future time."""
    beach = params_of(card.document, BEACH_EXTENSION_URI)
    text: Any = card.document.get("generatedAt", beach[1].get("generatedAt") if beach else None)
    try:
        moment = datetime.fromisoformat(text) if type(text) is str else None
    except ValueError:
        return None
    if moment is None or moment.tzinfo is None:
        return None
    # RFC 9110 §8.8.2.1: Last-Modified is not later than the response.
    return moment.astimezone(UTC) if moment <= settings.clock() else None
