"""Trusted keys: a JSON Web Key Set, or a trust store, which is a key set with additional fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.canonical import decode
from cardwright.errors import BadKey, CardError, MalformedDocument
from cardwright.signing.header import Unacceptable
from cardwright.signing.keys import KEY_LIMITS, PRIVATE_MEMBERS, Key, is_revoked, thumbprint_of
from cardwright.signing.origins import is_origin, origin_of
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

# More than any key rotation needs (project decision).
MAX_KEYS: Final = 1024


@dataclass(frozen=True, slots=True)
class KeySet:
    """Keys by their id. A key is checked only when a signature names it.

    A set may be a trust store: then its keys may have `nbf`, `exp` and `revoked`, and its field `jku` lists the origins
    whose key sets are trusted, too.

    Attributes:
        jku_origins: Origins such as `https://keys.example.com`, from a trust store.
    """

    jku_origins: frozenset[str] = frozenset()
    _keys: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]], repr=False)
    _revoked: frozenset[str] = frozenset()
    # Cache of the keys that were looked up: each key, or why it cannot be used.
    _read: dict[str, Key | str] = field(default_factory=dict[str, "Key | str"], repr=False, compare=False)

    @classmethod
    def from_jwks(cls, value: Any) -> Self:
        """Read a JSON Web Key Set (RFC 7517 §5), a trust store, or one JSON Web Key.

        A key without an id gets its RFC 7638 thumbprint as its id.

        Raises:
            BadKey: If it has another form, or has more than 1,024 keys.
        """
        if type(value) is not dict:
            raise BadKey("expected a key set, which is a JSON object with an array `keys`")
        keys = value.get("keys") if "keys" in value or "kty" not in value else [value]
        if type(keys) is not list:
            raise BadKey("expected a key set, which is a JSON object with an array `keys`")
        # RFC 7517 §5: unknown entries are ignored.
        known = (key for key in keys if type(key) is dict)
        return cls.of(known, jku=value.get("jku", ()) if "keys" in value else ())

    @classmethod
    def of(cls, keys: Iterable[Key | Mapping[str, Any] | bytes | str], *, jku: Any = ()) -> Self:
        """Return the set of the given keys: `Key` objects, JSON Web Keys, or PEM.

        Raises:
            BadKey: If a key has another form, there are more than 1,024, or an entry of `jku` is not an https origin.
        """
        by_id: dict[str, list[Any]] = {}
        revoked: set[str | None] = set()
        for count, item in enumerate(keys):
            if count >= MAX_KEYS:
                raise BadKey(f"the set has more than {MAX_KEYS:,} keys")
            key = _checked(item)
            by_id.setdefault(_id(key), []).append(key)
            if isinstance(key, Key) and key.revoked:
                revoked.add(key.thumbprint)
            elif type(key) is dict and is_revoked(key):
                revoked.add(thumbprint_of(key))
        by_id.pop("", None)
        if type(jku) not in (list, tuple):
            raise BadKey("`jku` of a trust store must be an array of origins")
        for origin in jku:
            if not is_origin(origin):
                raise BadKey(
                    f"`jku` of the trust store contains {quote(origin)}; expected https origins without a path, such as"
                    " https://keys.example.com"
                )
        origins = frozenset(str(origin_of(origin)) for origin in jku)
        return cls(origins, by_id, frozenset(thumbprint for thumbprint in revoked if thumbprint))

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """Read the bytes of a key set, a trust store, one JSON Web Key or one PEM.

        Raises:
            BadKey: If they have another form.
        """
        if b"-----BEGIN " in body[:4096]:
            return cls.of([Key.from_pem(body)])
        try:
            return cls.from_jwks(decode(body, KEY_LIMITS))
        except MalformedDocument as error:
            raise BadKey(f"expected a key set: {error}") from None

    def __contains__(self, kid: object) -> bool:
        """Return whether a key has this id, usable or not."""
        return kid in self._keys

    def __len__(self) -> int:
        """Return the number of keys."""
        return sum(map(len, self._keys.values()))

    def merged(self, others: Iterable[KeySet]) -> Self:
        """Return a set with the keys and origins of this and other sets."""
        keys = {kid: list(candidates) for kid, candidates in self._keys.items()}
        origins, revoked = self.jku_origins, self._revoked
        for other in others:
            origins |= other.jku_origins
            revoked |= other._revoked  # noqa: SLF001 - another of this class
            for kid, candidates in other._keys.items():  # noqa: SLF001 - likewise
                keys.setdefault(kid, []).extend(candidates)
        return type(self)(origins, keys, revoked)

    def find(self, kid: str, alg: str, now: float) -> Key:
        """Return the key with an id, if it may be used with an algorithm at a time.

        Raises:
            Unacceptable: If there is no such key or it must not be used; the message says why.
        """
        key = self._key(kid)
        misfit = key.misfit(alg, "verify")
        if misfit:
            raise Unacceptable(misfit)
        # A2A 1.0 §8.4.3: expired or revoked keys must not be used.
        if self.revokes(key):
            raise Unacceptable(f"the key {quote(kid)} was revoked")
        if key.expires is not None and now >= key.expires:
            raise Unacceptable(f"the key {quote(kid)} has expired")
        if key.not_before is not None and now < key.not_before:
            raise Unacceptable(f"the key {quote(kid)} is not valid yet")
        return key

    def revokes(self, key: Key) -> bool:
        """Return whether a key is revoked in this set, by its thumbprint, under this or another id."""
        return key.thumbprint in self._revoked

    def _key(self, kid: str) -> Key:
        if kid not in self._keys:
            raise Unacceptable(f"no trusted key has the id {quote(kid)}")
        if kid not in self._read:
            self._read[kid] = _chosen(kid, self._keys[kid])
        key = self._read[kid]
        if isinstance(key, str):
            raise Unacceptable(key)
        return key


def _chosen(kid: str, candidates: list[Any]) -> Key | str:
    """Return the key with an id, or why it cannot be used."""
    try:
        keys = [key if isinstance(key, Key) else Key.from_jwk(_public(key), kid=kid) for key in candidates]
    except CardError as error:
        return f"the key {quote(kid)} cannot be used: {error}"
    if len({key.thumbprint for key in keys}) > 1:
        return f"several trusted keys have the id {quote(kid)}, so none of them is used"
    # The same key in several sets: its shortest validity applies.
    return replace(
        keys[0],
        expires=min((key.expires for key in keys if key.expires is not None), default=None),
        not_before=max((key.not_before for key in keys if key.not_before is not None), default=None),
    )


def _public(value: Any) -> Any:
    """Return a key without its private part, which verification does not need."""
    if type(value) is not dict:
        return value
    return {name: part for name, part in value.items() if name not in PRIVATE_MEMBERS}


def _checked(key: Any) -> Any:
    """Return a key as it is stored; JSON Web Keys are parsed when they are looked up."""
    match key:
        case Key():
            return key
        case Mapping():
            return dict(key)
        case str() | bytes():
            return Key.read(key.encode() if isinstance(key, str) else key)
        case _:
            raise BadKey(f"expected a Key, a JSON Web Key or PEM, found {type(key).__name__}")


def _id(key: Any) -> str:
    if isinstance(key, Key):
        return key.kid if key.kid is not None else key.thumbprint
    kid = key.get("kid") if type(key) is dict else None
    if kid is not None:
        return kid if type(kid) is str else ""
    return thumbprint_of(key) or ""
