"""One look at one peer: ask, compare with what is known, judge what is new, and say what came of it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from cardwright.card import Card
from cardwright.discovery.caching import StoredResponse, digested, fresh_until, plan, settle
from cardwright.discovery.card_lookup import ACCEPT, VERSIONS, CardLookup, Question, find
from cardwright.discovery.events import Event, EventKind
from cardwright.discovery.peer import agent_id
from cardwright.discovery.references import keep_references, may_refer
from cardwright.discovery.scheduling import refresh_at, retry_at
from cardwright.discovery.summaries import MOST_CHANGES, change_text, rule_of, same_date, words_of
from cardwright.errors import (
    BadAnswer,
    CardError,
    ConnectionDenied,
    MalformedDocument,
    PeerError,
    StoreError,
)
from cardwright.guard import target_of
from cardwright.store import Answer, Observation, digest_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.checks import Checks
    from cardwright.difference import Comparison
    from cardwright.discovery.configuration import PeerEntry
    from cardwright.discovery.references import References
    from cardwright.discovery.signatures import Signatures, Verifier
    from cardwright.guard import GuardedClient
    from cardwright.store import CardStore, Outcome, PeerRecord

# Judging a card of the greatest size can take half a second; other peers' answers come meanwhile (ours).
_HEAVY_BYTES: Final = 16 * 1024
_LOG: Final = logging.getLogger(__name__)
# How the client names what a redirect of a peer leads to.
_REDIRECTED: Final = "(where it redirects to)"
_GONE: Final = "fetch/not-found"
_NOTHING: Final = ("", "")
# Fields that say when an answer came and not what holds of the card.
_OF_THE_MOMENT: Final = frozenset({"age", "date"})


@dataclass(frozen=True, slots=True)
class PeerCheckResult:
    """What one look found: what is written down, and what happened. Events get their version when written."""

    sighting: Observation
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class PeerCheck:
    """Looks at peers; one for all of them.

    Attributes:
        client: What asks.
        store: Where older cards are.
        verifier: What signatures are checked by.
        checks: The registries, limits and rule sets to validate cards with.
        default_ttl_seconds: How long a card is fresh whose answer does not say.
        floor_seconds: No peer is asked more often.
        clock: Seconds since the epoch.
        random: Gives a number from 0 to 1.
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

    async def look(self, record: PeerRecord, entry: PeerEntry) -> PeerCheckResult:
        """Look at one peer; whatever goes wrong with it is in what is returned.

        Args:
            record: What is stored of it.
            entry: What the operator says of it.

        Raises:
            StoreError: If an older card cannot be read.
        """
        question, kept = self._question(record, entry)
        try:
            finding = await find(self.client, question, clock=self.clock)
            return await self._found(record, entry, finding, kept)
        except (PeerError, ConnectionDenied) as error:
            return self._failed(record, error)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - outermost frame of one peer's work: no card stops the others
            # Not the message: what a peer sent may stand in it.
            where = traceback.extract_tb(error.__traceback__)[-1]
            _LOG.error(
                "a peer could not be looked at: %s in %s:%s", type(error).__name__, where.name, where.lineno
            )
            return self._failed(record, CardError(f"a fault of cardwright: {type(error).__name__}"))

    def _question(self, record: PeerRecord, entry: PeerEntry) -> tuple[Question, StoredResponse | None]:
        answer = record.answer
        if answer is None or record.version is None:
            return Question(
                record.url,
                entry.exact,
                entry.headers,
                entry.configured,
                max_bytes=self.checks.limits.max_bytes,
            ), None
        kept = StoredResponse(
            answer.status, answer.headers, answer.request_headers, answer.fetched_at, answer.fetched_at
        )
        version = dict(answer.request_headers).get("a2a-version") or VERSIONS[0]
        # Whether it is due was decided already; what is asked here is how to ask.
        asked = plan(kept, request_headers=self._sent(entry, version, "no-cache"), now=self.clock())
        question = Question(
            record.url,
            entry.exact,
            entry.headers,
            entry.configured,
            remembered=answer.candidate,
            version=version,
            conditions=asked.headers,
            max_bytes=self.checks.limits.max_bytes,
        )
        return question, kept if asked.headers else None

    def _sent(self, entry: PeerEntry, version: str, *directives: str) -> tuple[tuple[str, str], ...]:
        """Return what a request says that a Vary may name, every header of the operator as its digest."""
        sent: tuple[tuple[str, str], ...] = (("accept", ACCEPT), ("a2a-version", version))
        if entry.headers:
            secret = frozenset(name.lower() for name in entry.headers)
            sent = digested((*sent, *entry.headers.items()), salt=self._salt, credentials=secret)
        return (*sent, *(("cache-control", one) for one in directives))

    async def _found(
        self, record: PeerRecord, entry: PeerEntry, finding: CardLookup, kept: StoredResponse | None
    ) -> PeerCheckResult:
        same = finding.answer.status == 304
        settled = settle(
            kept if same else None,
            request_headers=self._sent(entry, finding.version),
            status=finding.answer.status,
            headers=finding.cache_headers,
            requested_at=finding.asked_at,
            received_at=finding.at,
        )
        keeps = settled.stored or StoredResponse(200, (), (), finding.asked_at, finding.at)
        until = fresh_until(
            keeps,
            # What may not be kept at all is asked for as seldom as politeness demands, and no seldomer.
            default_seconds=self.default_ttl_seconds if settled.stored else self.floor_seconds,
            floor_seconds=self.floor_seconds,
            override_seconds=record.settings.ttl_seconds,
        )
        # Jitter makes it sooner, and the floor is one.
        next_at = max(refresh_at(finding.at, until, self.random), finding.at + self.floor_seconds)
        if same or (record.version is not None and digest_of(finding.answer.body) == record.body_digest):
            return await self._same(record, entry, finding, keeps, next_at, until)
        try:
            return await self._new(record, entry, finding, keeps, next_at, until)
        except StoreError:
            raise
        except CardError as error:
            return self._failed(record, error)

    async def _same(
        self,
        record: PeerRecord,
        entry: PeerEntry,
        finding: CardLookup,
        keeps: StoredResponse,
        next_at: float,
        until: float,
    ) -> PeerCheckResult:
        """Say that the good card is served still; it is looked at only where something of it is open."""
        before = record.answer
        unproved = before is not None and before.signature == "unverified"
        pin = record.settings.pin or ""
        if not (unproved or pin.startswith("sha256:") or (before is not None and before.references)):
            answer = _news(self._answer(finding, keeps, before), before)
            sighting = Observation(record.url, finding.at, next_at, until, "unchanged", answer)
            return PeerCheckResult(sighting, self._back(record, finding.at))
        card = await asyncio.to_thread(self._old, record)
        if card is None:
            return self._failed(record, CardError("the card that is stored cannot be read again"))
        if pin.startswith("sha256:") and card.digest != pin:
            told = "the card is not the one that is pinned: remove it and add it again, or pin it anew"
            return self._failed(record, CardError(told))
        signatures = await self.verifier.signatures(card, finding.candidate) if unproved else None
        references = await self._kept(card, record, entry, finding)
        answer = _news(self._answer(finding, keeps, before, signatures, references), before)
        sighting = Observation(record.url, finding.at, next_at, until, "unchanged", answer)
        return PeerCheckResult(sighting, self._back(record, finding.at))

    async def _new(
        self,
        record: PeerRecord,
        entry: PeerEntry,
        finding: CardLookup,
        keeps: StoredResponse,
        next_at: float,
        until: float,
    ) -> PeerCheckResult:
        """Judge bytes that were not seen last time, and say whether they take the place of those that were."""
        body, at = finding.answer.body, finding.at
        if len(body) < _HEAVY_BYTES:
            card, old, compared = self._judged(record, body)
        else:
            card, old, compared = await asyncio.to_thread(self._judged, record, body)
        signatures = await self.verifier.signatures(card, finding.candidate)
        told = change_text(compared)
        kind, held = self._held(record, card, old, signatures)
        if held:
            again = self.store.put_off(record.url, digest_of(body))
            if again and record.waiting is None:
                held = "the card that it serves was refused; the good one stays"
            # Looked for when it was approved.
            answer = self._answer(finding, keeps, None, signatures, "missing" if may_refer(card) else "")
            waiting = Observation(
                record.url, at, next_at, until, "quarantined", answer, body, card, agent_id(card), told, held,
                f"registry/{kind}",
            )  # fmt: skip
            back = self._back(record, at)
            # Nobody is told twice.
            if again:
                return PeerCheckResult(waiting, back)
            event = self._event("quarantined" if kind == "pinned" else "rejected", record, at, compared, held)
            return PeerCheckResult(waiting, (*back, event))
        references = await self._kept(card, record, entry, finding)
        answer = self._answer(finding, keeps, None, signatures, references)
        outcome: Outcome = "new" if old is None else "changed"
        sighting = Observation(
            record.url, at, next_at, until, outcome, answer, body, card, agent_id(card), told
        )
        events = list(self._back(record, at))
        if old is None:
            events.append(Event("added", record.url, at, record.id or agent_id(card)))
        else:
            same = "" if compared is None or compared.changes else "nothing that means anything"
            detail = "; ".join(filter(None, (same, same_date(old, card))))
            events.append(self._event("changed", record, at, compared, detail))
        if record.answer is not None and record.answer.signature == "verified" != signatures.state:
            lost = f"the card that was signed is {signatures.state} now"
            events.append(Event("signature-lost", record.url, at, record.id, detail=lost))
        return PeerCheckResult(sighting, tuple(events))

    async def _kept(
        self, card: Card, record: PeerRecord, entry: PeerEntry, finding: CardLookup
    ) -> References:
        # A document of another origin, after a redirect, has no leave of this one's.
        own = target_of(finding.answer.url).origin == entry.configured
        return await keep_references(
            card,
            record.url,
            base=finding.answer.url,
            client=self.client,
            store=self.store,
            at=finding.at,
            configured=entry.configured if own else None,
        )

    def _judged(self, record: PeerRecord, body: bytes) -> tuple[Card, Card | None, Comparison | None]:
        """Read a card, the one that is good now, and what changed between them."""
        card = self._read(body)
        old = self._old(record)
        return card, old, _compared(old, card)

    def _held(
        self, record: PeerRecord, card: Card, old: Card | None, signatures: Signatures
    ) -> tuple[str, str]:
        """Return why a card does not become the good one: a word and a sentence; two empty ones if it does."""
        fault = _unpinned(record, card, old, signatures)
        if fault:
            return "pinned", fault
        if record.valid and not card.valid and not record.settings.replace_valid:
            count = len(card.errors)
            return (
                "invalid",
                f"the card that came has {count} error{'s' if count != 1 else ''}; the valid one stays",
            )
        return _NOTHING

    def _old(self, record: PeerRecord) -> Card | None:
        if record.version is None:
            return None
        try:
            return self._read(self.store.body(record.version))
        except MalformedDocument:
            # It was read under other limits than these.
            return None

    def _read(self, body: bytes) -> Card:
        return Card.from_bytes(body, checks=self.checks)

    def _answer(
        self,
        finding: CardLookup,
        keeps: StoredResponse,
        before: Answer | None,
        signatures: Signatures | None = None,
        references: References = "",
    ) -> Answer:
        """Return what is kept of an answer; of one without a new body, who had signed it."""
        signature = signatures.state if signatures else before.signature if before else ""
        signed_by = signatures.signed_by if signatures else before.signed_by if before else ""
        version = (("a2a-version", finding.version),)
        witnesses = tuple(pair for pair in keeps.request_headers if pair[0] != "a2a-version")
        return Answer(
            finding.answer.url,
            finding.at,
            200,
            keeps.headers,
            (*version, *witnesses),
            finding.candidate,
            signature,
            signed_by,
            references,
        )

    def _failed(self, record: PeerRecord, error: CardError) -> PeerCheckResult:
        at = self.clock()
        after = error.retry_after if isinstance(error, BadAnswer) else None
        # What the guard refuses is the operator's to allow, and looked at again soon after that.
        own = isinstance(error, ConnectionDenied) and _REDIRECTED not in error.url
        failures = 1 if own else record.failures + 1
        next_at = max(retry_at(at, failures, after, self.random), at + self.floor_seconds)
        rule, told = rule_of(error), words_of(error)
        sighting = Observation(
            record.url, at, next_at, record.fresh_until, "failed", error=told, error_rule=rule
        )
        gone = rule == _GONE and record.version is not None
        # Told once, when it begins; that it is gone also after it only failed.
        if record.failures and not (gone and record.error_rule != _GONE):
            return PeerCheckResult(sighting)
        return PeerCheckResult(
            sighting, (Event("gone" if gone else "failed", record.url, at, record.id, detail=told),)
        )

    def _back(self, record: PeerRecord, at: float) -> tuple[Event, ...]:
        return (Event("back", record.url, at, record.id),) if record.failures else ()

    def _event(
        self, kind: EventKind, record: PeerRecord, at: float, compared: Comparison | None, detail: str
    ) -> Event:
        every = compared.changes if compared else ()
        changes, more = every[:MOST_CHANGES], len(every) - MOST_CHANGES
        told = f"{more:,} more change{'s are' if more != 1 else ' is'} not listed" if more > 0 else ""
        return Event(
            kind,
            record.url,
            at,
            record.id,
            changes=changes,
            bump=compared.bump if compared else "none",
            detail="; ".join(filter(None, (detail, told))),
        )


