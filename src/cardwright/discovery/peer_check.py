"""Check of one peer: request its card, compare, validate and decide, and return what to store."""

from __future__ import annotations

import asyncio
import logging
import secrets
import traceback
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from cardwright.card import Card
from cardwright.discovery.caching import StoredResponse, digested, fresh_until, plan, settle
from cardwright.discovery.candidates import origin_of
from cardwright.discovery.card_lookup import ACCEPT, VERSIONS, CardLookup, CardQuery
from cardwright.discovery.events import Event, EventKind
from cardwright.discovery.local_cards import find_card, is_local
from cardwright.discovery.peer import agent_id
from cardwright.discovery.references import keep_references, may_refer
from cardwright.discovery.scheduling import refresh_at, retry_at
from cardwright.discovery.summaries import MAX_CHANGES, change_text, rule_of, safe_message, same_date
from cardwright.errors import (
    BadResponse,
    CardError,
    ConnectionDenied,
    MalformedDocument,
    PeerError,
    StoreError,
)
from cardwright.guard.client import REDIRECT_TARGET
from cardwright.store import FetchRecord, Observation, digest_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.checks import Checks
    from cardwright.difference import Comparison
    from cardwright.discovery.configuration import PeerEntry
    from cardwright.discovery.references import References
    from cardwright.discovery.signatures import Signatures, Verifier
    from cardwright.guard import GuardedClient
    from cardwright.store import CardStore, Outcome, PeerRecord

    # What a request brought: the response to store, when to request it again, and how long it is fresh.
    _Fetched = tuple[PeerEntry, CardLookup, StoredResponse, float, float]

# Validating a card of maximum size can take half a second: larger cards go to a thread (project decision).
_HEAVY_BYTES: Final = 16 * 1024
_LOG: Final = logging.getLogger(__name__)
_NOT_FOUND: Final = "fetch/not-found"
_NOTHING: Final = ("", "")
# Fields about the time of the response, not about the card.
_TIME_FIELDS: Final = frozenset({"age", "date"})


