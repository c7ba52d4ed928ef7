"""`probe`: run all checks of an agent that change nothing, one request after another."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING, Final

from cardwright.discovery.candidates import candidates, given
from cardwright.discovery.card_lookup import CardQuery, find
from cardwright.discovery.probe.caching import check_caching, check_versions
from cardwright.discovery.probe.client import BudgetSpent, ProbeClient
from cardwright.discovery.probe.context import CheckContext
from cardwright.discovery.probe.endpoints import check_interface
from cardwright.discovery.probe.messages import check_messages
from cardwright.discovery.probe.places import check_card, check_places
from cardwright.discovery.probe.report import Report
from cardwright.discovery.probe.rules import SECTIONS
from cardwright.discovery.probe.trust import check_signatures
from cardwright.errors import CardError
from cardwright.guard import Timeouts, target_of
from cardwright.view.interfaces import interfaces

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.discovery.card_lookup import CardLookup
    from cardwright.discovery.probe.wire import Wire
    from cardwright.guard import GuardedClient
    from cardwright.signing import KeySet

# A polite number of requests (project decision).
MAX_REQUESTS: Final = 60
TIMEOUT_SECONDS: Final = 60.0
# More interfaces than any known card (project decision).
MAX_INTERFACES: Final = 16


async def probe(  # noqa: PLR0913 - each argument is an independent option
    url_or_origin: str,
    *,
    client: GuardedClient,
    headers: Mapping[str, str] | None = None,
    send: bool = False,
    keys: KeySet | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS,
    max_requests: int = MAX_REQUESTS,
    clock: Callable[[], float] = time.monotonic,
    new_id: Callable[[], str] = lambda: str(uuid.uuid4()),
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Return whether an agent behaves as its card declares.

    Nothing is changed: the probe sends only GET, HEAD and OPTIONS, and calls for a method or a task that does
    not exist. Requests are sequential, at most `max_requests`.

    Args:
        url_or_origin: A card's URL; or a base URL, an origin or a host, whose well-known URLs are requested.
        client: The guarded HTTP client. Interfaces of the card that its guard denies are findings.
        headers: Header fields for the origin of the URL only, such as `Authorization`. Interfaces are also
            checked without them.
        send: Whether to send one text message, and a streamed one if streaming is declared, and to open MCP
            sessions.
        keys: Keys to verify signatures with, besides key sets of the card's own https origin.
        timeout_seconds: The time limit of the probe.
        max_requests: The maximum number of requests.
        clock: Monotonic clock, in seconds.
        new_id: Creates unused ids of tasks and messages.
        progress: Called with a name before each step.

    Raises:
        ConnectionDenied: If the guard denies the URL or a redirect target.
        PeerError: If the card cannot be fetched: `PeerUnreachable`, `PeerTimeout`, `AccessDenied` for 401 and
            403, or `BadResponse`.
    """
    target = given(url_or_origin)
    probe_client = ProbeClient(
        client, origin=target.origin, headers=headers or {}, clock=clock,
        deadline=clock() + timeout_seconds, max_requests=max_requests,
    )  # fmt: skip
    context = CheckContext(probe_client, None, target, new_id, send, progress)
    progress("the card")
    # The time limit of the probe, and at most that of a card.
    times = Timeouts(total=probe_client.left())
    lookup = await find(client, CardQuery(url_or_origin, headers=headers or {}, timeouts=times), clock=clock)
    probe_client.count(len(lookup.tried) + 1 + len(lookup.answer.hops))
    context.home = target_of(lookup.answer.url)
    complete = await _run_checks(context, lookup, candidates(target), keys)
    order = {section: place for place, section in enumerate(SECTIONS)}
    checks = sorted(context.checks, key=lambda check: order[check.section])
    safe_url = target_of(lookup.answer.url).safe_url
    return Report(
        target.safe_url, safe_url, context.card, tuple(checks), probe_client.request_count, complete
    )


async def _run_checks(
    context: CheckContext, lookup: CardLookup, candidate_urls: tuple[str, ...], keys: KeySet | None
) -> bool:
    """Run all checks within the limits; return whether all of them ran."""
    check_card(context, lookup)
    try:
        await _check_card_requests(context, lookup, candidate_urls)
        await _check_agent(context)
        if context.card is not None:
            context.progress("signatures")
            await check_signatures(context, context.card, lookup, keys)
    except BudgetSpent as spent:
        context.add("probe/run", "skip", "further checks", f"not run: {spent}")
        return False
    return True


async def _check_card_requests(
    context: CheckContext, lookup: CardLookup, candidate_urls: tuple[str, ...]
) -> None:
    context.progress("well-known places")
    await check_places(context, lookup, candidate_urls)
    for step, rule, check in (
        ("caching", "probe/cache-control", check_caching),
        ("versions of the card", "probe/card-version", check_versions),
    ):
        context.progress(step)
        try:
            await check(context, lookup)
        except BudgetSpent:
            raise
        except CardError as error:
            context.add(rule, "warning", step, str(error))


async def _check_agent(context: CheckContext) -> None:
    if context.card is None:
        return
    first: Wire | None = None
    declared_interfaces = interfaces(context.card)
    for interface in declared_interfaces[:MAX_INTERFACES]:
        context.progress(str(interface))
        wire = await check_interface(context, interface)
        first = first or wire
    if len(declared_interfaces) > MAX_INTERFACES:
        more = f"{len(declared_interfaces) - MAX_INTERFACES:,} more interfaces"
        context.add(
            "probe/interface-reachable", "skip", more, f"only {MAX_INTERFACES} interfaces are checked"
        )
    if context.send:
        context.progress("a message")
        await check_messages(context, first)
