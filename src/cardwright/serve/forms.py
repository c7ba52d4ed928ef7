"""The forms of a card: one for each version of its interfaces, the form of 1.0, and the default."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.conversion import convert, to_hub
from cardwright.errors import CardError, InvalidCard
from cardwright.view.interfaces import major_minor
from cardwright_runtime.checks import objects

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.conversion import ConversionReport

Version = Literal["1.0", "0.3", "0.2", "0.1"]
Default = Literal["hybrid", "as-written", "1.0", "0.3", "0.2", "0.1"]
# The newest first.
VERSIONS: Final[tuple[Version, ...]] = get_args(Version)
DEFAULTS: Final[tuple[Default, ...]] = get_args(Default)
_LOG: Final = logging.getLogger("cardwright.serve")


class BadForms(CardError):
    """A form cannot be offered; the message says which one and why."""


@dataclass(frozen=True, slots=True)
class Form:
    """A card in the form of one version.

    Attributes:
        name: `1.0`, `0.3`, `0.2`, `0.1`, `hybrid` or `as-written`.
        card: The card in this form, without errors.
        report: The losses and assumptions of the conversion; None if the card was not converted.
    """

    name: Default
    card: Card
    report: ConversionReport | None = None


@dataclass(frozen=True, slots=True)
class Forms:
    """All forms of a card.

    Attributes:
        by_version: The form of each version that an interface of the card has, the newest first.
        default: The form for a request without a version.
        newer: The form of 1.0 if no interface has that version: there each interface says its own. None if the card
            cannot be converted to it. An older form would say that the interfaces have its version.
    """

    by_version: dict[str, Form]
    default: Form
    newer: Form | None = None

    @property
    def oldest(self) -> Form:
        """The form at the legacy path: the oldest version, or the default if no version is offered."""
        return next(reversed(self.by_version.values()), self.default)

    def find(self, name: str) -> Form | None:
        """Return the form with this name, or None."""
        every = (self.default, *self.by_version.values(), self.newer)
        return next((form for form in every if form and form.name == name), None)


def supported_versions(card: Card) -> tuple[Version, ...]:
    """Return the A2A versions that a card's interfaces declare, the newest first.

    >>> from cardwright import Card
    >>> supported_versions(Card.from_document({"name": "A", "url": "https://a.example", "protocolVersion": "0.3.0"}))
    ('0.3',)
    """
    if card.dialect.family == "mcp":
        return ()
    interfaces = objects(to_hub(card).document.get("supportedInterfaces"))
    declared = {major_minor(item.get("protocolVersion")) for _, item in interfaces}
    return tuple(version for version in VERSIONS if version in declared)


def forms_of(
    card: Card,
    *,
    default: Default | None = None,
    checks: Checks = DEFAULT_CHECKS,
    signed: Callable[[Card], Card] | None = None,
) -> Forms:
    """Return the forms of a card, each converted, validated and signed.

    Args:
        card: The card.
        default: The form for a request without a version. Default: `as-written` for a card without interfaces of A2A
            and a signed card that is not signed here; else `hybrid` if A2A 0.3 is offered, or the newest version.
        checks: The registries and rule sets to validate the forms with.
        signed: A function that signs a form; it returns a card of a dialect without signatures unchanged.

    Raises:
        BadForms: If the default is unknown, or the card cannot be converted to it without errors.
    """
    offered: dict[str, Form] = {}
    newer: Form | None = None
    for version in supported_versions(card):
        try:
            offered[version] = _form(card, version, checks)
        except BadForms as error:
            _LOG.warning("A2A %s is not offered: %s", version, error)
    if VERSIONS[0] not in offered:
        with suppress(BadForms):
            newer = _form(card, VERSIONS[0], checks)
    name = default or _default(card, offered, signs=signed is not None)
    if name not in DEFAULTS:
        raise BadForms(f"unknown default {name!r}; known values: {', '.join(DEFAULTS)}")
    chosen = offered.get(name) or _form(card, name, checks)
    if signed is not None:
        offered = {version: _signed(form, signed) for version, form in offered.items()}
        chosen = offered.get(name) or _signed(chosen, signed)
        newer = _signed(newer, signed) if newer else None
    return Forms(offered, chosen, newer)


def _default(card: Card, offered: dict[str, Form], *, signs: bool) -> Default:
    if not offered or ("signatures" in card.document and not signs):
        return "as-written"
    return "hybrid" if "0.3" in offered else next(iter(offered.values())).name


def _form(card: Card, name: Default, checks: Checks) -> Form:
    dialect = f"a2a-{name}"
    if name == "as-written" or dialect == str(card.dialect):
        return Form(name, card)
    converted, report = convert(card, to=dialect, checks=checks)
    known = {error.rule for error in card.errors}
    errors = [error for error in converted.errors if error.rule not in known]
    if errors:
        raise BadForms(f"the card cannot be converted to A2A {name}: {InvalidCard(errors)}")
    return Form(name, converted, report)


def _signed(form: Form, signed: Callable[[Card], Card]) -> Form:
    return Form(form.name, signed(form.card), form.report)
