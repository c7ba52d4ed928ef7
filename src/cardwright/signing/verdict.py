"""The result of verification, for each signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright.signing.forms import Profile

# A change of one of these could redirect callers or bypass authentication (project decision).
ESSENTIAL: Final = frozenset({
    "additionalInterfaces", "authentication", "preferredTransport", "protocolVersion", "security",
    "securityRequirements", "securitySchemes", "skills", "supportedInterfaces",
    "supportsAuthenticatedExtendedCard", "url",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class SignatureVerdict:
    """The result for one signature: the key and canonical form with which it verified, or why it did not.

    Attributes:
        index: Its place in `signatures`.
        kid: The id of its key, if it could be read.
        alg: Its algorithm, if it could be read and is accepted.
        thumbprint: RFC 7638 thumbprint of the key that verified it, or None.
        profile: The canonical form with which it verified, or None.
        reason: Why it did not verify, or "".
        uncovered: Pointers (RFC 6901) to the fields that the signature does not cover.
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
        """Whether the signature is valid: made with a trusted key over a canonical form of the card."""
        return self.profile is not None

    @property
    def essential(self) -> tuple[str, ...]:
        """The uncovered pointers in security, interfaces, url and skills."""
        return tuple(pointer for pointer in self.uncovered if pointer.split("/")[1] in ESSENTIAL)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON value: index, kid, alg, profile, verified, reason, uncovered."""
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
    """The results for all signatures of one card, in order."""

    signatures: tuple[SignatureVerdict, ...]

    @property
    def verified(self) -> bool:
        """Whether any signature verified: one suffices (A2A 1.0 §8.4.3)."""
        return any(signature.verified for signature in self.signatures)

    @property
    def covered(self) -> bool:
        """Whether a signature verified that covers security, interfaces, url and skills completely."""
        return any(signature.verified and not signature.essential for signature in self.signatures)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON value: verified and signatures."""
        return {
            "verified": self.verified,
            "signatures": [signature.to_json() for signature in self.signatures],
        }
