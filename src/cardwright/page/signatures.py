"""The state of a card's signatures, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from cardwright.outline.fields import words
from cardwright.signing.header import MAX_SIGNATURES, Unacceptable, read_header
from cardwright.view.fields import items

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.signing import SignatureVerdict, Verification

State = Literal["unsigned", "unchecked", "verified", "partly", "failed"]

# Pointers on a page (project decision).
_MAX_UNCOVERED: Final = 20
_SUMMARIES: Final[dict[State, str]] = {
    "unsigned": "This card is not signed: there is no proof of who wrote it.",
    "unchecked": "This card is signed. The signatures were not checked for this page.",
    "verified": "A trusted key signed this card, and it has not been changed since.",
    "partly": "A trusted key signed this card, but the signature does not cover important parts of it.",
    "failed": "No signature of this card is valid: do not trust the provider that it names.",
}
_OWN: Final = "This server signed the card with its own key: verify it with a key set that you trust."
_LABELS: Final[dict[State, str]] = {
    "unsigned": "unsigned",
    "unchecked": "signed, not checked",
    "verified": "signature verified",
    "partly": "signature verified in part",
    "failed": "signature not verified",
}


@dataclass(frozen=True, slots=True)
class SignatureView:
    """A signature: its key, the result of verification, and the uncovered pointers."""

    kid: str
    alg: str
    state: Literal["verified", "failed", "unchecked"]
    result: str
    uncovered: tuple[str, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class SignaturesView:
    """All signatures of a card."""

    state: State
    label: str
    summary: str
    signatures: tuple[SignatureView, ...]


def signatures_view(
    card: Card, verification: Verification | None, *, own_key: bool = False
) -> SignaturesView:
    """Return the view of the signatures; `verification` is None if they were not checked."""
    entries = items(card.document, "signatures")
    state = _state(entries, verification)
    views = (
        [_checked(signature) for signature in verification.signatures]
        if verification
        else _unchecked(entries)
    )
    summary = _OWN if own_key and state == "verified" else _SUMMARIES[state]
    return SignaturesView(state, _LABELS[state], summary, tuple(views[:MAX_SIGNATURES]))


def _state(entries: list[Any], verification: Verification | None) -> State:
    if verification is None:
        return "unchecked" if entries else "unsigned"
    if not verification.signatures:
        return "unsigned"
    return "verified" if verification.covered else "partly" if verification.verified else "failed"


def _checked(signature: SignatureVerdict) -> SignatureView:
    result = f"valid for profile {signature.profile}" if signature.verified else words(signature.reason)
    uncovered = tuple(words(pointer) for pointer in signature.uncovered[:_MAX_UNCOVERED])
    return SignatureView(
        kid=words(signature.kid),
        alg=words(signature.alg),
        state="verified" if signature.verified else "failed",
        result=result,
        uncovered=uncovered,
        left_out=len(signature.uncovered) - len(uncovered),
    )


def _unchecked(entries: list[Any]) -> list[SignatureView]:
    """Return the views of signatures that were not checked, from their headers."""
    views: list[SignatureView] = []
    for entry in entries[:MAX_SIGNATURES]:
        try:
            header = read_header(entry)
        except Unacceptable as error:
            views.append(SignatureView("", "", "failed", words(str(error))))
        else:
            views.append(SignatureView(words(header.kid), header.alg, "unchecked", "not checked"))
    return views
