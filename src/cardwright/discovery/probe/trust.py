"""Checks of the card's signatures and of their key sets (A2A 1.0 §8.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.probe.client import BudgetSpent
from cardwright.errors import BadKey, CardError
from cardwright.guard import target_of
from cardwright.signing import KeySet, Policy, verify
from cardwright.signing.header import Unacceptable, read_header

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.discovery.card_lookup import CardLookup
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome

# The maximum of key sets to fetch and of signature faults to report (project decision).
_MAX_KEY_SETS: Final = 3


async def check_signatures(
    context: CheckContext, card: Card, lookup: CardLookup, keys: KeySet | None
) -> None:
    """Verify the card with the given keys, and with key sets of its own https origin."""
    subject = target_of(lookup.answer.url).safe_url
    entries = card.document.get("signatures")
    if not entries:
        context.add("probe/signature", "info", subject, "the card is not signed")
        return
    sets: dict[str, bytes] = {}
    for url in _key_set_urls(entries)[:_MAX_KEY_SETS]:
        body = await _key_set(context, url)
        if body is not None:
            sets[url] = body
    policy = Policy(origin=lookup.candidate, fetch=sets.__getitem__)
    verdict = verify(card, keys=keys, policy=policy)
    if verdict.covered:
        seen = "a signature verifies with a trusted key"
        context.add("probe/signature", "pass", subject, seen, pointer="/signatures")
    elif verdict.verified:
        seen = "a signature verifies, but does not cover security, interfaces, url or skills"
        context.add("probe/signature", "warning", subject, seen, pointer="/signatures")
    elif not verdict.signatures:
        context.add("probe/signature", "error", subject, "signatures is not an array", pointer="/signatures")
    else:
        for signature in verdict.signatures[:_MAX_KEY_SETS]:
            # A missing key is no fault of the agent; a key that does not fit the signature is.
            outcome: Outcome = "error" if "does not hold" in signature.reason else "warning"
            seen = f"signature {signature.index}: {signature.reason}"
            context.add("probe/signature", outcome, subject, seen, pointer=f"/signatures/{signature.index}")


def _key_set_urls(entries: Any) -> list[str]:
    """Return the URLs of the key sets that signatures name, without duplicates."""
    urls: dict[str, None] = {}
    for entry in entries if type(entries) is list else ():
        try:
            header = read_header(entry)
        except Unacceptable:
            continue
        if header.jku:
            urls[header.jku] = None
    return list(urls)


async def _key_set(context: CheckContext, url: str) -> bytes | None:
    fields = {"Accept": "application/jwk-set+json, application/json"}
    try:
        key_set_url = target_of(url).safe_url
        # A redirect would lead away from the trusted origin.
        response = await context.client.request("GET", url, fields, anonymous=True)
    except BudgetSpent:
        raise
    except CardError as error:
        context.add("probe/key-set", "warning", "key set of a signature", str(error), pointer="/signatures")
        return None
    valid = response.status == 200 and _is_set(response.body)
    seen = f"HTTP {response.status}, {'a' if valid else 'not a'} key set"
    context.add("probe/key-set", "pass" if valid else "warning", key_set_url, seen, pointer="/signatures")
    return response.body if valid else None


def _is_set(body: bytes) -> bool:
    try:
        KeySet.from_bytes(body)
    except BadKey:
        return False
    return True
