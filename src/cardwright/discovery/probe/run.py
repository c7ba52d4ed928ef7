"""`probe`: everything that can be asked of an agent without changing anything, one request after another."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING, Final

from cardwright.discovery.candidates import candidates, given
from cardwright.discovery.card_lookup import Question, find
from cardwright.discovery.interfaces import interfaces
from cardwright.discovery.probe.caching import look_at_caching, look_at_versions
from cardwright.discovery.probe.client import ProbeClient, Spent
from cardwright.discovery.probe.context import CheckContext
from cardwright.discovery.probe.endpoints import look_at_interface
from cardwright.discovery.probe.messages import look_at_messages
from cardwright.discovery.probe.places import look_at_card, look_at_places
from cardwright.discovery.probe.report import Report
from cardwright.discovery.probe.rules import SECTIONS
from cardwright.discovery.probe.trust import look_at_signatures
from cardwright.errors import CardError
from cardwright.guard import Timeouts, target_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.discovery.card_lookup import CardLookup
    from cardwright.discovery.probe.wire import Wire
    from cardwright.guard import GuardedClient
    from cardwright.signing import KeySet

# What nobody minds being asked (ours).
MOST_REQUESTS: Final = 60
TIMEOUT_SECONDS: Final = 60.0
# No honest card has more (ours).
MOST_INTERFACES: Final = 16


async def probe(  # noqa: PLR0913 - each is a choice of its own
    url_or_origin: str,
    *,
    client: GuardedClient,
    headers: Mapping[str, str] | None = None,
    send: bool = False,
    keys: KeySet | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS,
    most_requests: int = MOST_REQUESTS,
    clock: Callable[[], float] = time.monotonic,
    new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Return whether an agent does what its card says.

    Nothing is changed: only GET, HEAD and OPTIONS are sent, and calls that name a method or a task that
    cannot exist. One request is made after another, `most_requests` of them at most.

    Args:
        url_or_origin: A card's URL; or a base URL, an origin or a host, whose well-known places are asked.
        client: What dials; its guard says where to. What it refuses of the card's interfaces is a finding.
        headers: Fields for the origin of the URL alone, such as `Authorization`. It is also looked at
            what happens without them.
        send: Whether one small message may be sent, and a streamed one where streaming is declared, and
            whether sessions of MCP may be opened.
        keys: Keys that signatures are verified by, besides key sets of the card's own https origin.
        timeout_seconds: After which nothing more is asked.
        most_requests: How many requests are made.
        clock: Seconds that only go forward.
        new_id: Gives ids of tasks and messages that nobody has.
        progress: Told in a few words what is looked at next.

    Raises:
        ConnectionDenied: If the guard refuses the URL, or what it redirects to.
        PeerError: If the card cannot be had: `PeerUnreachable`, `PeerTimeout`, `AccessDenied` for 401 and
            403, or `BadAnswer`.
    """
    target = given(url_or_origin)
    asker = ProbeClient(
        client, origin=target.origin, headers=headers or {}, clock=clock,
        until=clock() + timeout_seconds, most=most_requests,
    )  # fmt: skip
    desk = CheckContext(asker, None, target, new_id, send, progress)
    progress("the card")
    # As long as the whole of it may take, and no longer than a card.
    times = Timeouts(total=asker.left())
    found = await find(client, Question(url_or_origin, headers=headers or {}, timeouts=times), clock=clock)
    asker.count(len(found.tried) + 1 + len(found.answer.hops))
    desk.home = target_of(found.answer.url)
    complete = await _looked_at(desk, found, candidates(target), keys)
    order = {section: place for place, section in enumerate(SECTIONS)}
    checks = sorted(desk.checks, key=lambda check: order[check.section])
    shown = target_of(found.answer.url).shown
    return Report(target.shown, shown, desk.card, tuple(checks), asker.asked, complete)


async def _looked_at(
    desk: CheckContext, found: CardLookup, places: tuple[str, ...], keys: KeySet | None
) -> bool:
    """Look at everything, as long as something may be asked; return whether nothing was left out."""
    look_at_card(desk, found)
    try:
        await _look_at_the_card(desk, found, places)
        await _look_at_the_agent(desk)
        if desk.card is not None:
            desk.progress("signatures")
            await look_at_signatures(desk, desk.card, found, keys)
    except Spent as spent:
        desk.say("probe/run", "skip", "the rest", f"not looked at: {spent}")
        return False
    return True


async def _look_at_the_card(desk: CheckContext, found: CardLookup, places: tuple[str, ...]) -> None:
    desk.progress("well-known places")
    await look_at_places(desk, found, places)
    for words, rule, look in (
        ("caching", "probe/cache-control", look_at_caching),
        ("versions of the card", "probe/card-version", look_at_versions),
    ):
        desk.progress(words)
        try:
            await look(desk, found)
        except Spent:
            raise
        except CardError as error:
            desk.say(rule, "warning", words, str(error))


async def _look_at_the_agent(desk: CheckContext) -> None:
    if desk.card is None:
        return
    first: Wire | None = None
    named = interfaces(desk.card)
    for one in named[:MOST_INTERFACES]:
        desk.progress(str(one))
        wire = await look_at_interface(desk, one)
        first = first or wire
    if len(named) > MOST_INTERFACES:
        more = f"{len(named) - MOST_INTERFACES:,} more interfaces"
        desk.say("probe/interface-reachable", "skip", more, f"{MOST_INTERFACES} were looked at")
    if desk.send:
        desk.progress("a message")
        await look_at_messages(desk, first)
