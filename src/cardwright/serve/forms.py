"""The forms in which one view of a card is offered: a version of A2A each, and what is served by default."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.conversion import convert, to_hub
from cardwright.conversion.interfaces import major_minor
from cardwright.errors import CardError, InvalidCard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.card import Card
    from cardwright.conversion import ConversionReport

Version = Literal["1.0", "0.3", "0.2", "0.1"]
Default = Literal["hybrid", "as-written", "1.0", "0.3", "0.2", "0.1"]
# Newest first.
VERSIONS: Final[tuple[Version, ...]] = get_args(Version)
DEFAULTS: Final[tuple[Default, ...]] = get_args(Default)
_LOG: Final = logging.getLogger("cardwright.serve")


class BadForms(CardError):
    """A form cannot be offered: the message says which, and what to offer instead."""


@dataclass(frozen=True, slots=True)
class Form:
    """A card in the form of one version.

    Attributes:
        name: `1.0`, `0.3`, `0.2`, `0.1`, `hybrid` or `as-written`.
        card: The card in this form, without errors.
        report: What the form lost and assumed; None where the card was written in it.
    """

    name: Default
    card: Card
    report: ConversionReport | None = None


@dataclass(frozen=True, slots=True)
class Forms:
    """All forms of a card.

    Attributes:
        by_version: Those that a version asks for, the newest first.
        default: What is served where no version is named.
    """

    by_version: dict[str, Form]
    default: Form

    @property
    def oldest(self) -> Form:
        """Return what those get who ask at the older path: the oldest form, or the default without any."""
        return next(reversed(self.by_version.values()), self.default)

    def named(self, name: str) -> Form:
        """Return the form of a name."""
        return self.by_version.get(name, self.default)


def spoken(card: Card) -> tuple[Version, ...]:
    """Return the versions of A2A that a card's interfaces say they speak, the newest first.

    >>> from cardwright import Card
    >>> spoken(Card.from_document({"name": "A", "url": "https://a.example", "protocolVersion": "0.3.0"}))
    ('0.3',)
    """
    if card.dialect.family == "mcp":
        return ()
    interfaces = to_hub(card).document.get("supportedInterfaces")
    listed = [item for item in interfaces if type(item) is dict] if type(interfaces) is list else []
    said = {major_minor(item.get("protocolVersion")) for item in listed}
    return tuple(version for version in VERSIONS if version in said)


def forms_of(
    card: Card,
    *,
    versions: Sequence[Version] | None = None,
    default: Default | None = None,
    checks: Checks = DEFAULT_CHECKS,
    signed: Callable[[Card], Card] | None = None,
) -> Forms:
    """Return the forms of a card, each converted, judged and signed.

    Args:
        card: What is offered.
        versions: Which are offered; those that its interfaces say they speak where not given, and of these
            only the ones that the card can be turned into without an error.
        default: What is served where no version is named. Where not given: a Beach or MCP card, and a
            signed one that is not signed here, as it was written; else the hybrid where A2A 0.3 is
            offered, or the newest form.
        checks: The registries and rule sets to validate the forms with.
        signed: What signs a form, if anything does; it returns the card itself where it has no signatures.

    Raises:
        BadForms: If a version or default that was asked for is not one, or has errors for this card.
    """
    offered: dict[str, Form] = {}
    for version in _ordered(versions) if versions is not None else spoken(card):
        try:
            offered[version] = _form(card, version, checks)
        except BadForms as error:
            if versions is not None:
                raise
            _LOG.warning("A2A %s is not offered: %s", version, error)
    name = default or _default(card, offered, signs=signed is not None)
    if name not in DEFAULTS:
        raise BadForms(f"there is no default {name!r}: it is one of {', '.join(DEFAULTS)}")
    chosen = offered.get(name) or _form(card, name, checks)
    if signed is not None:
        offered = {version: _signed(form, signed) for version, form in offered.items()}
        chosen = offered.get(name) or _signed(chosen, signed)
    return Forms(offered, chosen)


def _ordered(versions: Sequence[str]) -> list[Version]:
    for version in versions:
        if version not in VERSIONS:
            raise BadForms(f"A2A {version!r} is no version that is known: those are {', '.join(VERSIONS)}")
    return [version for version in VERSIONS if version in versions]


def _default(card: Card, offered: dict[str, Form], *, signs: bool) -> Default:
    written = card.dialect.family != "a2a" or ("signatures" in card.document and not signs)
    if written or not offered:
        return "as-written"
    return "hybrid" if "0.3" in offered else next(iter(offered.values())).name


def _form(card: Card, name: Default, checks: Checks) -> Form:
    dialect = f"a2a-{name}"
    if name == "as-written" or dialect == str(card.dialect):
        return Form(name, card)
    made, report = convert(card, to=dialect, checks=checks)
    known = {one.rule for one in card.errors}
    errors = [one for one in made.errors if one.rule not in known]
    if errors:
        raise BadForms(f"the card cannot be turned into A2A {name}: {InvalidCard(errors)}")
    return Form(name, made, report)


def _signed(form: Form, signed: Callable[[Card], Card]) -> Form:
    return Form(form.name, signed(form.card), form.report)
