"""How the card may be cached, and in which version it comes (A2A 1.0 §8.6, §3.6; RFC 9110, RFC 9111)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright.card import Card
from cardwright.discovery.card_lookup import ACCEPT
from cardwright.discovery.interfaces import interfaces
from cardwright.discovery.probe.client import Heard
from cardwright.errors import CardError
from cardwright.guard import target_of
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright.discovery.card_lookup import CardLookup
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome

# What HEAD has to say as GET does, where GET says it.
_SAME: Final = ("content-type", "etag", "cache-control", "last-modified", "vary")
_MAX_AGE: Final = re.compile(r"(?:^|[,\s])(?:s-)?max-age\s*=\s*\"?(\d+)", re.IGNORECASE)
# A version of A2A that nobody speaks, and a tag that nobody gave.
UNSUPPORTED: Final = "9.9"
_FOREIGN_TAG: Final = '"cardwright-probe-has-never-seen-this-card"'


async def look_at_caching(desk: CheckContext, found: CardLookup) -> None:
    """Ask for the card again in every way that caches do."""
    url, shown = found.answer.url, target_of(found.answer.url).shown
    first = Heard(found.answer.status, found.answer.headers, found.answer.body)
    _look_at_header(desk, first, shown)
    fields = {"Accept": ACCEPT, "A2A-Version": found.version}
    again = await desk.asker.ask("GET", url, fields)
    _look_at_twice(desk, first, again, shown)
    head = await desk.asker.ask("HEAD", url, fields)
    _look_at_head(desk, again, head, shown)
    tag = again.headers.get("etag")
    if tag is None:
        desk.say("probe/not-modified", "skip", shown, "there is no ETag to ask with")
        return
    same = await desk.asker.ask("GET", url, {**fields, "If-None-Match": tag})
    if same.status == 304:
        desk.say("probe/not-modified", "pass", shown, "it answers 304")
    elif same.headers.get("etag") == tag:
        desk.say("probe/not-modified", "warning", shown, f"it answers {same.status}, with the same tag")
    else:
        desk.say("probe/not-modified", "warning", shown, f"it answers {same.status}, and the tag has changed")
    other = await desk.asker.ask("GET", url, {**fields, "If-None-Match": _FOREIGN_TAG})
    outcome: Outcome = "error" if other.status == 304 else "pass"
    desk.say("probe/other-tag", outcome, shown, f"it answers {other.status} to a tag that it never gave")


async def look_at_versions(desk: CheckContext, found: CardLookup) -> None:
    """Ask for the card in several versions, and in none."""
    url, shown = found.answer.url, target_of(found.answer.url).shown
    heard: dict[str, Heard] = {
        found.version: Heard(found.answer.status, found.answer.headers, found.answer.body)
    }
    for version in ("1.0", "0.3", UNSUPPORTED, ""):
        if version not in heard:
            fields = {"Accept": ACCEPT, **({"A2A-Version": version} if version else {})}
            heard[version] = await desk.asker.ask("GET", url, fields)
    spoken = (
        {one.version for one in interfaces(desk.card) if one.protocol == "a2a"} if desk.card else set[str]()
    )
    for version in ("1.0", "0.3"):
        _look_at_version(desk, version, heard[version], version in spoken, shown)
    strange = heard[UNSUPPORTED]
    # Nothing normative says what a card's place does with it (interop: A2A-Version).
    told = f"to A2A-Version {UNSUPPORTED} it answers {strange.status}"
    desk.say("probe/card-version", "info", shown, told + _forms(strange))
    _look_at_vary(desk, list(heard.values()), shown)


def _look_at_header(desk: CheckContext, first: Heard, shown: str) -> None:
    control = first.headers.get("cache-control")
    if control is None:
        desk.say("probe/cache-control", "warning", shown, "there is no Cache-Control")
    elif _MAX_AGE.search(control):
        desk.say("probe/cache-control", "pass", shown, f"Cache-Control is {quote(control)}")
    else:
        desk.say(
            "probe/cache-control", "warning", shown, f"Cache-Control is {quote(control)}, without a max-age"
        )
    tag = first.headers.get("etag")
    if tag is None:
        desk.say("probe/etag", "warning", shown, "there is no ETag")
    elif not re.fullmatch(r'(?:W/)?"[^"]*"', tag):
        desk.say("probe/etag", "error", shown, f"the ETag is {quote(tag)}: a tag stands in double quotes")
    else:
        kind = "weak: it promises the same meaning, not the same bytes" if tag.startswith("W/") else "strong"
        desk.say("probe/etag", "pass", shown, f"the ETag is {kind}")


def _look_at_twice(desk: CheckContext, first: Heard, again: Heard, shown: str) -> None:
    if first.body == again.body:
        desk.say("probe/card-stable", "pass", shown, "the same bytes came twice")
        return
    tag = first.headers.get("etag") or ""
    if tag and not tag.startswith("W/") and again.headers.get("etag") == tag:
        seen = "two answers differ in their bytes and have the same strong ETag"
        desk.say("probe/card-stable", "error", shown, seen)
    else:
        desk.say("probe/card-stable", "warning", shown, "two answers differ in their bytes")


def _look_at_head(desk: CheckContext, again: Heard, head: Heard, shown: str) -> None:
    if head.status != again.status:
        desk.say("probe/head", "warning", shown, f"GET answers {again.status}, and HEAD {head.status}")
        return
    differing = [name for name in _SAME if again.headers.get(name) != head.headers.get(name)]
    length = head.headers.get("content-length")
    if length is not None and length != str(len(again.body)):
        differing.append("content-length")
    if differing:
        desk.say("probe/head", "warning", shown, f"HEAD and GET differ in {', '.join(differing)}")
    else:
        desk.say("probe/head", "pass", shown, "HEAD answers as GET")


def _look_at_version(desk: CheckContext, version: str, heard: Heard, spoken: bool, shown: str) -> None:  # noqa: FBT001 - one caller
    forms = _forms(heard)
    told = f"to A2A-Version {version} it answers {heard.status}{forms}"
    if not spoken:
        desk.say("probe/card-version", "info", shown, f"{told}; no interface speaks that version")
    elif heard.status != 200:
        desk.say("probe/card-version", "warning", shown, f"{told}, though an interface speaks that version")
    elif version in _versions(heard):
        desk.say("probe/card-version", "pass", shown, told)
    else:
        desk.say("probe/card-version", "warning", shown, f"{told}, which does not name that version")


def _look_at_vary(desk: CheckContext, heard: list[Heard], shown: str) -> None:
    if any(one.id == "probe/card-stable" and one.outcome != "pass" for one in desk.checks):
        desk.say("probe/vary", "skip", shown, "it cannot be told: no two answers are alike anyway")
        return
    cards = [one for one in heard if one.status == 200]
    if len({one.body for one in cards}) == 1 and len(cards) == len(heard):
        desk.say("probe/vary", "pass", shown, "the answer does not depend on A2A-Version")
        return
    named = {
        name.strip().lower() for one in cards for name in (one.headers.get("vary") or "").split(",") if name
    }
    if named & {"a2a-version", "*"}:
        desk.say("probe/vary", "pass", shown, "the answer depends on A2A-Version, and Vary says so")
    else:
        desk.say(
            "probe/vary", "warning", shown, "the answer depends on A2A-Version, and Vary does not say so"
        )


def _forms(heard: Heard) -> str:
    if heard.status != 200:
        return ""
    try:
        return f" with a card in {Card.from_bytes(heard.body).dialect}"
    except CardError:
        return " with no card"


def _versions(heard: Heard) -> set[str]:
    try:
        card = Card.from_bytes(heard.body)
    except CardError:
        return set()
    return {one.version for one in interfaces(card)}