@dataclass(frozen=True, slots=True)
class PeerCheckResult:
    """Result of a check: what to store, and the events. Events get their version when stored."""

    observation: Observation
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class PeerCheck:
    """Check of peers; one instance for all of them.

    Attributes:
        client: The guarded HTTP client.
        store: The database with older cards.
        verifier: The verifier of signatures.
        checks: The registries, limits and rule sets to validate cards with.
        default_ttl_seconds: The lifetime of a card whose response states none.
        floor_seconds: The minimum time between two requests to a peer.
        clock: Seconds since the epoch.
        random: Returns a number from 0 to 1.
    """

    client: GuardedClient
    store: CardStore
    verifier: Verifier
    checks: Checks
    default_ttl_seconds: float
    floor_seconds: float
    clock: Callable[[], float]
    random: Callable[[], float]
    _salt: bytes = field(default_factory=lambda: secrets.token_bytes(16), repr=False)

    async def check(self, record: PeerRecord, entry: PeerEntry) -> PeerCheckResult:
        """Check one peer; its failures are part of the result.

        Args:
            record: The stored data of the peer.
            entry: The settings of the peer.

        Raises:
            StoreError: If an older card cannot be read.
        """
        question, stored = self._question(record, entry)
        try:
            lookup = await find_card(self.client, question, entry.card, clock=self.clock)
            return await self._lookup_result(record, entry, lookup, stored)
        except (PeerError, ConnectionDenied) as error:
            return self._failed(record, error)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - outermost frame of one peer's work: no card stops the others
            # Without the message: it may contain text of the peer.
            where = traceback.extract_tb(error.__traceback__)[-1]
            _LOG.error(
                "peer check: internal error %s in %s:%s", type(error).__name__, where.name, where.lineno
            )
            return self._failed(record, CardError(f"internal error of cardwright: {type(error).__name__}"))

    def _question(self, record: PeerRecord, entry: PeerEntry) -> tuple[CardQuery, StoredResponse | None]:
        answer = record.answer
        question = CardQuery(
            record.url, entry.exact, entry.headers, entry.configured, max_bytes=self.checks.limits.max_bytes
        )
        if answer is None or record.version is None or is_local(record.url):
            return question, None
        stored = StoredResponse(
            answer.status, answer.headers, answer.request_headers, answer.fetched_at, answer.fetched_at
        )
        version = dict(answer.request_headers).get("a2a-version", VERSIONS[0])
        # The peer is due in any case; the plan only provides the conditions.
        planned = plan(stored, request_headers=self._sent(entry, version, "no-cache"), now=self.clock())
        question = replace(question, remembered=answer.candidate, version=version, conditions=planned.headers)
        return question, stored if planned.headers else None

    def _sent(self, entry: PeerEntry, version: str, *directives: str) -> tuple[tuple[str, str], ...]:
        """Return the request fields that Vary may name, with a digest for each header of the operator."""
        sent: tuple[tuple[str, str], ...] = (("accept", ACCEPT), ("a2a-version", version))
        if entry.headers:
            secret = frozenset(name.lower() for name in entry.headers)
            sent = digested((*sent, *entry.headers.items()), salt=self._salt, credentials=secret)
        return (*sent, *(("cache-control", directive) for directive in directives))

    async def _lookup_result(
        self, record: PeerRecord, entry: PeerEntry, lookup: CardLookup, stored: StoredResponse | None
    ) -> PeerCheckResult:
        not_modified = lookup.answer.status == 304
        settled = settle(
            stored if not_modified else None,
            request_headers=self._sent(entry, lookup.version),
            status=lookup.answer.status,
            headers=lookup.cache_headers,
            requested_at=lookup.requested_at,
            received_at=lookup.at,
        )
        new = settled.stored or StoredResponse(200, (), (), lookup.requested_at, lookup.at)
        until = fresh_until(
            new,
            # Uncacheable cards are requested as often as the floor allows.
            default_seconds=self.default_ttl_seconds if settled.stored else self.floor_seconds,
            floor_seconds=self.floor_seconds,
            override_seconds=record.settings.ttl_seconds,
        )
        # Jitter shortens the time, but not below the floor.
        floor_at = lookup.at + self.floor_seconds
        # Reading a file is cheap, and its changes are expected soon.
        next_at = (
            floor_at if is_local(record.url) else max(refresh_at(lookup.at, until, self.random), floor_at)
        )
        fetched = entry, lookup, new, next_at, until
        same_body = record.version is not None and digest_of(lookup.answer.body) == record.body_digest
        if not_modified or same_body:
            return await self._same(record, fetched)
        try:
            return await self._new(record, fetched)
        except StoreError:
            raise
        except CardError as error:
            return self._failed(record, error)

    async def _same(self, record: PeerRecord, fetched: _Fetched) -> PeerCheckResult:
        """Return the result for an unchanged card; check only its open questions: signature, pin, references."""
        entry, lookup, new, next_at, until = fetched
        before = record.answer
        unverified = before is not None and before.signature == "unverified"
        pin = record.settings.pin or ""
        if not (unverified or pin.startswith("sha256:") or (before is not None and before.references)):
            answer = _changed_answer(self._answer(lookup, new, before), before)
            observation = Observation(record.url, lookup.at, next_at, until, "unchanged", answer)
            return PeerCheckResult(observation, self._back(record, lookup.at))
        card = await asyncio.to_thread(self._old, record)
        if card is None:
            return self._failed(record, CardError("the stored card cannot be read again"))
        if pin.startswith("sha256:") and card.digest != pin:
            message = "the card does not match its pin; remove the peer and add it again, or update the pin"
            return self._failed(record, CardError(message))
        signatures = await self.verifier.signatures(card, lookup.candidate) if unverified else None
        references = await self._fetch_references(card, record, entry, lookup)
        answer = _changed_answer(self._answer(lookup, new, before, signatures, references), before)
        observation = Observation(record.url, lookup.at, next_at, until, "unchanged", answer)
        return PeerCheckResult(observation, self._back(record, lookup.at))

    async def _new(self, record: PeerRecord, fetched: _Fetched) -> PeerCheckResult:
        """Validate a changed card, and decide whether it replaces the current one."""
        entry, lookup, new, next_at, until = fetched
        body, at = lookup.answer.body, lookup.at
        if len(body) < _HEAVY_BYTES:
            card, old, compared = self._compare(record, body)
        else:
            card, old, compared = await asyncio.to_thread(self._compare, record, body)
        signatures = await self.verifier.signatures(card, lookup.candidate)
        change = change_text(compared)
        kind, reason = self._held_reason(record, card, old, signatures)
        if reason:
            already_held = self.store.is_held(record.url, digest_of(body))
            if already_held and record.waiting is None:
                reason = "the served card was refused earlier; the current one stays"
            # References are fetched after approval.
            answer = self._answer(lookup, new, None, signatures, "missing" if may_refer(card) else "")
            waiting = Observation(
                record.url, at, next_at, until, "quarantined", answer, body, card, agent_id(card), change, reason,
                f"registry/{kind}",
            )  # fmt: skip
            back = self._back(record, at)
            # The event is sent once.
            if already_held:
                return PeerCheckResult(waiting, back)
            event_kind: EventKind = "quarantined" if kind == "pinned" else "rejected"
            event = self._event(event_kind, record, at, compared, reason)
            return PeerCheckResult(waiting, (*back, event))
        references = await self._fetch_references(card, record, entry, lookup)
        answer = self._answer(lookup, new, None, signatures, references)
        outcome: Outcome = "new" if old is None else "changed"
        observation = Observation(
            record.url, at, next_at, until, outcome, answer, body, card, agent_id(card), change
        )
        events = list(self._back(record, at))
        if old is None:
            events.append(Event("added", record.url, at, record.id or agent_id(card)))
        else:
            same = "" if compared is None or compared.changes else "no change of meaning"
            detail = "; ".join(filter(None, (same, same_date(old, card))))
            events.append(self._event("changed", record, at, compared, detail))
        if record.answer is not None and record.answer.signature == "verified" != signatures.state:
            lost = f"the card was signed, and is {signatures.state} now"
            events.append(Event("signature-lost", record.url, at, record.id, detail=lost))
        return PeerCheckResult(observation, tuple(events))

    async def _fetch_references(
        self, card: Card, record: PeerRecord, entry: PeerEntry, lookup: CardLookup
    ) -> References:
        # A document of another origin, after a redirect, does not have this origin's permission.
        own = origin_of(lookup.answer.url) == entry.configured
        return await keep_references(
            card,
            record.url,
            base=lookup.answer.url,
            client=self.client,
            store=self.store,
            at=lookup.at,
            configured=entry.configured if own else None,
        )

    def _compare(self, record: PeerRecord, body: bytes) -> tuple[Card, Card | None, Comparison | None]:
        """Return the new card, the current one, and the changes between them."""
        card = self._read(body)
        old = self._old(record)
        return card, old, _compared(old, card)

    def _held_reason(
        self, record: PeerRecord, card: Card, old: Card | None, signatures: Signatures
    ) -> tuple[str, str]:
        """Return why a card does not replace the current one: a code and a sentence; two empty texts if it does."""
        fault = _pin_violation(record, card, old, signatures)
        if fault:
            return "pinned", fault
        if record.valid and not card.valid and not record.settings.replace_valid:
            count = len(card.errors)
            return (
                "invalid",
                f"the new card has {count} error{'s' if count != 1 else ''}; the valid one stays",
            )
        return _NOTHING

    def _old(self, record: PeerRecord) -> Card | None:
        if record.version is None:
            return None
        try:
            return self._read(self.store.body(record.version))
        except MalformedDocument:
            # It was accepted under other limits.
            return None

    def _read(self, body: bytes) -> Card:
        return Card.from_bytes(body, checks=self.checks)

    def _answer(
        self,
        lookup: CardLookup,
        new: StoredResponse,
        before: FetchRecord | None,
        signatures: Signatures | None = None,
        references: References = "",
    ) -> FetchRecord:
        """Return the response to store; without a new body, the signature state stays."""
        signature = signatures.state if signatures else before.signature if before else ""
        signed_by = signatures.signed_by if signatures else before.signed_by if before else ""
        version = (("a2a-version", lookup.version),)
        vary_fields = tuple(pair for pair in new.request_headers if pair[0] != "a2a-version")
        return FetchRecord(
            lookup.answer.url,
            lookup.at,
            200,
            new.headers,
            (*version, *vary_fields),
            lookup.candidate,
            signature,
            signed_by,
            references,
        )

    def _failed(self, record: PeerRecord, error: CardError) -> PeerCheckResult:
        at = self.clock()
        after = error.retry_after if isinstance(error, BadResponse) else None
        # Only the operator can allow what the guard denies: no backoff, so that a change takes effect soon.
        by_operator = isinstance(error, ConnectionDenied) and REDIRECT_TARGET not in error.url
        failures = 1 if by_operator else record.failures + 1
        next_at = max(retry_at(at, failures, after, self.random), at + self.floor_seconds)
        if after is None and record.fresh(at):
            # A failed forced check must not leave a fresh card to expire before the next check.
            next_at = min(next_at, max(record.fresh_until, at + self.floor_seconds))
        rule, message = rule_of(error), safe_message(error)
        observation = Observation(
            record.url, at, next_at, record.fresh_until, "failed", error=message, error_rule=rule
        )
        is_gone = rule == _NOT_FOUND and record.version is not None
        # One event at the start of a failure; another if the card is later gone.
        if record.failures and not (is_gone and record.error_rule != _NOT_FOUND):
            return PeerCheckResult(observation)
        return PeerCheckResult(
            observation, (Event("gone" if is_gone else "failed", record.url, at, record.id, detail=message),)
        )

    def _back(self, record: PeerRecord, at: float) -> tuple[Event, ...]:
        return (Event("back", record.url, at, record.id),) if record.failures else ()

    def _event(
        self, kind: EventKind, record: PeerRecord, at: float, compared: Comparison | None, detail: str
    ) -> Event:
        all_changes = compared.changes if compared else ()
        changes, more = all_changes[:MAX_CHANGES], len(all_changes) - MAX_CHANGES
        text = f"{more:,} more change{'s are' if more != 1 else ' is'} not listed" if more > 0 else ""
        return Event(
            kind,
            record.url,
            at,
            record.id,
            changes=changes,
            bump=compared.bump if compared else "none",
            detail="; ".join(filter(None, (detail, text))),
        )


