"""The bytes of a card that a signature covers: three canonical forms, and what each leaves out.

`spec` is A2A 1.0 §8.4.1 by the presence table that the schema states; `sdk` is what a2a-sdk 1.3 and
@a2a-js/sdk 1.3 compute; `as-received` is RFC 8785 of the document as it came. All three work on the
JSON value itself, never on an object that has lost something of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from cardwright.canonical import canonical_bytes
from cardwright.errors import NoCanonicalForm
from cardwright.signing.reduction import SdkReduction, Step, spec_form, spec_steps
from cardwright_models import DIALECTS
from cardwright_models.violation import pointer_of

if TYPE_CHECKING:
    from cardwright.card import Card

Profile = Literal["spec", "sdk", "as-received"]
# In this order a verifier tries them: `sdk` last, since only it leaves things uncovered.
PROFILES: Final[tuple[Profile, ...]] = ("spec", "as-received", "sdk")
# A2A signs cards since 0.3; an older one has members of the same names, and nothing else to go by.
_SINCE: Final = "a2a-0.3"
_REQUIREMENTS: Final = "securityRequirements"

assert set(PROFILES) == set(get_args(Profile))  # noqa: S101 - two spellings of one list


@dataclass(frozen=True, slots=True)
class Form:
    """One canonical form of one card.

    Attributes:
        profile: By which rules.
        body: The bytes that are signed.
        uncovered: Pointers to what the card says and the bytes do not.
    """

    profile: Profile
    body: bytes
    uncovered: tuple[str, ...]


def canonical_form(card: Card, *, profile: Profile = "spec") -> bytes:
    """Return the bytes of a card that a signature covers: RFC 8785 of what the profile keeps.

    The card may be invalid; its `signatures` are never part of it.

    Args:
        card: The card as it was received.
        profile: `spec` (A2A 1.0 §8.4.1), `sdk` (what a2a-sdk and @a2a-js/sdk compute) or `as-received`.

    Raises:
        NoCanonicalForm: If the profile defines no bytes for this card, as `spec` does for a dialect
            whose schema says nothing about presence, and `sdk` for what an SDK refuses to read.

    >>> from cardwright import Card
    >>> card = Card.from_document({"name": "A", "skills": [], "iconUrl": ""}, dialect="a2a-1.0")
    >>> canonical_form(card)
    b'{"iconUrl":"","name":"A","skills":[]}'
    >>> canonical_form(card, profile="sdk")
    b'{"name":"A"}'
    """
    return form_of(card, profile).body


def form_of(card: Card, profile: Profile) -> Form:
    """Return a canonical form and what it leaves uncovered.

    Raises:
        NoCanonicalForm: As `canonical_form`.
    """
    rest = _unsigned(card)
    if profile == "as-received":
        return Form(profile, canonical_bytes(rest), ())
    if profile == "spec":
        # Left out is only what says the same as its absence, so that nothing is uncovered.
        return Form(profile, canonical_bytes(spec_form(rest, _rules(card))), ())
    reduction = SdkReduction()
    kept = reduction.card(rest)
    return Form(profile, canonical_bytes(kept), _uncovered(reduction, kept))


def explain(card: Card, profile: Profile) -> tuple[Step, ...]:
    """Return what a canonical form does with each member, in the order of the card.

    Raises:
        NoCanonicalForm: As `canonical_form`.
    """
    rest = _unsigned(card)
    if profile == "spec":
        steps = spec_steps(rest, _rules(card))
    elif profile == "sdk":
        reduction = SdkReduction(telling=True)
        reduction.card(rest)
        steps = iter(reduction.steps)
    else:
        steps = (((name,), True, "as-received") for name in rest)
    told = [Step(pointer_of(path), kept=kept, rule=rule) for path, kept, rule in steps]
    if "signatures" in card.document:
        told.append(Step("/signatures", kept=False, rule="signatures"))
    return tuple(told)


def _unsigned(card: Card) -> dict[str, Any]:
    if type(card.document) is not dict:
        raise NoCanonicalForm("this is no JSON object, so it is no agent card")
    return {name: value for name, value in card.document.items() if name != "signatures"}


def _rules(card: Card) -> str:
    """Return the dialect by whose table a card is reduced; a hybrid is signed as the newer of its halves."""
    row = DIALECTS[str(card.dialect)]
    if row.halves:
        return row.halves[0]
    if row.states_presence:
        return row.name
    if row.family == "a2a":
        return _SINCE
    raise NoCanonicalForm(
        f"the profile spec has no rules for a document of {row.name}: use as-received, or convert it to a2a-1.0"
    )


def _uncovered(reduction: SdkReduction, kept: dict[str, Any]) -> tuple[str, ...]:
    uncovered = list(dict.fromkeys(pointer_of(path) for path in reduction.uncovered))
    missing = f"/{_REQUIREMENTS}"
    # A requirement without scopes leaves no trace in these bytes: that there is none is not signed either.
    if _REQUIREMENTS not in kept and missing not in uncovered:
        uncovered.append(missing)
    return tuple(uncovered)
