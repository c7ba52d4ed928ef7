"""Checks of the card's caching and of its versions (A2A 1.0 §8.6, §3.6; RFC 9110, RFC 9111)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright.card import Card
from cardwright.discovery.card_lookup import ACCEPT, version_fields
from cardwright.discovery.probe.client import HttpResponse
from cardwright.errors import CardError
from cardwright.guard import target_of
from cardwright.view.interfaces import interfaces
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright.discovery.card_lookup import CardLookup
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome

# Header fields that HEAD and GET must share.
_SHARED_FIELDS: Final = ("content-type", "etag", "cache-control", "last-modified", "vary")
_MAX_AGE: Final = re.compile(r"(?:^|[,\s])(?:max-age|s-maxage)\s*=\s*\"?(\d+)", re.IGNORECASE)
# A version of A2A that does not exist, and an ETag that no server has sent.
UNSUPPORTED: Final = "9.9"
_UNKNOWN_TAG: Final = '"cardwright-probe-has-never-seen-this-card"'


async def check_caching(context: CheckContext, lookup: CardLookup) -> None:
    """Request the card again as caches do: repeated, with HEAD, and with conditions."""
    url, subject = lookup.answer.url, target_of(lookup.answer.url).safe_url
    first = HttpResponse(lookup.answer.status, lookup.answer.headers, lookup.answer.body)
    _check_header(context, first, subject)
    fields = {"Accept": ACCEPT, **version_fields(lookup.version)}
    second = await context.client.request("GET", url, fields)
    _check_twice(context, first, second, subject)
    head = await context.client.request("HEAD", url, fields)
    _check_head(context, second, head, subject)
    tag = second.headers.get("etag")
    if tag is None:
        context.add("probe/not-modified", "skip", subject, "the card has no ETag")
        return
    current = await context.client.request("GET", url, {**fields, "If-None-Match": tag})
    if current.status == 304:
        context.add("probe/not-modified", "pass", subject, "HTTP 304 to the current ETag")
    elif current.headers.get("etag") == tag:
        context.add("probe/not-modified", "warning", subject, f"HTTP {current.status} to the current ETag")
    else:
        context.add("probe/not-modified", "warning", subject, f"HTTP {current.status} with a new ETag")
    unknown = await context.client.request("GET", url, {**fields, "If-None-Match": _UNKNOWN_TAG})
    outcome: Outcome = "error" if unknown.status == 304 else "pass"
    context.add("probe/other-tag", outcome, subject, f"HTTP {unknown.status} to an unknown ETag")


async def check_versions(context: CheckContext, lookup: CardLookup) -> None:
    """Request the card with several values of A2A-Version, and without it."""
    url, subject = lookup.answer.url, target_of(lookup.answer.url).safe_url
    responses: dict[str, HttpResponse] = {
        lookup.version: HttpResponse(lookup.answer.status, lookup.answer.headers, lookup.answer.body)
    }
    for version in ("1.0", "0.3", UNSUPPORTED, ""):
        if version not in responses:
            fields = {"Accept": ACCEPT, **version_fields(version)}
            responses[version] = await context.client.request("GET", url, fields)
    declared_versions = (
        {one.version for one in interfaces(context.card) if one.protocol == "a2a"}
        if context.card
        else set[str]()
    )
    for version in ("1.0", "0.3"):
        _check_version(
            context, version, responses[version], declared=version in declared_versions, subject=subject
        )
    unsupported = responses[UNSUPPORTED]
    seen = f"A2A-Version {UNSUPPORTED}: HTTP {unsupported.status}"
    outcome: Outcome = "info" if unsupported.status == 200 else "warning"
    context.add("probe/card-version", outcome, subject, seen + _card_form(unsupported))
    _check_vary(context, list(responses.values()), subject)


def _check_header(context: CheckContext, first: HttpResponse, subject: str) -> None:
    cache_control = first.headers.get("cache-control")
    if cache_control is None:
        context.add("probe/cache-control", "warning", subject, "the response has no Cache-Control header")
    elif _MAX_AGE.search(cache_control):
        context.add("probe/cache-control", "pass", subject, f"Cache-Control is {quote(cache_control)}")
    else:
        context.add(
            "probe/cache-control",
            "warning",
            subject,
            f"Cache-Control is {quote(cache_control)}, without max-age",
        )
    tag = first.headers.get("etag")
    if tag is None:
        context.add("probe/etag", "warning", subject, "the response has no ETag header")
    elif not re.fullmatch(r'(?:W/)?"[^"]*"', tag):
        context.add("probe/etag", "error", subject, f"the ETag {quote(tag)} is not in double quotes")
    else:
        kind = (
            "weak: it guarantees the same meaning, not the same bytes" if tag.startswith("W/") else "strong"
        )
        context.add("probe/etag", "pass", subject, f"the ETag is {kind}")


def _check_twice(context: CheckContext, first: HttpResponse, second: HttpResponse, subject: str) -> None:
    if first.body == second.body:
        context.add("probe/card-stable", "pass", subject, "two requests returned the same bytes")
        return
    tag = first.headers.get("etag") or ""
    if tag and not tag.startswith("W/") and second.headers.get("etag") == tag:
        seen = "two requests returned different bytes with the same strong ETag"
        context.add("probe/card-stable", "error", subject, seen)
    else:
        context.add("probe/card-stable", "warning", subject, "two requests returned different bytes")


def _check_head(context: CheckContext, response: HttpResponse, head: HttpResponse, subject: str) -> None:
    if head.status != response.status:
        context.add(
            "probe/head",
            "warning",
            subject,
            f"GET gives HTTP {response.status}, HEAD gives HTTP {head.status}",
        )
        return
    differing = [name for name in _SHARED_FIELDS if response.headers.get(name) != head.headers.get(name)]
    length = head.headers.get("content-length")
    if length is not None and length != str(len(response.body)):
        differing.append("content-length")
    if differing:
        context.add("probe/head", "warning", subject, f"HEAD and GET differ in {', '.join(differing)}")
    else:
        context.add("probe/head", "pass", subject, "HEAD and GET return the same header fields")


def _check_version(
    context: CheckContext, version: str, response: HttpResponse, *, declared: bool, subject: str
) -> None:
    forms = _card_form(response)
    seen = f"A2A-Version {version}: HTTP {response.status}{forms}"
    if response.status != 200:
        # Clients of 1.0 send their version with every request, also for the card of an agent of 0.3 (A2A 1.0 §3.6.1).
        context.add("probe/card-version", "warning", subject, f"{seen}: the card is refused for its version")
    elif not declared:
        context.add("probe/card-version", "info", subject, f"{seen}; no interface declares that version")
    elif version in _versions(response):
        context.add("probe/card-version", "pass", subject, seen)
    else:
        context.add("probe/card-version", "warning", subject, f"{seen} without an interface for that version")


def _check_vary(context: CheckContext, responses: list[HttpResponse], subject: str) -> None:
    if any(result.id == "probe/card-stable" and result.outcome != "pass" for result in context.checks):
        context.add("probe/vary", "skip", subject, "unknown, because each request returns other bytes")
        return
    cards = [result for result in responses if result.status == 200]
    if len({result.body for result in cards}) == 1 and len(cards) == len(responses):
        context.add("probe/vary", "pass", subject, "the card does not depend on A2A-Version")
        return
    vary_names = {
        name.strip().lower()
        for result in cards
        for name in (result.headers.get("vary") or "").split(",")
        if name
    }
    if vary_names & {"a2a-version", "*"}:
        context.add("probe/vary", "pass", subject, "the card depends on A2A-Version, and Vary names it")
    else:
        context.add(
            "probe/vary", "warning", subject, "the card depends on A2A-Version, but Vary does not name it"
        )


def _card_form(response: HttpResponse) -> str:
    if response.status != 200:
        return ""
    try:
        return f", a card in {Card.from_bytes(response.body).dialect}"
    except CardError:
        return ", not a card"


def _versions(response: HttpResponse) -> set[str]:
    try:
        card = Card.from_bytes(response.body)
    except CardError:
        return set()
    return {one.version for one in interfaces(card)}
