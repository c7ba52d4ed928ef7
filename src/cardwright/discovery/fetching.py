"""Fetch one card from a URL or an origin, with its provenance."""

from __future__ import annotations

import hashlib
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.discovery.card_lookup import VERSIONS, CardLookup, CardQuery, find
from cardwright.discovery.signatures import Signatures, Verifier
from cardwright.guard import Guard, GuardedClient
from cardwright.signing import KeySet, Policy
from cardwright_models.a2a_facts import CARD_PATHS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cardwright.dialect import Dialect
    from cardwright_runtime.violation import Violation


@dataclass(frozen=True, slots=True)
class Provenance:
    """Provenance of a card.

    Attributes:
        url: The URL that served the card, after redirects.
        candidate: The requested URL, before redirects.
        hops: The URLs that redirected, in order.
        tried: The earlier requests and their results, as text.
        fetched_at: The time of the response, in seconds since the epoch.
        headers: The header fields for caching and provenance, names in lower case.
        version: The `A2A-Version` that was sent.
        body_digest: `sha256:` and the digest of the exact bytes.
        signatures: The signature state and the signers.
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
        """The ETag header."""
        return dict(self.headers).get("etag")

    @property
    def notes(self) -> tuple[str, ...]:
        """Deviations from the specification on the way to the card, as text."""
        kind = (dict(self.headers).get("content-type") or "").partition(";")[0].strip().lower()
        deviations = (
            (
                self.candidate.endswith(CARD_PATHS[1]),
                f"the card is only at {CARD_PATHS[1]} (A2A 0.1 and 0.2); later clients look at {CARD_PATHS[0]}",
            ),
            (
                any(f"HTTP 400 to A2A-Version {VERSIONS[0]}" in one for one in self.tried),
                f"the agent rejected A2A-Version {VERSIONS[0]} and accepted {self.version or 'none'}",
            ),
            (kind == "text/plain", "the card is served as text/plain; use application/json"),
        )
        return tuple(text for applies, text in deviations if applies)


@dataclass(frozen=True, slots=True)
class FetchedCard:
    """A card, its bytes and its provenance."""

    card: Card
    body: bytes
    provenance: Provenance

    @property
    def dialect(self) -> Dialect:
        """The dialect that the card is validated against."""
        return self.card.dialect

    @property
    def violations(self) -> tuple[Violation, ...]:
        """All violations of the card, sorted by pointer."""
        return self.card.violations


async def fetch_card(  # noqa: PLR0913 - each argument is an independent option
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
    """Fetch the card of an agent, validate it and return it with its provenance, also if it is invalid.

    Args:
        url_or_origin: A card's URL; or a base URL, an origin or a host, whose well-known URLs are requested in
            their order.
        client: The guarded HTTP client; by default a new one for public addresses and `allow`.
        allow: Networks in CIDR form, such as `127.0.0.0/8`, to allow although they are not public.
        headers: Header fields for the origin of the URL only, such as `Authorization`.
        exact: Whether it is the card's URL; None: derive it from the form of the URL.
        dialect: The dialect to validate against; detected by default.
        keys: Keys to verify signatures with, besides key sets of the card's own https origin.
        policy: The accepted signatures.
        checks: The registries, limits and rule sets to validate the card with.
        clock: Seconds since the epoch.

    Raises:
        ConnectionDenied: If the guard denies the URL or a redirect target.
        PeerError: `PeerUnreachable`, `PeerTimeout`, `AccessDenied` for 401 and 403, or `BadResponse`.
        MalformedDocument: If the response is not a readable JSON document.
        UnknownDialect: If the JSON object is not a card.
    """
    async with AsyncExitStack() as stack:
        if client is None:
            client = await stack.enter_async_context(GuardedClient(Guard(allow=tuple(allow))))
        question = CardQuery(url_or_origin, exact, headers or {}, max_bytes=checks.limits.max_bytes)
        lookup = await find(client, question, clock=clock)
        card = Card.from_bytes(lookup.answer.body, dialect=dialect, checks=checks, found_at=lookup.candidate)
        verifier = Verifier(client, keys=keys, policy=policy or Policy(), clock=time.monotonic)
        signatures = await verifier.signatures(card, lookup.candidate)
        return FetchedCard(card, lookup.answer.body, provenance_of(lookup, signatures))


def provenance_of(lookup: CardLookup, signatures: Signatures) -> Provenance:
    """Return the provenance of a card."""
    return Provenance(
        lookup.answer.url,
        lookup.candidate,
        lookup.answer.hops,
        lookup.tried,
        lookup.at,
        lookup.stored_headers,
        lookup.version,
        body_digest(lookup.answer.body),
        signatures,
    )


def body_digest(body: bytes) -> str:
    """Return the digest of bytes as `sha256:` and hexadecimal digits."""
    return f"sha256:{hashlib.sha256(body).hexdigest()}"
