"""Verification of the signatures of a card with trusted keys."""

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
from cardwright_runtime.checks import dig, listed
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card

    Fetch = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy of a verifier.

    Attributes:
        profiles: The accepted canonical forms.
        algorithms: The accepted algorithms.
        jku_origins: Origins, such as `https://keys.example.com`, whose key sets are trusted.
        origin: The origin or URL from which the card was fetched: if it is https, key sets of the same origin are
            trusted, too. It is never read from the card.
        fetch: Returns the bytes at an https URL, or raises CardError, OSError, LookupError or ValueError; None to
            fetch no `jku`. A `RecentKeySets` requests each origin at most once a minute.
        clock: Returns the seconds since the epoch, for keys that expire.

    Raises:
        ValueError: If a profile or an algorithm is unknown, or an origin is not an https origin.
    """

    profiles: tuple[Profile, ...] = PROFILES
    algorithms: tuple[Algorithm, ...] = ALGORITHMS
    jku_origins: frozenset[str] = frozenset()
    origin: str | None = None
    fetch: Fetch | None = None
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        """Check the policy: a wrong value would accept nothing, or more than intended."""
        for name, known, values in (
            ("profile", PROFILES, self.profiles),
            ("algorithm", ALGORITHMS, self.algorithms),
        ):
            if not values:
                raise ValueError(f"a policy needs at least one {name}")
            for value in values:
                if value not in known:
                    raise ValueError(f"unknown {name} {value!r}; known: {', '.join(known)}")
        for origin in self.jku_origins:
            if not is_origin(origin):
                raise ValueError(
                    f"expected an https origin without a path, such as https://keys.example.com, found {origin!r}"
                )

    def follows(self, jku: str, store: frozenset[str]) -> str:
        """Return the origin of a `jku` if its key set is trusted, else ""."""
        origin = origin_of(jku)
        trusted = {origin_of(url) for url in (*self.jku_origins, *store, self.origin)}
        return origin if origin is not None and origin in trusted else ""


DEFAULT_POLICY: Final = Policy()


def verify(
    card: Card,
    *,
    keys: KeySet | Key | Mapping[str, object] | bytes | None = None,
    policy: Policy = DEFAULT_POLICY,
) -> Verification:
    """Verify each signature of a card, which may be invalid.

    A key is looked up by the signature's kid, first in `keys`, then in the key set at its `jku` if the policy trusts
    that origin. Keys in a header (`jwk`, `x5c`, `x5u`) are never used.

    Args:
        card: The card as it was received.
        keys: A `KeySet`, one `Key`, or a JSON Web Key Set or trust store as a JSON value or its bytes.
        policy: The policy of the verifier.

    Raises:
        BadKey: If `keys` is not a key set.
    """
    trusted = _key_set(keys)
    entries = dig(card.document, ("signatures",))
    if type(entries) is not list:
        return Verification(())
    verifier = _Verifier(card, trusted, policy)
    return Verification(tuple(
        verifier.verdict(index, entry)
        if index < MAX_SIGNATURES
        else SignatureVerdict(index, reason=f"only the first {MAX_SIGNATURES} signatures are verified")
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
    """Return the URLs of the key sets that `verify` would fetch, to fetch them beforehand.

    Fetch each, then verify with `dataclasses.replace(policy, fetch=fetched.__getitem__)`. Leave out a key set that
    could not be fetched: the reason of its signature will say so.
    """
    wanted: dict[str, None] = {}
    for entry in listed(dig(card.document, ("signatures",)))[:MAX_SIGNATURES]:
        try:
            header = read_header(entry)
        except Unacceptable:
            continue
        if header.kid in keys or header.alg not in policy.algorithms:
            continue
        if header.jku and policy.follows(header.jku, keys.jku_origins):
            wanted[header.jku] = None
    return tuple(wanted)


class _Mismatch(Unacceptable):
    """A trusted key was found, and the signature is not valid with it."""


class _Verifier:
    """Verifier of the signatures of one card; caches canonical forms and fetched key sets."""

    def __init__(self, card: Card, keys: KeySet, policy: Policy) -> None:
        self._card = card
        self._keys = keys
        self._policy = policy
        self._forms: dict[Profile, Form | str] = {}
        self._fetched: dict[str, KeySet | str] = {}

    def verdict(self, index: int, entry: Any) -> SignatureVerdict:
        header: Header | None = None
        try:
            header = read_header(entry)
            key = self._key(header)
            form = self._match(header, key)
        except Unacceptable as error:
            kid, alg = (header.kid, header.alg) if header else (None, None)
            return SignatureVerdict(index, kid, alg, reason=str(error), mismatch=isinstance(error, _Mismatch))
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
            self._fetched[jku] = self._key_set(jku)
        key_set = self._fetched[jku]
        if isinstance(key_set, str):
            raise Unacceptable(key_set)
        return key_set

    def _key_set(self, jku: str) -> KeySet | str:
        """Return the key set at a trusted URL, or why it is not available."""
        if self._policy.fetch is None:
            return "no trusted key has its kid, and fetching of its jku is not enabled"
        try:
            body = self._policy.fetch(jku)
            if not isinstance(body, bytes):
                raise TypeError(
                    f"`fetch` must return bytes, returned {type(body).__name__}; it cannot be async"
                )
            return KeySet.from_bytes(body)
        # The message does not repeat the response of an untrusted server.
        except (CardError, OSError, LookupError, ValueError):
            return f"the key set of {origin_of(jku)} could not be fetched or read"

    def _match(self, header: Header, key: Key) -> Form:
        """Return the first canonical form for which a signature is valid.

        Raises:
            _Mismatch: If it is valid for none.
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
        details = f" ({'; '.join(reasons)})" if reasons else ""
        enabled = ", ".join(profile for profile in PROFILES if profile in self._policy.profiles)
        raise _Mismatch(
            f"the signature is not valid for this card (tried: {enabled}): the card or the signature was changed, or"
            f" it was made with another key or profile{details}"
        )

    def _form(self, profile: Profile) -> Form | str:
        if profile not in self._forms:
            try:
                self._forms[profile] = form_of(self._card, profile)
            except NoCanonicalForm as error:
                self._forms[profile] = str(error)
        return self._forms[profile]
