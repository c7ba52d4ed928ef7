"""Signing of served cards: signatures are stored, so that every worker and restart serves the same bytes."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from cardwright.canonical import decode
from cardwright.errors import CardError, UnsignableCard
from cardwright.regular_file import read_regular_file
from cardwright.signing import Key, KeySet, sign, verify
from cardwright.signing.signer import has_signatures, key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.card import Card
    from cardwright.signing import Algorithm, Profile

# RFC 8032 and RSASSA-PKCS1-v1_5 (RFC 8017 §8.2) create the same signature each time; the others do not.
DETERMINISTIC: Final = frozenset({"EdDSA", "RS256"})
_LOG: Final = logging.getLogger("cardwright.serve")


@dataclass(frozen=True, slots=True)
class SignatureKey:
    """The key of a stored signature.

    Attributes:
        digest: The digest of the signed card (`Card.digest`).
        kid: The id of the key.
        profile: The canonical form.
        alg: The algorithm.
        jku: The URL of the key set in the signature, or "".
    """

    digest: str
    kid: str
    profile: str
    alg: str
    jku: str = ""


class SignatureStore(Protocol):
    """Store of signatures, shared by all processes that serve the same card."""

    def get(self, key: SignatureKey) -> dict[str, Any] | None:
        """Return the stored entry of `signatures`, or None."""
        ...

    def put(
        self, key: SignatureKey, signature: dict[str, Any], *, over: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Store an entry of `signatures`; return the stored one, which may be another process's.

        Args:
            key: The key of the signature.
            signature: The entry.
            over: An invalid entry, which this one replaces.
        """
        ...


@dataclass(frozen=True, slots=True)
class SignatureFolder:
    """Store of signatures as files of a folder, written atomically.

    Attributes:
        path: The folder; it is created, with its parents, when the first signature is stored.
    """

    path: str | Path

    def get(self, key: SignatureKey) -> dict[str, Any] | None:
        """Return the stored entry, or None if it is absent or cannot be read."""
        try:
            entry = decode(read_regular_file(self._file(key)))
        except (OSError, CardError):
            return None
        return entry if type(entry) is dict else None

    def put(
        self, key: SignatureKey, signature: dict[str, Any], *, over: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Store an entry unless another process has stored one; return the stored one.

        Raises:
            OSError: If the folder cannot be written.
        """
        folder = Path(self.path)
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f".{secrets.token_hex(8)}"
        try:
            with temporary.open("xb") as file:
                file.write(json.dumps(signature, separators=(",", ":")).encode())
                file.flush()
                os.fsync(file.fileno())
            try:
                # link() fails if the name exists, so of two processes that sign at once the first one wins.
                os.link(temporary, self._file(key))
            except FileExistsError:
                if self.get(key) == over:
                    temporary.replace(self._file(key))
        finally:
            with suppress(OSError):
                temporary.unlink()
        return self.get(key) or {}

    def _file(self, key: SignatureKey) -> Path:
        text = f"{key.digest}\n{key.kid}\n{key.profile}\n{key.alg}\n{key.jku}"
        return Path(self.path) / f"{hashlib.sha256(text.encode()).hexdigest()}.json"


@dataclass(frozen=True, slots=True)
class Signing:
    """Settings for signing the views of a card.

    Attributes:
        key: The private key: a `Key`, a JSON Web Key, or PEM.
        kid: Its id.
        alg: ES256, ES384, EdDSA, RS256 or PS256.
        jku: The https URL of the key set with the public key, to be named in signatures.
        profile: The canonical form to sign.
        store: The store of signatures. Without it each process signs for itself; only EdDSA and RS256 create the
            same signature each time, so other algorithms need a store if `processes` is more than 1.
        processes: The number of processes that serve the card.

    Raises:
        UnsignableCard: If each process would create a different signature.
    """

    key: Key | Mapping[str, Any] | bytes | str = field(repr=False)
    kid: str
    alg: Algorithm
    jku: str | None = None
    profile: Profile = "spec"
    store: SignatureStore | None = None
    processes: int = 1

    def __post_init__(self) -> None:
        if self.store is None and self.processes > 1 and self.alg not in DETERMINISTIC:
            raise UnsignableCard(
                f"{self.alg} creates a different signature each time, so {self.processes} processes would serve"
                " different cards; set a store for signatures (--state DIR), or sign with EdDSA or RS256"
            )

    def signed(self, card: Card) -> Card:
        """Return the card with this key's signature, the stored one if it is valid.

        A card of a dialect without signatures (A2A 0.1 and 0.2, Beach, MCP) is returned unchanged.

        Raises:
            InvalidCard, UnsignableCard, BadKey, NoCanonicalForm: As `sign`.
            OSError: If the signature cannot be stored.
        """
        if not has_signatures(str(card.dialect)):
            return card
        if self.store is None:
            return self._sign(card)
        key = SignatureKey(card.digest, self.kid, self.profile, self.alg, self.jku or "")
        stored = self.store.get(key)
        if stored is not None and self.holds(signed := _with(card, stored)):
            return signed
        if stored is not None:
            _LOG.warning("a stored signature is invalid; signing again with key %r", self.kid)
        signature = self._sign(card).document["signatures"][-1]
        signed = _with(card, self.store.put(key, signature, over=stored))
        if not self.holds(signed):
            raise UnsignableCard(
                "the store of signatures returns an invalid signature and does not replace it; delete its contents"
            )
        return signed

    def holds(self, card: Card) -> bool:
        """Return whether the last signature of a card is valid and made with this key."""
        return verify(card, keys=self.public()).signatures[-1].verified

    def public(self) -> KeySet:
        """Return the public key as a key set."""
        return KeySet.of([replace(key_of(self.key), kid=self.kid)])

    def _sign(self, card: Card) -> Card:
        return sign(card, key=self.key, kid=self.kid, alg=self.alg, jku=self.jku, profile=self.profile)


def _with(card: Card, signature: dict[str, Any]) -> Card:
    signatures = [*card.document.get("signatures", ()), signature]
    return card.of_parts({**card.document, "signatures": signatures}, str(card.dialect))
