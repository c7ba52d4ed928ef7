"""Verify the signatures of a card against keys that are trusted."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError, NoCanonicalForm
from cardwright.signing.forms import PROFILES, Form, Profile, form_of
from cardwright.signing.header import MAX_SIGNATURES, Header, Unacceptable, read_header
from cardwright.signing.keys import ALGORITHMS, Algorithm, Key
from cardwright.signing.keyset import KeySet
from cardwright.signing.origins import is_origin, origin_of
from cardwright.signing.verdict import SignatureVerdict, Verification
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card

    Fetch = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Policy:
    """What a verifier accepts.

    Attributes:
        profiles: The canonical forms that may match; leave out `sdk` or `as-received` to refuse them.
        algorithms: Those that may have signed.
        jku_origins: Origins, such as `https://keys.example.com`, whose key sets are trusted.
        origin: Where the card was fetched from, an origin or a URL: if it is https, a key set of the
            same origin is trusted as well. Never taken from the card itself.
        fetch: Returns the bytes of an https URL, or raises CardError, OSError, LookupError or
            ValueError; without it no `jku` is followed. A `RecentKeySets` asks no origin more than
            once a minute.
        clock: Seconds since the epoch, for keys that expire.

    Raises:
        ValueError: If a profile or an algorithm is unknown, or an origin is no https origin.
    """

    profiles: tuple[Profile, ...] = PROFILES
    algorithms: tuple[Algorithm, ...] = ALGORITHMS
    jku_origins: frozenset[str] = frozenset()
    origin: str | None = None
    fetch: Fetch | None = None
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        """Refuse what would silently accept nothing, or more than was meant."""
        for name, known, given in (
            ("profile", PROFILES, self.profiles),
            ("algorithm", ALGORITHMS, self.algorithms),
        ):
            if not given:
                raise ValueError(f"a policy without any {name} would accept nothing")
            for value in given:
                if value not in known:
                    raise ValueError(f"there is no {name} {value!r}; known are {', '.join(known)}")
        for origin in self.jku_origins:
            if not is_origin(origin):
                raise ValueError(
                    f"{origin!r} is no https origin: a whole host is trusted, such as https://keys.example.com"
                )

    def follows(self, jku: str, store: frozenset[str]) -> str:
        """Return the origin of a `jku` if its key set is trusted; else an empty text."""
        origin = origin_of(jku)
        trusted = {origin_of(one) for one in (*self.jku_origins, *store, self.origin)}
        return origin if origin is not None and origin in trusted else ""


DEFAULT_POLICY: Final = Policy()


def verify(
    card: Card,
    *,
    keys: KeySet | Key | Mapping[str, object] | bytes | None = None,
    policy: Policy = DEFAULT_POLICY,
) -> Verification:
    """Verify each signature of a card, and return the verdicts; the card may be invalid.

    A key is found by the signature's kid, first among `keys`, then in the key set that its `jku`
    names, if the policy trusts that origin. Keys that a header brings along (`jwk`, `x5c`, `x5u`)
    are never used.

    Args:
        card: The card as it was received.
        keys: A `KeySet`, one `Key`, or a JSON Web Key Set or trust store as a JSON value or its bytes.
        policy: What the verifier accepts.

    Raises:
        BadKey: If `keys` is not a key set.
    """
    trusted = _key_set(keys)
    entries = card.document.get("signatures") if type(card.document) is dict else None
    if type(entries) is not list:
        return Verification(())
    bench = _Bench(card, trusted, policy)
    return Verification(tuple(
        bench.judged(index, entry)
        if index < MAX_SIGNATURES
        else SignatureVerdict(index, reason=f"it is past the {MAX_SIGNATURES} that are looked at")
        for index, entry in enumerate(entries)
    ))  # fmt: skip


def _key_set(keys: KeySet | Key | Mapping[str, object] | bytes | None) -> KeySet:
    match keys:
        case None:
            return KeySet()
        case KeySet():
            return keys
        case Key():
            return KeySet.of([keys])
        case bytes():
            return KeySet.from_bytes(keys)
        case _:
            return KeySet.from_jwks(dict(keys) if isinstance(keys, Mapping) else keys)


def wanted_key_sets(card: Card, keys: KeySet, policy: Policy) -> tuple[str, ...]:
    """Return the URLs whose key sets `verify` would fetch, for callers that fetch beforehand.

    Fetch each, then verify by a policy whose `fetch` looks the bytes up: `dataclasses.replace(policy,
    fetch=fetched.__getitem__)`. One that could not be fetched is left out: its signature says so.
    """
    entries = card.document.get("signatures") if type(card.document) is dict else None
    wanted: dict[str, None] = {}
    for entry in (entries if type(entries) is list else [])[:MAX_SIGNATURES]:
        try:
            header = read_header(entry)
        except Unacceptable:
            continue
        if header.kid in keys or header.alg not in policy.algorithms:
            continue
        if header.jku and policy.follows(header.jku, keys.jku_origins):
            wanted[header.jku] = None
    return tuple(wanted)


class _Bench:
    """One card, its canonical forms as far as they were needed, and the keys that are trusted."""

    def __init__(self, card: Card, keys: KeySet, policy: Policy) -> None:
        self._card = card
        self._keys = keys
        self._policy = policy
        self._forms: dict[Profile, Form | str] = {}
        self._fetched: dict[str, KeySet | str] = {}

    def judged(self, index: int, entry: Any) -> SignatureVerdict:
        header: Header | None = None
        try:
            header = read_header(entry)
            key = self._key(header)
            form = self._match(header, key)
        except Unacceptable as refusal:
            kid, alg = (header.kid, header.alg) if header else (None, None)
            return SignatureVerdict(index, kid, alg, reason=str(refusal))
        return SignatureVerdict(
            index, header.kid, header.alg, key.thumbprint, form.profile, uncovered=form.uncovered
        )

    def _key(self, header: Header) -> Key:
        if header.alg not in self._policy.algorithms:
            raise Unacceptable(f"the policy does not accept {header.alg}")
        keys, now = self._keys, self._policy.clock()
        if header.kid in keys or header.jku is None:
            return keys.find(header.kid, header.alg, now)
        if not self._policy.follows(header.jku, keys.jku_origins):
            raise Unacceptable(
                f"no trusted key has the id {quote(header.kid)}, and the origin of its jku is not trusted"
            )
        key = self._fetch(header.jku).find(header.kid, header.alg, now)
        if keys.revokes(key):
            raise Unacceptable(f"the key {quote(header.kid)} was revoked")
        return key

    def _fetch(self, jku: str) -> KeySet:
        if jku not in self._fetched:
            self._fetched[jku] = self._asked(jku)
        found = self._fetched[jku]
        if isinstance(found, str):
            raise Unacceptable(found)
        return found

    def _asked(self, jku: str) -> KeySet | str:
        """Return the key set of a trusted URL, or why there is none."""
        if self._policy.fetch is None:
            return "its key is not among those given, and its jku is not fetched here"
        try:
            body = self._policy.fetch(jku)
            if not isinstance(body, bytes):
                raise TypeError(f"a fetch returns bytes, not {type(body).__name__}; await it beforehand")
            return KeySet.from_bytes(body)
        # What a stranger's server answers is not repeated in the message.
        except (CardError, OSError, LookupError, ValueError):
            return f"the key set of {origin_of(jku)} could not be fetched or read"

    def _match(self, header: Header, key: Key) -> Form:
        """Return the first form that a signature holds for.

        Raises:
            Unacceptable: If it holds for none.
        """
        from cardwright.signing.jws import holds

        tried: list[bytes] = []
        reasons: list[str] = []
        for profile in PROFILES:
            if profile not in self._policy.profiles:
                continue
            form = self._form(profile)
            if isinstance(form, str):
                reasons.append(f"{profile}: {form}")
            elif form.body not in tried:
                tried.append(form.body)
                if holds(form.body, key, header):
                    return form
        beside = f" ({'; '.join(reasons)})" if reasons else ""
        enabled = ", ".join(profile for profile in PROFILES if profile in self._policy.profiles)
        raise Unacceptable(
            f"it does not hold for the card as it is (tried: {enabled}): the card or the signature was"
            f" changed, another key signed, or another profile was signed{beside}"
        )

    def _form(self, profile: Profile) -> Form | str:
        if profile not in self._forms:
            try:
                self._forms[profile] = form_of(self._card, profile)
            except NoCanonicalForm as error:
                self._forms[profile] = str(error)
        return self._forms[profile]
