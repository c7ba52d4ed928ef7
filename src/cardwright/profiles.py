"""What platforms take of a card: a valid card is not taken everywhere. Only what a public source states is a rule here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadArgument
from cardwright_rules import DIALECTS
from cardwright_runtime.engine import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    import jsonschema_rs

    from cardwright.card import Card

__all__ = ["Objection", "Profile", "objections", "profile", "profiles"]

FORM: Final = "form"


@dataclass(frozen=True, slots=True)
class Objection:
    """A rule of a platform that a card does not meet.

    Attributes:
        rule: The rule's id in the profile; `form` for the version of A2A.
        pointer: The place in the card (RFC 6901).
        message: What the platform takes.
        source: The public page that states it.
        read: The day on which it was read, as YYYY-MM-DD.
    """

    rule: str
    pointer: str
    message: str
    source: str
    read: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What one platform takes.

    Attributes:
        name: Its name, such as `gemini-enterprise`.
        title: The platform's name.
        about: How the platform uses a card.
        forms: The dialects that it reads, the best first; None if no source states them.
        rules: The ids of its further rules.
        unknown: What no source states.
        read: The day on which the sources were read, as YYYY-MM-DD.
    """

    name: str
    title: str
    about: str
    forms: tuple[str, ...] | None
    rules: tuple[str, ...]
    unknown: tuple[str, ...]
    read: str

    @property
    def is_known(self) -> bool:
        """Whether any source states what the platform takes."""
        return bool(self.forms or self.rules)


def profiles() -> Mapping[str, Profile]:
    """Return all profiles by name.

    >>> profiles()["servicenow"].forms
    ('a2a-0.3',)
    """
    return {
        name: Profile(
            name,
            entry["title"],
            entry["about"],
            None if entry["forms"] is None else tuple(entry["forms"]),
            tuple(rule["id"] for rule in entry["rules"]),
            tuple(entry["unknown"]),
            entry["read"],
        )
        for name, entry in _entries().items()
    }


def profile(name: str) -> Profile:
    """Return the profile of a platform.

    Raises:
        BadArgument: If there is no such profile; the message lists those that exist.
    """
    found = profiles().get(name)
    if found is None:
        raise BadArgument("platform", f"there is no profile {name!r}; known: {', '.join(profiles())}")
    return found


def objections(card: Card, name: str) -> tuple[Objection, ...]:
    """Return the rules of a platform that a card does not meet; empty if none is known.

    A card in a form that the platform does not read gets this one objection: the other rules are about the form.

    >>> from cardwright import Card
    >>> card = Card.from_document({"name": "A", "supportedInterfaces": [], "skills": []})
    >>> [(one.rule, one.message) for one in objections(card, "servicenow")]
    [('form', 'reads a2a-0.3, and the card is a2a-1.0')]

    Raises:
        BadArgument: If there is no profile of that name.
    """
    profile(name)
    entry = _entries()[name]
    dialect = DIALECTS[str(card.dialect)]
    forms = entry["forms"]
    if forms is not None and not {dialect.name, *dialect.halves} & set(forms):
        message = f"reads {' or '.join(forms)}, and the card is {dialect.name}"
        return (Objection(FORM, "", message, entry["formsSource"], entry["read"]),)
    return tuple(
        Objection(rule["id"], rule["at"], rule["message"], rule["source"], entry["read"])
        for index, rule in enumerate(entry["rules"])
        if not _is_met(name, index, rule, card)
    )


def _is_met(name: str, index: int, rule: dict[str, Any], card: Card) -> bool:
    if "valid" in rule:
        return card.valid
    if "maxCharacters" in rule:
        import orjson

        characters: int = rule["maxCharacters"]
        return len(orjson.dumps(card.document).decode()) <= characters
    return _validator(name, index).is_valid(card.document)


@cache
def _validator(name: str, index: int) -> jsonschema_rs.Validator:
    from cardwright_runtime.engine import compile_schema

    return compile_schema(_entries()[name]["rules"][index]["schema"])


@cache
def _entries() -> dict[str, dict[str, Any]]:
    return {entry["name"]: entry for entry in load("cardwright_rules", "platforms.json")["profiles"]}
