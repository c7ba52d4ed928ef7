"""One card from one URL or origin, with everything that is known of how it came."""

from __future__ import annotations

import hashlib
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.discovery.candidates import WELL_KNOWN
from cardwright.discovery.card_lookup import VERSIONS, CardLookup, Question, find
from cardwright.discovery.signatures import Signatures, Verifier
from cardwright.guard import Guard, GuardedClient
from cardwright.signing import KeySet, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cardwright.dialect import Dialect
    from cardwright_runtime.violation import Violation


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a card came from, and how.

    Attributes:
        url: The URL that it came from in the end.
        candidate: The URL that was asked, before any redirect.
        hops: The URLs that redirected, in order.
        tried: What was asked before, and what came of it.
        fetched_at: When it came, in seconds since the epoch.
        headers: The fields that caching and provenance need, names in lower case.
        version: The `A2A-Version` that was sent.
        body_digest: `sha256:` and the digest of the exact bytes.
        signatures: Whether it is signed, and by whom.
    """

    url: str
    candidate: str
    hops: tuple[str, ...]
    tried: tuple[str, ...]
    fetched_at: float
    headers: tuple[tuple[str, str], ...]
    version: str
    body_digest: str
    signatures: Signatures

    @property
    def etag(self) -> str | None:
        """The entity tag, as it came."""
        return dict(self.headers).get("etag")

    @property
    def notes(self) -> tuple[str, ...]:
        """What was odd about the way, in words."""
        kind = (dict(self.headers).get("content-type") or "").partition(";")[0].strip().lower()
        odd = (
            (
                self.candidate.endswith(WELL_KNOWN[1]),
                f"it was found at {WELL_KNOWN[1]}, the place of A2A 0.1 and 0.2: later clients look at {WELL_KNOWN[0]}",
            ),
            (
                self.version != VERSIONS[0],
                f"it refused A2A-Version {VERSIONS[0]} and answered {self.version}",
            ),
            (kind == "text/plain", "it was served as text/plain; a card is application/json"),
        )
        return tuple(words for applies, words in odd if applies)


@dataclass(frozen=True, slots=True)
class FetchedCard:
    """A card, the bytes it was read from, and where they came from."""

    card: Card
    body: bytes
    provenance: Provenance

    @property
    def dialect(self) -> Dialect:
        """What the card is judged by."""
        return self.card.dialect

    @property
    def violations(self) -> tuple[Violation, ...]:
        """All that is wrong with it, sorted by pointer."""
        return self.card.violations


async def fetch_card(  # noqa: PLR0913 - each is a choice of its own
    url_or_origin: str,
    *,
    client: GuardedClient | None = None,
    allow: Iterable[str] = (),
    headers: Mapping[str, str] | None = None,
    exact: bool | None = None,
    dialect: Dialect | str | None = None,
    keys: KeySet | None = None,
    policy: Policy | None = None,
    checks: Checks = DEFAULT_CHECKS,
    clock: Callable[[], float] = time.time,
) -> FetchedCard:
    """Fetch the card of an agent, validate it, and say where it came from. Invalid cards are returned, too.

    Args:
        url_or_origin: A card's URL; or a base URL, an origin or a host, whose well-known places are
            asked in their order.
        client: What to fetch by; one that dials public addresses and `allow` where not given.
        allow: Networks, as CIDR such as `127.0.0.0/8`, that may be dialled though they are not public.
        headers: Fields for the origin of the URL alone, such as `Authorization`.
        exact: Whether it is the card's own URL; told by its form where not given.
        dialect: The dialect to validate by; detected where not given.
        keys: Keys that signatures are verified by, besides key sets of the card's own https origin.
        policy: Which signatures are accepted.
        checks: The registries, limits and rule sets to validate the card with.
        clock: Seconds since the epoch.

    Raises:
        ConnectionDenied: If the guard refuses the URL, or what it redirects to.
        PeerError: `PeerUnreachable`, `PeerTimeout`, `AccessDenied` for 401 and 403, or `BadAnswer`.
        MalformedDocument: If what came is no JSON that may be read.
        UnknownDialect: If it is a JSON object and no card.
    """
    async with AsyncExitStack() as stack:
        if client is None:
            client = await stack.enter_async_context(GuardedClient(Guard(allow=tuple(allow))))
        question = Question(url_or_origin, exact, headers or {}, max_bytes=checks.limits.max_bytes)
        finding = await find(client, question, clock=clock)
        card = Card.from_bytes(finding.answer.body, dialect=dialect, checks=checks)
        verifier = Verifier(client, keys=keys, policy=policy or Policy(), clock=time.monotonic)
        signatures = await verifier.signatures(card, finding.candidate)
        return FetchedCard(card, finding.answer.body, provenance_of(finding, signatures))


def provenance_of(finding: CardLookup, signatures: Signatures) -> Provenance:
    """Return where a card came from."""
    return Provenance(
        finding.answer.url,
        finding.candidate,
        finding.answer.hops,
        finding.tried,
        finding.at,
        finding.kept_headers,
        finding.version,
        body_digest(finding.answer.body),
        signatures,
    )


def body_digest(body: bytes) -> str:
    """Return `sha256:` and the digest of bytes."""
    return f"sha256:{hashlib.sha256(body).hexdigest()}"
