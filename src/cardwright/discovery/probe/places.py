"""Checks of the card itself: location, content type, validity, equality at all well-known paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.discovery.card_lookup import ACCEPT, version_fields
from cardwright.discovery.probe.client import BudgetSpent, media_type
from cardwright.errors import CardError, MalformedDocument, UnknownDialect
from cardwright.guard import target_of
from cardwright.rewrite import seen_from
from cardwright_models.a2a_facts import CARD_PATHS
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright.discovery.card_lookup import CardLookup
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome
    from cardwright.guard import Response


def check_card(context: CheckContext, lookup: CardLookup) -> None:
    """Parse and validate the card, and check its Content-Type."""
    subject = target_of(lookup.answer.url).safe_url
    try:
        context.card = Card.from_bytes(lookup.answer.body, found_at=lookup.candidate)
    except (MalformedDocument, UnknownDialect) as error:
        context.add("probe/card-valid", "error", subject, str(error))
    else:
        _check_valid(context, seen_from(context.card, lookup.answer.url), subject)
    kind = media_type(lookup.answer.headers)
    is_json = kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
    seen = f"Content-Type is {quote(kind)}" if kind else "the response has no Content-Type header"
    context.add("probe/card-type", "pass" if is_json else "warning", subject, seen)


async def check_places(context: CheckContext, lookup: CardLookup, candidate_urls: tuple[str, ...]) -> None:
    """Request the other well-known URLs and compare their cards.

    Args:
        context: Collects the results.
        lookup: The card and its URL.
        candidate_urls: All well-known URLs in their order: two below the path, and two at the root if that differs.
    """
    at_older_path = lookup.candidate.endswith(CARD_PATHS[1])
    subject = target_of(lookup.candidate).safe_url
    if len(candidate_urls) == 1:
        context.add("probe/card-place", "info", subject, "only this URL was requested")
        return
    context.add(
        "probe/card-place",
        "warning" if at_older_path else "pass",
        subject,
        "the card is only at the older path" if at_older_path else "the card is there",
    )
    for url in candidate_urls:
        if url == lookup.candidate:
            continue
        try:
            answer = await context.client.get(url, {"Accept": ACCEPT, **version_fields(lookup.version)})
        except BudgetSpent:
            raise
        except CardError as error:
            context.add("probe/card-place-older", "info", target_of(url).safe_url, str(error))
            continue
        _compare(context, lookup, url, answer)


def _compare(context: CheckContext, lookup: CardLookup, url: str, answer: Response) -> None:
    """Report the card of another well-known URL."""
    subject, is_older_path = target_of(url).safe_url, url.endswith(CARD_PATHS[1])
    same_prefix = _prefix(url) == _prefix(lookup.candidate)
    rule = "probe/card-place-older" if is_older_path else "probe/card-place"
    other_card = _card(answer)
    if other_card is None:
        # A card at the root is optional, and a card at the older path alone was reported before.
        outcome: Outcome = "info" if is_older_path and same_prefix else "skip"
        if same_prefix or not is_older_path:
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
        context.add("probe/card-same", "error", subject, f"not the same card as at {lookup.candidate}")
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


def _card(answer: Response) -> Card | None:
    if answer.status != 200:
        return None
    try:
        return Card.from_bytes(answer.body)
    except CardError:
        return None


def _prefix(url: str) -> str:
    return url.rpartition("/.well-known/")[0]
