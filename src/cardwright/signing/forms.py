"""The bytes of a card that a signature covers: three canonical forms, and what each leaves out.

`spec` is A2A 1.0 §8.4.1 by the presence table that the schema states; `sdk` is what a2a-sdk 1.3 and
@a2a-js/sdk 1.3 compute; `as-received` is RFC 8785 of the document as it came. All three work on the
JSON value itself, never on an object that has lost something of it.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from cardwright.errors import NoCanonicalForm
from cardwright.jcs import canonical_bytes
from cardwright.signing.reduction import SdkReduction, Step, spec_form, spec_steps
from cardwright_models import DIALECTS
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card
    from cardwright.signing.reduction import Path

Profile = Literal["spec", "sdk", "as-received"]
# In this order a verifier tries them: `sdk` last, since only it leaves things uncovered.
PROFILES: Final[tuple[Profile, ...]] = ("spec", "as-received", "sdk")
# A2A signs cards since 0.3; an older one has members of the same names, and nothing else to go by.
_SINCE: Final = "a2a-0.3"
_REQUIREMENTS: Final = "securityRequirements"
# A verdict names what is uncovered in so many characters, and else what stands above it (ours): one long
# name with many small members below it would be a hundred thousand times as long as the card.
MAX_POINTER_CHARACTERS: Final = 64 * 1024

assert set(PROFILES) == set(get_args(Profile))  # noqa: S101 - two spellings of one list


@dataclass(frozen=True, slots=True)
class Form:
    """One canonical form of one card.

    Attributes:
        profile: By which rules.
        body: The bytes that are signed.
        uncovered: Pointers to what the card says and the bytes do not, or to what stands above it.
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
        return Form(profile, canonical_bytes(rest, decoded=True), ())
    if profile == "spec":
        rules = _rules(card)
        # Left out is only what says the same as its absence, so that nothing is uncovered; but where a
        # hybrid's newer half says nothing, its older half is asked.
        silent = [
            step.path
            for step in (spec_steps(rest, rules) if DIALECTS[str(card.dialect)].halves else ())
            if not step.kept and step.path[-1] == _REQUIREMENTS
        ]
        return Form(profile, canonical_bytes(spec_form(rest, rules), decoded=True), _pointers(silent))
    _check_read(card)
    reduction = SdkReduction()
    kept = reduction.card(rest)
    # A requirement without scopes leaves no trace in these bytes: that there is none is not signed either.
    unsaid: list[Path] = [] if _demands_all(kept) else [(_REQUIREMENTS,)]
    return Form(profile, canonical_bytes(kept, decoded=True), _pointers([*reduction.uncovered, *unsaid]))


def explain(card: Card, profile: Profile) -> Iterator[Step]:
    """Yield what a canonical form does with each member, in the order of the card.

    Raises:
        NoCanonicalForm: As `canonical_form`.
    """
    rest = _unsigned(card)
    if profile == "spec":
        yield from spec_steps(rest, _rules(card))
    elif profile == "sdk":
        _check_read(card)
        reduction = SdkReduction(telling=True)
        reduction.card(rest)
        yield from reduction.steps
    else:
        yield from (Step((name,), kept=True, rule="as-received") for name in rest)
    if "signatures" in card.document:
        yield Step(("signatures",), kept=False, rule="signatures")


def _unsigned(card: Card) -> dict[str, Any]:
    if type(card.document) is not dict:
        raise NoCanonicalForm("this is no JSON object, so it is no agent card")
    return {name: value for name, value in card.document.items() if name != "signatures"}


def _demands_all(kept: dict[str, Any]) -> bool:
    """Whether there are requirements, and each scheme is named by one: else some may have been taken out."""
    alternatives = [
        requirement for part in (kept, *kept.get("skills", ())) for requirement in part.get(_REQUIREMENTS, ())
    ]
    named = {name for requirement in alternatives for name in requirement["schemes"]}
    return _REQUIREMENTS in kept and named >= kept.get("securitySchemes", {}).keys()


def _check_read(card: Card) -> None:
    if DIALECTS[str(card.dialect)].family != "a2a":
        raise NoCanonicalForm(f"the SDKs read no document of {card.dialect}: use as-received")


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


def _pointers(paths: list[Path]) -> tuple[str, ...]:
    """Return pointers to paths; where they would be endless, to what stands above them."""

    def cut(depth: int) -> dict[Path, None]:
        return dict.fromkeys(path[:depth] for path in paths)

    def is_long(depth: int) -> bool:
        return sum(len(str(step)) + 1 for path in cut(depth) for step in path) > MAX_POINTER_CHARACTERS

    if not paths:
        return ()
    deepest = max(map(len, paths))
    depth = bisect_left(range(1, deepest + 1), True, key=is_long)  # noqa: FBT003 - what is looked for
    return tuple(pointer_of(path) for path in cut(max(1, depth)))
