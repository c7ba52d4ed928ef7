"""What verification found, signature by signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright.signing.forms import Profile

# Whoever could change one of these unseen could lead callers elsewhere, or let them in (ours).
ESSENTIAL: Final = frozenset({
    "additionalInterfaces", "authentication", "preferredTransport", "protocolVersion", "security",
    "securityRequirements", "securitySchemes", "skills", "supportedInterfaces",
    "supportsAuthenticatedExtendedCard", "url",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class SignatureVerdict:
    """Whether one signature verified, with which key and canonical form, or why not.

    Attributes:
        index: Its place in `signatures`.
        kid: The id of the key that it names, where it could be read.
        alg: Its algorithm, where it could be read and is one that is accepted.
        thumbprint: RFC 7638 thumbprint of the key that verified it, or None.
        profile: The canonical form that it verified with, or None.
        reason: Why it did not verify; empty where it did.
        uncovered: Pointers (RFC 6901) to what the card says and the signature does not cover.
    """

    index: int
    kid: str | None = None
    alg: str | None = None
    thumbprint: str | None = None
    profile: Profile | None = None
    reason: str = ""
    uncovered: tuple[str, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether the signature is that of a trusted key over the card's canonical form."""
        return self.profile is not None

    @property
    def essential(self) -> tuple[str, ...]:
        """What is uncovered of security, interfaces, url or skills."""
        return tuple(pointer for pointer in self.uncovered if pointer.split("/")[1] in ESSENTIAL)

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON value: index, kid, alg, profile, verified, reason, uncovered."""
        return {
            "index": self.index,
            "kid": self.kid,
            "alg": self.alg,
            "profile": self.profile,
            "verified": self.verified,
            "reason": self.reason or None,
            "uncovered": list(self.uncovered),
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """The verdicts on all signatures of one card, in their order."""

    signatures: tuple[SignatureVerdict, ...]

    @property
    def verified(self) -> bool:
        """Whether any signature verified: one suffices (A2A 1.0 §8.4.3)."""
        return any(signature.verified for signature in self.signatures)

    @property
    def covered(self) -> bool:
        """Whether a signature verified that leaves nothing of security, interfaces, url and skills uncovered."""
        return any(signature.verified and not signature.essential for signature in self.signatures)

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON value: verified, and signatures."""
        return {
            "verified": self.verified,
            "signatures": [signature.to_json() for signature in self.signatures],
        }