def _news(answer: Answer, before: Answer | None) -> Answer | None:
    """Return an answer if it says anything that is not stored already, but for how old it is."""
    return None if before is not None and _lasting(answer) == _lasting(before) else answer


def _lasting(answer: Answer) -> tuple[object, ...]:
    fields = sorted(pair for pair in answer.headers if pair[0] not in _OF_THE_MOMENT)
    way = (answer.url, answer.status, answer.candidate, answer.request_headers)
    return (*way, answer.references, answer.signature, answer.signed_by, fields)


def _unpinned(record: PeerRecord, card: Card, old: Card | None, signatures: Signatures) -> str:
    """Return how a card breaks its pin, in a sentence; "" if there is none, or it holds."""
    pin = record.settings.pin
    if pin is None or (pin == "first" and record.version is None):
        return ""
    if pin.startswith("key:"):
        signed = any(one.thumbprint == pin[4:] for one in signatures.verdict.signatures if one.verified)
        return (
            ""
            if signed
            else "no signature of the card verifies by the key that is pinned: it waits to be approved"
        )
    # Equal values are one card, however they are written.
    if card.digest == (old.digest if pin == "first" and old is not None else pin):
        return ""
    return "the card is not the one that is pinned: it waits to be approved"


def _compared(old: Card | None, new: Card) -> Comparison | None:
    if old is None:
        return None
    from cardwright.difference import compare

    return compare(old, new)