def _changed_answer(answer: FetchRecord, before: FetchRecord | None) -> FetchRecord | None:
    """Return a response if it differs from the stored one in more than its age; else None."""
    return None if before is not None and _content(answer) == _content(before) else answer


def _content(answer: FetchRecord) -> tuple[object, ...]:
    fields = sorted(pair for pair in answer.headers if pair[0] not in _TIME_FIELDS)
    source = (answer.url, answer.status, answer.candidate, answer.request_headers)
    return (*source, answer.references, answer.signature, answer.signed_by, fields)


def _compared(old: Card | None, new: Card) -> Comparison | None:
    if old is None:
        return None
    from cardwright.difference import compare

    return compare(old, new)


def _pin_violation(record: PeerRecord, card: Card, old: Card | None, signatures: Signatures) -> str:
    """Return how a card violates its pin, as a sentence; "" if it does not."""
    pin = record.settings.pin
    if pin is None or (pin == "first" and record.version is None):
        return ""
    if pin.startswith("key:"):
        signed = any(each.thumbprint == pin[4:] for each in signatures.verdict.signatures if each.verified)
        return (
            ""
            if signed
            else "no signature of the card verifies with the pinned key; the card waits for approval"
        )
    # Equal values are the same card, whatever their bytes.
    if card.digest == (old.digest if pin == "first" and old is not None else pin):
        return ""
    return "the card does not match its pin; it waits for approval"
