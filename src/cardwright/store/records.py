"""Input and output values of the store, independent of the database."""

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
    """The operator's settings of a peer. They contain no secrets: secrets are never stored.

    None means unset: the stored value of a known peer stays.

    Attributes:
        url: The configured URL; the key of the peer. At most 2,048 characters.
        id: The configured id; it takes precedence over that of the card.
        ttl_seconds: The lifetime of its card, whatever the response states.
        pin: `first`; `sha256:…`, the digest of the card's RFC 8785 bytes; `key:` and an RFC 7638 thumbprint; or
            `none`.
        replace_valid: Whether an invalid card may replace a valid one.
        source: The origin of the settings: `file`, `command` or `library`.
    """

    url: str
    id: str | None = None
    ttl_seconds: float | None = None
    pin: str | None = None
    replace_valid: bool | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class FetchRecord:
    """Provenance of a response.

    Attributes:
        url: The final URL, after redirects.
        fetched_at: Seconds since 1970. A later response with the same content does not replace it.
        headers: The response fields for caching and provenance, selected by the caller.
        request_headers: The request fields that `Vary` may name.
        candidate: The candidate URL that had the card.
        signature: `unsigned`, `verified`, `unverified` or `failed`.
        signed_by: The key's id or thumbprint.
        references: Whether the card's contracts refer to schemas, and whether all of them are available.
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
    """Result of one check of a peer.

    Attributes:
        url: The peer's key.
        at: The time of the check.
        next_at: The time of the next check.
        fresh_until: The end of the card's freshness.
        outcome: `new` and `changed` have a card, `quarantined` one that needs approval.
        answer: The provenance; None keeps the stored one.
        body: The exact bytes, if there is a card.
        card: The parsed card; facets and text are taken from it.
        agent_id: The id in the card; a configured one takes precedence.
        change: The changes as JSON text, stored with the version.
        error: The error in one line; the current card stays.
        error_rule: The rule id of the error.
    """

    url: str
    at: float
    next_at: float
    fresh_until: float
    outcome: Outcome
    answer: FetchRecord | None = None
    body: bytes = b""
    card: Card | None = None
    agent_id: str | None = None
    change: str = ""
    error: str = ""
    error_rule: str = ""


@dataclass(frozen=True, slots=True)
class PeerRecord:
    """A stored peer.

    Attributes:
        id: The configured id, else that of the card.
        conflicts_with: The URL of the peer that has this id and takes precedence, or None.
        name: The card's name; characters that databases cannot store are replaced, and 512 are the maximum.
        valid: Whether the current card has no errors; None without a card.
        errors: The number of its errors.
        warnings: The number of its warnings.
        last_checked_at: The time of the last check, whatever its result.
        last_ok_at: The time when the card was last seen, new or unchanged.
        next_at: The time of the next check; while claimed, the end of the lease.
        failures: The number of consecutive failures.
        error: The message of the last failure; "" after a success.
        answer: The provenance of the current card.
        version: The id of the current version.
        body_digest: The SHA-256 of its exact bytes, in hexadecimal.
        waiting: The id of a version that waits for approval.
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
    answer: FetchRecord | None = None
    version: int | None = None
    body_digest: str = ""
    waiting: int | None = None
    removed: bool = False

    @property
    def state(self) -> PeerState:
        """The state of the peer; of several, the one that needs the most attention."""
        if self.removed:
            return "removed"
        if self.waiting is not None:
            return "waiting"
        if self.failures:
            return "failing"
        return "unknown" if self.version is None else "ok"

    def fresh(self, now: float) -> bool:
        """Whether there is a card and it is fresh."""
        return self.version is not None and self.fresh_until > now


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """A version of a peer's card.

    Attributes:
        version: Its id, unique in the database and never reused.
        body_digest: The SHA-256 of its exact bytes, in hexadecimal.
        change: The changes as JSON text.
        state: `current`; `past`: was current, or waited and was superseded; `waiting` for approval; or `refused`.
    """

    version: int
    url: str
    seen_at: float
    body_digest: str
    dialect: str
    valid: bool
    errors: int
    warnings: int
    answer: FetchRecord | None
    change: str
    state: VersionState


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of peers by state, without removed ones.

    Attributes:
        cards: Peers with a card.
        valid: Peers with a valid card.
        stale: Peers with a card that is past its time.
        failed: Peers whose last check failed.
        waiting: Peers with a version that waits for approval.
    """

    peers: int = 0
    cards: int = 0
    valid: int = 0
    stale: int = 0
    failed: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Query:
    """A search query: all given conditions must hold. Case and accents are ignored.

    A card must match all values of a field; but for `provider` and `dialects`, where a card has only one value,
    one match is enough.

    Attributes:
        text: Words that the card must contain; for the last one a prefix of three letters is enough.
        protocols: `a2a`, `mcp`, a protocol of a Beach card, or a binding such as `JSONRPC`.
        versions: Protocol versions, such as `1.0` or `0.3`, with or without the patch number.
        modes: Media types of input or output.
        extensions: URIs.
        auth: Authentication types: `apiKey`, `http`, `bearer`, `oauth2`, `none`, …
        consumes: Part types that the agent understands.
        valid: Only valid cards, or only invalid ones.
        fresh: Only fresh cards, or only stale ones.
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
    """A search result.

    Attributes:
        peer: The stored record of the peer.
        description: The beginning of the card's description, in one printable line.
        snippet: The text around the first matching word, in one printable line; "" without query text.
        score: 1 if the name equals the text, 0.75 if the name has all words, 0.5 if names, tags and provider have
            them, 0.25 if any text has them; 0 without query text.
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
        """Whether the card has no errors."""
        return self.peer.valid


@dataclass(frozen=True, slots=True)
class Page:
    """A page of search results.

    Attributes:
        hits: The results, best first. There may be fewer than `limit`, even none, although more pages follow.
        cursor: The cursor of the next page; None on the last one.
    """

    hits: tuple[Hit, ...]
    cursor: str | None = None
