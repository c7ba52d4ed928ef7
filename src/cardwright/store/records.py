"""What goes into the store and what comes out of it; frozen values, and nothing of a database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from cardwright.card import Card

Outcome = Literal["new", "changed", "unchanged", "failed", "quarantined"]
PeerState = Literal["unknown", "ok", "failing", "waiting", "removed"]
VersionState = Literal["current", "past", "waiting", "refused"]
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PeerSettings:
    """What the operator says of a peer. No secret is among it: none is ever stored.

    What is None is not said: of a known peer it stays as it was.

    Attributes:
        url: As configured; the peer's key everywhere. At most 2,048 characters.
        id: The id that the operator gives it; it wins over what the card says.
        ttl_seconds: How long its card is taken for fresh, whatever its answer says.
        pin: `first`, `sha256:…`, the digest of the card's RFC 8785 bytes, `key:` and an RFC 7638
            thumbprint, or `none`.
        replace_valid: Whether a card with errors may replace a good one.
        source: Who wrote this: `file`, `command` or `library`.
    """

    url: str
    id: str | None = None
    ttl_seconds: float | None = None
    pin: str | None = None
    replace_valid: bool | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Where one answer came from.

    Attributes:
        url: The final URL, after redirects.
        fetched_at: Seconds since 1970. A later one that says nothing new does not take its place.
        headers: The response fields that caching and provenance need, chosen by the caller.
        request_headers: Those of the request that a `Vary` may name.
        candidate: Which of the tried locations answered.
        signature: `unsigned`, `verified`, `unverified` or `failed`.
        signed_by: The key's id or thumbprint.
        references: Whether the card's contracts refer to schemas, and all of them could be had.
    """

    url: str
    fetched_at: float
    status: int
    headers: Headers
    request_headers: Headers = ()
    candidate: str = ""
    signature: str = ""
    signed_by: str = ""
    references: Literal["", "whole", "missing"] = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one refresh of one peer found.

    Attributes:
        url: The peer's key.
        at: When.
        next_at: When to look again.
        fresh_until: Until when what is known counts as fresh.
        outcome: `new` and `changed` bring a card, `quarantined` one that must be approved first.
        answer: Where it came from; None leaves what is stored.
        body: The exact bytes, where there is a card.
        card: What they were read as; facets and text are taken from it.
        agent_id: The id that the card says; a configured one wins.
        change: A JSON text of what changed, kept with the version.
        error: What went wrong in one line; the last good card stays.
        error_rule: The rule's id.
    """

    url: str
    at: float
    next_at: float
    fresh_until: float
    outcome: Outcome
    answer: Answer | None = None
    body: bytes = b""
    card: Card | None = None
    agent_id: str | None = None
    change: str = ""
    error: str = ""
    error_rule: str = ""


@dataclass(frozen=True, slots=True)
class PeerRecord:
    """One peer as it is stored.

    Attributes:
        id: The configured id, or else the one that the card says.
        conflicts_with: The URL of the peer that has this id already, being added before; None where it is ours.
        name: The card's, exactly, but for what no database can hold, and for what is past 512 characters.
        valid: Whether the last good card has no error; None where there is no card.
        errors: How many it has.
        warnings: Likewise.
        last_checked_at: When it was last looked at, whatever came of it.
        last_ok_at: When its card was last seen, new or unchanged.
        next_at: When it is due; while somebody looks, when that claim ends.
        failures: How many times in a row it failed.
        error: What the last failure said; "" after a success.
        answer: Where the last good card came from.
        version: The id of the version of the last good card.
        body_digest: The SHA-256 of its exact bytes, in hexadecimal.
        waiting: The id of a version that waits to be approved.
    """

    url: str
    settings: PeerSettings
    id: str | None = None
    conflicts_with: str | None = None
    name: str = ""
    dialect: str = ""
    valid: bool | None = None
    errors: int = 0
    warnings: int = 0
    last_checked_at: float | None = None
    last_ok_at: float | None = None
    fresh_until: float = 0.0
    next_at: float = 0.0
    failures: int = 0
    error: str = ""
    error_rule: str = ""
    answer: Answer | None = None
    version: int | None = None
    body_digest: str = ""
    waiting: int | None = None
    removed: bool = False

    @property
    def state(self) -> PeerState:
        """The one word for it; of several that hold, the one that asks for more attention."""
        if self.removed:
            return "removed"
        if self.waiting is not None:
            return "waiting"
        if self.failures:
            return "failing"
        return "unknown" if self.version is None else "ok"

    def fresh(self, now: float) -> bool:
        """Whether there is a card and it counts as fresh."""
        return self.version is not None and self.fresh_until > now


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """One version of one peer's card.

    Attributes:
        version: Its id, unique in the database and never used again.
        body_digest: The SHA-256 of its exact bytes, in hexadecimal.
        change: The JSON text that its sighting brought.
        state: Whether it is the good one, was or might have become it, waits to be approved, or was refused.
    """

    version: int
    url: str
    seen_at: float
    body_digest: str
    dialect: str
    valid: bool
    errors: int
    warnings: int
    answer: Answer | None
    change: str
    state: VersionState


@dataclass(frozen=True, slots=True)
class Counts:
    """How many peers there are, and how they do. Removed ones do not count.

    Attributes:
        cards: Peers with a card.
        valid: Of these, those without errors.
        stale: Of these, those past their time.
        failed: Peers whose last look failed.
        waiting: Peers with a version to approve.
    """

    peers: int = 0
    cards: int = 0
    valid: int = 0
    stale: int = 0
    failed: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for: everything that is given must hold. Case and accents do not count.

    Of several values in one field a card must have each; but where it has only one itself,
    for `provider` and `dialects`, one of them suffices.

    Attributes:
        text: Words, each of which the card must have; of the last, a beginning of three letters suffices.
        protocols: `a2a`, `mcp`, any protocol of a Beach card, or a binding such as `JSONRPC`.
        versions: Protocol versions, such as `1.0` or `0.3`, with or without the patch number.
        modes: Media types of input or output.
        extensions: URIs.
        auth: Kinds of authentication: `apiKey`, `http`, `bearer`, `oauth2`, `none`, …
        consumes: Part types that the agent understands.
        valid: Only cards without errors, or only those with.
        fresh: Only cards that count as fresh, or only the others.
    """

    text: str = ""
    tags: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    auth: tuple[str, ...] = ()
    consumes: tuple[str, ...] = ()
    provider: tuple[str, ...] = ()
    dialects: tuple[str, ...] = ()
    valid: bool | None = None
    fresh: bool | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One card that was found.

    Attributes:
        peer: Everything stored of the peer.
        description: How the card's description begins, in one printable line.
        snippet: The text around the first word that was looked for, in one printable line; "" without text.
        score: 1 where the name is the text, 0.75 where it has all words, 0.5 where they stand among names,
            tags and provider, 0.25 where they stand anywhere; 0 without text.
    """

    peer: PeerRecord
    description: str = ""
    snippet: str = ""
    score: float = 0.0

    @property
    def url(self) -> str:
        """The peer's key."""
        return self.peer.url

    @property
    def id(self) -> str | None:
        """The agent's id."""
        return self.peer.id

    @property
    def name(self) -> str:
        """The card's name."""
        return self.peer.name

    @property
    def dialect(self) -> str:
        """The card's dialect."""
        return self.peer.dialect

    @property
    def valid(self) -> bool | None:
        """Whether the card has no error."""
        return self.peer.valid


@dataclass(frozen=True, slots=True)
class Page:
    """Some of what was found.

    Attributes:
        hits: Best first. There may be fewer than asked for, even none, and still more to come.
        cursor: Where to go on; None where this was all.
    """

    hits: tuple[Hit, ...]
    cursor: str | None = None
