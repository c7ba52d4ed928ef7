"""Signed once: the signature of each view is kept, and every worker and restart serves the same bytes."""

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
from cardwright.signing import Key, KeySet, sign, verify
from cardwright.signing.signer import has_signatures, key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.card import Card
    from cardwright.signing import Algorithm, Profile

# RFC 8032 and RSASSA-PKCS1-v1_5 (RFC 8017 §8.2) give the same signature each time; the others do not.
DETERMINISTIC: Final = frozenset({"EdDSA", "RS256"})
_LOG: Final = logging.getLogger("cardwright.serve")


@dataclass(frozen=True, slots=True)
class SignatureKey:
    """What a kept signature is found by.

    Attributes:
        digest: Of the card that is signed, as `Card.digest` gives it.
        kid: The id of the key.
        profile: The canonical form.
        alg: The algorithm.
        jku: The key set that the signature names, or "".
    """

    digest: str
    kid: str
    profile: str
    alg: str
    jku: str = ""


class SignatureStore(Protocol):
    """Where signatures are kept; shared by everything that serves the same card."""

    def get(self, key: SignatureKey) -> dict[str, Any] | None:
        """Return the entry of `signatures` that was kept, or None."""
        ...

    def put(
        self, key: SignatureKey, signature: dict[str, Any], *, over: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Keep an entry of `signatures`; return the one that is kept now, which may be another's.

        Args:
            key: What it is found by.
            signature: The entry.
            over: An entry that does not hold, which this one replaces.
        """
        ...


@dataclass(frozen=True, slots=True)
class SignatureFolder:
    """Signatures as files of a folder, one each, made whole or not at all.

    Attributes:
        path: The folder; it is made, with its parents, when the first signature is kept.
    """

    path: str | Path

    def get(self, key: SignatureKey) -> dict[str, Any] | None:
        """Return the entry that was kept; None where there is none, or what is there is none."""
        try:
            entry = decode(self._file(key).read_bytes())
        except (OSError, CardError):
            return None
        return entry if type(entry) is dict else None

    def put(
        self, key: SignatureKey, signature: dict[str, Any], *, over: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Keep an entry unless another process was first; then return that one.

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
                # A link fails where the name is taken, so of two that sign at once the first one counts.
                os.link(temporary, self._file(key))
            except FileExistsError:
                if self.get(key) == over:
                    temporary.replace(self._file(key))
        finally:
            with suppress(OSError):
                temporary.unlink()
        return self.get(key) or {}

    def _file(self, key: SignatureKey) -> Path:
        told = f"{key.digest}\n{key.kid}\n{key.profile}\n{key.alg}\n{key.jku}"
        return Path(self.path) / f"{hashlib.sha256(told.encode()).hexdigest()}.json"


@dataclass(frozen=True, slots=True)
class Signing:
    """How the views of a card are signed.

    Attributes:
        key: The private key: a `Key`, a JSON Web Key, or PEM.
        kid: Its id.
        alg: ES256, ES384, EdDSA, RS256 or PS256.
        jku: The https URL of the key set that holds the public key, if signatures shall name it.
        profile: The canonical form that is signed.
        store: Where signatures are kept. Without one each process signs for itself, and only EdDSA and RS256
            give the same signature each time, so any other needs one where `processes` is more than 1.
        processes: How many processes serve the card.

    Raises:
        UnsignableCard: If the algorithm would give each process another signature.
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
                f"{self.alg} gives another signature each time, so {self.processes} processes would serve"
                " different cards: keep signatures in a store (--state DIR), or sign with EdDSA or RS256"
            )

    def signed(self, card: Card) -> Card:
        """Return the card with our signature, the kept one where there is one that holds.

        A card of a dialect without signatures (A2A 0.1 and 0.2, Beach, MCP) is returned as it is.

        Raises:
            InvalidCard, UnsignableCard, BadKey, NoCanonicalForm: As `sign` raises them.
            OSError: If the signature cannot be kept.
        """
        if not has_signatures(str(card.dialect)):
            return card
        if self.store is None:
            return self._sign(card)
        key = SignatureKey(card.digest, self.kid, self.profile, self.alg, self.jku or "")
        kept = self.store.get(key)
        if kept is not None and self.holds(again := _with(card, kept)):
            return again
        if kept is not None:
            _LOG.warning("a kept signature does not hold and is made anew: key %r", self.kid)
        made = self._sign(card)
        stored = _with(card, self.store.put(key, made.document["signatures"][-1], over=kept))
        if not self.holds(stored):
            raise UnsignableCard(
                "the store of signatures gives one that does not hold, and takes no other: look at what is in it"
            )
        return stored

    def holds(self, card: Card) -> bool:
        """Whether the last signature of a card is ours and covers it."""
        return verify(card, keys=self.public()).signatures[-1].verified

    def public(self) -> KeySet:
        """Return the key as verifiers have it."""
        return KeySet.of([replace(key_of(self.key), kid=self.kid)])

    def _sign(self, card: Card) -> Card:
        return sign(card, key=self.key, kid=self.kid, alg=self.alg, jku=self.jku, profile=self.profile)


def _with(card: Card, signature: dict[str, Any]) -> Card:
    signatures = [*card.document.get("signatures", ()), signature]
    return card.of_parts({**card.document, "signatures": signatures}, str(card.dialect))
