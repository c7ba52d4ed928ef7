"""The three canonical forms of a card, the bytes that a signature covers.

`spec` is A2A 1.0 §8.4.1, with the presence table of the schema; `sdk` is computed as in a2a-sdk 1.3 and
@a2a-js/sdk 1.3; `as-received` is RFC 8785 of the unchanged document. All three are computed from the JSON value, so
that no field is lost.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from cardwright.errors import NoCanonicalForm
from cardwright.jcs import canonical_bytes
from cardwright.signing.reduction import SdkReduction, Step, spec_form, spec_steps
from cardwright_rules import DIALECTS
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card
    from cardwright.signing.reduction import Path

Profile = Literal["spec", "sdk", "as-received"]
# The order in which a verifier tries them: `sdk` last, since it leaves fields uncovered.
PROFILES: Final[tuple[Profile, ...]] = ("spec", "as-received", "sdk")
# The first version with signatures; its rules are used for older versions, whose fields have the same names.
_SINCE: Final = "a2a-0.3"
_REQUIREMENTS: Final = "securityRequirements"
# The maximum length of all uncovered pointers; beyond it their parents are named (project decision). One long name with
# many small fields below it would otherwise be a hundred thousand times as long as the card.
MAX_POINTER_CHARACTERS: Final = 64 * 1024

assert set(PROFILES) == set(get_args(Profile))  # noqa: S101 - the same list twice


@dataclass(frozen=True, slots=True)
class Form:
    """A canonical form of a card.

    Attributes:
        profile: The profile of the form.
        body: The bytes to sign.
        uncovered: Pointers to the fields that the bytes do not contain, or to their parents.
    """

    profile: Profile
    body: bytes
    uncovered: tuple[str, ...]


def canonical_form(card: Card, *, profile: Profile = "spec") -> bytes:
    """Return the bytes of a card that a signature covers: RFC 8785 of the fields that the profile keeps.

    The card may be invalid. Its `signatures` are never part of the form.

    Args:
        card: The card as it was received.
        profile: `spec` (A2A 1.0 §8.4.1), `sdk` (as a2a-sdk and @a2a-js/sdk compute it) or `as-received`.

    Raises:
        NoCanonicalForm: If the profile defines no form for this card: `spec` for a dialect whose schema does not define
            presence, `sdk` for a card that an SDK cannot read.

    >>> from cardwright import Card
    >>> card = Card.from_document({"name": "A", "skills": [], "iconUrl": ""}, dialect="a2a-1.0")
    >>> canonical_form(card)
    b'{"iconUrl":"","name":"A","skills":[]}'
    >>> canonical_form(card, profile="sdk")
    b'{"name":"A"}'
    """
    return form_of(card, profile).body


def form_of(card: Card, profile: Profile) -> Form:
    """Return a canonical form and its uncovered pointers.

    Raises:
        NoCanonicalForm: As `canonical_form`.
    """
    rest = _unsigned(card)
    if profile == "as-received":
        return Form(profile, canonical_bytes(rest, decoded=True), ())
    if profile == "spec":
        rules = _rules(card)
        # A field at its default means the same as a missing one, so leaving it out leaves nothing uncovered; except
        # for security requirements of a hybrid, where a missing field of the newer half means that of the older half.
        uncovered = [
            step.path
            for step in (spec_steps(rest, rules) if DIALECTS[str(card.dialect)].halves else ())
            if not step.is_kept and step.path[-1] == _REQUIREMENTS
        ]
        return Form(profile, canonical_bytes(spec_form(rest, rules), decoded=True), _pointers(uncovered))
    _check_read(card)
    reduction = SdkReduction()
    reduced = reduction.card(rest)
    # A requirement without scopes leaves no trace in these bytes, so the absence of one is not signed either.
    requirements: list[Path] = [] if _requires_all_schemes(reduced) else [(_REQUIREMENTS,)]
    uncovered = [*reduction.uncovered, *requirements]
    return Form(profile, canonical_bytes(reduced, decoded=True), _pointers(uncovered))


def explain(card: Card, profile: Profile) -> Iterator[Step]:
    """Yield for each field of a card whether a canonical form keeps it, and why, in the order of the card.

    Raises:
        NoCanonicalForm: As `canonical_form`.
    """
    rest = _unsigned(card)
    if profile == "spec":
        yield from spec_steps(rest, _rules(card))
    elif profile == "sdk":
        _check_read(card)
        reduction = SdkReduction(record_steps=True)
        reduction.card(rest)
        yield from reduction.steps
    else:
        yield from (Step((name,), is_kept=True, rule="as-received") for name in rest)
    if "signatures" in card.document:
        yield Step(("signatures",), is_kept=False, rule="signatures")


def _unsigned(card: Card) -> dict[str, Any]:
    if type(card.document) is not dict:
        raise NoCanonicalForm("expected an agent card, which is a JSON object")
    return {name: value for name, value in card.document.items() if name != "signatures"}


def _requires_all_schemes(card: dict[str, Any]) -> bool:
    """Return whether the requirements name every security scheme; otherwise one may have been removed."""
    alternatives = [
        requirement for part in (card, *card.get("skills", ())) for requirement in part.get(_REQUIREMENTS, ())
    ]
    named = {name for requirement in alternatives for name in requirement["schemes"]}
    return _REQUIREMENTS in card and named >= card.get("securitySchemes", {}).keys()


def _check_read(card: Card) -> None:
    if DIALECTS[str(card.dialect)].family != "a2a":
        raise NoCanonicalForm(f"the SDKs cannot read a {card.dialect} card: use as-received")


def _rules(card: Card) -> str:
    """Return the dialect whose presence table applies to a card; for a hybrid, that of its newer half."""
    row = DIALECTS[str(card.dialect)]
    if row.halves:
        return row.halves[0]
    if row.states_presence:
        return row.name
    if row.family == "a2a":
        return _SINCE
    raise NoCanonicalForm(
        f"the profile spec has no rules for a {row.name} card: use as-received, or convert it to a2a-1.0"
    )


def _pointers(paths: list[Path]) -> tuple[str, ...]:
    """Return pointers to paths, or to their ancestors if the pointers would be too long."""

    def cut(depth: int) -> dict[Path, None]:
        return dict.fromkeys(path[:depth] for path in paths)

    def is_long(depth: int) -> bool:
        return sum(len(str(step)) + 1 for path in cut(depth) for step in path) > MAX_POINTER_CHARACTERS

    if not paths:
        return ()
    deepest = max(map(len, paths))
    depth = bisect_left(range(1, deepest + 1), True, key=is_long)  # noqa: FBT003 - the value to find
    return tuple(pointer_of(path) for path in cut(max(1, depth)))
