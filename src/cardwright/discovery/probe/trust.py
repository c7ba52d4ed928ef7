"""Whether the card's signatures hold, and whether the keys that they name can be had (A2A 1.0 §8.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.probe.client import Spent
from cardwright.errors import BadKey, CardError
from cardwright.guard import target_of
from cardwright.signing import KeySet, Policy, verify
from cardwright.signing.header import Unacceptable, read_header

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.discovery.card_lookup import CardLookup
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome

# More key sets than these are not asked for, and of no more signatures is the fault told (ours).
_MOST: Final = 3


async def look_at_signatures(desk: CheckContext, card: Card, found: CardLookup, keys: KeySet | None) -> None:
    """Verify the card by the keys given, and by key sets of its own https origin."""
    subject = target_of(found.answer.url).shown
    entries = card.document.get("signatures")
    if not entries:
        desk.say("probe/signature", "info", subject, "the card is not signed")
        return
    sets: dict[str, bytes] = {}
    for url in _named(entries)[:_MOST]:
        body = await _key_set(desk, url)
        if body is not None:
            sets[url] = body
    policy = Policy(origin=found.candidate, fetch=sets.__getitem__)
    verdict = verify(card, keys=keys, policy=policy)
    if verdict.covered:
        seen = "a signature holds by a trusted key"
        desk.say("probe/signature", "pass", subject, seen, pointer="/signatures")
    elif verdict.verified:
        seen = "a signature holds, and leaves security, interfaces, url or skills uncovered"
        desk.say("probe/signature", "warning", subject, seen, pointer="/signatures")
    elif not verdict.signatures:
        desk.say("probe/signature", "error", subject, "signatures is no array", pointer="/signatures")
    else:
        for one in verdict.signatures[:_MOST]:
            # Nobody has to have the key; but one that is had, and does not fit, is another matter.
            outcome: Outcome = "error" if "does not hold" in one.reason else "warning"
            seen = f"signature {one.index}: {one.reason}"
            desk.say("probe/signature", outcome, subject, seen, pointer=f"/signatures/{one.index}")


def _named(entries: Any) -> list[str]:
    """Return the URLs of the key sets that signatures name, none twice."""
    named: dict[str, None] = {}
    for entry in entries if type(entries) is list else ():
        try:
            header = read_header(entry)
        except Unacceptable:
            continue
        if header.jku:
            named[header.jku] = None
    return list(named)


async def _key_set(desk: CheckContext, url: str) -> bytes | None:
    fields = {"Accept": "application/jwk-set+json, application/json"}
    try:
        shown = target_of(url).shown
        # A redirect would lead away from the origin that is trusted.
        heard = await desk.asker.ask("GET", url, fields, anonymous=True)
    except Spent:
        raise
    except CardError as error:
        desk.say("probe/key-set", "warning", "the key set of a signature", str(error), pointer="/signatures")
        return None
    good = heard.status == 200 and _is_set(heard.body)
    seen = f"it answers {heard.status} with {'a' if good else 'no'} key set"
    desk.say("probe/key-set", "pass" if good else "warning", shown, seen, pointer="/signatures")
    return heard.body if good else None


def _is_set(body: bytes) -> bool:
    try:
        KeySet.from_bytes(body)
    except BadKey:
        return False
    return True
