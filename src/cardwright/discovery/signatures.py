"""Whether a fetched card's signatures hold: key sets come through the guarded client, each origin's at most once a minute."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from cardwright.errors import CardError
from cardwright.signing import KeySet, Policy, RecentKeySets, Verification, verify, wanted_key_sets

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.guard import GuardedClient

SignatureState = Literal["unsigned", "verified", "unverified"]
_NONE: Final = Verification(())


@dataclass(frozen=True, slots=True)
class Signatures:
    """What is to be said of a card's signatures.

    Attributes:
        state: `unsigned`, `verified` if one holds by a trusted key, else `unverified`.
        verdict: Signature by signature.
    """

    state: SignatureState = "unsigned"
    verdict: Verification = _NONE

    @property
    def signed_by(self) -> str:
        """The RFC 7638 thumbprint of the key that verified, or ""."""
        return next((one.thumbprint or "" for one in self.verdict.signatures if one.verified), "")


class Verifier:
    """Verifies fetched cards by the keys that are trusted, and by key sets that trusted origins publish.

    Args:
        client: What key sets are fetched by.
        keys: Keys that are trusted.
        policy: What is accepted; a key set of the card's own https origin is trusted besides.
        clock: Seconds that only go forward.
    """

    def __init__(
        self, client: GuardedClient, *, keys: KeySet | None, policy: Policy, clock: Callable[[], float]
    ) -> None:
        self._client = client
        self._keys = keys if keys is not None else KeySet()
        self._policy = policy
        self._recent = RecentKeySets(_never, clock=clock)
        self._coming: dict[str, asyncio.Task[bytes | None]] = {}

    async def signatures(self, card: Card, url: str) -> Signatures:
        """Return what holds of a card that was asked for at a URL, whatever it redirected to."""
        entries = card.document.get("signatures") if type(card.document) is dict else None
        if not entries:
            return Signatures()
        policy = replace(self._policy, origin=url)
        fetched: dict[str, bytes] = {}
        for jku in wanted_key_sets(card, self._keys, policy):
            body = await self._key_set(jku)
            if body is not None:
                fetched[jku] = body
        verdict = verify(card, keys=self._keys, policy=replace(policy, fetch=fetched.__getitem__))
        return Signatures("verified" if verdict.verified else "unverified", verdict)

    async def _key_set(self, jku: str) -> bytes | None:
        """Return a key set; who asks for one that is on its way waits for it."""
        coming = self._coming.get(jku)
        if coming is None:
            try:
                kept = self._recent.kept(jku)
            except LookupError:
                return None
            if kept is not None:
                return kept
            coming = asyncio.ensure_future(self._fetched(jku))
            self._coming[jku] = coming
            coming.add_done_callback(lambda _: self._coming.pop(jku, None))
        # Whoever stops waiting does not take it from the others.
        return await asyncio.shield(coming)

    async def _fetched(self, jku: str) -> bytes | None:
        with suppress(CardError):
            # A redirect would lead away from the origin that is trusted.
            answer = await self._client.get(jku, redirects=0)
            if answer.status == 200:
                return self._recent.fetched(jku, answer.body)
        return self._recent.failed(jku)


def _never(url: str) -> bytes:
    raise LookupError(url)
