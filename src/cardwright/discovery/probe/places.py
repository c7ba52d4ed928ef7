"""The card itself: where it is, whether both places say the same, and whether it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.discovery.candidates import WELL_KNOWN
from cardwright.discovery.card_lookup import ACCEPT
from cardwright.discovery.probe.client import Spent, media_type
from cardwright.errors import CardError, MalformedDocument, UnknownDialect
from cardwright.guard import target_of
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright.discovery.card_lookup import CardLookup
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome
    from cardwright.guard import Answer


def look_at_card(desk: CheckContext, found: CardLookup) -> None:
    """Read the card that was found, and judge it and how it came."""
    shown = target_of(found.answer.url).shown
    try:
        desk.card = Card.from_bytes(found.answer.body)
    except (MalformedDocument, UnknownDialect) as error:
        desk.say("probe/card-valid", "error", shown, str(error))
    else:
        _judge(desk, desk.card, shown)
    kind = media_type(found.answer.headers)
    good = kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
    seen = f"Content-Type is {quote(kind)}" if kind else "there is no Content-Type"
    desk.say("probe/card-type", "pass" if good else "warning", shown, seen)


async def look_at_places(desk: CheckContext, found: CardLookup, places: tuple[str, ...]) -> None:
    """Ask the places at which the card was not found, and compare what they say.

    Args:
        desk: Where to put it down.
        found: What was found, and at which of the places.
        places: All of them in their order: two below the path, and two at the root if that is another.
    """
    older = found.candidate.endswith(WELL_KNOWN[1])
    shown = target_of(found.candidate).shown
    if len(places) == 1:
        desk.say("probe/card-place", "info", shown, "this URL alone was asked for")
        return
    desk.say(
        "probe/card-place",
        "warning" if older else "pass",
        shown,
        "it is at the older place alone" if older else "it is there",
    )
    for place in places:
        if place == found.candidate:
            continue
        try:
            answer = await desk.asker.get(place, {"Accept": ACCEPT, "A2A-Version": found.version})
        except Spent:
            raise
        except CardError as error:
            desk.say("probe/card-place-older", "info", target_of(place).shown, str(error))
            continue
        _compare(desk, found, place, answer)


def _compare(desk: CheckContext, found: CardLookup, place: str, answer: Answer) -> None:
    """Say what another place has."""
    shown, older = target_of(place).shown, place.endswith(WELL_KNOWN[1])
    near = _prefix(place) == _prefix(found.candidate)
    rule = "probe/card-place-older" if older else "probe/card-place"
    there = _card(answer)
    if there is None:
        # Nobody has to be at the root as well, and the other name of the finding was told already.
        outcome: Outcome = "info" if older and near else "skip"
        if near or not older:
            desk.say(rule, outcome, shown, f"it has no card there: it answers {answer.status}")
        return
    if near:
        desk.say(rule, "pass", shown, "a card is there")
    mine = desk.card
    if mine is None:
        return
    if there.digest == mine.digest:
        desk.say("probe/card-same", "pass", shown, "it is the same card")
        return
    names = ("name", "version")
    alike = all(there.document.get(name) == mine.document.get(name) for name in names)
    if alike and str(there.dialect) != str(mine.dialect):
        desk.say("probe/card-same", "info", shown, f"it is the same card's form in {there.dialect}")
    elif near:
        desk.say("probe/card-same", "error", shown, f"it is another card than at {found.candidate}")
    else:
        seen = "the root has another card: clients that look there alone find that one"
        desk.say("probe/card-same", "info", shown, seen)


def _judge(desk: CheckContext, card: Card, shown: str) -> None:
    errors = list(card.errors)
    if not card.violations:
        desk.say("probe/card-valid", "pass", shown, f"it is a valid {card.dialect} card")
        return
    kind = "error" if errors else "warning"
    told = errors or list(card.violations)
    named = "; ".join(f"{one.pointer or '(root)'}: {one.message} [{one.rule}]" for one in told[:3])
    more = f"; and {len(told) - 3} more" if len(told) > 3 else ""
    count = f"{len(told)} {kind}{'s' if len(told) > 1 else ''} as {card.dialect}"
    desk.say(
        "probe/card-valid",
        "error" if errors else "warning",
        shown,
        f"{count}: {named}{more}",
        pointer=told[0].pointer,
        spec=told[0].spec,
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
