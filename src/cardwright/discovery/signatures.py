"""Verification of a fetched card's signatures; key sets are fetched with the guarded client, at most once a minute."""

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
    """Result of the verification of a card.

    Attributes:
        state: `unsigned`, `verified` if one signature verifies with a trusted key, else `unverified`.
        verdict: The result for each signature.
    """

    state: SignatureState = "unsigned"
    verdict: Verification = _NONE

    @property
    def signed_by(self) -> str:
        """The RFC 7638 thumbprint of the key that verified, or ""."""
        return next(
            (signature.thumbprint or "" for signature in self.verdict.signatures if signature.verified), ""
        )


class Verifier:
    """Verifier of fetched cards, with trusted keys and with key sets of trusted origins.

    Args:
        client: The guarded HTTP client for key sets.
        keys: Trusted keys.
        policy: The accepted signatures; a key set of the card's own https origin is also trusted.
        clock: Monotonic clock, in seconds.
    """

    def __init__(
        self, client: GuardedClient, *, keys: KeySet | None, policy: Policy, clock: Callable[[], float]
    ) -> None:
        self._client = client
        self._keys = keys if keys is not None else KeySet()
        self._policy = policy
        self._recent = RecentKeySets(_never, clock=clock)
        self._requests: dict[str, asyncio.Task[bytes | None]] = {}

    async def signatures(self, card: Card, url: str) -> Signatures:
        """Verify a card that was requested at a URL, whatever it redirected to."""
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
        """Return a key set, or None; concurrent callers share one request."""
        request = self._requests.get(jku)
        if request is None:
            try:
                key_set = self._recent.stored_body(jku)
            except LookupError:
                return None
            if key_set is not None:
                return key_set
            request = asyncio.ensure_future(self._fetched(jku))
            self._requests[jku] = request
            request.add_done_callback(lambda _: self._requests.pop(jku, None))
        # Cancelling one waiter must not cancel the shared request.
        return await asyncio.shield(request)

    async def _fetched(self, jku: str) -> bytes | None:
        with suppress(CardError):
            # A redirect would lead away from the trusted origin.
            answer = await self._client.get(jku, redirects=0)
            if answer.status == 200:
                return self._recent.fetched(jku, answer.body)
        return self._recent.failed(jku)


def _never(url: str) -> bytes:
    raise LookupError(url)
