"""Checks of the card itself: location, content type, validity, equality at all well-known paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.discovery.candidates import WELL_KNOWN
from cardwright.discovery.card_lookup import ACCEPT
from cardwright.discovery.probe.client import BudgetSpent, media_type
from cardwright.errors import CardError, MalformedDocument, UnknownDialect
from cardwright.guard import target_of
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright.discovery.card_lookup import CardLookup
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome
    from cardwright.guard import Answer


def check_card(context: CheckContext, found: CardLookup) -> None:
    """Parse and validate the card, and check its Content-Type."""
    subject = target_of(found.answer.url).shown
    try:
        context.card = Card.from_bytes(found.answer.body)
    except (MalformedDocument, UnknownDialect) as error:
        context.add("probe/card-valid", "error", subject, str(error))
    else:
        _check_valid(context, context.card, subject)
    kind = media_type(found.answer.headers)
    good = kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
    seen = f"Content-Type is {quote(kind)}" if kind else "the response has no Content-Type header"
    context.add("probe/card-type", "pass" if good else "warning", subject, seen)


async def check_places(context: CheckContext, found: CardLookup, places: tuple[str, ...]) -> None:
    """Request the other well-known URLs and compare their cards.

    Args:
        context: Collects the results.
        found: The card and its URL.
        places: All well-known URLs in their order: two below the path, and two at the root if that differs.
    """
    older = found.candidate.endswith(WELL_KNOWN[1])
    subject = target_of(found.candidate).shown
    if len(places) == 1:
        context.add("probe/card-place", "info", subject, "only this URL was requested")
        return
    context.add(
        "probe/card-place",
        "warning" if older else "pass",
        subject,
        "the card is only at the older path" if older else "the card is there",
    )
    for place in places:
        if place == found.candidate:
            continue
        try:
            answer = await context.client.get(place, {"Accept": ACCEPT, "A2A-Version": found.version})
        except BudgetSpent:
            raise
        except CardError as error:
            context.add("probe/card-place-older", "info", target_of(place).shown, str(error))
            continue
        _compare(context, found, place, answer)


def _compare(context: CheckContext, found: CardLookup, place: str, answer: Answer) -> None:
    """Report the card of another well-known URL."""
    subject, older = target_of(place).shown, place.endswith(WELL_KNOWN[1])
    same_prefix = _prefix(place) == _prefix(found.candidate)
    rule = "probe/card-place-older" if older else "probe/card-place"
    other_card = _card(answer)
    if other_card is None:
        # A card at the root is optional, and a card at the older path alone was reported before.
        outcome: Outcome = "info" if older and same_prefix else "skip"
        if same_prefix or not older:
            context.add(rule, outcome, subject, f"no card there: HTTP {answer.status}")
        return
    if same_prefix:
        context.add(rule, "pass", subject, "the card is there")
    own_card = context.card
    if own_card is None:
        return
    if other_card.digest == own_card.digest:
        context.add("probe/card-same", "pass", subject, "the same card")
        return
    names = ("name", "version")
    same_identity = all(other_card.document.get(name) == own_card.document.get(name) for name in names)
    if same_identity and str(other_card.dialect) != str(own_card.dialect):
        context.add("probe/card-same", "info", subject, f"the same card in the dialect {other_card.dialect}")
    elif same_prefix:
        context.add("probe/card-same", "error", subject, f"not the same card as at {found.candidate}")
    else:
        seen = "another card than below the path: clients that only look at the root find this one"
        context.add("probe/card-same", "info", subject, seen)


def _check_valid(context: CheckContext, card: Card, subject: str) -> None:
    errors = list(card.errors)
    if not card.violations:
        context.add("probe/card-valid", "pass", subject, f"a valid {card.dialect} card")
        return
    kind = "error" if errors else "warning"
    reported = errors or list(card.violations)
    messages = "; ".join(f"{one.pointer or '(root)'}: {one.message} [{one.rule}]" for one in reported[:3])
    more = f"; and {len(reported) - 3} more" if len(reported) > 3 else ""
    count = f"{len(reported)} {kind}{'s' if len(reported) > 1 else ''} as {card.dialect}"
    context.add(
        "probe/card-valid",
        "error" if errors else "warning",
        subject,
        f"{count}: {messages}{more}",
        pointer=reported[0].pointer,
        spec=reported[0].spec,
    )


def _card(answer: Answer) -> Card | None:
    if answer.status != 200:
        return None
    try:
        return Card.from_bytes(answer.body)
    except CardError:
        return None


def _prefix(place: str) -> str:
    return place.rpartition("/.well-known/")[0]
